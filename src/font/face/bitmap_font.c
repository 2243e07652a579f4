// ~DB: o,h,w,base,space,#char,(c),#code.h.w.x.y.i.hex... (manual, ~DB). Sizes are bounded by the hex digits that are
// there.
#include "font/face/bitmap_font.h"

#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "base/search.h"

#define MAX_CELL 2000
#define MAX_GLYPHS 4096
#define BITMAPS_MOST ((size_t)32 << 20) // bytes of a font

struct pl_bitmap_font {
    int32_t height, width, baseline, space;
    uint32_t count;
    struct pl_arena arena;           // bitmaps
    struct pl_bitmap_glyph glyphs[]; // sorted by code
};

struct reader {
    struct pl_slice in;
    size_t pos;
};

// The next field up to `stop`; false at the end of the input. Blanks around numbers do not matter.
static bool next_field(struct reader *r, uint8_t stop, struct pl_slice *out)
{
    if (r->pos >= r->in.len)
        return false;
    size_t start = r->pos;
    while (r->pos < r->in.len && r->in.ptr[r->pos] != stop && r->in.ptr[r->pos] != '#')
        r->pos++;
    *out = pl_slice_trim(pl_slice_sub(r->in, start, r->pos - start));
    if (r->pos < r->in.len && r->in.ptr[r->pos] == stop)
        r->pos++;
    return true;
}

static bool to_number(struct pl_slice s, int base, int32_t *out)
{
    bool negative = s.len > 0 && s.ptr[0] == '-';
    int64_t value = 0;
    size_t digits = 0;
    for (size_t i = negative; i < s.len; i++, digits++) {
        int d = pl_hex_value(s.ptr[i]);
        if (d < 0 || d >= base || value > 1000000)
            return false;
        value = value * base + d;
    }
    *out = (int32_t)(negative ? -value : value);
    return digits > 0;
}

static bool next_number(struct reader *r, uint8_t stop, int base, int32_t *out)
{
    struct pl_slice field;
    return next_field(r, stop, &field) && to_number(field, base, out);
}

// Rows are padded to whole bytes; what is missing stays white.
static bool read_bits(struct reader *r, struct pl_arena *arena, int32_t width, int32_t height, struct pl_bitmap *out)
{
    if (pl_bitmap_new(arena, (uint32_t)width, (uint32_t)height, out, NULL) != PL_OK)
        return false;
    uint32_t digits_per_row = ((uint32_t)width + 7) / 8 * 2, digit = 0, row = 0;
    for (; r->pos < r->in.len && r->in.ptr[r->pos] != '#'; r->pos++) {
        int value = pl_hex_value(r->in.ptr[r->pos]);
        if (value < 0 || row >= out->height)
            continue;
        for (uint32_t bit = 0; bit < 4; bit++)
            if (value >> (3 - bit) & 1 && digit * 4 + bit < out->width)
                pl_bitmap_set(out, digit * 4 + bit, row);
        if (++digit == digits_per_row) {
            digit = 0;
            row++;
        }
    }
    return true;
}

static bool read_glyph(struct reader *r, struct pl_arena *arena, struct pl_bitmap_glyph *glyph)
{
    int32_t code, height, width, x, y, advance;
    if (!next_number(r, '.', 16, &code) || !next_number(r, '.', 10, &height) || !next_number(r, '.', 10, &width) ||
        !next_number(r, '.', 10, &x) || !next_number(r, '.', 10, &y) || !next_number(r, '.', 10, &advance))
        return false;
    if (code < 0 || height < 0 || width < 0 || height > MAX_CELL || width > MAX_CELL || advance < 0 ||
        advance > MAX_CELL || x < -MAX_CELL || x > MAX_CELL || y < -MAX_CELL || y > MAX_CELL)
        return false;
    // A bitmap cannot be larger than its digits.
    if ((int64_t)((width + 7) / 8) * 2 * height > (int64_t)(r->in.len - r->pos) + 64)
        height = (int32_t)((int64_t)(r->in.len - r->pos) / PL_MAX(1, (width + 7) / 8 * 2));
    *glyph = (struct pl_bitmap_glyph){.code = (uint32_t)code, .x = x, .y = y, .advance = advance};
    return read_bits(r, arena, width, height, &glyph->bits);
}

static int by_code(const void *a, const void *b)
{
    uint32_t x = ((const struct pl_bitmap_glyph *)a)->code, y = ((const struct pl_bitmap_glyph *)b)->code;
    return x < y ? -1 : x > y;
}

struct pl_bitmap_font *pl_bitmap_font_parse(struct pl_slice payload, struct pl_budget *budget)
{
    struct reader r = {payload, 0};
    int32_t figures[5]; // height, width, baseline, space, number of characters
    struct pl_slice first;
    size_t start = r.pos;
    if (next_field(&r, ',', &first) && !(first.len == 1 && strchr("NRIBnrib", first.ptr[0]) && first.ptr[0]))
        r.pos = start;
    for (int i = 0; i < 5; i++)
        if (!next_number(&r, ',', 10, &figures[i]) || figures[i] < 0 || figures[i] > MAX_CELL + 65536)
            return NULL;
    if (figures[0] < 1 || figures[0] > MAX_CELL || figures[1] < 1 || figures[1] > MAX_CELL || figures[2] > MAX_CELL ||
        figures[3] > MAX_CELL)
        return NULL;
    size_t count = 0;
    for (size_t i = 0; i < payload.len; i++)
        count += payload.ptr[i] == '#';
    if (count > MAX_GLYPHS)
        count = MAX_GLYPHS;
    struct pl_bitmap_font *font = calloc(1, sizeof *font + count * sizeof font->glyphs[0]);
    if (!font)
        return NULL;
    font->height = figures[0];
    font->width = figures[1];
    font->baseline = figures[2];
    font->space = figures[3];
    pl_arena_init(&font->arena, BITMAPS_MOST);
    pl_arena_join(&font->arena, budget, false);
    while (font->count < count) {
        while (r.pos < r.in.len && r.in.ptr[r.pos] != '#')
            r.pos++;
        if (r.pos >= r.in.len)
            break;
        r.pos++;
        if (!read_glyph(&r, &font->arena, &font->glyphs[font->count]))
            break;
        font->count++;
    }
    qsort(font->glyphs, font->count, sizeof font->glyphs[0], by_code);
    return font;
}

void pl_bitmap_font_free(struct pl_bitmap_font *font)
{
    if (!font)
        return;
    pl_arena_fini(&font->arena);
    free(font);
}

const struct pl_bitmap_glyph *pl_bitmap_font_lookup(const struct pl_bitmap_font *font, uint32_t code)
{
    uint32_t first;
    PL_FIND_FIRST(first, font->count, font->glyphs[first].code < code);
    return first < font->count && font->glyphs[first].code == code ? &font->glyphs[first] : NULL;
}

int32_t pl_bitmap_font_height(const struct pl_bitmap_font *font)
{
    return font->height;
}

int32_t pl_bitmap_font_width(const struct pl_bitmap_font *font)
{
    return font->width;
}

int32_t pl_bitmap_font_baseline(const struct pl_bitmap_font *font)
{
    return font->baseline;
}

int32_t pl_bitmap_font_space(const struct pl_bitmap_font *font)
{
    return font->space;
}
