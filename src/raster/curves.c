#include "raster/curves.h"

#include "base/ckd.h"

#define SLOPE_BITS 16 // of a diagonal's slope; a printer's pictures show at least ten

// A quarter of an ellipse that is not higher than wide, walked from its top row to its middle row.
struct quarter {
    int64_t ww, hh; // squares of width and height: their ratio turns rows into steps sideways
    int64_t x, y;   // where the walk is: right of the middle, above the middle
    int64_t error;  // of the recurrence
    bool steep;     // past the part in which every step goes sideways
};

static struct quarter quarter_of(int64_t width, int64_t height)
{
    // The error begins as that of a circle as high as the ellipse: the printer forgets the ratio here, so that an
    // ellipse begins too narrow and, unlike a circle, ends a dot before its width.
    int64_t b = height / 2, odd = height & 1;
    return (struct quarter){.ww = width * width, .hh = PL_MAX(1, height * height), .y = b, .error = 1 - b - odd};
}

// Cut, as the printer does; for a circle it is y.
static int64_t sideways(const struct quarter *q, int64_t y)
{
    return y * q->ww / q->hh;
}

static void step(struct quarter *q)
{
    if (!q->steep) {
        q->x++;
        if (q->error < 0) {
            q->error += 2 * q->x + 1;
        } else {
            q->y--;
            q->error += 2 * (q->x - sideways(q, q->y)) + 1;
        }
        q->steep = q->y <= 1 || q->x >= sideways(q, q->y);
        if (q->steep)
            q->error += 3 - q->x - q->y - 2 * sideways(q, q->y - 1);
        return;
    }
    q->y--;
    if (q->error <= 0) {
        q->x++;
        q->error += 2 * q->x;
    }
    q->error += 1 - 2 * sideways(q, q->y - 1);
}

// How far the edge of the row is from the middle; the walk goes on to the row below.
static int64_t next_reach(struct quarter *q)
{
    int64_t reach = q->x, row = q->y;
    while (q->y == row)
        step(q);
    return reach;
}

// What draws, and the box of all that it drew, seen from the shape's corner.
struct brush {
    const struct pl_curve_target *to;
    struct pl_box ink;
};

// The part [x0, x1) of a row, relative to the shape's corner.
static void fill(struct brush *brush, int64_t row, int64_t x0, int64_t x1)
{
    if (x0 >= x1)
        return;
    const struct pl_curve_target *to = brush->to;
    // No shape is larger than PL_CURVE_MAX, so that all of this stays in 32 bits.
    struct pl_box *ink = &brush->ink, span = {(int32_t)x0, (int32_t)row, (int32_t)x1, (int32_t)row + 1};
    struct pl_box box = {
        pl_clamp_i32(to->x + x0, INT32_MIN, INT32_MAX), pl_clamp_i32(to->y + row, INT32_MIN, INT32_MAX),
        pl_clamp_i32(to->x + x1, INT32_MIN, INT32_MAX), pl_clamp_i32(to->y + row + 1, INT32_MIN, INT32_MAX)};
    if (ink->x0 >= ink->x1)
        *ink = span;
    *ink = (struct pl_box){PL_MIN(ink->x0, span.x0), PL_MIN(ink->y0, span.y0), PL_MAX(ink->x1, span.x1),
                           PL_MAX(ink->y1, span.y1)};
    if (to->samples)
        pl_samples_fill(to->samples, box, to->ink);
    else
        pl_bitmap_fill(to->canvas, box, to->ink);
}

static void fill_ring(struct brush *brush, int64_t row, int64_t outer0, int64_t outer1, int64_t inner0, int64_t inner1)
{
    if (inner0 >= inner1) {
        fill(brush, row, outer0, outer1);
        return;
    }
    fill(brush, row, outer0, PL_MIN(inner0, outer1));
    fill(brush, row, PL_MAX(inner1, outer0), outer1);
}

static int64_t cut(int64_t value)
{
    return pl_clamp_i64(value, 0, PL_CURVE_MAX);
}

// A rounded rectangle, read row by row from its top to its middle.
struct round_box {
    int64_t width, height, radius, row;
    struct quarter corner;
};

static struct round_box round_box(int64_t width, int64_t height, uint32_t rounding)
{
    int64_t radius = PL_MAX(2, (int64_t)rounding * PL_MIN(width, height) / 16);
    return (struct round_box){width, height, radius, 0, quarter_of(2 * radius, 2 * radius)};
}

static int64_t next_inset(struct round_box *box)
{
    return box->row++ <= box->radius ? box->radius - next_reach(&box->corner) : 0;
}

