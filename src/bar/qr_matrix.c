// QR Code: function patterns, placement of the codewords, and the mask with the lowest penalty, scored by words of
// bits.
#include <string.h>

#include "bar/qr.h"
#include "base/ckd.h"
#include "raster/bits.h"

#define WORDS 3 // 177 modules

// Twelve rows of each mask, twelve columns each: all masks repeat after that. Leftmost column in the highest bit; a set
// bit inverts. The second table has rows and columns changed over.
static const uint16_t mask_rows[8][12] = {
    {0xAAA, 0x555, 0xAAA, 0x555, 0xAAA, 0x555, 0xAAA, 0x555, 0xAAA, 0x555, 0xAAA, 0x555},
    {0xFFF, 0x000, 0xFFF, 0x000, 0xFFF, 0x000, 0xFFF, 0x000, 0xFFF, 0x000, 0xFFF, 0x000},
    {0x924, 0x924, 0x924, 0x924, 0x924, 0x924, 0x924, 0x924, 0x924, 0x924, 0x924, 0x924},
    {0x924, 0x249, 0x492, 0x924, 0x249, 0x492, 0x924, 0x249, 0x492, 0x924, 0x249, 0x492},
    {0xE38, 0xE38, 0x1C7, 0x1C7, 0xE38, 0xE38, 0x1C7, 0x1C7, 0xE38, 0xE38, 0x1C7, 0x1C7},
    {0xFFF, 0x820, 0x924, 0xAAA, 0x924, 0x820, 0xFFF, 0x820, 0x924, 0xAAA, 0x924, 0x820},
    {0xFFF, 0xE38, 0xDB6, 0xAAA, 0xB6D, 0x8E3, 0xFFF, 0xE38, 0xDB6, 0xAAA, 0xB6D, 0x8E3},
    {0xAAA, 0x1C7, 0x8E3, 0x555, 0xE38, 0x71C, 0xAAA, 0x1C7, 0x8E3, 0x555, 0xE38, 0x71C}};
static const uint16_t mask_columns[8][12] = {
    {0xAAA, 0x555, 0xAAA, 0x555, 0xAAA, 0x555, 0xAAA, 0x555, 0xAAA, 0x555, 0xAAA, 0x555},
    {0xAAA, 0xAAA, 0xAAA, 0xAAA, 0xAAA, 0xAAA, 0xAAA, 0xAAA, 0xAAA, 0xAAA, 0xAAA, 0xAAA},
    {0xFFF, 0x000, 0x000, 0xFFF, 0x000, 0x000, 0xFFF, 0x000, 0x000, 0xFFF, 0x000, 0x000},
    {0x924, 0x249, 0x492, 0x924, 0x249, 0x492, 0x924, 0x249, 0x492, 0x924, 0x249, 0x492},
    {0xCCC, 0xCCC, 0xCCC, 0x333, 0x333, 0x333, 0xCCC, 0xCCC, 0xCCC, 0x333, 0x333, 0x333},
    {0xFFF, 0x820, 0x924, 0xAAA, 0x924, 0x820, 0xFFF, 0x820, 0x924, 0xAAA, 0x924, 0x820},
    {0xFFF, 0xE38, 0xDB6, 0xAAA, 0xB6D, 0x8E3, 0xFFF, 0xE38, 0xDB6, 0xAAA, 0xB6D, 0x8E3},
    {0xAAA, 0x1C7, 0x8E3, 0x555, 0xE38, 0x71C, 0xAAA, 0x1C7, 0x8E3, 0x555, 0xE38, 0x71C}};

// Rows of modules, the leftmost in the highest bit.
struct grid {
    uint64_t rows[PL_QR_SIZE_MAX][WORDS];
};

struct canvas {
    struct grid dark, fixed; // `fixed`: not for data
    uint32_t size;
    bool model1;
};

static void set(struct canvas *c, uint32_t x, uint32_t y, bool dark)
{
    uint64_t bit = UINT64_C(1) << (63 - x % 64);
    c->fixed.rows[y][x / 64] |= bit;
    if (dark)
        c->dark.rows[y][x / 64] |= bit;
    else
        c->dark.rows[y][x / 64] &= ~bit;
}

