// Composes the symbols of ^GS. Boxes were measured on the reference at 72 dots; the UL and CSA marks are drawn here
// from rings, arcs and letters of font 0.
#include "font/symbols.h"

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

// CSA's letter C: a ring that is open to the right, its ends cut along radii at 40 degrees.
static void add_open_ring(struct pl_symbol *s, int32_t cx, int32_t below_top, int32_t outer, int32_t inner)
{
    const int32_t cy = TOP - below_top;
    // Cosine and sine of 40 degrees; the handle of an arc of the 50 degrees from there to the top, 4/3 tan(50/4
    // degrees).
    static const int32_t cosine = 766, sine = 643, handle = 296;
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

static const struct corner ul_u[] = {{157, 146, 0}, {157, 405, 0}, {157, 470, 1}, {195, 508, 1}, {265, 508, 0},
                                     {335, 508, 1}, {374, 470, 1}, {374, 405, 0}, {374, 148, 0}, {298, 148, 0},
                                     {298, 408, 0}, {298, 430, 1}, {287, 443, 1}, {260, 443, 0}, {239, 443, 1},
                                     {229, 430, 1}, {229, 408, 0}, {229, 146, 0}};
static const struct corner ul_l[] = {{402, 213, 0}, {402, 558, 0}, {577, 558, 0},
                                     {577, 490, 0}, {475, 490, 0}, {475, 213, 0}};
static const struct corner csa_s[] = {{331, 132, 0}, {331, 268, 0}, {264, 268, 0}, {264, 239, 0}, {253, 242, 0},
                                      {230, 274, 0}, {331, 375, 0}, {331, 590, 0}, {312, 586, 0}, {277, 572, 0},
                                      {242, 551, 0}, {207, 519, 0}, {176, 478, 0}, {151, 438, 0}, {139, 419, 0},
                                      {207, 399, 0}, {216, 425, 0}, {235, 457, 0}, {255, 478, 0}, {264, 473, 0},
                                      {264, 417, 0}, {153, 313, 0}, {142, 296, 0}, {148, 282, 0}, {157, 262, 0},
                                      {175, 228, 0}, {203, 194, 0}, {238, 166, 0}, {280, 143, 0}};
static const struct corner csa_a[] = {
    {393, 132, 0}, {430, 139, 0}, {470, 156, 0}, {508, 180, 0}, {535, 207, 0}, {558, 240, 0}, {574, 277, 0},
    {586, 315, 0}, {591, 355, 0}, {588, 390, 0}, {581, 422, 0}, {570, 450, 0}, {556, 478, 0}, {536, 510, 0},
    {489, 464, 0}, {503, 435, 0}, {513, 396, 0}, {464, 396, 0}, {464, 563, 0}, {430, 578, 0}, {393, 588, 0}};
static const struct corner csa_a_hole[] = {{464, 238, 0}, {464, 323, 0}, {518, 323, 0},
                                           {505, 275, 0}, {487, 245, 0}, {478, 236, 0}};

void pl_symbols_compose(struct pl_symbols *symbols, struct pl_ft_face *face)
{
    memset(symbols, 0, sizeof *symbols);
    add_face_letter(&symbols->of[0], face, 0xAE, -30, 20, 4470, 4550);
    add_face_letter(&symbols->of[1], face, 0xA9, -30, 20, 4470, 4550);
    add_face_letter(&symbols->of[2], face, 0x2122, 0, 0, 5700, 3000);
    struct pl_symbol *ul = &symbols->of[3];
    add_circle(ul, 3600, 3610, 3600, false);
    add_circle(ul, 3600, 3620, 3070, true);
    add_corners(ul, ul_u, PL_COUNTOF(ul_u));
    add_corners(ul, ul_l, PL_COUNTOF(ul_l));
    add_face_letter(ul, face, 0xAE, 2230, 5290, 3170, 6220);
    struct pl_symbol *csa = &symbols->of[4];
    add_open_ring(csa, 3610, 3610, 3600, 2690);
    add_corners(csa, csa_s, PL_COUNTOF(csa_s));
    add_corners(csa, csa_a, PL_COUNTOF(csa_a));
    add_corners(csa, csa_a_hole, PL_COUNTOF(csa_a_hole));
    add_face_letter(csa, face, 0xAE, 5670, 4480, 6620, 5430);
}

const struct pl_symbol *pl_symbols_lookup(const struct pl_symbols *symbols, uint32_t character)
{
    return character >= 'A' && character <= 'E' ? &symbols->of[character - 'A'] : NULL;
}
