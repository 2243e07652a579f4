// Boxes, ellipses and diagonals as spans of rows.
#include "raster/shapes.h"

#include <math.h>

#include "base/ckd.h"

__extension__ typedef unsigned __int128 u128;

// The part [x0, x1) of a row of the shape, relative to its left edge.
struct span {
    int64_t x0, x1;
};

// The largest whole root. The hardware's root is a first guess only, so every machine gives the same answer.
static int64_t isqrt(int64_t value)
{
    int64_t root = (int64_t)sqrt((double)value);
    while (root * root > value)
        root--;
    while ((root + 1) * (root + 1) <= value)
        root++;
    return root;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return -floor_div(-a, b);
}

static void fill_span(struct pl_bitmap *dst, int64_t x, int64_t y, struct span s, enum pl_ink ink)
{
    if (s.x0 >= s.x1)
        return;
    pl_bitmap_fill(dst,
                   (struct pl_box){pl_clamp_i32(x + s.x0, INT32_MIN, INT32_MAX), (int32_t)y,
                                   pl_clamp_i32(x + s.x1, INT32_MIN, INT32_MAX), (int32_t)y + 1},
                   ink);
}

// The outer span without the inner one.
static void fill_ring(struct pl_bitmap *dst, int64_t x, int64_t y, struct span outer, struct span inner,
                      enum pl_ink ink)
{
    if (inner.x0 >= inner.x1) {
        fill_span(dst, x, y, outer, ink);
        return;
    }
    fill_span(dst, x, y, (struct span){outer.x0, PL_MIN(inner.x0, outer.x1)}, ink);
    fill_span(dst, x, y, (struct span){PL_MAX(inner.x1, outer.x0), outer.x1}, ink);
}

// Rows of the shape that the bitmap shows.
static void visible_rows(const struct pl_bitmap *dst, int32_t y, int64_t height, int64_t *first, int64_t *last)
{
    *first = y < 0 ? -(int64_t)y : 0;
    *last = PL_MIN(height, (int64_t)dst->height - y);
}

static int64_t cut(int64_t value)
{
    return pl_clamp_i64(value, 0, PL_SHAPE_MAX);
}

// How far a rounded rectangle's row stands back from its sides: the radius is radius_16 / 16 dots.
static int64_t corner_inset(int64_t row, int64_t height, int64_t radius_16)
{
    int64_t from_edge = PL_MIN(row, height - 1 - row);
    int64_t radius = 2 * radius_16;             // in 1/32 of a dot, in which centres of dots are whole numbers
    int64_t v = radius - (32 * from_edge + 16); // distance from the corner's centre
    if (v <= 0)
        return 0;
    int64_t reach = isqrt(radius * radius - v * v);
    return PL_MAX(0, ceil_div(radius - reach - 16, 32));
}

// A frame with round corners; radii are in 1/16 of a dot.
static void round_box(struct pl_bitmap *dst, int32_t x, int32_t y, int64_t w, int64_t h, int64_t t,
                      int64_t outer_radius, int64_t inner_radius, enum pl_ink ink)
{
    int64_t inner_w = w - 2 * t, inner_h = h - 2 * t;
    bool solid = inner_w <= 0 || inner_h <= 0;
    int64_t first, last;
    visible_rows(dst, y, h, &first, &last);
    for (int64_t row = first; row < last; row++) {
        int64_t inset = corner_inset(row, h, outer_radius);
        struct span outer = {inset, w - inset}, inner = {0, 0};
        if (!solid && row >= t && row < h - t) {
            int64_t inner_inset = t + corner_inset(row - t, inner_h, inner_radius);
            inner = (struct span){inner_inset, w - inner_inset};
        }
        fill_ring(dst, x, (int64_t)y + row, outer, inner, ink);
    }
}