static uint32_t alignment_positions(uint32_t version, uint32_t positions[7])
{
    if (version == 1)
        return 0;
    uint32_t n = version / 7 + 2;
    uint32_t step = version == 32 ? 26 : (version * 4 + n * 2 + 1) / (n * 2 - 2) * 2;
    positions[0] = 6;
    for (uint32_t i = 1; i < n; i++)
        positions[i] = version * 4 + 10 - step * (n - 1 - i);
    return n;
}

uint32_t pl_qr_data_modules(uint32_t version)
{
    uint32_t modules = (16 * version + 128) * version + 64;
    if (version >= 2) {
        uint32_t n = version / 7 + 2;
        modules -= (25 * n - 10) * n - 55;
    }
    return modules - (version >= 7 ? 36 : 0);
}

static void draw_finder(struct canvas *c, int32_t cx, int32_t cy)
{
    for (int32_t dy = -4; dy <= 4; dy++)
        for (int32_t dx = -4; dx <= 4; dx++) {
            int32_t x = cx + dx, y = cy + dy, far = PL_MAX(dx < 0 ? -dx : dx, dy < 0 ? -dy : dy);
            if (x >= 0 && y >= 0 && x < (int32_t)c->size && y < (int32_t)c->size)
                set(c, (uint32_t)x, (uint32_t)y, far != 2 && far != 4);
        }
}

static void draw_alignments(struct canvas *c, uint32_t version)
{
    uint32_t at[7], n = alignment_positions(version, at);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            if ((i == 0 && j == 0) || (i == 0 && j == n - 1) || (i == n - 1 && j == 0))
                continue; // finders are there
            for (uint32_t dy = 0; dy < 5; dy++)
                for (uint32_t dx = 0; dx < 5; dx++) {
                    bool ring = dx == 0 || dx == 4 || dy == 0 || dy == 4;
                    set(c, at[i] + dx - 2, at[j] + dy - 2, ring || (dx == 2 && dy == 2));
                }
        }
}

// The fifteen bits of level and mask. By what they are turned over readers know the model.
static uint32_t format_bits(enum pl_qr_level level, uint32_t mask, bool model1)
{
    static const uint8_t level_bits[] = {1, 0, 3, 2};
    uint32_t data = (uint32_t)level_bits[level] << 3 | mask, rest = data;
    for (int i = 0; i < 10; i++)
        rest = rest << 1 ^ (rest >> 9 & 1 ? 0x537 : 0);
    return (data << 10 | rest) ^ (model1 ? 0x2825 : 0x5412);
}

static void put(struct grid *g, uint32_t x, uint32_t y, bool dark)
{
    uint64_t bit = UINT64_C(1) << (63 - x % 64), *word = &g->rows[y][x / 64];
    *word = dark ? *word | bit : *word & ~bit;
}

// Where the bits of the format lie: beside the upper left finder, down its right side and along its lower side, and
// once more, split between the other two finders.
static void draw_format(struct grid *g, uint32_t size, uint32_t bits, bool turned)
{
    for (uint32_t i = 0; i < 15; i++) {
        bool dark = bits >> i & 1;
        uint32_t x1 = i < 8 ? 8 : i == 8 ? 7 : 14 - i, y1 = i < 6 ? i : i < 8 ? i + 1 : 8;
        uint32_t x2 = i < 8 ? size - 1 - i : 8, y2 = i < 8 ? 8 : size - 15 + i;
        put(g, turned ? y1 : x1, turned ? x1 : y1, dark);
        put(g, turned ? y2 : x2, turned ? x2 : y2, dark);
    }
}

// Takes their place, and that of the module that is always dark.
static void reserve_format(struct canvas *c)
{
    draw_format(&c->fixed, c->size, 0x7FFF, false);
    set(c, 8, c->size - 8, true);
}

static void draw_version(struct canvas *c, uint32_t version)
{
    if (version < 7)
        return;
    uint32_t rest = version;
    for (int i = 0; i < 12; i++)
        rest = rest << 1 ^ (rest >> 11 & 1 ? 0x1F25 : 0);
    uint32_t bits = version << 12 | rest;
    for (uint32_t i = 0; i < 18; i++) {
        uint32_t a = c->size - 11 + i % 3, b = i / 3;
        set(c, a, b, bits >> i & 1);
        set(c, b, a, bits >> i & 1);
    }
}

