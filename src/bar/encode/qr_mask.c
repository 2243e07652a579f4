// QR Code: the masks, which of them is taken, scored by words of bits, and the format that tells it.
#include "bar/encode/qr_parts.h"

#include <string.h>

#include "raster/bits.h"

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

uint32_t pl_qr_format_bits(enum pl_qr_level level, uint32_t mask, bool model1)
{
    static const uint8_t level_bits[] = {1, 0, 3, 2};
    uint32_t data = (uint32_t)level_bits[level] << 3 | mask, rest = data;
    for (int i = 0; i < 10; i++)
        rest = rest << 1 ^ (rest >> 9 & 1 ? 0x537 : 0);
    return (data << 10 | rest) ^ (model1 ? 0x2825 : 0x5412);
}

static void put(struct pl_qr_grid *g, uint32_t x, uint32_t y, bool dark)
{
    uint64_t bit = UINT64_C(1) << (63 - x % 64), *word = &g->rows[y][x / 64];
    *word = dark ? *word | bit : *word & ~bit;
}

// Where the bits of the format lie: beside the upper left finder, down its right side and along its lower side, and
// once more, split between the other two finders.
void pl_qr_draw_format(struct pl_qr_grid *g, uint32_t size, uint32_t bits, bool turned)
{
    for (uint32_t i = 0; i < 15; i++) {
        bool dark = bits >> i & 1;
        uint32_t x1 = i < 8 ? 8 : i == 8 ? 7 : 14 - i, y1 = i < 6 ? i : i < 8 ? i + 1 : 8;
        uint32_t x2 = i < 8 ? size - 1 - i : 8, y2 = i < 8 ? 8 : size - 15 + i;
        put(g, turned ? y1 : x1, turned ? x1 : y1, dark);
        put(g, turned ? y2 : x2, turned ? x2 : y2, dark);
    }
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

static void turn_over(const struct pl_qr_grid *in, uint32_t size, struct pl_qr_grid *out)
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

// Runs of five or more, and finder-like patterns with four light modules on a side. `bounded`: only patterns whose
// outer dark modules stand alone, with a light one on the other side, too.
static inline uint32_t score_row(const uint64_t *row, const uint64_t *pairs, uint32_t words, bool bounded)
{
    uint64_t same[PL_QR_WORDS], runs[PL_QR_WORDS];
    uint32_t score = 0;
    for (uint32_t w = 0; w < words; w++)
        same[w] = ~(row[w] ^ ahead(row, words, w, 1)) & pairs[w];
    for (uint32_t w = 0; w < words; w++)
        runs[w] = same[w] & ahead(same, words, w, 1) & ahead(same, words, w, 2) & ahead(same, words, w, 3);
    for (uint32_t w = 0; w < words; w++) {
        score += pl_count_bits64(runs[w]) + 2 * pl_count_bits64(runs[w] & ~behind(runs, w, 1));
        uint64_t finder = row[w] & ~ahead(row, words, w, 1) & ahead(row, words, w, 2) & ahead(row, words, w, 3) &
                          ahead(row, words, w, 4) & ~ahead(row, words, w, 5) & ahead(row, words, w, 6);
        if (bounded)
            finder &= ~behind(row, w, 1) & ~ahead(row, words, w, 7);
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
    uint64_t equal[PL_QR_WORDS];
    uint32_t score = 0;
    for (uint32_t w = 0; w < words; w++)
        equal[w] = ~(row[w] ^ below[w]);
    for (uint32_t w = 0; w < words; w++)
        score += pl_count_bits64(~(row[w] ^ ahead(row, words, w, 1)) & equal[w] & ahead(equal, words, w, 1) & pairs[w]);
    return 3 * score;
}

struct scoring {
    struct pl_qr_grid dark, free; // data modules set in `free`
    struct pl_qr_grid turned_dark, turned_free;
    uint32_t size;
};

static inline void masked_row(const struct pl_qr_grid *dark, const struct pl_qr_grid *free, const uint16_t patterns[12],
                              uint32_t y, uint32_t words, uint64_t *out)
{
    uint64_t plain[PL_QR_WORDS];
    for (uint32_t w = 0; w < words; w++)
        plain[w] = dark->rows[y][w] ^ (spread(patterns[y % 12], w) & free->rows[y][w]);
    for (uint32_t w = 0; w < words; w++)
        out[w] = behind(plain, w, 4);
}

struct score {
    uint32_t all, blocks; // points; those for blocks alone
};

static inline struct score score_mask(const struct scoring *s, uint32_t mask, uint32_t words, bool bounded)
{
    uint64_t pairs[PL_QR_WORDS] = {0}, rows[2][PL_QR_WORDS] = {{0}};
    for (uint32_t x = 4; x + 1 < s->size + 4; x++)
        pairs[x / 64] |= UINT64_C(1) << (63 - x % 64);
    uint32_t score = 0, blocks = 0, dark = 0;
    for (uint32_t y = 0; y < s->size; y++) {
        uint64_t *row = rows[y % 2], *above = rows[(y + 1) % 2];
        masked_row(&s->dark, &s->free, mask_rows[mask], y, words, row);
        score += score_row(row, pairs, words, bounded);
        if (y)
            blocks += score_blocks(above, row, pairs, words);
        for (uint32_t w = 0; w < words; w++)
            dark += pl_count_bits64(row[w]);
    }
    for (uint32_t x = 0; x < s->size; x++) {
        masked_row(&s->turned_dark, &s->turned_free, mask_columns[mask], x, words, rows[0]);
        score += score_row(rows[0], pairs, words, bounded);
    }
    // Ten points for each whole five percent away from an even share of dark modules.
    uint32_t all = s->size * s->size, away = dark * 2 > all ? dark * 2 - all : all - dark * 2;
    return (struct score){score + blocks + away * 10 / all * 10, blocks};
}

static struct score score_small(const struct scoring *s, uint32_t mask)
{
    return score_mask(s, mask, 1, false);
}

static struct score score_large(const struct scoring *s, uint32_t mask)
{
    return score_mask(s, mask, PL_QR_WORDS, false);
}

static struct score score_small_bounded(const struct scoring *s, uint32_t mask)
{
    return score_mask(s, mask, 1, true);
}

static struct score score_large_bounded(const struct scoring *s, uint32_t mask)
{
    return score_mask(s, mask, PL_QR_WORDS, true);
}

void pl_qr_apply_mask(struct pl_qr_canvas *c, uint32_t mask)
{
    for (uint32_t y = 0; y < c->size; y++)
        for (uint32_t w = 0; w < PL_QR_WORDS; w++)
            c->dark.rows[y][w] ^= spread(mask_rows[mask][y % 12], w) & ~c->fixed.rows[y][w] & columns_below(c->size, w);
}

#define CANDIDATES 3
#define UNCOMPARED 10000 // points from which on a printer does not compare (known: more than 9818, at most 12042)

static uint32_t lowest_penalty(const struct score scores[8])
{
    uint32_t best = 0;
    for (uint32_t m = 1; m < 8; m++)
        if (scores[m].all < scores[best].all)
            best = m;
    return best;
}

// The masks by their blocks, of equal ones the first; then by all points among the first three. An equal one does not
// displace one that has fewer blocks, and if all have too many points the one with the fewest blocks stays.
static uint32_t lowest_penalty_of_few_blocks(const struct score scores[8])
{
    uint32_t order[8];
    for (uint32_t m = 0; m < 8; m++) {
        uint32_t at = m;
        for (; at > 0 && scores[order[at - 1]].blocks > scores[m].blocks; at--)
            order[at] = order[at - 1];
        order[at] = m;
    }
    uint32_t best = order[0], lowest = UNCOMPARED;
    for (uint32_t i = 0; i < CANDIDATES; i++)
        if (scores[order[i]].all < lowest) {
            lowest = scores[order[i]].all;
            best = order[i];
        }
    return best;
}

enum pl_errc pl_qr_choose_mask(const struct pl_qr_canvas *c, enum pl_qr_level level, bool as_printed,
                               struct pl_arena *arena, uint32_t *mask, struct pl_error *err)
{
    struct scoring *s = pl_arena_alloc(arena, sizeof *s, _Alignof(struct scoring));
    if (!s)
        return pl_fail_memory(err);
    uint32_t size = c->size;
    s->size = size;
    for (uint32_t y = 0; y < size; y++)
        for (uint32_t w = 0; w < PL_QR_WORDS; w++) {
            s->dark.rows[y][w] = c->dark.rows[y][w];
            s->free.rows[y][w] = ~c->fixed.rows[y][w] & columns_below(size, w);
        }
    turn_over(&s->free, size, &s->turned_free);
    turn_over(&s->dark, size, &s->turned_dark);
    bool is_small = size + 8 <= 64;
    struct score (*score)(const struct scoring *, uint32_t) =
        as_printed ? (is_small ? score_small_bounded : score_large_bounded) : (is_small ? score_small : score_large);
    struct score scores[8];
    for (uint32_t m = 0; m < 8; m++) {
        uint32_t bits = pl_qr_format_bits(level, m, c->model1);
        pl_qr_draw_format(&s->dark, size, bits, false);
        pl_qr_draw_format(&s->turned_dark, size, bits, true);
        scores[m] = score(s, m);
    }
    *mask = as_printed ? lowest_penalty_of_few_blocks(scores) : lowest_penalty(scores);
    return PL_OK;
}
