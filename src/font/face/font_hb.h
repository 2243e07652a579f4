// The interface to HarfBuzz: shaping of one run, and the few Unicode properties that layout needs.
#ifndef PL_FONT_FACE_FONT_HB_H
#define PL_FONT_FACE_FONT_HB_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/job.h"
#include "base/slice.h"

struct pl_hb_font;

struct pl_hb_glyph {
    uint32_t glyph;
    uint32_t cluster;      // index of the first character it stands for
    int32_t advance, x, y; // font units; x and y move the glyph, y upwards
};

// Makes what HarfBuzz keeps for the life of the process: its functions for characters and for glyphs. It makes each
// once, on first use, and works without it for ever when memory is short at that moment: texts are drawn wrong then,
// and nothing tells. So this is called before anything else here, with a font that has an A. False: there was no
// memory.
bool pl_hb_prepare(struct pl_slice font);

// NULL when there is no memory. The bytes must outlive the font. Of a font that came with a label only those tables are
// used that labels need, and no GSUB or GPOS that would take long.
struct pl_hb_font *pl_hb_open(struct pl_slice bytes, bool downloaded);
void pl_hb_close(struct pl_hb_font *font);
// Shapes chars[start, start + length) of one script and direction; glyphs come in visual order, left to right. Some of
// what HarfBuzz does takes time by the square of `length`: callers cut long runs into pieces.
enum pl_errc pl_hb_shape(struct pl_hb_font *font, const uint32_t *chars, uint32_t total, uint32_t start,
                         uint32_t length, bool right_to_left, const struct pl_job *job, struct pl_arena *arena,
                         struct pl_hb_glyph **out, uint32_t *count, struct pl_error *err) PL_MUST_USE;

// The letter that base and mark make together; 0: there is none.
uint32_t pl_hb_compose(uint32_t base, uint32_t mark);
bool pl_hb_is_mark(uint32_t codepoint);
bool pl_hb_is_virama(uint32_t codepoint);  // joins the letters around it
uint32_t pl_hb_mirror(uint32_t codepoint); // brackets in right-to-left text
uint32_t pl_hb_script(uint32_t codepoint); // 0: common or inherited

#endif