void pl_shape_box(struct pl_bitmap *dst, int32_t x, int32_t y, int32_t width, int32_t height, int32_t thickness,
                  uint32_t rounding, enum pl_ink ink)
{
    int64_t w = cut(width), h = cut(height), t = cut(thickness);
    int64_t inner_w = w - 2 * t, inner_h = h - 2 * t;
    bool solid = inner_w <= 0 || inner_h <= 0;
    if (rounding == 0) {
        int32_t x1 = pl_clamp_i32(x + w, INT32_MIN, INT32_MAX), y1 = pl_clamp_i32(y + h, INT32_MIN, INT32_MAX);
        if (solid) {
            pl_bitmap_fill(dst, (struct pl_box){x, y, x1, y1}, ink);
            return;
        }
        // Not solid, so the sum of two borders is less than the side and nothing overflows.
        int32_t ti = (int32_t)t;
        pl_bitmap_fill(dst, (struct pl_box){x, y, x1, y + ti}, ink);
        pl_bitmap_fill(dst, (struct pl_box){x, y1 - ti, x1, y1}, ink);
        pl_bitmap_fill(dst, (struct pl_box){x, y + ti, x + ti, y1 - ti}, ink);
        pl_bitmap_fill(dst, (struct pl_box){x1 - ti, y + ti, x1, y1 - ti}, ink);
        return;
    }
    int64_t outer_radius = (int64_t)rounding * PL_MIN(w, h);
    int64_t inner_radius = solid ? 0 : (int64_t)rounding * PL_MIN(inner_w, inner_h);
    round_box(dst, x, y, w, h, t, outer_radius, inner_radius, ink);
}

void pl_shape_round_box(struct pl_bitmap *dst, int32_t x, int32_t y, int32_t width, int32_t height, int32_t thickness,
                        int32_t radius, enum pl_ink ink)
{
    int64_t w = cut(width), h = cut(height), t = cut(thickness);
    int64_t outer = PL_MIN(16 * cut(radius), 8 * PL_MIN(w, h)); // no more than half of the shorter side
    round_box(dst, x, y, w, h, t, outer, PL_MAX(outer - 16 * t, 0), ink);
}

// The row of an ellipse inscribed in w x h: |2x + 1 - w| / w and |2y + 1 - h| / h are the centre's distances.
static struct span ellipse_row(int64_t w, int64_t h, int64_t row)
{
    int64_t v = 2 * row + 1 - h;
    if (w <= 0 || h <= 0 || row < 0 || row >= h)
        return (struct span){0, 0};
    u128 inside = (u128)(uint64_t)(h * h - v * v) * (uint64_t)(w * w);
    int64_t reach = isqrt((int64_t)(inside / (uint64_t)(h * h)));
    return (struct span){ceil_div(w - 1 - reach, 2), floor_div(w - 1 + reach, 2) + 1};
}

void pl_shape_ellipse(struct pl_bitmap *dst, int32_t x, int32_t y, int32_t width, int32_t height, int32_t thickness,
                      enum pl_ink ink)
{
    int64_t w = cut(width), h = cut(height), t = cut(thickness);
    int64_t first, last;
    visible_rows(dst, y, h, &first, &last);
    for (int64_t row = first; row < last; row++) {
        struct span inner = ellipse_row(w - 2 * t, h - 2 * t, row - t);
        inner.x0 += t;
        inner.x1 += t;
        fill_ring(dst, x, (int64_t)y + row, ellipse_row(w, h, row), inner, ink);
    }
}

// A flat one has no ink in its outermost rows or columns: no centre of a dot lies in it there.
struct pl_box pl_shape_ellipse_box(int32_t width, int32_t height)
{
    int64_t w = cut(width), h = cut(height), first = 0;
    struct span middle = ellipse_row(w, h, h / 2), row = ellipse_row(w, h, 0);
    while (row.x0 >= row.x1 && first < h / 2)
        row = ellipse_row(w, h, ++first);
    if (row.x0 >= row.x1)
        return (struct pl_box){0, 0, 0, 0};
    return (struct pl_box){(int32_t)middle.x0, (int32_t)first, (int32_t)middle.x1, (int32_t)(h - first)};
}

