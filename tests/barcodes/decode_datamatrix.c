// Reads Data Matrix symbols of ECC 200 from their modules: finder, placement, check words, the six encodations.
#include <string.h>

#include "decode.h"
#include "decode_rs.h"

struct size {
    uint8_t rows, columns, region_rows, region_columns;
    uint16_t data;
    uint8_t blocks, checks; // checks of one block
};

static const struct size SIZES[] = {
    {10, 10, 8, 8, 3, 1, 5},         {12, 12, 10, 10, 5, 1, 7},       {14, 14, 12, 12, 8, 1, 10},
    {16, 16, 14, 14, 12, 1, 12},     {18, 18, 16, 16, 18, 1, 14},     {20, 20, 18, 18, 22, 1, 18},
    {22, 22, 20, 20, 30, 1, 20},     {24, 24, 22, 22, 36, 1, 24},     {26, 26, 24, 24, 44, 1, 28},
    {32, 32, 14, 14, 62, 1, 36},     {36, 36, 16, 16, 86, 1, 42},     {40, 40, 18, 18, 114, 1, 48},
    {44, 44, 20, 20, 144, 1, 56},    {48, 48, 22, 22, 174, 1, 68},    {52, 52, 24, 24, 204, 2, 42},
    {64, 64, 14, 14, 280, 2, 56},    {72, 72, 16, 16, 368, 4, 36},    {80, 80, 18, 18, 456, 4, 48},
    {88, 88, 20, 20, 576, 4, 56},    {96, 96, 22, 22, 696, 4, 68},    {104, 104, 24, 24, 816, 6, 56},
    {120, 120, 18, 18, 1050, 6, 68}, {132, 132, 20, 20, 1304, 8, 62}, {144, 144, 22, 22, 1558, 10, 62},
    {8, 18, 6, 16, 5, 1, 7},         {8, 32, 6, 14, 10, 1, 11},       {12, 26, 10, 24, 16, 1, 14},
    {12, 36, 10, 16, 22, 1, 18},     {16, 36, 14, 16, 32, 1, 24},     {16, 48, 14, 22, 49, 1, 28},
};

struct grid {
    int rows, columns;         // of the data alone
    uint16_t cells[132 * 132]; // word * 8 + bit + 1; 0: free
};

static void place(struct grid *g, int row, int column, uint32_t word, uint32_t bit)
{
    if (row < 0) {
        row += g->rows;
        column += 4 - (g->rows + 4) % 8;
    }
    if (column < 0) {
        column += g->columns;
        row += 4 - (g->columns + 4) % 8;
    }
    g->cells[row * g->columns + column] = (uint16_t)(word * 8 + bit + 1);
}

// A word's bits from the most significant on, as steps from the cell of the last one.
static void place_utah(struct grid *g, int row, int column, uint32_t word)
{
    static const int8_t AT[8][2] = {{-2, -2}, {-2, -1}, {-1, -2}, {-1, -1}, {-1, 0}, {0, -2}, {0, -1}, {0, 0}};
    for (uint32_t bit = 0; bit < 8; bit++)
        place(g, row + AT[bit][0], column + AT[bit][1], word, bit);
}

// The four shapes at corners. A figure below 0 counts from the far side.
static void place_corner(struct grid *g, int which, uint32_t word)
{
    static const int8_t AT[4][8][2] = {{{-1, 0}, {-1, 1}, {-1, 2}, {0, -2}, {0, -1}, {1, -1}, {2, -1}, {3, -1}},
                                       {{-3, 0}, {-2, 0}, {-1, 0}, {0, -4}, {0, -3}, {0, -2}, {0, -1}, {1, -1}},
                                       {{-3, 0}, {-2, 0}, {-1, 0}, {0, -2}, {0, -1}, {1, -1}, {2, -1}, {3, -1}},
                                       {{-1, 0}, {-1, -1}, {0, -3}, {0, -2}, {0, -1}, {1, -3}, {1, -2}, {1, -1}}};
    for (uint32_t bit = 0; bit < 8; bit++) {
        int row = AT[which][bit][0], column = AT[which][bit][1];
        place(g, row < 0 ? g->rows + row : row, column < 0 ? g->columns + column : column, word, bit);
    }
}

