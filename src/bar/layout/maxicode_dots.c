// Hexagons and finder of a MaxiCode in whole dots: exactly a printer's at 8 dots per millimetre, the same geometry
// enlarged or reduced at other densities.
#include "bar/layout/maxicode_dots.h"

#include "bar/encode/maxicode.h"
#include "base/ckd.h"

// In dots at this density.
enum {
    DPMM = 8,
    MARGIN = 1,
    CELL_PITCH = 7,
    ROW_PITCH = 6,
    ODD_ROW_SHIFT = 3,
    HEX_WIDTH = 6,
    HEX_HEIGHT = 7,
    CENTRE_X = 102, // of the finder; a corner of dots
    CENTRE_Y = 101,
};
// From the centre: where the ink of a ring ends, and where it begins.
static const uint32_t rings[][2] = {{31, 26}, {20, 15}, {9, 4}};

struct drawing {
    struct pl_bitmap *to;
    struct pl_arena *arena;
    uint32_t dpmm;
};

static uint32_t scaled(const struct drawing *d, uint32_t dots)
{
    return (dots * d->dpmm + DPMM / 2) / DPMM;
}

// A hexagon that is scaled down keeps its distance from the next.
static uint32_t scaled_down(const struct drawing *d, uint32_t dots)
{
    return PL_MAX(dots * d->dpmm / DPMM, 1u);
}

// ---- hexagons

// Dots of row `y` of a hexagon, from its apex on: as odd or even as its width.
static uint32_t dots_of_row(uint32_t y, uint32_t width, uint32_t height)
{
    uint32_t ideal = (2 * y + 1) * width * 14 / 9 / height; // as wide as it gets after 9/28 of the height
    if (ideal >= width)
        return width;
    return PL_MAX(ideal + (width - ideal) % 2, 2 - width % 2);
}

// Each bit also sets those up to `reach` to the right of it.
static void smear(uint64_t *line, uint32_t words, uint32_t reach)
{
    for (uint32_t done = 0; done < reach;) {
        uint32_t by = PL_MIN(PL_MIN(done + 1, reach - done), 63u);
        for (uint32_t i = words; i-- > 1;)
            line[i] |= line[i] >> by | line[i - 1] << (64 - by);
        line[0] |= line[0] >> by;
        done += by;
    }
}

static void add_line(struct pl_bitmap *to, uint32_t y, const uint64_t *line)
{
    uint64_t *row = pl_bitmap_row(to, y);
    for (uint32_t i = 0; i < to->stride; i++)
        row[i] |= line[i];
}

// A row of the symbol at once: hexagons have the same number of dots in two rows at least.
static void draw_row(const struct drawing *d, uint64_t cells, uint32_t row, uint64_t *line)
{
    uint32_t width = scaled_down(d, HEX_WIDTH), height = scaled_down(d, HEX_HEIGHT), words = d->to->stride;
    uint32_t top = scaled(d, MARGIN + ROW_PITCH * row), before = 0;
    for (uint32_t y = 0; 2 * y < height; y++) {
        uint32_t dots = dots_of_row(y, width, height);
        if (dots != before) {
            memset(line, 0, words * sizeof *line);
            uint32_t x = MARGIN + ODD_ROW_SHIFT * (row % 2);
            for (uint64_t rest = cells; rest; rest <<= 1, x += CELL_PITCH)
                if (rest >> 63) {
                    uint32_t at = scaled(d, x) + (width - dots) / 2;
                    line[at / 64] |= UINT64_C(1) << (63 - at % 64);
                }
            smear(line, words, dots - 1);
            before = dots;
        }
        add_line(d->to, top + y, line);
        add_line(d->to, top + height - 1 - y, line);
    }
}

// ---- finder

// For each row of a quadrant the first and the last dot of a circle's outline, by the midpoint algorithm.
struct outline {
    uint32_t radius;
    uint32_t *first, *last;
};

static void plot(struct outline *o, uint32_t x, uint32_t y)
{
    o->first[y] = PL_MIN(o->first[y], x);
    o->last[y] = PL_MAX(o->last[y], x);
}

static enum pl_errc make_outline(const struct drawing *d, uint32_t radius, struct outline *o, struct pl_error *err)
{
    o->radius = radius;
    o->first = PL_ARENA_ARRAY(d->arena, uint32_t, radius + 1);
    o->last = PL_ARENA_ARRAY(d->arena, uint32_t, radius + 1);
    if (!o->first || !o->last)
        return pl_fail_memory(err);
    for (uint32_t y = 0; y <= radius; y++) {
        o->first[y] = radius;
        o->last[y] = 0;
    }
    int32_t x = 0, y = (int32_t)radius, decision = 1 - y;
    while (x <= y) {
        plot(o, (uint32_t)x, (uint32_t)y);
        plot(o, (uint32_t)y, (uint32_t)x);
        if (decision < 0) {
            decision += 2 * x + 3;
        } else {
            decision += 2 * (x - y) + 5;
            y--;
        }
        x++;
    }
    return PL_OK;
}

// Both outlines belong to the ring.
static void draw_ring(const struct drawing *d, const struct outline *outer, const struct outline *inner)
{
    int32_t cx = (int32_t)scaled(d, CENTRE_X), cy = (int32_t)scaled(d, CENTRE_Y);
    for (uint32_t v = 0; v <= outer->radius; v++) {
        int32_t from = v <= inner->radius ? (int32_t)inner->first[v] : 0, to = (int32_t)outer->last[v] + 1;
        int32_t rows[2] = {cy + (int32_t)v, cy - 1 - (int32_t)v};
        for (uint32_t i = 0; i < 2; i++) {
            pl_bitmap_fill(d->to, (struct pl_box){cx + from, rows[i], cx + to, rows[i] + 1}, PL_INK_BLACK);
            pl_bitmap_fill(d->to, (struct pl_box){cx - to, rows[i], cx - from, rows[i] + 1}, PL_INK_BLACK);
        }
    }
}

enum pl_errc pl_maxicode_draw_dots(const struct pl_bitmap *cells, uint32_t dpmm, struct pl_arena *arena,
                                   struct pl_bitmap *out, struct pl_error *err)
{
    struct drawing d = {out, arena, dpmm};
    uint32_t width = scaled(&d, MARGIN + CELL_PITCH * (PL_MAXICODE_COLUMNS - 1)) + scaled_down(&d, HEX_WIDTH);
    uint32_t height = scaled(&d, MARGIN + ROW_PITCH * (PL_MAXICODE_ROWS - 1)) + scaled_down(&d, HEX_HEIGHT);
    PL_TRY(pl_bitmap_new(arena, width, height, out, err));
    uint64_t *line = PL_ARENA_ARRAY(arena, uint64_t, out->stride);
    if (!line)
        return pl_fail_memory(err);
    for (uint32_t row = 0; row < PL_MAXICODE_ROWS; row++)
        draw_row(&d, *pl_bitmap_row(cells, row), row, line);
    for (size_t i = 0; i < PL_COUNTOF(rings); i++) {
        struct outline outer, inner;
        PL_TRY(make_outline(&d, PL_MAX(scaled(&d, rings[i][0]), 1u) - 1, &outer, err));
        PL_TRY(make_outline(&d, scaled(&d, rings[i][1]), &inner, err));
        draw_ring(&d, &outer, &inner);
    }
    return PL_OK;
}