struct pl_box pl_curve_box(const struct pl_curve_target *to, int32_t width, int32_t height, int32_t thickness,
                           uint32_t rounding)
{
    struct brush brush = {.to = to};
    int64_t w = cut(width), h = cut(height), t = cut(thickness);
    bool hollow = w > 2 * t && h > 2 * t;
    struct round_box outer = round_box(w, h, rounding);
    struct round_box inner = hollow ? round_box(w - 2 * t, h - 2 * t, rounding) : outer;
    for (int64_t row = 0; row <= (h - 1) / 2; row++) {
        int64_t inset = next_inset(&outer), x0 = 0, x1 = 0;
        if (hollow && row >= t) {
            x0 = t + next_inset(&inner);
            x1 = w - x0;
        }
        fill_ring(&brush, row, inset, w - inset, x0, x1);
        if (h - 1 - row != row)
            fill_ring(&brush, h - 1 - row, inset, w - inset, x0, x1);
    }
    return brush.ink;
}

// Half of an ellipse's edge, or of its hole's, line by line from the outermost one to the middle.
struct edge {
    struct quarter quarter;
    int64_t line;  // lines from the middle; negative: past it
    int64_t reach; // of that line
};

static struct edge edge_of(int64_t width, int64_t height, int64_t line)
{
    struct edge edge = {quarter_of(width, height), line, 0};
    if (line >= 0)
        edge.reach = next_reach(&edge.quarter);
    return edge;
}

static void next_line(struct edge *edge)
{
    if (--edge->line >= 0)
        edge->reach = next_reach(&edge->quarter);
}

// An ellipse of `w` rows and `h` columns. The recurrence goes along its columns; the dots are filled by rows, from the
// middle one outwards: the further out a row is, the fewer columns reach it.
static void fill_tall(struct brush *brush, int64_t w, int64_t h, int64_t t)
{
    int64_t a = w / 2, b = h / 2, hole_line = b - t - 1;
    struct edge upper = edge_of(w, h, b), lower = upper;
    struct edge hole = edge_of(PL_MAX(w - 2 * t, 0), PL_MAX(h - 2 * t, 0), hole_line);
    for (int64_t away = 0; away <= a; away++) {
        while (upper.line >= 0 && upper.reach < PL_MAX(away, 1))
            next_line(&upper);
        while (lower.line >= 0 && (lower.reach == 0 || lower.reach + (lower.line <= hole_line) <= away))
            next_line(&lower);
        while (hole.line >= 0 && hole.reach <= away)
            next_line(&hole);
        int64_t in0 = b - hole.line, in1 = b + hole.line + 1;
        if (away > 0)
            fill_ring(brush, a - away, b - upper.line, b + upper.line + 1, in0, in1);
        fill_ring(brush, a + away, b - lower.line, b + lower.line + 1, in0, in1);
    }
}

static void fill_wide(struct brush *brush, int64_t w, int64_t h, int64_t t)
{
    int64_t a = w / 2, b = h / 2;
    struct quarter outer = quarter_of(w, h), inner = quarter_of(PL_MAX(w - 2 * t, 0), PL_MAX(h - 2 * t, 0));
    for (int64_t v = b; v >= 0; v--) {
        int64_t reach = next_reach(&outer), hole = 0;
        bool beside_hole = v + t < b;
        if (beside_hole)
            hole = next_reach(&inner); // of its row v + 1: the hole is a row higher than it should be
        if (reach == 0)
            continue;
        int64_t x0 = a - reach, x1 = a + reach + beside_hole, in0 = a - hole + 1, in1 = a + hole;
        fill_ring(brush, b - v, x0, x1, in0, in1);
        if (v != 0)
            fill_ring(brush, b + v, x0, x1, in0, in1);
    }
}

struct pl_box pl_curve_ellipse(const struct pl_curve_target *to, int32_t width, int32_t height, int32_t thickness)
{
    struct brush brush = {.to = to};
    int64_t w = cut(width), h = cut(height), t = cut(thickness);
    if (h > w)
        fill_tall(&brush, h, w, t);
    else
        fill_wide(&brush, w, h, t);
    return brush.ink;
}

struct pl_box pl_curve_diagonal(const struct pl_curve_target *to, int32_t width, int32_t height, int32_t thickness,
                                bool leans_left)
{
    struct brush brush = {.to = to};
    int64_t w = cut(width), h = cut(height), t = cut(thickness);
    int64_t slope = h > 0 ? (w << SLOPE_BITS) / h : 0;
    for (int64_t row = 0; row < h; row++) {
        int64_t along = (row + 1) * slope >> SLOPE_BITS, x = leans_left ? along : w - along;
        fill(&brush, row, x, x + t);
    }
    return brush.ink;
}
