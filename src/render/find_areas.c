// Where two bitmaps differ: squares with different dots that touch each other become one area.
#include <stdlib.h>

#include "base/ckd.h"
#include "raster/bits.h"
#include "render/compare.h"

#define SIDE 16u // of a square, in dots; 64 is a multiple of it

struct square {
    uint64_t columns; // those of the 16 that have a different dot, the leftmost highest
    uint32_t dots;
    uint16_t top, bottom; // first row with a different dot, and the one behind the last
};

struct grid {
    uint32_t columns, rows;
    struct square *squares;
    uint32_t *parents; // of the same area; the first square of an area is its own
};

static uint32_t root_of(const struct grid *grid, uint32_t square)
{
    while (grid->parents[square] != square) {
        grid->parents[square] = grid->parents[grid->parents[square]];
        square = grid->parents[square];
    }
    return square;
}

static void join(const struct grid *grid, uint32_t a, uint32_t b)
{
    uint32_t first = root_of(grid, a), second = root_of(grid, b);
    if (first < second)
        grid->parents[second] = first;
    else
        grid->parents[first] = second;
}

static void note_row(const struct grid *grid, const struct pl_bitmap *a, const struct pl_bitmap *b, uint32_t y,
                     uint32_t words)
{
    for (uint32_t word = 0; word < words; word++) {
        uint64_t differs = pl_compare_word(a, y, word) ^ pl_compare_word(b, y, word);
        for (uint32_t part = 0; differs != 0; part++, differs <<= SIDE) {
            uint64_t bits = differs >> (64 - SIDE);
            if (bits == 0)
                continue;
            struct square *square =
                &grid->squares[(size_t)(y / SIDE) * grid->columns + (size_t)word * (64 / SIDE) + part];
            if (square->dots == 0)
                square->top = (uint16_t)(y % SIDE);
            square->bottom = (uint16_t)(y % SIDE + 1);
            square->columns |= bits;
            square->dots += pl_count_bits64(bits);
        }
    }
}

// Joins a square with those before it that touch it.
static void join_neighbours(const struct grid *grid, uint32_t column, uint32_t row)
{
    uint32_t at = row * grid->columns + column;
    if (column > 0 && grid->squares[at - 1].dots)
        join(grid, at, at - 1);
    if (row == 0)
        return;
    uint32_t above = at - grid->columns;
    if (grid->squares[above].dots)
        join(grid, at, above);
    if (column > 0 && grid->squares[above - 1].dots)
        join(grid, at, above - 1);
    if (column + 1 < grid->columns && grid->squares[above + 1].dots)
        join(grid, at, above + 1);
}

static struct pl_box box_of(const struct grid *grid, uint32_t at)
{
    const struct square *square = &grid->squares[at];
    uint32_t x = at % grid->columns * SIDE, y = at / grid->columns * SIDE;
    uint32_t left = (uint32_t)__builtin_clzll(square->columns) - (64 - SIDE);
    uint32_t right = SIDE - (uint32_t)__builtin_ctzll(square->columns);
    return (struct pl_box){(int32_t)(x + left), (int32_t)(y + square->top), (int32_t)(x + right),
                           (int32_t)(y + square->bottom)};
}

static void add_to_area(struct platen_area *area, struct pl_box box, uint64_t dots)
{
    struct pl_box old = {(int32_t)area->x, (int32_t)area->y, (int32_t)(area->x + area->width),
                         (int32_t)(area->y + area->height)};
    struct pl_box all = pl_box_union(old, box);
    *area = (struct platen_area){.x = (uint32_t)all.x0,
                                 .y = (uint32_t)all.y0,
                                 .width = (uint32_t)(all.x1 - all.x0),
                                 .height = (uint32_t)(all.y1 - all.y0),
                                 .dots = area->dots + dots};
}

static int by_dots(const void *left, const void *right)
{
    const struct platen_area *a = left, *b = right;
    if (a->dots != b->dots)
        return a->dots > b->dots ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return (a->x > b->x) - (a->x < b->x);
}

// Boxes of squares that do not touch may still overlap: an area inside another one says nothing new. Of very many areas
// nobody looks at each.
#define MERGED_MOST 512u
static uint32_t merge(struct platen_area *areas, uint32_t count)
{
    bool again = count <= MERGED_MOST;
    while (again) {
        again = false;
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t k = i + 1; k < count;) {
                struct platen_area *a = &areas[i];
                const struct platen_area *b = &areas[k];
                if (a->x >= b->x + b->width || b->x >= a->x + a->width || a->y >= b->y + b->height ||
                    b->y >= a->y + a->height) {
                    k++;
                    continue;
                }
                add_to_area(a,
                            (struct pl_box){(int32_t)b->x, (int32_t)b->y, (int32_t)(b->x + b->width),
                                            (int32_t)(b->y + b->height)},
                            b->dots);
                areas[k] = areas[--count];
                again = true;
            }
        }
    }
    return count;
}

enum pl_errc pl_find_areas(const struct pl_bitmap *a, const struct pl_bitmap *b, uint32_t most, struct pl_arena *arena,
                           struct platen_area **areas, uint32_t *kept, uint32_t *all, struct pl_error *err)
{
    uint32_t words = PL_MAX(a->stride, b->stride), height = PL_MAX(a->height, b->height);
    struct grid grid = {.columns = words * (64 / SIDE), .rows = (height + SIDE - 1) / SIDE};
    size_t count = (size_t)grid.columns * grid.rows;
    *kept = *all = 0;
    if (count > UINT32_MAX)
        return pl_fail(err, PL_E_LIMIT, "the pages are too large to be compared");
    grid.squares = pl_arena_zalloc(arena, count * sizeof *grid.squares, _Alignof(struct square));
    grid.parents = PL_ARENA_ARRAY(arena, uint32_t, count);
    if (count && (!grid.squares || !grid.parents))
        return pl_fail_memory(err);
    for (uint32_t y = 0; y < height; y++)
        note_row(&grid, a, b, y, words);
    for (uint32_t i = 0; i < count; i++) {
        grid.parents[i] = i;
        if (grid.squares[i].dots)
            join_neighbours(&grid, i % grid.columns, i / grid.columns);
    }
    for (uint32_t i = 0; i < count; i++)
        *all += grid.squares[i].dots && grid.parents[i] == i;
    if (*all == 0)
        return PL_OK;
    struct platen_area *found = PL_ARENA_ARRAY(arena, struct platen_area, *all);
    if (!found)
        return pl_fail_memory(err);
    // The first square of an area comes before the others, so its area has a number by then.
    uint32_t next = 0;
    uint32_t *numbers = PL_ARENA_ARRAY(arena, uint32_t, count);
    if (!numbers)
        return pl_fail_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        if (!grid.squares[i].dots)
            continue;
        uint32_t root = root_of(&grid, i);
        if (root == i) {
            numbers[i] = next++;
            found[numbers[i]] = (struct platen_area){0};
        }
        add_to_area(&found[numbers[root]], box_of(&grid, i), grid.squares[i].dots);
    }
    *all = merge(found, *all);
    qsort(found, *all, sizeof *found, by_dots);
    *areas = found;
    *kept = PL_MIN(*all, most);
    return PL_OK;
}