// Model 1: instead of alignment patterns a dark corner, and along the right and the lower edge every other place for a
// codeword is a light and a dark line of four modules.
static void draw_extensions(struct canvas *c, uint32_t version)
{
    uint32_t n = c->size;
    for (uint32_t i = 0; i < 4; i++)
        set(c, n - 2 + i % 2, n - 2 + i / 2, i == 3);
    for (uint32_t from = version % 2 ? 17 : 13; from < n - 5; from += 8)
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t along = from + i / 2, across = n - 2 + i % 2;
            set(c, across, along, i % 2);
            set(c, along, across, i % 2);
        }
}

static void draw_function_patterns(struct canvas *c, uint32_t version)
{
    int32_t n = (int32_t)c->size;
    for (uint32_t i = 0; i < c->size; i++) {
        set(c, 6, i, i % 2 == 0);
        set(c, i, 6, i % 2 == 0);
    }
    draw_finder(c, 3, 3);
    draw_finder(c, n - 4, 3);
    draw_finder(c, 3, n - 4);
    reserve_format(c);
    if (c->model1) {
        draw_extensions(c, version);
    } else {
        draw_alignments(c, version);
        draw_version(c, version);
    }
}

// Two columns at a time from the right, up and down in turn, past what is fixed.
static void place(struct canvas *c, const uint8_t *codewords, uint32_t count)
{
    uint32_t at = 0, end = count * 8;
    bool up = true;
    for (uint32_t right = c->size - 1; right >= 1 && right < c->size; right -= 2) {
        if (right == 6)
            right = 5;
        for (uint32_t i = 0; i < c->size; i++) {
            uint32_t y = up ? c->size - 1 - i : i;
            for (uint32_t x = right + 1; x-- > right - 1;) {
                uint64_t bit = UINT64_C(1) << (63 - x % 64);
                if (c->fixed.rows[y][x / 64] & bit || at == end)
                    continue;
                if (codewords[at / 8] >> (7 - at % 8) & 1)
                    c->dark.rows[y][x / 64] |= bit;
                at++;
            }
        }
        up = !up;
    }
}

// Model 1: codewords are blocks of modules, their highest bit on the lower right.
struct blocks {
    struct canvas *canvas;
    const uint8_t *codewords;
    uint32_t at, count;
};

// The next codeword at (x, y), if nothing else is there. A smaller block holds the lower bits.
static void put_block(struct blocks *b, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    struct canvas *c = b->canvas;
    for (uint32_t i = 0; i < width * height; i++) {
        uint32_t u = x + i % width, v = y + i / width;
        if (c->fixed.rows[v][u / 64] >> (63 - u % 64) & 1)
            return;
    }
    if (b->at == b->count)
        return;
    uint8_t word = b->codewords[b->at++];
    for (uint32_t i = 0; i < width * height; i++) {
        uint32_t u = x + i % width, v = y + i / width;
        c->dark.rows[v][u / 64] |= (uint64_t)(word >> i & 1) << (63 - u % 64);
    }
}

// From below: two upright columns at the right edge, lying blocks in the middle, upright columns again at the left.
static void place_blocks(struct canvas *c, const uint8_t *codewords, uint32_t count)
{
    struct blocks b = {c, codewords, 0, count};
    uint32_t n = c->size;
    put_block(&b, n - 2, n - 4, 2, 2);
    for (uint32_t y = n - 8; y >= 9; y -= 4)
        put_block(&b, n - 2, y, 2, 4);
    for (uint32_t y = n - 4; y >= 9; y -= 4)
        put_block(&b, n - 4, y, 2, 4);
    for (uint32_t x = n - 8; x >= 9; x -= 4) {
        for (uint32_t y = n - 2; y >= 7; y -= 2)
            put_block(&b, x, y, 4, 2);
        for (uint32_t i = 0; i < 3; i++) // above the timing pattern
            put_block(&b, x, 4 - i * 2, 4, 2);
    }
    static const uint8_t last[] = {7, 4, 2, 0};
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t y = n - 12; y >= 9; y -= 4)
            put_block(&b, last[i], y, 2, 4);
}

// Columns 64w to 64w+63 of a pattern of twelve columns.
static uint64_t spread(uint32_t pattern, uint32_t w)
{
    uint32_t turn = w * 4; // 64 columns are five patterns and four columns
    uint64_t p = (pattern << turn | pattern >> (12 - turn)) & 0xFFF;
    return (p * UINT64_C(0x001001001001001)) << 4 | p >> 8;
}

