// Data Matrix: where the bits of the codewords go (ISO/IEC 16022, annex F) and the finder pattern around the regions.
#include <string.h>

#include "bar/encode/datamatrix_parts.h"

#define MAX_SIDE 132 // of the mapping matrix of 144 x 144

enum { TAKEN = 2 }; // a cell with a bit in it has this and the bit

struct placer {
    int rows, columns; // of the mapping matrix: all regions together, without finder patterns
    const uint8_t *words;
    uint8_t cells[MAX_SIDE * MAX_SIDE];
};

// One module; positions left of or above the matrix wrap round to the other side.
static void put(struct placer *p, int row, int column, uint32_t bit)
{
    if (row < 0) {
        row += p->rows;
        column += 4 - (p->rows + 4) % 8;
    }
    if (column < 0) {
        column += p->columns;
        row += 4 - (p->columns + 4) % 8;
    }
    p->cells[row * p->columns + column] = (uint8_t)(TAKEN | bit);
}

// The eight modules of the usual shape, whose last bit is at (row, column).
static void put_shape(struct placer *p, int row, int column)
{
    static const int8_t offset[8][2] = {{-2, -2}, {-2, -1}, {-1, -2}, {-1, -1}, {-1, 0}, {0, -2}, {0, -1}, {0, 0}};
    uint32_t word = *p->words++;
    if (row < 2 || column < 2) {
        for (int i = 0; i < 8; i++)
            put(p, row + offset[i][0], column + offset[i][1], word >> (7 - i) & 1);
        return;
    }
    uint8_t *last = p->cells + row * p->columns + column, *middle = last - p->columns, *first = middle - p->columns;
    first[-2] = (uint8_t)(TAKEN | word >> 7);
    first[-1] = (uint8_t)(TAKEN | (word >> 6 & 1));
    middle[-2] = (uint8_t)(TAKEN | (word >> 5 & 1));
    middle[-1] = (uint8_t)(TAKEN | (word >> 4 & 1));
    middle[0] = (uint8_t)(TAKEN | (word >> 3 & 1));
    last[-2] = (uint8_t)(TAKEN | (word >> 2 & 1));
    last[-1] = (uint8_t)(TAKEN | (word >> 1 & 1));
    last[0] = (uint8_t)(TAKEN | (word & 1));
}

// The four ways in which a codeword is folded round the corners; positions from the end are negative.
static void put_corner(struct placer *p, int which)
{
    static const int8_t corner[4][8][2] = {
        {{-1, 0}, {-1, 1}, {-1, 2}, {0, -2}, {0, -1}, {1, -1}, {2, -1}, {3, -1}},
        {{-3, 0}, {-2, 0}, {-1, 0}, {0, -4}, {0, -3}, {0, -2}, {0, -1}, {1, -1}},
        {{-3, 0}, {-2, 0}, {-1, 0}, {0, -2}, {0, -1}, {1, -1}, {2, -1}, {3, -1}},
        {{-1, 0}, {-1, -1}, {0, -3}, {0, -2}, {0, -1}, {1, -3}, {1, -2}, {1, -1}},
    };
    uint32_t word = *p->words++;
    for (int i = 0; i < 8; i++) {
        int row = corner[which][i][0], column = corner[which][i][1];
        put(p, row < 0 ? row + p->rows : row, column < 0 ? column + p->columns : column, word >> (7 - i) & 1);
    }
}

static int corner_at(const struct placer *p, int row, int column)
{
    if (column == 0 && row == p->rows)
        return 0;
    if (column == 0 && row == p->rows - 2 && p->columns % 4 != 0)
        return 1;
    if (column == 0 && row == p->rows - 2 && p->columns % 8 == 4)
        return 2;
    if (column == 2 && row == p->rows + 4 && p->columns % 8 == 0)
        return 3;
    return -1;
}

static bool is_free(const struct placer *p, int row, int column)
{
    return row >= 0 && row < p->rows && column >= 0 && column < p->columns && p->cells[row * p->columns + column] == 0;
}

// Diagonals up to the right and down to the left in turn, until the matrix is full.
static void put_words(struct placer *p)
{
    int row = 4, column = 0;
    do {
        int corner = corner_at(p, row, column);
        if (corner >= 0)
            put_corner(p, corner);
        do {
            if (is_free(p, row, column))
                put_shape(p, row, column);
            row -= 2;
            column += 2;
        } while (row >= 0 && column < p->columns);
        row += 1;
        column += 3;
        do {
            if (is_free(p, row, column))
                put_shape(p, row, column);
            row += 2;
            column -= 2;
        } while (row < p->rows && column >= 0);
        row += 3;
        column += 1;
    } while (row < p->rows || column < p->columns);
}

// Modules go from left to right into a row, whole regions at a time.
static void append(uint64_t *row, uint32_t x, uint64_t bits, uint32_t count)
{
    uint64_t aligned = bits << (64 - count);
    row[x / 64] |= aligned >> x % 64;
    if (x % 64 + count > 64)
        row[x / 64 + 1] |= aligned << (64 - x % 64);
}

// A row of the finder pattern: solid at the bottom of a region, every other module at the top.
static void draw_edge(const struct pl_dm_size *size, struct pl_bitmap *modules, uint32_t y, bool solid)
{
    for (uint32_t x = 0; x < size->columns; x += solid ? 1 : 2)
        pl_bitmap_set(modules, x, y);
}

// A row of each region: its solid left side, its data, and every other module of its right side.
static void draw_row(const struct pl_dm_size *size, const uint8_t *cells, struct pl_bitmap *modules, uint32_t y)
{
    uint32_t width = size->region_columns;
    uint64_t *row = pl_bitmap_row(modules, y);
    for (uint32_t x = 0; x < size->columns; x += width + 2) {
        uint64_t bits = 1;
        for (uint32_t i = 0; i < width; i++)
            bits = bits << 1 | (*cells++ & 1u);
        append(row, x, bits << 1 | y % 2, width + 2);
    }
}

void pl_dm_draw(const struct pl_dm_size *size, const uint8_t *words, struct pl_bitmap *modules)
{
    struct placer p;
    uint32_t height = size->region_rows, down = size->rows / (height + 2u);
    uint32_t across = size->columns / (size->region_columns + 2u);
    p.rows = (int)(down * height);
    p.columns = (int)(across * size->region_columns);
    p.words = words;
    size_t cells = (size_t)p.rows * (size_t)p.columns;
    memset(p.cells, 0, cells);
    put_words(&p);
    // Where the number of modules is no multiple of eight, the last corner holds a fixed pattern.
    if (p.cells[cells - 1] == 0)
        p.cells[cells - 1] = p.cells[cells - (size_t)p.columns - 2] = TAKEN | 1;
    const uint8_t *row = p.cells;
    for (uint32_t y = 0; y < size->rows; y++) {
        uint32_t within = y % (height + 2);
        if (within == 0 || within == height + 1) {
            draw_edge(size, modules, y, within != 0);
        } else {
            draw_row(size, row, modules, y);
            row += p.columns;
        }
    }
}
