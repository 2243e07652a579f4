// Reading table directories and composite glyphs by bounded loops. Where a table is malformed,
// the libraries find that too and stop; here it only must not look smaller than it is to them.
#include "font/face/sfnt.h"

#include "base/ckd.h"
#include "font/face/font_ft.h"

#define MOST_CHARACTER_MAPS 64 // fonts have up to ten
#define DEEPEST_COMPOSITE 16   // composites of composites; fonts have up to three
#define MOST_PARTS 1000        // of one glyph, counted through all levels

static size_t font_start(struct pl_slice file)
{
    return pl_sfnt_u32(file, 0) == PL_SFNT_TAG('t', 't', 'c', 'f') ? pl_sfnt_u32(file, 12) : 0;
}

struct pl_slice pl_sfnt_table(struct pl_slice file, uint32_t tag)
{
    size_t start = font_start(file);
    uint32_t count = pl_sfnt_u16(file, start + 4);
    for (uint32_t i = 0; i < count; i++) {
        size_t entry = start + 12 + (size_t)i * 16;
        if (entry + 16 > file.len)
            break;
        size_t offset = pl_sfnt_u32(file, entry + 8), length = pl_sfnt_u32(file, entry + 12);
        // Entries that reach beyond the file do not count, nor do empty ones.
        if (pl_sfnt_u32(file, entry) == tag && length > 0 && offset <= file.len && length <= file.len - offset)
            return pl_slice_sub(file, offset, length);
    }
    return pl_slice_make(NULL, 0);
}

bool pl_sfnt_is_whole(struct pl_slice file)
{
    size_t start = font_start(file);
    uint32_t count = pl_sfnt_u16(file, start + 4);
    for (uint32_t i = 0; i < count; i++) {
        size_t entry = start + 12 + (size_t)i * 16;
        size_t offset = pl_sfnt_u32(file, entry + 8), length = pl_sfnt_u32(file, entry + 12);
        if (entry + 16 > file.len || offset > file.len || length > file.len - offset)
            return false;
    }
    return count > 0;
}

bool pl_sfnt_can_open(struct pl_slice file)
{
    return pl_sfnt_u16(pl_sfnt_table(file, PL_SFNT_TAG('c', 'm', 'a', 'p')), 2) <= MOST_CHARACTER_MAPS;
}

struct pl_glyf pl_glyf_find(struct pl_slice file)
{
    struct pl_slice loca = pl_sfnt_table(file, PL_SFNT_TAG('l', 'o', 'c', 'a'));
    struct pl_slice head = pl_sfnt_table(file, PL_SFNT_TAG('h', 'e', 'a', 'd'));
    return (struct pl_glyf){.file = file,
                            .glyf = pl_sfnt_table(file, PL_SFNT_TAG('g', 'l', 'y', 'f')),
                            .loca = loca.len > 0 ? (size_t)(loca.ptr - file.ptr) : file.len,
                            .long_loca = pl_sfnt_u16(head, 50) != 0};
}

// From where a glyph's outline is to the end of the table; empty: it has none. FreeType reads a `loca` that is too
// short beyond its end, as far as the next table, so its length does not count here.
static struct pl_slice outline_of(const struct pl_glyf *font, uint32_t glyph)
{
    size_t size = font->long_loca ? 4 : 2, at = font->loca + (size_t)glyph * size;
    size_t begin = font->long_loca ? pl_sfnt_u32(font->file, at) : (size_t)pl_sfnt_u16(font->file, at) * 2;
    size_t end = font->long_loca ? pl_sfnt_u32(font->file, at + 4) : (size_t)pl_sfnt_u16(font->file, at + 2) * 2;
    if (begin == end || begin >= font->glyf.len)
        return pl_slice_make(NULL, 0);
    return pl_slice_sub(font->glyf, begin, font->glyf.len - begin);
}

// Flags of a part.
enum { WORDS = 0x0001, SCALE = 0x0008, MORE = 0x0020, TWO_SCALES = 0x0040, FOUR_SCALES = 0x0080, METRICS = 0x0200 };

// The parts of a composite that are still to be read.
struct parts {
    struct pl_slice outline;
    size_t at;
};

// The next part of a composite outline. Returns its flags.
static uint32_t take_part(struct parts *parts, uint32_t *glyph)
{
    uint32_t flags = pl_sfnt_u16(parts->outline, parts->at);
    *glyph = pl_sfnt_u16(parts->outline, parts->at + 2);
    parts->at += 4 + (flags & WORDS ? 4u : 2u);
    parts->at += flags & SCALE ? 2u : flags & TWO_SCALES ? 4u : flags & FOUR_SCALES ? 8u : 0u;
    if (!(flags & MORE))
        parts->at = parts->outline.len;
    return flags;
}

enum pl_glyf_verdict pl_glyf_judge(const struct pl_glyf *font, uint32_t glyph)
{
    struct parts stack[DEEPEST_COMPOSITE];
    uint32_t depth = 0, parts = 0, points = 0;
    enum pl_glyf_verdict verdict = PL_GLYF_PLAIN;
    for (;;) {
        struct pl_slice outline = outline_of(font, glyph);
        bool composite = outline.len >= 10 && pl_sfnt_u16(outline, 0) >= 0x8000;
        if (composite && depth == DEEPEST_COMPOSITE)
            return PL_GLYF_TOO_COMPLEX;
        if (composite)
            stack[depth++] = (struct parts){outline, 10};
        else if (outline.len >= 10 && pl_sfnt_u16(outline, 0) > 0)
            points += pl_sfnt_u16(outline, 10 + ((size_t)pl_sfnt_u16(outline, 0) - 1) * 2) + 1;
        if (points > PL_FT_MOST_POINTS)
            return PL_GLYF_TOO_COMPLEX;
        while (depth > 0 && stack[depth - 1].at + 4 > stack[depth - 1].outline.len)
            depth--;
        if (depth == 0)
            return verdict;
        if (++parts > MOST_PARTS)
            return PL_GLYF_TOO_COMPLEX;
        if (take_part(&stack[depth - 1], &glyph) & METRICS)
            verdict = PL_GLYF_PARTS;
    }
}
