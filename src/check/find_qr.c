// QR Codes in a picture, upright or slanted: three finder patterns at a right angle, then the modules between them.
//
// The detector of zxing-cpp 1.4 ends the program by an assertion on some pictures, and tries all triples of what looks
// like a finder pattern. So symbols are located here, within bounds, and zxing gets clean modules.
#include <math.h>

#include "base/ckd.h"
#include "check/find_internal.h"
#include "check/readers.h"

enum { CENTRES_MOST = 48, TRIES_MOST = 64, DOTS = 4 };

struct centre {
    double x, y, unit;
    uint32_t lines;
    bool used; // of a symbol that was read
};

struct centres {
    struct centre items[CENTRES_MOST];
    uint32_t count;
};

static double distance(double a, double b)
{
    return a > b ? a - b : b - a;
}

// 1:1:3:1:1
static bool is_pattern(const double runs[5], double *unit)
{
    *unit = (runs[0] + runs[1] + runs[2] + runs[3] + runs[4]) / 7;
    for (int i = 0; i < 5; i++) {
        const double want = i == 2 ? 3 : 1;
        if (distance(runs[i], want * *unit) > *unit * want * 0.5 + 0.25)
            return false;
    }
    return true;
}

// Dots of one colour from x, y on, up or down, at most so many.
static double run_down(const struct pl_bitmap *p, uint32_t x, int64_t *y, int step, bool ink, uint32_t most)
{
    uint32_t n = 0;
    while (*y >= 0 && *y < (int64_t)p->height && n <= most && pl_bitmap_get(p, x, (uint32_t)*y) == ink) {
        *y += step;
        n++;
    }
    return n;
}

// The same pattern through the middle of the one that was found across.
static bool is_crossed(const struct pl_bitmap *p, uint32_t x, uint32_t y, double unit, double *middle)
{
    const uint32_t most = (uint32_t)(unit * 5) + 2;
    double runs[5], found;
    int64_t up = (int64_t)y - 1, down = y;
    const double above = run_down(p, x, &up, -1, true, most);
    runs[1] = run_down(p, x, &up, -1, false, most);
    runs[0] = run_down(p, x, &up, -1, true, most);
    runs[2] = above + run_down(p, x, &down, 1, true, most);
    const double centre = (double)y - above + runs[2] / 2;
    runs[3] = run_down(p, x, &down, 1, false, most);
    runs[4] = run_down(p, x, &down, 1, true, most);
    *middle = centre;
    return is_pattern(runs, &found) && distance(found, unit) < unit * 0.4;
}

static void add_centre(struct centres *all, double x, double y, double unit)
{
    for (uint32_t i = 0; i < all->count; i++) {
        struct centre *c = &all->items[i];
        if (distance(c->x, x) > 2 * unit || distance(c->y, y) > 2 * unit)
            continue;
        const double n = c->lines++;
        c->x = (c->x * n + x) / (n + 1);
        c->y = (c->y * n + y) / (n + 1);
        c->unit = (c->unit * n + unit) / (n + 1);
        return;
    }
    if (all->count < CENTRES_MOST)
        all->items[all->count++] = (struct centre){.x = x, .y = y, .unit = unit, .lines = 1};
}

static void look_along(const struct pl_bitmap *p, uint32_t y, struct centres *all)
{
    struct pl_read_runs runs;
    pl_read_row(p, y, &runs);
    uint32_t x = runs.x0;
    for (uint32_t i = 0; i + 4 < runs.count; i += 2) {
        const uint32_t *w = runs.widths + i;
        const double five[5] = {w[0], w[1], w[2], w[3], w[4]};
        double unit, middle;
        const double centre = x + w[0] + w[1] + w[2] / 2.0;
        if (is_pattern(five, &unit) && is_crossed(p, (uint32_t)centre, y, unit, &middle))
            add_centre(all, centre, middle, unit);
        x += w[0] + w[1];
    }
}

static bool is_dark(const struct pl_bitmap *symbol, uint32_t column, uint32_t row)
{
    return pl_bitmap_get(symbol, column * DOTS + DOTS / 2, row * DOTS + DOTS / 2);
}

// The share of the timing patterns that alternates, in percent.
static uint32_t timing_of(const struct pl_bitmap *symbol, uint32_t side)
{
    uint32_t good = 0, all = 0;
    for (uint32_t i = 8; i + 8 < side; i++, all += 2)
        for (int down = 0; down < 2; down++)
            good += is_dark(symbol, down ? 6 : i, down ? i : 6) == (i % 2 == 0);
    return all ? good * 100 / all : 0;
}

// The share of the modules of the three finder patterns that are right, in percent: bars that cross the middles at a
// slant are right along two lines only.
static uint32_t finders_of(const struct pl_bitmap *symbol, uint32_t side)
{
    enum { SIDE = 7, LAST = SIDE - 1 };
    uint32_t good = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t x = i % SIDE, y = i / SIDE;
        const bool edge = x == 0 || y == 0 || x == LAST || y == LAST, middle = x >= 2 && x <= 4 && y >= 2 && y <= 4;
        const bool dark = edge || middle;
        good += is_dark(symbol, x, y) == dark;
        good += is_dark(symbol, side - SIDE + x, y) == dark;
        good += is_dark(symbol, x, side - SIDE + y) == dark;
    }
    return good * 100 / (3 * SIDE * SIDE);
}

