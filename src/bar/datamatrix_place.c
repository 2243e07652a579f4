// Data Matrix: where the bits of the codewords go (ISO/IEC 16022, annex F) and the finder pattern around the regions.
#include <string.h>

#include "bar/datamatrix.h"

#define MAX_SIDE 132 // of the mapping matrix of 144 x 144

struct placer {
    int rows, columns; // of the mapping matrix: all regions together, without finder patterns
    const uint8_t *words;
    struct pl_bitmap *modules;
    uint8_t x[MAX_SIDE], y[MAX_SIDE]; // mapping matrix to symbol
    uint8_t taken[MAX_SIDE * MAX_SIDE];
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
    p->taken[row * p->columns + column] = 1;
    if (bit)
        pl_bitmap_set(p->modules, p->x[column], p->y[row]);
}

// The eight modules of the usual shape, whose last bit is at (row, column).
static void put_shape(struct placer *p, int row, int column)
{
    static const int8_t offset[8][2] = {{-2, -2}, {-2, -1}, {-1, -2}, {-1, -1}, {-1, 0}, {0, -2}, {0, -1}, {0, 0}};
    uint32_t word = *p->words++;
    for (int i = 0; i < 8; i++)
        put(p, row + offset[i][0], column + offset[i][1], word >> (7 - i) & 1);
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
    return row >= 0 && row < p->rows && column >= 0 && column < p->columns && !p->taken[row * p->columns + column];
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

static void draw_finders(const struct pl_dm_size *size, struct pl_bitmap *modules)
{
    uint32_t height = size->region_rows + 2u, width = size->region_columns + 2u;
    for (uint32_t top = 0; top < size->rows; top += height)
        for (uint32_t x = 0; x < size->columns; x++) {
            if (x % 2 == 0)
                pl_bitmap_set(modules, x, top);
            pl_bitmap_set(modules, x, top + height - 1);
        }
    for (uint32_t left = 0; left < size->columns; left += width)
        for (uint32_t y = 0; y < size->rows; y++) {
            pl_bitmap_set(modules, left, y);
            if (y % 2 == 1)
                pl_bitmap_set(modules, left + width - 1, y);
        }
}

void pl_dm_draw(const struct pl_dm_size *size, const uint8_t *words, struct pl_bitmap *modules)
{
    struct placer p;
    uint32_t down = size->rows / (size->region_rows + 2u), across = size->columns / (size->region_columns + 2u);
    p.rows = (int)(down * size->region_rows);
    p.columns = (int)(across * size->region_columns);
    p.words = words;
    p.modules = modules;
    for (int i = 0; i < p.rows; i++)
        p.y[i] = (uint8_t)(1 + i + 2 * (i / size->region_rows));
    for (int i = 0; i < p.columns; i++)
        p.x[i] = (uint8_t)(1 + i + 2 * (i / size->region_columns));
    memset(p.taken, 0, (size_t)p.rows * (size_t)p.columns);
    draw_finders(size, modules);
    put_words(&p);
    // Where the number of modules is no multiple of eight, the last corner holds a fixed pattern.
    if (!p.taken[p.rows * p.columns - 1]) {
        pl_bitmap_set(modules, p.x[p.columns - 1], p.y[p.rows - 1]);
        pl_bitmap_set(modules, p.x[p.columns - 2], p.y[p.rows - 2]);
    }
}