// The columns of word w that belong to the symbol.
static uint64_t columns_below(uint32_t size, uint32_t w)
{
    uint32_t from = w * 64;
    return from >= size ? 0 : size - from >= 64 ? ~UINT64_C(0) : ~(~UINT64_C(0) >> (size - from));
}

static void turn_over(const struct grid *in, uint32_t size, struct grid *out)
{
    memset(out->rows, 0, size * sizeof out->rows[0]);
    for (uint32_t y = 0; y < size; y++)
        for (uint32_t w = 0; w < (size + 63) / 64; w++)
            for (uint64_t bits = in->rows[y][w]; bits; bits &= bits - 1) {
                uint32_t x = w * 64 + 63 - (uint32_t)__builtin_ctzll(bits);
                out->rows[x][y / 64] |= UINT64_C(1) << (63 - y % 64);
            }
}

// ---- Penalties (ISO/IEC 18004, 7.8.3) ----
//
// A row is moved right by four columns, so that the modules around it read as light. `words` is a constant where these
// are called, so that small symbols are scored in single words.

static inline uint64_t ahead(const uint64_t *row, uint32_t words, uint32_t w, uint32_t by)
{
    if (by == 0)
        return row[w];
    return row[w] << by | (w + 1 < words ? row[w + 1] >> (64 - by) : 0);
}

static inline uint64_t behind(const uint64_t *row, uint32_t w, uint32_t by)
{
    return row[w] >> by | (w ? row[w - 1] << (64 - by) : 0);
}

// Runs of five or more, and finder-like patterns with four light modules on a side.
static inline uint32_t score_row(const uint64_t *row, const uint64_t *pairs, uint32_t words)
{
    uint64_t same[WORDS], runs[WORDS];
    uint32_t score = 0;
    for (uint32_t w = 0; w < words; w++)
        same[w] = ~(row[w] ^ ahead(row, words, w, 1)) & pairs[w];
    for (uint32_t w = 0; w < words; w++)
        runs[w] = same[w] & ahead(same, words, w, 1) & ahead(same, words, w, 2) & ahead(same, words, w, 3);
    for (uint32_t w = 0; w < words; w++) {
        score += pl_count_bits64(runs[w]) + 2 * pl_count_bits64(runs[w] & ~behind(runs, w, 1));
        uint64_t finder = row[w] & ~ahead(row, words, w, 1) & ahead(row, words, w, 2) & ahead(row, words, w, 3) &
                          ahead(row, words, w, 4) & ~ahead(row, words, w, 5) & ahead(row, words, w, 6);
        if (!finder)
            continue;
        uint64_t dark_before = behind(row, w, 1) | behind(row, w, 2) | behind(row, w, 3) | behind(row, w, 4);
        uint64_t dark_after =
            ahead(row, words, w, 7) | ahead(row, words, w, 8) | ahead(row, words, w, 9) | ahead(row, words, w, 10);
        score += 40 * pl_count_bits64(finder & ~(dark_before & dark_after));
    }
    return score;
}

// Blocks of two by two of one colour.
static inline uint32_t score_blocks(const uint64_t *row, const uint64_t *below, const uint64_t *pairs, uint32_t words)
{
    uint64_t equal[WORDS];
    uint32_t score = 0;
    for (uint32_t w = 0; w < words; w++)
        equal[w] = ~(row[w] ^ below[w]);
    for (uint32_t w = 0; w < words; w++)
        score += pl_count_bits64(~(row[w] ^ ahead(row, words, w, 1)) & equal[w] & ahead(equal, words, w, 1) & pairs[w]);
    return 3 * score;
}

struct scoring {
    struct grid dark, free; // data modules set in `free`
    struct grid turned_dark, turned_free;
    uint32_t size;
};

static inline void masked_row(const struct grid *dark, const struct grid *free, const uint16_t patterns[12], uint32_t y,
                              uint32_t words, uint64_t *out)
{
    uint64_t plain[WORDS];
    for (uint32_t w = 0; w < words; w++)
        plain[w] = dark->rows[y][w] ^ (spread(patterns[y % 12], w) & free->rows[y][w]);
    for (uint32_t w = 0; w < words; w++)
        out[w] = behind(plain, w, 4);
}