static void fill(struct grid *g)
{
    uint32_t word = 0;
    int row = 4, column = 0, rows = g->rows, columns = g->columns;
    memset(g->cells, 0, sizeof g->cells);
    do {
        if (row == rows && column == 0)
            place_corner(g, 0, word++);
        if (row == rows - 2 && column == 0 && columns % 4 != 0)
            place_corner(g, 1, word++);
        if (row == rows - 2 && column == 0 && columns % 8 == 4)
            place_corner(g, 2, word++);
        if (row == rows + 4 && column == 2 && columns % 8 == 0)
            place_corner(g, 3, word++);
        do {
            if (row < rows && column >= 0 && !g->cells[row * columns + column])
                place_utah(g, row, column, word++);
            row -= 2;
            column += 2;
        } while (row >= 0 && column < columns);
        row++;
        column += 3;
        do {
            if (row >= 0 && column < columns && !g->cells[row * columns + column])
                place_utah(g, row, column, word++);
            row += 2;
            column -= 2;
        } while (row < rows && column >= 0);
        row += 3;
        column++;
    } while (row < rows || column < columns);
}

static bool has_finder(const struct pl_bitmap *m, const struct size *s)
{
    uint32_t h = s->region_rows + 2u, w = s->region_columns + 2u;
    for (uint32_t y = 0; y < m->height; y++)
        for (uint32_t x = 0; x < m->width; x++) {
            uint32_t v = y % h, u = x % w;
            bool ink = pl_bitmap_get(m, x, y);
            if ((u == 0 || v == h - 1) ? !ink : v == 0 ? ink != (u % 2 == 0) : u == w - 1 ? ink != (v % 2 == 1) : false)
                return false;
        }
    return true;
}

static bool checks_hold(const struct size *s, const uint8_t *words)
{
    uint32_t total = s->data + (uint32_t)s->blocks * s->checks;
    for (uint32_t block = 0; block < s->blocks; block++)
        if (!rs_holds(words + block, (total - block + s->blocks - 1) / s->blocks, s->blocks, s->checks, 8, 0x12D))
            return false;
    return true;
}

struct reader {
    const uint8_t *words;
    uint32_t at, end;
    struct decoded *out;
    bool bad;
};

static void give(struct reader *r, uint32_t c)
{
    if (r->out->count >= r->out->cap)
        r->bad = true;
    else
        r->out->chars[r->out->count++] = (uint16_t)c;
}

static void read_pads(struct reader *r)
{
    for (; r->at < r->end; r->at++) {
        uint32_t pad = 129 + 149 * (r->at + 1) % 253 + 1;
        if (r->words[r->at] != (pad > 254 ? pad - 254 : pad))
            r->bad = true;
    }
}

// C40 (kind 0), Text (1) and X12 (2).
static void read_triplets(struct reader *r, int kind)
{
    static const char X12[] = "\r*> 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    uint32_t shift = 0, high = 0;
    while (r->end - r->at > 1) { // one word alone is ASCII
        if (r->words[r->at] == 254) {
            r->at++;
            return;
        }
        uint32_t packed = (uint32_t)(r->words[r->at] << 8 | r->words[r->at + 1]) - 1;
        uint32_t values[3] = {packed / 1600, packed / 40 % 40, packed % 40};
        r->at += 2;
        for (int i = 0; i < 3; i++) {
            uint32_t v = values[i], c = 0;
            if (v > 39)
                r->bad = true;
            if (kind == 2) {
                give(r, (uint8_t)X12[v % 40]);
                continue;
            }
            if (shift == 0 && v < 3) {
                shift = v + 1;
                continue;
            }
            if (shift == 0) {
                c = v == 3 ? ' ' : v < 14 ? '0' + v - 4 : (kind ? 'a' : 'A') + v - 14;
            } else if (shift == 1) {
                c = v;
            } else if (shift == 2) {
                if (v == 27) {
                    give(r, DECODE_FNC1);
                    shift = high = 0;
                    continue;
                }
                if (v == 30) {
                    high = 128;
                    shift = 0;
                    continue;
                }
                c = v < 15 ? v + 33 : v < 22 ? v - 15 + 58 : v - 22 + 91;
            } else {
                c = v + 96;
                if (kind && v >= 1 && v <= 26)
                    c = v + 64;
            }
            give(r, c + high);
            shift = high = 0;
        }
    }
    if (r->end - r->at == 1 && r->words[r->at] == 254)
        r->at++;
}

