// PDF417 in a picture, upright or a little slanted: by its start and stop patterns.
#include "base/ckd.h"
#include "check/find_internal.h"
#include "check/readers.h"

enum { SYMBOLS_MOST = 16, LINES_LEAST = 6, DOTS = 3, COLUMNS_MOST = 30 };

static const uint8_t START[] = {8, 1, 1, 1, 1, 1, 1, 3}, STOP[] = {7, 1, 1, 3, 1, 1, 1, 2, 1};
enum { START_MODULES = 17, STOP_MODULES = 18, FRAME_MODULES = 69 }; // with the row indicators

struct candidate {
    double unit;
    uint32_t x, y0, y1; // where its start pattern begins in the last line, and all lines
    uint32_t lines, stops;
    double width;                        // in the last line that has both patterns
    double sum_x, sum_y, sum_yy, sum_xy; // of its lines, from its first one on
    uint32_t first_x;
};

struct candidates {
    struct candidate items[SYMBOLS_MOST];
    uint32_t count;
};

static bool is_pattern(const uint32_t *widths, const uint8_t *want, uint32_t count, uint32_t modules, double *unit)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += widths[i];
    *unit = (double)sum / modules;
    for (uint32_t i = 0; i < count; i++) {
        const double off = widths[i] - want[i] * *unit;
        if ((off < 0 ? -off : off) > *unit * (want[i] > 3 ? 1.0 : 0.6))
            return false;
    }
    return true;
}

static struct candidate *candidate_at(struct candidates *all, uint32_t x, uint32_t y, double unit)
{
    for (uint32_t i = 0; i < all->count; i++) {
        struct candidate *c = &all->items[i];
        const double off = (double)c->x - x;
        if ((off < 0 ? -off : off) <= 2 * unit && y - c->y1 <= 12 * unit && unit < c->unit * 1.3 &&
            c->unit < unit * 1.3)
            return c;
    }
    if (all->count == SYMBOLS_MOST)
        return NULL;
    all->items[all->count] = (struct candidate){.unit = unit, .x = x, .first_x = x, .y0 = y, .y1 = y};
    return &all->items[all->count++];
}

// The end of the first stop pattern behind run `from`; 0: none.
static uint32_t find_stop(const struct pl_read_runs *runs, uint32_t from, uint32_t x, double unit)
{
    const uint32_t count = (uint32_t)sizeof STOP;
    for (uint32_t i = from; i + count <= runs->count; x += runs->widths[i] + runs->widths[i + 1], i += 2) {
        double found;
        if (!is_pattern(runs->widths + i, STOP, count, STOP_MODULES, &found) || found > unit * 1.2 ||
            unit > found * 1.2)
            continue;
        for (uint32_t k = 0; k < count; k++)
            x += runs->widths[i + k];
        return x;
    }
    return 0;
}

static void add_line(struct candidate *c, uint32_t x, uint32_t y)
{
    const double off = (double)x - c->first_x, down = y - c->y0;
    c->x = x;
    c->y1 = y + 1;
    c->lines++;
    c->sum_x += off;
    c->sum_y += down;
    c->sum_yy += down * down;
    c->sum_xy += off * down;
}

// The symbol between the lines that have its start pattern, whose left side is a straight line through its beginnings.
static struct pl_find_part part_of(const struct candidate *c)
{
    const double n = c->lines, spread = n * c->sum_yy - c->sum_y * c->sum_y;
    const double slope = spread > 0 ? (n * c->sum_xy - c->sum_x * c->sum_y) / spread : 0;
    const double height = c->y1 - c->y0, across = c->width / (1 + slope * slope);
    return (struct pl_find_part){.x = c->first_x + (c->sum_x - slope * c->sum_y) / n,
                                 .y = c->y0,
                                 .across_x = across,
                                 .across_y = -slope * across,
                                 .down_x = slope * height,
                                 .down_y = height};
}

static void look_along(const struct pl_bitmap *p, uint32_t y, struct candidates *all)
{
    struct pl_read_runs runs;
    pl_read_row(p, y, &runs);
    const uint32_t count = (uint32_t)sizeof START;
    for (uint32_t i = 0, x = runs.x0; i + count < runs.count; x += runs.widths[i] + runs.widths[i + 1], i += 2) {
        double unit;
        if (!is_pattern(runs.widths + i, START, count, START_MODULES, &unit))
            continue;
        struct candidate *c = candidate_at(all, x, y, unit);
        if (!c)
            return;
        add_line(c, x, y);
        const uint32_t stop = find_stop(&runs, i + count, x + (uint32_t)(unit * START_MODULES + 0.5), unit);
        c->width = stop ? stop - x : c->width;
        c->stops += stop != 0;
    }
}

// A box of the turned picture in the picture itself.
static struct pl_box turned_back(struct pl_box b, enum pl_rotation rotation, const struct pl_bitmap *picture)
{
    const int32_t width = (int32_t)picture->width, height = (int32_t)picture->height;
    switch (rotation) {
    case PL_ROT_R:
        return (struct pl_box){b.y0, height - b.x1, b.y1, height - b.x0};
    case PL_ROT_I:
        return (struct pl_box){width - b.x1, height - b.y1, width - b.x0, height - b.y0};
    case PL_ROT_B:
        return (struct pl_box){width - b.y1, b.x0, width - b.y0, b.x1};
    default:
        return b;
    }
}

static enum pl_errc try_candidate(struct pl_find *find, const struct pl_bitmap *turned, enum pl_rotation rotation,
                                  const struct candidate *c)
{
    const double modules = c->width / c->unit;
    const int32_t columns = (int32_t)((modules - FRAME_MODULES) / 17 + 0.5);
    if (c->stops < LINES_LEAST || columns < 1 || columns > COLUMNS_MOST)
        return PL_OK;
    const uint32_t wanted = (uint32_t)columns * 17 + FRAME_MODULES;
    const struct pl_find_part part = part_of(c);
    struct pl_bitmap symbol;
    struct pl_found_symbol found = {.symbology = PL_CHECK_PDF417};
    found.place = turned_back(pl_find_part_box(part), rotation, find->picture);
    if (!pl_find_is_new(find, found.place))
        return PL_OK;
    PL_TRY(pl_job_check(find->job, find->err));
    PL_TRY(pl_find_resample(find, turned, part, wanted * DOTS, c->y1 - c->y0, &symbol));
    PL_TRY(pl_find_read(find, &symbol, DOTS, PL_ROT_N, &found));
    pl_find_add(find, found);
    return PL_OK;
}

enum pl_errc pl_find_pdf417(struct pl_find *find, const struct pl_bitmap *turned, enum pl_rotation rotation)
{
    struct candidates all = {.count = 0};
    for (uint32_t y = 0; y < turned->height; y++) {
        if (y % 64 == 0)
            PL_TRY(pl_job_check(find->job, find->err));
        look_along(turned, y, &all);
    }
    for (uint32_t i = 0; i < all.count; i++)
        PL_TRY(try_candidate(find, turned, rotation, &all.items[i]));
    return PL_OK;
}
