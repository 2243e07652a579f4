// Symbols by rows of bars and by modules instead of dots.
#include "base/ckd.h"
#include "check/readers.h"
#include "raster/bits.h"

void pl_read_row(const struct pl_bitmap *crop, uint32_t y, struct pl_read_runs *out)
{
    uint32_t start, end, before = 0;
    out->count = out->x0 = out->x1 = 0;
    for (uint32_t x = 0; pl_bitmap_next_run(crop, y, x, &start, &end); x = before = end) {
        if (out->count + 2 > PL_READ_MAX_RUNS) {
            out->count = 0;
            return;
        }
        if (out->count)
            out->widths[out->count++] = start - before;
        else
            out->x0 = start;
        out->widths[out->count++] = end - start;
        out->x1 = end;
    }
}

bool pl_read_module(const struct pl_bitmap *crop, uint32_t x, uint32_t y, uint32_t module)
{
    uint64_t middle = (uint64_t)x * module + module / 2;
    return middle < crop->width && y < crop->height && pl_bitmap_get(crop, (uint32_t)middle, y);
}

uint32_t pl_read_modules(const struct pl_read_runs *runs, uint32_t module, uint8_t *widths, uint32_t capacity)
{
    if (runs->count > capacity)
        return 0;
    for (uint32_t i = 0; i < runs->count; i++) {
        uint32_t width = (runs->widths[i] + module / 2) / module;
        if (width == 0 || width > UINT8_MAX)
            return 0;
        widths[i] = (uint8_t)width;
    }
    return runs->count;
}

// Dots of ink from x0 to x1 of a row, x0 < x1.
static uint32_t ink_between(const uint64_t *row, uint32_t x0, uint32_t x1)
{
    uint32_t first = x0 / 64, last = (x1 - 1) / 64, ink = 0;
    for (uint32_t i = first; i <= last; i++) {
        uint64_t word = row[i];
        if (i == first)
            word &= ~UINT64_C(0) >> (x0 % 64);
        if (i == last)
            word &= pl_tail_mask(x1);
        ink += pl_count_bits64(word);
    }
    return ink;
}

// Does ink cover so many eighths of the box?
static bool is_dark(const struct pl_bitmap *crop, uint32_t x0, uint32_t y0, uint32_t width, uint32_t height,
                    uint32_t eighths)
{
    uint32_t ink = 0, x1 = PL_MIN(x0 + width, crop->width), y1 = PL_MIN(y0 + height, crop->height);
    for (uint32_t y = y0; y < y1 && x0 < x1; y++)
        ink += ink_between(pl_bitmap_row(crop, y), x0, x1);
    return (uint64_t)ink * 8 >= (uint64_t)(x1 - x0) * (y1 - y0) * eighths;
}

enum pl_errc pl_read_grid(struct pl_arena *arena, const struct pl_bitmap *crop, uint32_t module,
                          struct pl_read_sampling sampling, struct pl_bitmap *out, struct pl_error *err)
{
    const bool square = sampling.square;
    uint32_t columns = (crop->width + module - 1) / module, high = square ? module : 1;
    uint32_t rows = (crop->height + high - 1) / high;
    // Rows that stay as they are need a few lines each: PDF417 has 90 at most.
    enum { LINES = 3 * 90 };
    uint32_t step = square ? 1 : PL_MAX(PL_MAX(module / 2, 1u), (rows + LINES - 1) / LINES);
    uint32_t scale = square ? PL_READ_GRID : 1;
    rows = (rows + step - 1) / step;
    PL_TRY(pl_bitmap_new(arena, (columns + 2 * PL_READ_GRID_QUIET) * PL_READ_GRID,
                         (rows + 2 * PL_READ_GRID_QUIET) * scale, out, err));
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++) {
            if (!is_dark(crop, x * module, y * step * high, module, high, sampling.eighths))
                continue;
            for (uint32_t i = 0; i < PL_READ_GRID * scale; i++)
                pl_bitmap_set(out, (x + PL_READ_GRID_QUIET) * PL_READ_GRID + i % PL_READ_GRID,
                              (y + PL_READ_GRID_QUIET) * scale + i / PL_READ_GRID);
        }
    return PL_OK;
}

static bool grid_at(const struct pl_bitmap *grid, uint32_t x, uint32_t y)
{
    return pl_bitmap_get(grid, (x + PL_READ_GRID_QUIET) * PL_READ_GRID, (y + PL_READ_GRID_QUIET) * PL_READ_GRID);
}

// One of the three lines through the middle of the pattern, across or down, is 1:1:3:1:1.
static bool has_line(const struct pl_bitmap *grid, uint32_t x, uint32_t y, bool down)
{
    for (uint32_t line = 2; line <= 4; line++) {
        uint32_t bits = 0;
        for (uint32_t i = 0; i < 7; i++)
            bits = bits << 1 | (down ? grid_at(grid, x + line, y + i) : grid_at(grid, x + i, y + line));
        if (bits == 0x5D)
            return true;
    }
    return false;
}

bool pl_read_has_finders(const struct pl_bitmap *grid)
{
    uint32_t side = grid->width / PL_READ_GRID - 2 * PL_READ_GRID_QUIET;
    if (grid->width != grid->height || side < 21 || side > 177)
        return false;
    const uint32_t corners[3][2] = {{0, 0}, {side - 7, 0}, {0, side - 7}};
    for (int i = 0; i < 3; i++)
        if (!has_line(grid, corners[i][0], corners[i][1], false) || !has_line(grid, corners[i][0], corners[i][1], true))
            return false;
    return true;
}
