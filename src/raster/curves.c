#include "raster/curves.h"

#include "base/ckd.h"

#define SLOPE_BITS 16 // of a diagonal's slope; a printer's pictures show at least ten

// A quarter of a curve, walked from its top row to its middle row.
struct quarter {
    int64_t a, b;  // half axes
    int64_t odd;   // 1: the shape has an odd size, and its middle lies between two steps
    int64_t x, y;  // where the walk is: right of the middle, above the middle
    int64_t error; // of the recurrence
    bool steep;    // past the octant in which every step goes sideways
    void (*step)(struct quarter *q);
};

static void circle_step(struct quarter *q)
{
    if (!q->steep && q->x < q->y) {
        q->x++;
        if (q->error < 0) {
            q->error += 2 * q->x + 1;
        } else {
            q->y--;
            q->error += 2 * (q->x - q->y) + 1;
        }
        return;
    }
    if (!q->steep) {
        q->steep = true;
        q->error = q->x * q->x + q->y * q->y - q->b * q->b + q->x - 4 * q->y + 6 - q->odd;
    }
    q->y--;
    if (q->error > 0) {
        q->error += 3 - 2 * q->y;
    } else {
        q->x++;
        q->error += 2 * (q->x - q->y) + 3;
    }
}

static struct quarter circle_quarter(int64_t radius, int64_t odd)
{
    return (struct quarter){
        .a = radius, .b = radius, .odd = odd, .y = radius, .error = 1 - radius - odd, .step = circle_step};
}

// The same for unequal half axes, in units of their squares. Inferred: these are the simplest steps that give the
// printer's ellipse of 30 x 20 dots and both its holes; larger ones are near to its pictures, but not equal.
static void ellipse_step(struct quarter *q)
{
    int64_t aa = q->a * q->a, bb = q->b * q->b;
    if (!q->steep && bb * q->x < aa * q->y) {
        q->x++;
        q->error += 8 * bb * q->x;
        if (q->error >= 8 * bb * q->x) {
            q->y--;
            q->error -= 8 * aa * q->y;
        }
        return;
    }
    if (!q->steep) {
        q->steep = true;
        q->error = 4 * (bb * q->x * q->x + aa * (q->y * q->y - 2 * q->y + 4) - aa * bb);
    }
    q->y--;
    if (q->error < 0 && q->x < q->a) {
        q->x++;
        q->error += 8 * bb * q->x;
    }
    q->error -= 8 * aa * q->y;
}

static struct quarter ellipse_quarter(int64_t width, int64_t height)
{
    int64_t a = width / 2, b = height / 2;
    if (width == height)
        return circle_quarter(b, height & 1);
    a = PL_MAX(a - 1, 1);
    return (struct quarter){.a = a, .b = b, .y = b, .error = 12 * b * b - 2 * a * a * b, .step = ellipse_step};
}

// How far the edge of the row is from the middle; the walk goes on to the row below.
static int64_t next_reach(struct quarter *q)
{
    int64_t reach = q->x, row = q->y;
    while (q->y == row)
        q->step(q);
    return reach;
}

// The part [x0, x1) of a row, relative to the shape's left edge.
static void fill(const struct pl_curve_target *to, int64_t row, int64_t x0, int64_t x1)
{
    if (x0 >= x1)
        return;
    struct pl_box box = {
        pl_clamp_i32(to->x + x0, INT32_MIN, INT32_MAX), pl_clamp_i32(to->y + row, INT32_MIN, INT32_MAX),
        pl_clamp_i32(to->x + x1, INT32_MIN, INT32_MAX), pl_clamp_i32(to->y + row + 1, INT32_MIN, INT32_MAX)};
    if (to->samples)
        pl_samples_fill(to->samples, box, to->ink);
    else
        pl_bitmap_fill(to->canvas, box, to->ink);
}

static void fill_ring(const struct pl_curve_target *to, int64_t row, int64_t outer0, int64_t outer1, int64_t inner0,
                      int64_t inner1)
{
    if (inner0 >= inner1) {
        fill(to, row, outer0, outer1);
        return;
    }
    fill(to, row, outer0, PL_MIN(inner0, outer1));
    fill(to, row, PL_MAX(inner1, outer0), outer1);
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
    return (struct round_box){width, height, radius, 0, circle_quarter(radius, 0)};
}

static int64_t next_inset(struct round_box *box)
{
    return box->row++ <= box->radius ? box->radius - next_reach(&box->corner) : 0;
}

void pl_curve_box(const struct pl_curve_target *to, int32_t width, int32_t height, int32_t thickness, uint32_t rounding)
{
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
        fill_ring(to, row, inset, w - inset, x0, x1);
        if (h - 1 - row != row)
            fill_ring(to, h - 1 - row, inset, w - inset, x0, x1);
    }
}

void pl_curve_ellipse(const struct pl_curve_target *to, int32_t width, int32_t height, int32_t thickness)
{
    int64_t w = cut(width), h = cut(height), t = cut(thickness), a = w / 2, b = h / 2;
    struct quarter outer = ellipse_quarter(w, h), inner = ellipse_quarter(PL_MAX(w - 2 * t, 0), PL_MAX(h - 2 * t, 0));
    bool hollow = a > t && b > t;
    for (int64_t v = b; v >= 0; v--) {
        int64_t reach = next_reach(&outer), hole = 0;
        bool beside_hole = hollow && v + t < b;
        if (beside_hole)
            hole = next_reach(&inner); // of its row v + 1: the hole is a row higher than it should be
        if (reach == 0)
            continue;
        int64_t x0 = a - reach, x1 = a + reach + beside_hole, in0 = a - hole + 1, in1 = a + hole;
        fill_ring(to, b - v, x0, x1, in0, in1);
        if (v != 0)
            fill_ring(to, b + v, x0, x1, in0, in1);
    }
}

void pl_curve_diagonal(const struct pl_curve_target *to, int32_t width, int32_t height, int32_t thickness,
                       bool leans_left)
{
    int64_t w = cut(width), h = cut(height), t = cut(thickness);
    int64_t slope = h > 0 ? (w << SLOPE_BITS) / h : 0;
    for (int64_t row = 0; row < h; row++) {
        int64_t along = (row + 1) * slope >> SLOPE_BITS, x = leans_left ? along : w - along;
        fill(to, row, x, x + t);
    }
}