static void read_edifact(struct reader *r)
{
    while (r->end - r->at > 2) {
        uint32_t packed = (uint32_t)r->words[r->at] << 16 | (uint32_t)r->words[r->at + 1] << 8 | r->words[r->at + 2];
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t v = packed >> (18 - 6 * i) & 63;
            if (v == 31) { // the word that holds the last of its bits is used up
                r->at += i < 3 ? i + 1 : 3;
                return;
            }
            give(r, v < 32 ? v + 64 : v);
        }
        r->at += 3;
    }
}

static uint32_t plain_byte(struct reader *r)
{
    uint32_t at = r->at++, scrambled = at < r->end ? r->words[at] : 0;
    return (scrambled + 256 - (149 * (at + 1) % 255 + 1) % 256) & 255;
}

static void read_bytes(struct reader *r)
{
    uint32_t count = plain_byte(r);
    if (count >= 250)
        count = (count - 249) * 250 + plain_byte(r);
    else if (count == 0)
        count = r->end - r->at;
    if (count > r->end - r->at)
        r->bad = true;
    for (; count > 0 && !r->bad; count--)
        give(r, plain_byte(r));
}

static void read_words(struct reader *r)
{
    uint32_t high = 0;
    while (r->at < r->end && !r->bad) {
        uint32_t w = r->words[r->at++];
        if (w >= 1 && w <= 128) {
            give(r, w - 1 + high);
            high = 0;
        } else if (w == 129) {
            read_pads(r);
        } else if (w <= 229 && w >= 130) {
            give(r, '0' + (w - 130) / 10);
            give(r, '0' + (w - 130) % 10);
        } else if (w == 230 || w == 239 || w == 238) {
            read_triplets(r, w == 230 ? 0 : w == 239 ? 1 : 2);
        } else if (w == 231) {
            read_bytes(r);
        } else if (w == 232) {
            give(r, DECODE_FNC1);
        } else if (w == 233) {
            r->at += 3;
        } else if (w == 235) {
            high = 128;
        } else if (w == 240) {
            read_edifact(r);
        } else if (w == 241) {
            r->at += r->at < r->end && r->words[r->at] > 127 ? 2 : 1;
        } else if (w != 234) {
            r->bad = true;
        }
    }
}

bool decode_datamatrix(const struct pl_bitmap *modules, struct decoded *out)
{
    const struct size *s = NULL;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES && !s; i++)
        if (SIZES[i].rows == modules->height && SIZES[i].columns == modules->width)
            s = &SIZES[i];
    if (!s || !has_finder(modules, s))
        return false;
    static struct grid g;
    g.rows = s->rows - 2 * (s->rows / (s->region_rows + 2));
    g.columns = s->columns - 2 * (s->columns / (s->region_columns + 2));
    fill(&g);
    static uint8_t words[2200];
    memset(words, 0, sizeof words);
    for (int row = 0; row < g.rows; row++)
        for (int column = 0; column < g.columns; column++) {
            uint32_t cell = g.cells[row * g.columns + column];
            uint32_t x = (uint32_t)(column + 1 + 2 * (column / s->region_columns));
            uint32_t y = (uint32_t)(row + 1 + 2 * (row / s->region_rows));
            if (cell && pl_bitmap_get(modules, x, y))
                words[(cell - 1) / 8] |= (uint8_t)(0x80 >> (cell - 1) % 8);
        }
    struct reader r = {.words = words, .end = s->data, .out = out};
    out->count = 0;
    if (!checks_hold(s, words))
        return false;
    read_words(&r);
    return !r.bad;
}
