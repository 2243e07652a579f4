// The tables of a TrueType or OpenType file, and what they cost those who read them: looked at before FreeType and
// HarfBuzz are, which have no bounds of their own there.
#ifndef PL_FONT_FACE_SFNT_H
#define PL_FONT_FACE_SFNT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

#define PL_SFNT_TAG(a, b, c, d)                                                                                        \
    ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d)) // of four characters

// Numbers at a place; 0 beyond the end.
static inline uint32_t pl_sfnt_u16(struct pl_slice s, size_t at)
{
    return at < s.len && s.len - at >= 2 ? (uint32_t)s.ptr[at] << 8 | s.ptr[at + 1] : 0;
}

static inline uint32_t pl_sfnt_u32(struct pl_slice s, size_t at)
{
    return pl_sfnt_u16(s, at) << 16 | pl_sfnt_u16(s, at + 2);
}

// The table of the file's (first) font as FreeType finds it; empty: there is none.
struct pl_slice pl_sfnt_table(struct pl_slice file, uint32_t tag);
// False: it has no tables, or one of them reaches beyond the end: a file that is cut off, or none of this kind.
// FreeType may open it nevertheless, and draw nothing.
bool pl_sfnt_is_whole(struct pl_slice file);
// False: the file has more characters maps than any font, each of which would be read at the start.
bool pl_sfnt_can_open(struct pl_slice file);
// False: a GSUB or (`positions`) GPOS table has so many lookups, or so many rules in one, that shaping would take long.
bool pl_sfnt_can_shape(struct pl_slice table, bool positions);

// TrueType outlines.
struct pl_glyf {
    struct pl_slice file, glyf;
    size_t loca; // where it begins in the file
    bool long_loca;
};

enum pl_glyf_verdict {
    PL_GLYF_PLAIN,       // of its own metrics
    PL_GLYF_PARTS,       // a composite that takes the metrics of a part
    PL_GLYF_TOO_COMPLEX, // to be left alone
};

struct pl_glyf pl_glyf_find(struct pl_slice file);
// Follows the parts of a glyph: their depth, number and points are bounded. Without a `glyf` table all are plain.
enum pl_glyf_verdict pl_glyf_judge(const struct pl_glyf *font, uint32_t glyph);

#endif
