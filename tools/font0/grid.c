// The second map of font 0: grids over the boxes of glyphs whose nodes say how far the outline is moved there.
#include <stdlib.h>

#include "table.h"

#define MOST_NODES 16 // each way

struct grid {
    uint32_t codepoint;
    int64_t left, right, bottom, top; // UNITS
    int64_t columns, rows;
    int16_t moves[MOST_NODES * MOST_NODES * 2]; // x, y in 1/TENTHS of the height, row by row from the bottom
};

static struct grid grids[MAX_GLYPHS];
static size_t grid_count;

static void read_moves(const char *path, struct grid *g, const char *text)
{
    for (int64_t i = 0; i < g->columns * g->rows * 2; i++) {
        char *end;
        long move = strtol(text, &end, 10);
        if (end == text)
            fail("%s: a grid has too few moves", path);
        g->moves[i] = narrow(move);
        text = end;
    }
}

void read_grids(const char *path)
{
    static char line[8192];
    char *field[MAX_FIELDS];
    FILE *file = open_table(path, line, sizeof line);
    while (fgets(line, sizeof line, file)) {
        if (split_csv(line, field) < 9 || grid_count == MAX_GLYPHS)
            fail("%s: a row has too few columns, or there are too many rows", path);
        struct grid *g = &grids[grid_count++];
        int64_t *edges[4] = {&g->left, &g->right, &g->bottom, &g->top};
        g->codepoint = (uint32_t)strtoul(field[0], NULL, 16);
        for (int i = 0; i < 4; i++)
            *edges[i] = divide_rounding(decimal(field[2 + i]) * UNITS, (int64_t)TENTHS * 1000);
        g->columns = decimal(field[6]) / TENTHS;
        g->rows = decimal(field[7]) / TENTHS;
        if (g->columns < 2 || g->columns > MOST_NODES || g->rows < 2 || g->rows > MOST_NODES || g->left >= g->right ||
            g->bottom >= g->top)
            fail("%s: a grid has no size that can be", path);
        read_moves(path, g, field[8]);
    }
    fclose(file);
}

// Between which nodes a place lies: returns the first one, `rest` is how far it is to the next one, in parts of `span`.
static int64_t find_cell(int64_t place, int64_t span, int64_t nodes, int64_t *rest)
{
    int64_t inside = place < 0 ? 0 : place > span ? span : place;
    int64_t cell = inside * (nodes - 1) / span;
    if (cell > nodes - 2)
        cell = nodes - 2;
    *rest = inside * (nodes - 1) - cell * span;
    return cell;
}

void move_by_grid(uint32_t codepoint, int16_t *x, int16_t *y)
{
    for (size_t i = 0; i < grid_count; i++) {
        const struct grid *g = &grids[i];
        if (g->codepoint != codepoint)
            continue;
        int64_t width = g->right - g->left, height = g->top - g->bottom, u, v;
        int64_t column = find_cell(*x - g->left, width, g->columns, &u);
        int64_t row = find_cell(*y - g->bottom, height, g->rows, &v);
        const int16_t *low = &g->moves[(row * g->columns + column) * 2], *high = low + g->columns * 2;
        int64_t moved[2];
        for (int k = 0; k < 2; k++)
            moved[k] =
                (low[k] * (width - u) + low[k + 2] * u) * (height - v) + (high[k] * (width - u) + high[k + 2] * u) * v;
        *x = narrow(*x + divide_rounding(moved[0] * UNITS, width * height * TENTHS));
        *y = narrow(*y + divide_rounding(moved[1] * UNITS, width * height * TENTHS));
        return;
    }
}