// The row of a band whose centre is `down` / 2 rows along the slope. Dots whose centre lies between the edges; one that
// an edge cuts in half exactly is not ink.
static struct span diagonal_row(int64_t w, int64_t h, int64_t t, int64_t down)
{
    int64_t x0 = floor_div(w * down - h, 2 * h) + 1, x1 = ceil_div(w * down + 2 * h * t - h, 2 * h);
    if (x1 <= x0 && t > 0) // a line of one dot whose edges halve two: without either it would vanish
        x0 = x1 - 1;
    return (struct span){x0, x1};
}

struct pl_box pl_shape_diagonal_box(int32_t width, int32_t height, int32_t thickness)
{
    int64_t w = cut(width), h = cut(height), t = cut(thickness);
    if (h == 0 || t == 0)
        return (struct pl_box){0, 0, 0, 0};
    return (struct pl_box){(int32_t)diagonal_row(w, h, t, 1).x0, 0, (int32_t)diagonal_row(w, h, t, 2 * h - 1).x1,
                           (int32_t)h};
}

void pl_shape_diagonal(struct pl_bitmap *dst, int32_t x, int32_t y, int32_t width, int32_t height, int32_t thickness,
                       bool leans_left, enum pl_ink ink)
{
    int64_t w = cut(width), h = cut(height), t = cut(thickness);
    int64_t first, last;
    visible_rows(dst, y, h, &first, &last);
    for (int64_t row = first; row < last; row++) {
        int64_t down =
            leans_left ? 2 * row + 1 : 2 * (h - row) - 1; // twice the way along the slope, at the row's centre
        fill_span(dst, x, (int64_t)y + row, diagonal_row(w, h, t, down), ink);
    }
}

// Row `row` of a stroke that goes down to the right. Coordinates are doubled, so that centres of dots are odd: from
// (t, t) over a way of (dx, dy). `reach` is t times the way's length.
static struct span stroke_row(int64_t dx, int64_t dy, int64_t t, double reach, int64_t row)
{
    int64_t v = 2 * row + 1 - t; // from the start
    double low = 0, high = (double)dx;
    if (dy > 0) { // across the line: |dx * v - dy * u| <= reach
        low = ((double)dx * (double)v - reach) / (double)dy;
        high = ((double)dx * (double)v + reach) / (double)dy;
    } else if (v < -t || v > t) {
        return (struct span){0, 0};
    }
    if (dx > 0) { // along it: 0 <= dx * u + dy * v <= dx * dx + dy * dy
        low = fmax(low, -(double)dy * (double)v / (double)dx);
        high = fmin(high, ((double)dx * (double)dx + (double)dy * (double)(dy - v)) / (double)dx);
    } else if (v < 0 || v > dy) {
        return (struct span){0, 0};
    }
    // Dots whose centre u = 2x + 1 - t is from low to high; one that the far edge halves is not ink.
    double x0 = ceil((low + (double)t - 1) / 2), x1 = ceil((high + (double)t - 1) / 2);
    return (struct span){(int64_t)x0, (int64_t)x1};
}

void pl_shape_stroke(struct pl_bitmap *dst, int32_t x, int32_t y, int32_t width, int32_t height, int32_t thickness,
                     bool leans_left, enum pl_ink ink)
{
    int64_t w = cut(width), h = cut(height), t = PL_MIN(cut(thickness), PL_MIN(w, h));
    int64_t dx = 2 * (w - t), dy = 2 * (h - t);
    double reach = (double)t * sqrt((double)dx * (double)dx + (double)dy * (double)dy);
    int64_t first, last;
    visible_rows(dst, y, h, &first, &last);
    for (int64_t row = first; row < last; row++) {
        struct span s = stroke_row(dx, dy, t, reach, row);
        s = (struct span){PL_MAX(s.x0, 0), PL_MIN(s.x1, w)};
        if (!leans_left)
            s = (struct span){w - s.x1, w - s.x0};
        fill_span(dst, x, (int64_t)y + row, s, ink);
    }
}