static inline uint32_t score_mask(const struct scoring *s, uint32_t mask, uint32_t words)
{
    uint64_t pairs[WORDS] = {0}, rows[2][WORDS] = {{0}};
    for (uint32_t x = 4; x + 1 < s->size + 4; x++)
        pairs[x / 64] |= UINT64_C(1) << (63 - x % 64);
    uint32_t score = 0, dark = 0;
    for (uint32_t y = 0; y < s->size; y++) {
        uint64_t *row = rows[y % 2], *above = rows[(y + 1) % 2];
        masked_row(&s->dark, &s->free, mask_rows[mask], y, words, row);
        score += score_row(row, pairs, words);
        if (y)
            score += score_blocks(above, row, pairs, words);
        for (uint32_t w = 0; w < words; w++)
            dark += pl_count_bits64(row[w]);
    }
    for (uint32_t x = 0; x < s->size; x++) {
        masked_row(&s->turned_dark, &s->turned_free, mask_columns[mask], x, words, rows[0]);
        score += score_row(rows[0], pairs, words);
    }
    // Ten points for each whole five percent away from an even share of dark modules.
    uint32_t all = s->size * s->size, away = dark * 2 > all ? dark * 2 - all : all - dark * 2;
    return score + away * 10 / all * 10;
}

static uint32_t score_small(const struct scoring *s, uint32_t mask)
{
    return score_mask(s, mask, 1);
}

static uint32_t score_large(const struct scoring *s, uint32_t mask)
{
    return score_mask(s, mask, WORDS);
}

static void apply(struct canvas *c, uint32_t mask)
{
    for (uint32_t y = 0; y < c->size; y++)
        for (uint32_t w = 0; w < WORDS; w++)
            c->dark.rows[y][w] ^= spread(mask_rows[mask][y % 12], w) & ~c->fixed.rows[y][w] & columns_below(c->size, w);
}

static enum pl_errc choose_mask(const struct canvas *c, enum pl_qr_level level, struct pl_arena *arena, uint32_t *mask,
                                struct pl_error *err)
{
    struct scoring *s = pl_arena_alloc(arena, sizeof *s, _Alignof(struct scoring));
    if (!s)
        return pl_fail_memory(err);
    uint32_t size = c->size;
    s->size = size;
    for (uint32_t y = 0; y < size; y++)
        for (uint32_t w = 0; w < WORDS; w++) {
            s->dark.rows[y][w] = c->dark.rows[y][w];
            s->free.rows[y][w] = ~c->fixed.rows[y][w] & columns_below(size, w);
        }
    turn_over(&s->free, size, &s->turned_free);
    turn_over(&s->dark, size, &s->turned_dark);
    uint32_t best = UINT32_MAX;
    for (uint32_t m = 0; m < 8; m++) {
        uint32_t bits = format_bits(level, m, c->model1);
        draw_format(&s->dark, size, bits, false);
        draw_format(&s->turned_dark, size, bits, true);
        uint32_t score = size + 8 <= 64 ? score_small(s, m) : score_large(s, m);
        if (score < best) {
            best = score;
            *mask = m;
        }
    }
    return PL_OK;
}

enum pl_errc pl_qr_draw(const uint8_t *codewords, uint32_t count, const struct pl_qr_options *options,
                        struct pl_arena *arena, struct pl_qr_symbol *symbol, struct pl_error *err)
{
    struct canvas *c = PL_ARENA_NEW(arena, struct canvas);
    if (!c)
        return pl_fail_memory(err);
    c->size = symbol->version * 4 + 17;
    c->model1 = options->model1;
    draw_function_patterns(c, symbol->version);
    if (c->model1)
        place_blocks(c, codewords, count);
    else
        place(c, codewords, count);
    if (options->mask >= 0 && options->mask < 8)
        symbol->mask = (uint32_t)options->mask;
    else
        PL_TRY(choose_mask(c, symbol->level, arena, &symbol->mask, err));
    draw_format(&c->dark, c->size, format_bits(symbol->level, symbol->mask, c->model1), false);
    apply(c, symbol->mask);
    struct pl_bitmap *modules = &symbol->modules;
    PL_TRY(pl_bitmap_new(arena, c->size, c->size, modules, err));
    for (uint32_t y = 0; y < c->size; y++)
        memcpy(pl_bitmap_row(modules, y), c->dark.rows[y], modules->stride * sizeof(uint64_t));
    return PL_OK;
}