struct triple {
    struct centre *corner, *beside, *below;
    double unit;   // of a module, across it
    double across; // between the middles
};

// `slanted`: otherwise sides along the rows of dots are asked for.
static bool is_triple(struct triple *t, bool slanted)
{
    const struct centre *a = t->corner, *b = t->beside, *c = t->below;
    const double unit = (a->unit + b->unit + c->unit) / 3;
    const double bx = b->x - a->x, by = b->y - a->y, cx = c->x - a->x, cy = c->y - a->y;
    if (distance(a->unit, unit) > unit * 0.25 || distance(b->unit, unit) > unit * 0.25 ||
        distance(c->unit, unit) > unit * 0.25 || bx * cy - by * cx <= 0)
        return false;
    const bool upright = PL_MIN(distance(bx, 0), distance(by, 0)) <= unit * 1.5 &&
                         PL_MIN(distance(cx, 0), distance(cy, 0)) <= unit * 1.5;
    if (upright == slanted)
        return false;
    t->across = sqrt(bx * bx + by * by);
    t->unit = unit * PL_MAX(distance(bx, 0), distance(by, 0)) / t->across; // rows of dots cross it at a slant
    const double down = sqrt(cx * cx + cy * cy);
    return t->across >= unit * 12 && distance(t->across, down) <= PL_MAX(unit, t->across * 0.06) &&
           distance(bx * cx + by * cy, 0) <= unit * 1.5 * PL_MAX(t->across, down);
}

// One size of the symbol. *score: how much of its timing and finder patterns is there.
static enum pl_errc try_size(struct pl_find *find, const struct triple *t, uint32_t side, struct pl_found_symbol *found,
                             uint32_t *score)
{
    const struct centre *a = t->corner, *b = t->beside, *c = t->below;
    const double modules = side - 7;
    const double bx = (b->x - a->x) / modules, by = (b->y - a->y) / modules;
    const double cx = (c->x - a->x) / modules, cy = (c->y - a->y) / modules;
    const struct pl_find_part part = {.x = a->x - 3.5 * (bx + cx),
                                      .y = a->y - 3.5 * (by + cy),
                                      .across_x = side * bx,
                                      .across_y = side * by,
                                      .down_x = side * cx,
                                      .down_y = side * cy};
    struct pl_bitmap symbol;
    *found = (struct pl_found_symbol){.symbology = PL_CHECK_QR, .place = pl_find_part_box(part)};
    PL_TRY(pl_find_resample(find, find->picture, part, side * DOTS, side * DOTS, &symbol));
    *score = PL_MIN(timing_of(&symbol, side), finders_of(&symbol, side));
    if (*score < 60)
        return PL_OK;
    return pl_find_read(find, &symbol, DOTS, PL_ROT_N, found);
}

static enum pl_errc try_triple(struct pl_find *find, const struct triple *t, uint32_t *tries)
{
    enum { FROM = 21, TO = 177, SCORE_ENOUGH = 75 };
    const int32_t nearest = (int32_t)((t->across / t->unit + 7 - 17) / 4 + 0.5) * 4 + 17;
    static const int32_t others[] = {0, 4, -4};
    struct pl_found_symbol best = {0};
    uint32_t best_score = 0;
    for (int i = 0; i < 3 && *tries < TRIES_MOST; i++, ++*tries) {
        const int32_t side = nearest + others[i];
        struct pl_found_symbol found;
        uint32_t score;
        if (side < FROM || side > TO)
            continue;
        PL_TRY(try_size(find, t, (uint32_t)side, &found, &score));
        if (found.read || score > best_score) {
            best = found;
            best_score = score;
        }
        if (found.read)
            break;
    }
    if (!best.read && best_score < SCORE_ENOUGH)
        return PL_OK;
    t->corner->used = t->beside->used = t->below->used = true;
    if (pl_find_is_new(find, best.place))
        pl_find_add(find, best);
    return PL_OK;
}

static enum pl_errc try_triples(struct pl_find *find, struct centres *all, bool slanted, uint32_t *tries)
{
    for (uint32_t a = 0; a < all->count; a++)
        for (uint32_t b = 0; b < all->count; b++)
            for (uint32_t c = 0; c < all->count; c++) {
                struct triple t = {.corner = &all->items[a], .beside = &all->items[b], .below = &all->items[c]};
                if (a == b || a == c || b == c || t.corner->used || t.beside->used || t.below->used ||
                    !is_triple(&t, slanted))
                    continue;
                PL_TRY(pl_job_check(find->job, find->err));
                PL_TRY(try_triple(find, &t, tries));
            }
    return PL_OK;
}

enum pl_errc pl_find_qr(struct pl_find *find)
{
    struct centres all = {.count = 0};
    uint32_t tries = 0;
    for (uint32_t y = 0; y < find->picture->height; y++) {
        if (y % 64 == 0)
            PL_TRY(pl_job_check(find->job, find->err));
        look_along(find->picture, y, &all);
    }
    PL_TRY(try_triples(find, &all, false, &tries));
    return try_triples(find, &all, true, &tries);
}
