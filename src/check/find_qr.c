// QR Codes in a picture: three finder patterns at a right angle, then the modules between them.
//
// The detector of zxing-cpp 1.4 ends the program by an assertion on some pictures, and tries all triples of what looks
// like a finder pattern. So symbols are located here, within bounds, and zxing gets clean modules.
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

// The share of the timing patterns that alternates, in percent. `symbol`: upright or not; the patterns lie along both
// sides of the corner that has a finder pattern on either side.
static uint32_t timing_of(const struct pl_bitmap *symbol, uint32_t side, enum pl_rotation rotation)
{
    const bool right = rotation == PL_ROT_R || rotation == PL_ROT_I, low = rotation == PL_ROT_I || rotation == PL_ROT_B;
    const uint32_t column = right ? side - 7 : 6, row = low ? side - 7 : 6;
    uint32_t good = 0, all = 0;
    for (uint32_t i = 8; i + 8 < side; i++, all += 2) {
        const bool dark = i % 2 == 0;
        good += pl_bitmap_get(symbol, i * DOTS + DOTS / 2, row * DOTS + DOTS / 2) == dark;
        good += pl_bitmap_get(symbol, column * DOTS + DOTS / 2, i * DOTS + DOTS / 2) == dark;
    }
    return all ? good * 100 / all : 0;
}

struct triple {
    struct centre *corner, *beside, *below;
    double across, down; // between the middles
    enum pl_rotation rotation;
};

static bool is_triple(struct triple *t)
{
    const struct centre *a = t->corner, *b = t->beside, *c = t->below;
    const double unit = (a->unit + b->unit + c->unit) / 3;
    t->across = distance(a->x, b->x);
    t->down = distance(a->y, c->y);
    if (distance(a->unit, unit) > unit * 0.25 || distance(b->unit, unit) > unit * 0.25 ||
        distance(c->unit, unit) > unit * 0.25)
        return false;
    if (distance(a->y, b->y) > unit * 1.5 || distance(a->x, c->x) > unit * 1.5)
        return false;
    if (t->across < unit * 12 || distance(t->across, t->down) > PL_MAX(unit, t->across * 0.06))
        return false;
    const bool right = b->x > a->x, below = c->y > a->y;
    t->rotation = right ? (below ? PL_ROT_N : PL_ROT_B) : (below ? PL_ROT_R : PL_ROT_I);
    return true;
}

// One size of the symbol. *timing: how much of its timing patterns is there.
static enum pl_errc try_size(struct pl_find *find, const struct triple *t, uint32_t side, struct pl_found_symbol *found,
                             uint32_t *timing)
{
    const double mx = t->across / (side - 7), my = t->down / (side - 7);
    const double x0 = PL_MIN(t->corner->x, t->beside->x) - 3.5 * mx, y0 = PL_MIN(t->corner->y, t->below->y) - 3.5 * my;
    const struct pl_find_part part = {x0, y0, x0 + side * mx, y0 + side * my};
    struct pl_bitmap symbol;
    *found = (struct pl_found_symbol){.symbology = PL_CHECK_QR,
                                      .place = {(int32_t)PL_MAX(x0, 0.0), (int32_t)PL_MAX(y0, 0.0),
                                                (int32_t)(part.x1 + 0.5), (int32_t)(part.y1 + 0.5)}};
    PL_TRY(pl_find_resample(find, find->picture, part, side * DOTS, side * DOTS, &symbol));
    *timing = timing_of(&symbol, side, t->rotation);
    if (*timing < 60)
        return PL_OK;
    return pl_find_read(find, &symbol, DOTS, t->rotation, found);
}

static enum pl_errc try_triple(struct pl_find *find, const struct triple *t, uint32_t *tries)
{
    enum { FROM = 21, TO = 177, TIMING_ENOUGH = 75 };
    const double unit = (t->corner->unit + t->beside->unit + t->below->unit) / 3, modules = t->across / unit + 7;
    const int32_t nearest = (int32_t)((modules - 17) / 4 + 0.5) * 4 + 17;
    static const int32_t others[] = {0, 4, -4};
    struct pl_found_symbol best = {0};
    uint32_t best_timing = 0;
    for (int i = 0; i < 3 && *tries < TRIES_MOST; i++, ++*tries) {
        const int32_t side = nearest + others[i];
        struct pl_found_symbol found;
        uint32_t timing;
        if (side < FROM || side > TO)
            continue;
        PL_TRY(try_size(find, t, (uint32_t)side, &found, &timing));
        if (found.read || timing > best_timing) {
            best = found;
            best_timing = timing;
        }
        if (found.read)
            break;
    }
    if (!best.read && best_timing < TIMING_ENOUGH)
        return PL_OK;
    t->corner->used = t->beside->used = t->below->used = true;
    if (pl_find_is_new(find, best.place))
        pl_find_add(find, best);
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
    for (uint32_t a = 0; a < all.count; a++)
        for (uint32_t b = 0; b < all.count; b++)
            for (uint32_t c = 0; c < all.count; c++) {
                struct triple t = {.corner = &all.items[a], .beside = &all.items[b], .below = &all.items[c]};
                if (a == b || a == c || b == c || t.corner->used || t.beside->used || t.below->used || !is_triple(&t))
                    continue;
                PL_TRY(pl_job_check(find->job, find->err));
                PL_TRY(try_triple(find, &t, &tries));
            }
    return PL_OK;
}
