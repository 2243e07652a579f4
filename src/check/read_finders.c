// The patterns by which scanners find QR Code, Data Matrix and Aztec: error correction does not cover them. How much of
// them is damaged, and a grid in which they are whole.
#include "base/ckd.h"
#include "check/read_zxing.h"
#include "check/readers.h"

struct grid {
    struct pl_bitmap *bits;
    uint32_t columns, rows; // modules without the paper around them
};

static struct grid grid_of(struct pl_bitmap *bits)
{
    const uint32_t paper = 2 * PL_READ_GRID_QUIET;
    return (struct grid){bits, bits->width / PL_READ_GRID - paper, bits->height / PL_READ_GRID - paper};
}

static bool is_dark(const struct grid *g, uint32_t x, uint32_t y)
{
    return pl_bitmap_get(g->bits, (x + PL_READ_GRID_QUIET) * PL_READ_GRID, (y + PL_READ_GRID_QUIET) * PL_READ_GRID);
}

static void put(const struct grid *g, uint32_t x, uint32_t y, bool dark)
{
    const int32_t x0 = (int32_t)((x + PL_READ_GRID_QUIET) * PL_READ_GRID);
    const int32_t y0 = (int32_t)((y + PL_READ_GRID_QUIET) * PL_READ_GRID);
    pl_bitmap_fill(g->bits, (struct pl_box){x0, y0, x0 + PL_READ_GRID, y0 + PL_READ_GRID},
                   dark ? PL_INK_BLACK : PL_INK_WHITE);
}

enum { NOT_PART = -1, LIGHT, DARK };

static uint32_t from_middle(uint32_t at, uint32_t middle)
{
    return at > middle ? at - middle : middle - at;
}

// 7 x 7 modules in three corners, with a light row and column around them.
static int wanted_qr(const struct grid *g, uint32_t x, uint32_t y)
{
    const uint32_t right = g->columns - 8, low = g->rows - 8;
    if ((x > 7 && x < right) || (y > 7 && y < low) || (x >= right && y >= low))
        return NOT_PART;
    const uint32_t across = from_middle(x, x < 8 ? 3 : g->columns - 4), down = from_middle(y, y < 8 ? 3 : g->rows - 4);
    const uint32_t ring = PL_MAX(across, down);
    return ring == 2 || ring > 3 ? LIGHT : DARK;
}

// Bars at the left and at the bottom; above and at the right every second module is dark.
static int wanted_datamatrix(const struct grid *g, uint32_t x, uint32_t y)
{
    if (x == 0 || y == g->rows - 1)
        return DARK;
    if (y == 0)
        return x % 2 ? LIGHT : DARK;
    return x == g->columns - 1 ? (y % 2 ? DARK : LIGHT) : NOT_PART;
}

// Rings around the middle: five, in full symbols seven.
static int wanted_aztec(const struct grid *g, uint32_t x, uint32_t y, uint32_t rings)
{
    const uint32_t ring = PL_MAX(from_middle(x, g->columns / 2), from_middle(y, g->rows / 2));
    return ring >= rings ? NOT_PART : ring % 2 ? LIGHT : DARK;
}

static uint32_t rings_of(const struct grid *g)
{
    uint32_t modules = 0, right = 0;
    for (uint32_t y = 0; y < g->rows; y++)
        for (uint32_t x = 0; x < g->columns; x++) {
            const int want = wanted_aztec(g, x, y, 7);
            if (want == NOT_PART || wanted_aztec(g, x, y, 5) != NOT_PART)
                continue;
            modules++;
            right += is_dark(g, x, y) == (want == DARK);
        }
    return right * 4 > modules * 3 ? 7 : 5;
}

static bool has_shape(const struct grid *g, uint32_t format)
{
    const uint32_t least = format == PL_ZXING_QR ? 21 : format == PL_ZXING_DATAMATRIX ? 8 : 15;
    return g->columns >= least && g->rows >= least && g->columns <= 177 && g->rows <= 177 &&
           (format == PL_ZXING_DATAMATRIX || g->columns == g->rows);
}

static int wanted(const struct grid *g, uint32_t format, uint32_t rings, uint32_t x, uint32_t y)
{
    switch (format) {
    case PL_ZXING_QR:
        return wanted_qr(g, x, y);
    case PL_ZXING_DATAMATRIX:
        return wanted_datamatrix(g, x, y);
    default:
        return wanted_aztec(g, x, y, rings);
    }
}

// The parts of the pattern that a scanner needs, one by one: the corners of a QR Code without the light around them;
// the sides of a Data Matrix; the rings of an Aztec.
static uint32_t part_of(const struct grid *g, uint32_t format, uint32_t x, uint32_t y)
{
    if (format == PL_ZXING_QR)
        return (x > 7 ? 1u : 0u) + (y > 7 ? 2u : 0u);
    if (format == PL_ZXING_DATAMATRIX)
        return x == 0 ? 0 : y == g->rows - 1 ? 1 : y == 0 ? 2 : 3;
    return 0;
}

bool pl_read_finders(struct pl_bitmap *bits, uint32_t format, struct pl_finder_damage *out)
{
    const struct grid g = grid_of(bits);
    uint32_t modules[PL_FINDER_PARTS] = {0}, wrong[PL_FINDER_PARTS] = {0};
    *out = (struct pl_finder_damage){0};
    if (!has_shape(&g, format))
        return false;
    const uint32_t rings = format == PL_ZXING_AZTEC ? rings_of(&g) : 0;
    for (uint32_t y = 0; y < g.rows; y++)
        for (uint32_t x = 0; x < g.columns; x++) {
            const int want = wanted(&g, format, rings, x, y);
            if (want == NOT_PART)
                continue;
            const uint32_t part = part_of(&g, format, x, y);
            modules[part]++;
            wrong[part] += is_dark(&g, x, y) != (want == DARK);
            put(&g, x, y, want == DARK);
        }
    for (int i = 0; i < PL_FINDER_PARTS; i++)
        out->percent[i] = modules[i] ? wrong[i] * 100 / modules[i] : 0;
    return true;
}
