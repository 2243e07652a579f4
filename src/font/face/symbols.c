// Composes the symbols of ^GS. Boxes and corners were fitted to the reference's image at 72 dots; the UL and CSA
// marks are drawn here from rings, arcs and corners.
#include "font/face/symbols.h"

#include <string.h>

#include "base/ckd.h"

#define TOP 7200 // the cell's top above the baseline, which is its bottom

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

// CSA's letter C: a ring that is open to the right, its ends cut along radii at 39 degrees.
static void add_open_ring(struct pl_symbol *s, int32_t cx, int32_t below_top, int32_t outer, int32_t inner)
{
    const int32_t cy = TOP - below_top;
    // Cosine and sine of 39 degrees; the handle of an arc of the 51 degrees from there to the top, 4/3 tan(51/4
    // degrees).
    static const int32_t cosine = 777, sine = 629, handle = 302;
    const int32_t radius[2] = {outer, inner};
    for (int side = 0; side < 2; side++) {
        int32_t r = radius[side], k = (int32_t)((int64_t)r * 5523 / 10000);
        int32_t end_x = r * cosine / 1000, end_y = r * sine / 1000;
        int32_t near_x = r * (cosine - sine * handle / 1000) / 1000,
                near_y = r * (sine + cosine * handle / 1000) / 1000;
        // From the upper end over the top, left and bottom to the lower end; the inner side runs back.
        int32_t path[13][2] = {{end_x, end_y},
                               {near_x, near_y},
                               {r * handle / 1000, r},
                               {0, r},
                               {-k, r},
                               {-r, k},
                               {-r, 0},
                               {-r, -k},
                               {-k, -r},
                               {0, -r},
                               {r * handle / 1000, -r},
                               {near_x, -near_y},
                               {end_x, -end_y}};
        for (int i = 0; i < 13; i++) {
            int at = side ? 12 - i : i;
            add_point(s, cx + path[at][0], cy + path[at][1], at % 3 == 0 ? PL_POINT_ON : PL_POINT_CUBIC);
        }
    }
    end_contour(s);
}

// Corners in tenths of a dot at 72 dots, right of the cell's left edge and below its top. A third figure of 1 marks a
// cubic control point.
struct corner {
    int16_t x, y, control;
};

static void add_corners(struct pl_symbol *s, const struct corner *corners, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_point(s, corners[i].x * 10, TOP - corners[i].y * 10, corners[i].control ? PL_POINT_CUBIC : PL_POINT_ON);
    end_contour(s);
}

static const struct corner ul_u[] = {{158, 147, 0}, {158, 405, 0}, {158, 474, 1}, {191, 511, 1}, {266, 512, 0},
                                     {336, 513, 1}, {371, 470, 1}, {372, 403, 0}, {372, 149, 0}, {299, 149, 0},
                                     {297, 408, 0}, {297, 429, 1}, {285, 446, 1}, {262, 445, 0}, {240, 442, 1},
                                     {231, 429, 1}, {230, 406, 0}, {230, 147, 0}};
static const struct corner ul_l[] = {{405, 212, 0}, {405, 558, 0}, {577, 559, 0},
                                     {577, 492, 0}, {473, 492, 0}, {472, 210, 0}};
static const struct corner csa_s[] = {{332, 135, 0}, {332, 271, 0}, {264, 269, 0}, {265, 235, 0}, {254, 239, 0},
                                      {224, 274, 0}, {332, 378, 0}, {332, 587, 0}, {312, 584, 0}, {276, 572, 0},
                                      {239, 553, 0}, {201, 522, 0}, {169, 483, 0}, {148, 442, 0}, {143, 420, 0},
                                      {203, 402, 0}, {214, 430, 0}, {231, 460, 0}, {259, 489, 0}, {263, 475, 0},
                                      {263, 406, 0}, {156, 310, 0}, {143, 297, 0}, {149, 282, 0}, {158, 262, 0},
                                      {177, 229, 0}, {205, 196, 0}, {240, 169, 0}, {281, 149, 0}};
static const struct corner csa_a[] = {
    {395, 136, 0}, {430, 143, 0}, {470, 159, 0}, {501, 180, 0}, {533, 211, 0}, {556, 239, 0}, {574, 275, 0},
    {587, 315, 0}, {592, 354, 0}, {590, 390, 0}, {583, 422, 0}, {573, 452, 0}, {559, 479, 0}, {538, 509, 0},
    {489, 465, 0}, {511, 431, 0}, {522, 396, 0}, {465, 396, 0}, {463, 567, 0}, {428, 580, 0}, {395, 587, 0}};
static const struct corner csa_a_hole[] = {{465, 238, 0}, {464, 327, 0}, {523, 326, 0},
                                           {502, 278, 0}, {481, 250, 0}, {473, 242, 0}};

void pl_symbols_compose(struct pl_symbols *symbols, struct pl_ft_face *face)
{
    memset(symbols, 0, sizeof *symbols);
    add_face_letter(&symbols->of[0], face, 0xAE, -26, 30, 4485, 4511);
    add_face_letter(&symbols->of[1], face, 0xA9, -25, 31, 4486, 4511);
    add_face_letter(&symbols->of[2], face, 0x2122, -2, -14, 5699, 3015);
    struct pl_symbol *ul = &symbols->of[3];
    add_circle(ul, 3596, 3615, 3598, false);
    add_circle(ul, 3586, 3616, 3076, true);
    add_corners(ul, ul_u, PL_COUNTOF(ul_u));
    add_corners(ul, ul_l, PL_COUNTOF(ul_l));
    add_face_letter(ul, face, 0xAE, 2229, 5324, 3104, 6209);
    struct pl_symbol *csa = &symbols->of[4];
    add_open_ring(csa, 3607, 3615, 3600, 2690);
    add_corners(csa, csa_s, PL_COUNTOF(csa_s));
    add_corners(csa, csa_a, PL_COUNTOF(csa_a));
    add_corners(csa, csa_a_hole, PL_COUNTOF(csa_a_hole));
    add_face_letter(csa, face, 0xAE, 5685, 4542, 6575, 5423);
}

const struct pl_symbol *pl_symbols_lookup(const struct pl_symbols *symbols, uint32_t character)
{
    return character >= 'A' && character <= 'E' ? &symbols->of[character - 'A'] : NULL;
}
