// Composes the symbols of ^GS. Boxes were measured on the reference at 72 dots; the UL and CSA marks are drawn here
// from rings, arcs and letters of font 0.
#include "font/symbols.h"

#include <string.h>

#include "base/ckd.h"
#include "font/font0.h"

#define TOP 5400 // the cell's top above the baseline

static void add_point(struct pl_symbol *s, int32_t x, int32_t y, uint8_t tag)
{
    if (s->point_count == PL_SYMBOL_POINTS)
        return;
    s->xy[s->point_count * 2] = (int16_t)pl_clamp_i32(x, INT16_MIN, INT16_MAX);
    s->xy[s->point_count * 2 + 1] = (int16_t)pl_clamp_i32(y, INT16_MIN, INT16_MAX);
    s->tags[s->point_count++] = tag;
}

static void end_contour(struct pl_symbol *s)
{
    if (s->end_count < PL_SYMBOL_ENDS && s->point_count > 0)
        s->ends[s->end_count++] = (uint16_t)(s->point_count - 1);
}

// Fits an outline's box into a box given in units right of the cell's left edge and below its top.
static void add_fitted(struct pl_symbol *s, const struct pl_outline *outline, int32_t left, int32_t top, int32_t right,
                       int32_t bottom)
{
    struct pl_outline_box box = pl_outline_control_box(outline);
    if (box.x1 <= box.x0 || box.y1 <= box.y0 || s->point_count + outline->point_count > PL_SYMBOL_POINTS)
        return;
    uint32_t first = s->point_count;
    for (uint32_t i = 0; i < outline->point_count; i++)
        add_point(s, left + (outline->xy[i * 2] - box.x0) * (right - left) / (box.x1 - box.x0),
                  TOP - bottom + (outline->xy[i * 2 + 1] - box.y0) * (bottom - top) / (box.y1 - box.y0),
                  outline->tags[i]);
    for (uint32_t i = 0; i < outline->end_count && s->end_count < PL_SYMBOL_ENDS; i++)
        s->ends[s->end_count++] = (uint16_t)(first + outline->ends[i]);
}

static void add_letter(struct pl_symbol *s, uint32_t letter, int32_t left, int32_t top, int32_t right, int32_t bottom)
{
    for (uint32_t i = 0; i < pl_font0_glyph_count; i++) {
        const struct pl_font0_glyph *g = &pl_font0_glyphs[i];
        if (g->codepoint != letter)
            continue;
        struct pl_outline outline = {pl_font0_points + g->first_point * 2, pl_font0_tags + g->first_point,
                                     pl_font0_ends + g->first_end, g->point_count, g->end_count};
        add_fitted(s, &outline, left, top, right, bottom);
    }
}

static void add_face_letter(struct pl_symbol *s, struct pl_ft_face *face, uint32_t letter, int32_t left, int32_t top,
                            int32_t right, int32_t bottom)
{
    struct pl_outline outline;
    if (pl_ft_outline(face, pl_ft_glyph_index(face, letter), &outline))
        add_fitted(s, &outline, left, top, right, bottom);
}

// A circle of four cubic arcs; `inner` circles run the other way round and so cut a hole. 0.5523 makes an arc round.
static void add_circle(struct pl_symbol *s, int32_t cx, int32_t below_top, int32_t radius, bool inner)
{
    static const int8_t around[12][2] = {{2, 0},  {2, 1},   {1, 2},   {0, 2},  {-1, 2}, {-2, 1},
                                         {-2, 0}, {-2, -1}, {-1, -2}, {0, -2}, {1, -2}, {2, -1}};
    int32_t reach[3] = {0, (int32_t)((int64_t)radius * 5523 / 10000), radius};
    int32_t cy = TOP - below_top;
    for (int i = 0; i < 12; i++) {
        int at = inner ? (12 - i) % 12 : i;
        int32_t dx = around[at][0], dy = around[at][1];
        add_point(s, cx + (dx < 0 ? -reach[-dx] : reach[dx]), cy + (dy < 0 ? -reach[-dy] : reach[dy]),
                  i % 3 == 0 ? PL_POINT_ON : PL_POINT_CUBIC);
    }
    end_contour(s);
}

// CSA's letter C: a ring of 3300 and 2000 units that is open to the right, its ends cut along lines at about 45
// degrees.
static void add_open_ring(struct pl_symbol *s, int32_t cx, int32_t below_top, int32_t outer, int32_t inner)
{
    // The ends are at 47 degrees: cosine .682, sine .731. The arc from there to the top is one of 43 degrees.
    const int32_t cy = TOP - below_top;
    static const int32_t cosine = 682, sine = 731, handle = 254; // 4/3 tan(43/4 degrees) = .253
    const int32_t radius[2] = {outer, inner};
    for (int side = 0; side < 2; side++) {
        int32_t r = radius[side], k = (int32_t)((int64_t)r * 5523 / 10000);
        // From the upper end over the top, left and bottom to the lower end; the inner side runs back.
        int32_t path[13][2] = {
            {r * cosine / 1000, r * sine / 1000},
            {r * (cosine - sine * handle / 1000) / 1000, r * (sine + cosine * handle / 1000) / 1000},
            {r * handle / 1000, r},
            {0, r},
            {-k, r},
            {-r, k},
            {-r, 0},
            {-r, -k},
            {-k, -r},
            {0, -r},
            {r * handle / 1000, -r},
            {r * (cosine - sine * handle / 1000) / 1000, -r * (sine + cosine * handle / 1000) / 1000},
            {r * cosine / 1000, -r * sine / 1000}};
        for (int i = 0; i < 13; i++) {
            int at = side ? 12 - i : i;
            add_point(s, cx + path[at][0], cy + path[at][1], at % 3 == 0 ? PL_POINT_ON : PL_POINT_CUBIC);
        }
    }
    end_contour(s);
}

void pl_symbols_compose(struct pl_symbols *symbols, struct pl_ft_face *face)
{
    memset(symbols, 0, sizeof *symbols);
    add_face_letter(&symbols->of[0], face, 0xAE, 0, 0, 4500, 4600);
    add_face_letter(&symbols->of[1], face, 0xA9, 0, 0, 4500, 4600);
    add_face_letter(&symbols->of[2], face, 0x2122, 0, 0, 5700, 3100);
    struct pl_symbol *ul = &symbols->of[3];
    add_circle(ul, 3600, 3600, 3600, false);
    add_circle(ul, 3600, 3600, 3150, true);
    add_letter(ul, 'U', 1500, 1400, 3600, 4700);
    add_letter(ul, 'L', 3950, 2100, 5700, 5500);
    add_face_letter(ul, face, 0xAE, 2250, 5250, 3100, 6100);
    struct pl_symbol *csa = &symbols->of[4];
    add_open_ring(csa, 3600, 3600, 3600, 2600);
    add_letter(csa, 'S', 1350, 1500, 3500, 5750);
    add_letter(csa, 'A', 3650, 1600, 6050, 5650);
    add_face_letter(csa, face, 0xAE, 5750, 4600, 6600, 5450);
}

const struct pl_symbol *pl_symbols_lookup(const struct pl_symbols *symbols, uint32_t character)
{
    return character >= 'A' && character <= 'E' ? &symbols->of[character - 'A'] : NULL;
}
