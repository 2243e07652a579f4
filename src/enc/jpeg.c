// JPEG (T.81 baseline), greyscale, for labels: most blocks of 8 x 8 dots are of one shade and need no transform, and
// those of a two-colour page that do come again and again, so what they were coded to is kept for a while.
#include <string.h>

#include "base/ckd.h"
#include "enc/enc.h"
#include "enc/jpeg_codes.h"

#define MAX_SIDE 65500u
#define MIDDLE 128
#define SCALE_BITS 15 // fraction of the cosines
#define ROW_BITS 5    // fraction of a coefficient between the two passes
#define MEMO_BITS 11
#define CODE_WORDS 28   // 63 coefficients of at most 16 + 10 bits, and the end
#define BLOCK_ROOM 1024 // bytes that no block exceeds
#define CHECK_BLOCKS 16384

// cos(i * pi / 16) / 2 for i from 0 to 7: the orthonormal transform needs no other numbers.
static const int32_t COSINES[8] = {16384, 16069, 15137, 13623, 11585, 9102, 6270, 3196};

// Basis function u at place x.
static int32_t basis(unsigned u, unsigned x)
{
    if (u == 0)
        return COSINES[4];                 // 1 / sqrt(8)
    unsigned angle = (2 * x + 1) * u % 32; // in sixteenths of pi
    if (angle > 16)
        angle = 32 - angle;
    return angle == 8 ? 0 : angle < 8 ? COSINES[angle] : -COSINES[16 - angle];
}

// The example table for luminance of T.81, annex K, by rows.
static const uint8_t LUMINANCE[64] = {16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
                                      14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
                                      18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
                                      49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99};

struct code {
    uint32_t bits;
    uint32_t length;
};

// What a block was coded to: its DC coefficient, whose code depends on the block before, and the bits of all others.
struct block {
    int32_t dc;
    uint32_t length;            // in bits
    uint64_t words[CODE_WORDS]; // the first bit is the most significant one
};

struct jpeg {
    struct pl_buf *out;
    const struct pl_job *job;
    uint32_t width, height;
    uint32_t blocks; // coded since the job was asked last
    // The bits: written to `at`, before `end`; those that wait are the low `held` ones, less than 32.
    uint8_t *at, *end;
    uint64_t bits;
    unsigned held;
    uint8_t waste[BLOCK_ROOM * 2]; // where they go when `out` has failed
    int32_t dc;                    // of the block before
    struct code again;             // a block of one shade like the block before
    uint8_t zigzag[64];            // the place of the k-th coefficient, by rows
    uint8_t order[64];             // the same as the transform leaves them
    uint32_t halves[64];           // what is added to round, with SCALE_BITS + ROW_BITS of fraction
    uint32_t inverses[64];         // 2^20 by a step, rounded up
    uint8_t steps[64];             // by rows
    int32_t cosines[8][8];
    uint64_t places[8][256]; // of eight flags of a row, each in the lowest bit of a byte of memory: a bit at its k
    struct code dc_codes[12], ac_codes[256];
};

// ---- bits

static void make_room(struct jpeg *j)
{
    if (j->end - j->at >= BLOCK_ROOM)
        return;
    if (!j->out->failed)
        j->out->len = (size_t)(j->at - j->out->data);
    uint8_t *room = pl_buf_reserve(j->out, BLOCK_ROOM);
    j->at = room ? room : j->waste;
    j->end = room ? j->out->data + j->out->cap : j->waste + sizeof j->waste;
}

static void put_byte(struct jpeg *j, uint8_t byte)
{
    *j->at++ = byte;
    if (byte == 0xFF) // not to be taken for a marker
        *j->at++ = 0;
}

// At most 32 bits; those above are 0.
static inline void put(struct jpeg *j, uint32_t value, unsigned count)
{
    j->bits = j->bits << count | value;
    j->held += count;
    if (j->held < 32)
        return;
    j->held -= 32;
    uint32_t word = (uint32_t)(j->bits >> j->held);
    // Has any byte all bits set?
    if ((word & ~(word + 0x01010101u) & 0x80808080u) == 0) {
        uint8_t bytes[4] = {(uint8_t)(word >> 24), (uint8_t)(word >> 16), (uint8_t)(word >> 8), (uint8_t)word};
        memcpy(j->at, bytes, 4);
        j->at += 4;
        return;
    }
    for (int shift = 24; shift >= 0; shift -= 8)
        put_byte(j, (uint8_t)(word >> shift));
}

static void put_code(struct jpeg *j, struct code code)
{
    put(j, code.bits, code.length);
}

// The last byte is filled up with ones.
static void finish_bits(struct jpeg *j)
{
    make_room(j);
    if (j->held % 8)
        put(j, (1u << (8 - j->held % 8)) - 1, 8 - j->held % 8);
    for (; j->held > 0; j->held -= 8)
        put_byte(j, (uint8_t)(j->bits >> (j->held - 8)));
    if (!j->out->failed)
        j->out->len = (size_t)(j->at - j->out->data);
}

// The size class of a coefficient, and its low bits: negative ones count from the bottom of their class.
static inline unsigned size_of(int32_t value)
{
    uint32_t magnitude = (uint32_t)(value < 0 ? -value : value);
    return magnitude ? 32 - (unsigned)__builtin_clz(magnitude) : 0;
}

static inline uint32_t low_bits(int32_t value, unsigned size)
{
    return (uint32_t)(value < 0 ? value - 1 : value) & ((1u << size) - 1);
}

static void put_dc(struct jpeg *j, int32_t dc)
{
    int32_t difference = dc - j->dc;
    unsigned size = size_of(difference);
    put_code(j, j->dc_codes[size]);
    put(j, low_bits(difference, size), size);
    j->dc = dc;
}

static void put_block(struct jpeg *j, const struct block *block)
{
    make_room(j);
    put_dc(j, block->dc);
    uint32_t left = block->length;
    const uint64_t *word = block->words;
    for (; left >= 64; left -= 64, word++) {
        put(j, (uint32_t)(*word >> 32), 32);
        put(j, (uint32_t)*word, 32);
    }
    if (left >= 32)
        put(j, (uint32_t)(*word >> 32), 32);
    if (left % 32)
        put(j, (uint32_t)(*word >> (left >= 32 ? 0 : 32)) >> (32 - left % 32), left % 32);
}

// `count` blocks of one shade, whose DC coefficient is `dc`.
static void put_flat(struct jpeg *j, int32_t dc, uint32_t count)
{
    make_room(j);
    put_dc(j, dc);
    put_code(j, j->ac_codes[PL_JPEG_END_OF_BLOCK]);
    while (--count > 0) {
        make_room(j);
        put_code(j, j->again);
    }
}

// ---- blocks

// One pass of the transform, eight columns at once. What comes out has SCALE_BITS more of fraction.
static inline void transform(const struct jpeg *j, const int32_t *const rows[8], int32_t out[64])
{
    int32_t sums[4][8], differences[4][8];
    for (unsigned y = 0; y < 4; y++) {
        for (unsigned x = 0; x < 8; x++) {
            sums[y][x] = rows[y][x] + rows[7 - y][x];
            differences[y][x] = rows[y][x] - rows[7 - y][x];
        }
    }
    // Even functions are the same from both ends, odd ones are opposite.
    for (unsigned u = 0; u < 8; u += 2) {
        const int32_t *even = j->cosines[u], *odd = j->cosines[u + 1];
        for (unsigned x = 0; x < 8; x++) {
            out[u * 8 + x] = even[0] * sums[0][x] + even[1] * sums[1][x] + even[2] * sums[2][x] + even[3] * sums[3][x];
            out[u * 8 + 8 + x] = odd[0] * differences[0][x] + odd[1] * differences[1][x] + odd[2] * differences[2][x] +
                                 odd[3] * differences[3][x];
        }
    }
}

// Bits gathered in words, the first one most significant.
struct word_writer {
    uint64_t *word;
    unsigned room; // bits free in *word, never 0
};

static inline void append(struct word_writer *w, uint32_t value, unsigned count)
{
    if (count < w->room) {
        w->room -= count;
        *w->word |= (uint64_t)value << w->room;
        return;
    }
    unsigned rest = count - w->room;
    *w->word |= (uint64_t)value >> rest;
    *++w->word = rest ? (uint64_t)value << (64 - rest) : 0;
    w->room = 64 - rest;
}

static inline void append_level(const struct jpeg *j, struct word_writer *w, unsigned zeros, int32_t level)
{
    for (; zeros >= 16; zeros -= 16)
        append(w, j->ac_codes[PL_JPEG_SIXTEEN_ZEROS].bits, j->ac_codes[PL_JPEG_SIXTEEN_ZEROS].length);
    unsigned size = size_of(level);
    struct code code = j->ac_codes[zeros << 4 | size];
    append(w, code.bits << size | low_bits(level, size), code.length + size);
}

// Coefficients to the bits of a block.
static void code_block(const struct jpeg *j, const int32_t coefficients[64], struct block *block)
{
    int32_t levels[64];
    uint8_t flags[64];
    for (unsigned i = 0; i < 64; i++) {
        uint32_t magnitude = (uint32_t)(coefficients[i] < 0 ? -coefficients[i] : coefficients[i]);
        uint32_t level = (uint32_t)((uint64_t)((magnitude + j->halves[i]) >> 8) * j->inverses[i] >> 32);
        levels[i] = coefficients[i] < 0 ? -(int32_t)level : (int32_t)level;
        flags[i] = level != 0;
    }
    struct word_writer w = {block->words, 64};
    block->words[0] = 0;
    block->dc = levels[0];
    uint64_t some = 0; // a bit for each level that is not 0, in their order
    for (unsigned y = 0; y < 8; y++) {
        uint64_t row;
        memcpy(&row, flags + y * 8, 8);
        // Gathers the lowest bits of the bytes in the topmost byte.
        some |= j->places[y][row * UINT64_C(0x0102040810204080) >> 56];
    }
    unsigned last = 0;
    for (some &= ~UINT64_C(1); some; some &= some - 1) {
        unsigned k = (unsigned)__builtin_ctzll(some);
        append_level(j, &w, k - last - 1, levels[j->order[k]]);
        last = k;
    }
    if (last < 63)
        append(&w, j->ac_codes[PL_JPEG_END_OF_BLOCK].bits, j->ac_codes[PL_JPEG_END_OF_BLOCK].length);
    block->length = (uint32_t)(w.word - block->words) * 64 + 64 - w.room;
}

// The DC coefficient of a block of one shade.
static int32_t flat_dc(const struct jpeg *j, int32_t shade)
{
    int32_t step = j->steps[0], sum = (shade - MIDDLE) * 8;
    return (sum < 0 ? sum - step / 2 : sum + step / 2) / step;
}

// Is it time to ask whether the work may go on?
static enum pl_errc check(struct jpeg *j, uint32_t blocks, struct pl_error *err)
{
    j->blocks += blocks;
    if (j->blocks < CHECK_BLOCKS)
        return PL_OK;
    j->blocks = 0;
    return pl_job_check(j->job, err);
}

// ---- two colours

struct memory {
    int32_t rows[256][8];           // each row of eight dots, transformed
    uint64_t keys[1u << MEMO_BITS]; // the dots of `blocks`; 0, which no block of several shades has: none
    struct block blocks[1u << MEMO_BITS];
};

static void transform_rows(const struct jpeg *j, struct memory *memory)
{
    // Of all patterns, from those of one dot less; with all of the fraction, so that rounding does not add up.
    static const int32_t ink = 0 - 255;
    int32_t(*rows)[8] = memory->rows;
    memset(rows[0], 0, sizeof rows[0]);
    rows[0][0] = (255 - MIDDLE) * 8 * COSINES[4];
    for (unsigned pattern = 1; pattern < 256; pattern++) {
        unsigned lowest = (unsigned)__builtin_ctz(pattern), without = pattern & (pattern - 1);
        for (unsigned u = 0; u < 8; u++)
            rows[pattern][u] = rows[without][u] + ink * j->cosines[u][7 - lowest];
    }
    for (unsigned pattern = 0; pattern < 256; pattern++) {
        for (unsigned u = 0; u < 8; u++)
            rows[pattern][u] = (rows[pattern][u] + (1 << (SCALE_BITS - ROW_BITS - 1))) >> (SCALE_BITS - ROW_BITS);
    }
}

// `dots` has a row in each byte, the first one in the most significant.
static void put_dots(struct jpeg *j, struct memory *memory, uint64_t dots)
{
    size_t slot = (size_t)(dots * UINT64_C(0x9E3779B97F4A7C15) >> (64 - MEMO_BITS));
    struct block *block = &memory->blocks[slot];
    if (memory->keys[slot] != dots) {
        const int32_t *rows[8];
        int32_t coefficients[64];
        for (unsigned y = 0; y < 8; y++)
            rows[y] = memory->rows[dots >> (56 - 8 * y) & 0xFF];
        transform(j, rows, coefficients);
        code_block(j, coefficients, block);
        memory->keys[slot] = dots;
    }
    put_block(j, block);
}

// Eight rows of 64 dots, of which the first `count` groups of eight are on the page.
static void put_words(struct jpeg *j, struct memory *memory, const uint64_t words[8], uint32_t count)
{
    uint64_t any = 0, all = UINT64_MAX;
    for (unsigned y = 0; y < 8; y++) {
        any |= words[y];
        all &= words[y];
    }
    if (any == 0 || all == UINT64_MAX) {
        put_flat(j, flat_dc(j, any ? 0 : 255), count);
        return;
    }
    for (unsigned k = 0; k < count; k++) {
        unsigned shift = 56 - 8 * k;
        if ((any >> shift & 0xFF) == 0 || (all >> shift & 0xFF) == 0xFF) {
            put_flat(j, flat_dc(j, any >> shift & 0xFF ? 0 : 255), 1);
            continue;
        }
        uint64_t dots = 0;
        for (unsigned y = 0; y < 8; y++)
            dots = dots << 8 | (words[y] >> shift & 0xFF);
        put_dots(j, memory, dots);
    }
}

// Right of the page and below it the last dots go on: what is not seen disturbs least that way.
static uint64_t continued(uint64_t word, uint32_t dots)
{
    uint64_t last = word >> (64 - dots) & 1;
    return last ? word | (UINT64_MAX >> dots) : word;
}

static enum pl_errc code_bits(struct jpeg *j, const struct pl_bitmap *bits, struct pl_arena *scratch,
                              struct pl_error *err)
{
    struct memory *memory = PL_ARENA_ARRAY(scratch, struct memory, 1);
    if (!memory)
        return pl_fail_memory(err);
    memset(memory->keys, 0, sizeof memory->keys);
    transform_rows(j, memory);
    uint32_t across = (bits->width + 7) / 8, edge = bits->width % 64;
    for (uint32_t top = 0; top < bits->height && !j->out->failed; top += 8) {
        const uint64_t *rows[8];
        for (uint32_t y = 0; y < 8; y++)
            rows[y] = pl_bitmap_row(bits, PL_MIN(top + y, bits->height - 1));
        for (uint32_t i = 0; i < bits->stride; i++) {
            uint64_t words[8];
            for (unsigned y = 0; y < 8; y++)
                words[y] = rows[y][i];
            if (edge && i + 1 == bits->stride) {
                for (unsigned y = 0; y < 8; y++)
                    words[y] = continued(words[y], edge);
            }
            put_words(j, memory, words, PL_MIN(across - i * 8, 8u));
        }
        PL_TRY(check(j, across, err));
    }
    return PL_OK;
}

// ---- shades

static void put_shades(struct jpeg *j, const uint8_t *const rows[8])
{
    int32_t dots[8][8], passed[64], turned[8][8];
    const int32_t *lines[8];
    for (unsigned y = 0; y < 8; y++) {
        for (unsigned x = 0; x < 8; x++)
            dots[y][x] = rows[y][x] - MIDDLE;
        lines[y] = dots[y];
    }
    transform(j, lines, passed);
    for (unsigned v = 0; v < 8; v++) {
        for (unsigned x = 0; x < 8; x++)
            turned[x][v] = (passed[v * 8 + x] + (1 << (SCALE_BITS - ROW_BITS - 1))) >> (SCALE_BITS - ROW_BITS);
        lines[v] = turned[v];
    }
    transform(j, lines, passed); // columns and rows have changed places: so has `order`
    struct block block;
    code_block(j, passed, &block);
    put_block(j, &block);
}

static bool is_flat(const uint8_t *const rows[8])
{
    uint64_t first, all = 0, row;
    memcpy(&first, rows[0], 8);
    for (unsigned y = 1; y < 8; y++) {
        memcpy(&row, rows[y], 8);
        all |= row ^ first;
    }
    return (all | (first ^ (first << 8 | first >> 56))) == 0;
}

static enum pl_errc code_grey(struct jpeg *j, const struct pl_grey *grey, struct pl_error *err)
{
    for (uint32_t top = 0; top < grey->height && !j->out->failed; top += 8) {
        for (uint32_t left = 0; left < grey->width; left += 8) {
            const uint8_t *rows[8];
            uint8_t copies[8][8];
            for (uint32_t y = 0; y < 8; y++)
                rows[y] = grey->dots + (size_t)PL_MIN(top + y, grey->height - 1) * grey->width + left;
            for (uint32_t y = 0; y < 8 && grey->width - left < 8; y++) {
                for (uint32_t x = 0; x < 8; x++)
                    copies[y][x] = rows[y][PL_MIN(x, grey->width - left - 1)];
                rows[y] = copies[y];
            }
            if (is_flat(rows))
                put_flat(j, flat_dc(j, rows[0][0]), 1);
            else
                put_shades(j, rows);
        }
        PL_TRY(check(j, (grey->width + 7) / 8, err));
    }
    return PL_OK;
}

// ---- the file

static void make_codes(const struct pl_jpeg_table *table, struct code *codes)
{
    uint32_t next = 0, at = 0;
    for (uint32_t length = 1; length <= 16; length++, next <<= 1) {
        for (unsigned i = 0; i < table->counts[length - 1]; i++)
            codes[table->symbols[at++]] = (struct code){next++, length};
    }
}

// The order from low frequencies to high ones: along the diagonals, up and down by turns.
static void make_zigzag(uint8_t zigzag[64])
{
    unsigned k = 0;
    for (unsigned sum = 0; sum < 15; sum++) {
        for (unsigned i = sum < 8 ? 0 : sum - 7; i <= PL_MIN(sum, 7u); i++) {
            unsigned row = sum % 2 ? i : sum - i;
            zigzag[k++] = (uint8_t)(row * 8 + sum - row);
        }
    }
}

static void make_places(struct jpeg *j)
{
    uint8_t k_of[64];
    for (unsigned k = 0; k < 64; k++)
        k_of[j->order[k]] = (uint8_t)k;
    for (unsigned y = 0; y < 8; y++) {
        for (unsigned x = 0; x < 8; x++) {
            // Which bit of the gathered byte this flag becomes, on machines of either byte order.
            uint8_t flags[8] = {0};
            uint64_t row;
            flags[x] = 1;
            memcpy(&row, flags, 8);
            j->places[y][row * UINT64_C(0x0102040810204080) >> 56] = UINT64_C(1) << k_of[y * 8 + x];
        }
        for (unsigned bits = 1; bits < 256; bits++)
            j->places[y][bits] = j->places[y][bits & (bits - 1)] | j->places[y][bits & -bits];
    }
}

static void make_tables(struct jpeg *j, unsigned quality, bool turned)
{
    // The scale of qualities that all encoders share: 50 is the example table as it is.
    unsigned percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
    make_zigzag(j->zigzag);
    for (unsigned i = 0; i < 64; i++) {
        unsigned turn = i % 8 * 8 + i / 8, place = turned ? turn : i;
        uint32_t step = PL_MIN(PL_MAX((LUMINANCE[i] * percent + 50) / 100, 1u), 255u);
        j->steps[i] = (uint8_t)step;
        // A little more than half: black and white are cut off at both ends when the picture is decoded, so that too
        // much contrast costs less than too little.
        j->halves[place] = step * 17 << (SCALE_BITS + ROW_BITS - 5);
        j->inverses[place] = ((1u << 20) + step - 1) / step;
        j->order[i] = (uint8_t)(turned ? j->zigzag[i] % 8 * 8 + j->zigzag[i] / 8 : j->zigzag[i]);
        j->cosines[i / 8][i % 8] = basis(i / 8, i % 8);
    }
    make_places(j);
    make_codes(&pl_jpeg_dc, j->dc_codes);
    make_codes(&pl_jpeg_ac, j->ac_codes);
    struct code same = j->dc_codes[0], end = j->ac_codes[PL_JPEG_END_OF_BLOCK];
    j->again = (struct code){same.bits << end.length | end.bits, same.length + end.length};
}

static void put_be16(struct pl_buf *out, uint32_t value)
{
    pl_buf_append(out, (const uint8_t[]){(uint8_t)(value >> 8), (uint8_t)value}, 2);
}

static void put_codes(struct pl_buf *out, uint8_t id, const struct pl_jpeg_table *table)
{
    pl_buf_append(out, (const uint8_t[]){0xFF, 0xC4}, 2);
    put_be16(out, 2 + 1 + 16 + table->symbol_count);
    pl_buf_append_byte(out, id);
    pl_buf_append(out, table->counts, 16);
    pl_buf_append(out, table->symbols, table->symbol_count);
}

static void put_head(const struct jpeg *j, uint32_t dots_per_inch)
{
    struct pl_buf *out = j->out;
    // Start; JFIF 1.1 with the density in dots per inch and no small picture.
    static const uint8_t start[] = {0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 'J', 'F', 'I', 'F', 0, 1, 1, 1};
    pl_buf_append(out, start, sizeof start);
    put_be16(out, dots_per_inch);
    put_be16(out, dots_per_inch);
    pl_buf_append(out, (const uint8_t[]){0, 0}, 2);
    pl_buf_append(out, (const uint8_t[]){0xFF, 0xDB, 0, 67, 0}, 5);
    for (unsigned k = 0; k < 64; k++)
        pl_buf_append_byte(out, j->steps[j->zigzag[k]]);
    pl_buf_append(out, (const uint8_t[]){0xFF, 0xC0, 0, 11, 8}, 5);
    put_be16(out, j->height);
    put_be16(out, j->width);
    pl_buf_append(out, (const uint8_t[]){1, 1, 0x11, 0}, 4); // one component
    put_codes(out, 0x00, &pl_jpeg_dc);
    put_codes(out, 0x10, &pl_jpeg_ac);
    pl_buf_append(out, (const uint8_t[]){0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0}, 10);
}

enum pl_errc pl_jpeg_encode(const struct pl_page *page, unsigned quality, struct pl_arena *scratch, struct pl_buf *out,
                            struct pl_error *err)
{
    uint32_t width = page->bits ? page->bits->width : page->grey->width;
    uint32_t height = page->bits ? page->bits->height : page->grey->height;
    if (width > MAX_SIDE || height > MAX_SIDE)
        return pl_fail(err, PL_E_INVALID, "JPEG pictures have at most %u dots a side; this label has %u x %u", MAX_SIDE,
                       width, height);
    struct pl_arena_mark mark = pl_arena_mark(scratch);
    struct jpeg *j = PL_ARENA_ARRAY(scratch, struct jpeg, 1);
    if (!j)
        return pl_fail_memory(err);
    memset(j, 0, sizeof *j);
    j->out = out;
    j->job = page->job;
    j->width = width;
    j->height = height;
    make_tables(j, quality, page->grey != NULL);
    put_head(j, (uint32_t)(((uint64_t)page->density * 254 + 5000) / 10000));
    enum pl_errc code = pl_buf_check(out, err);
    if (code == PL_OK) {
        j->at = j->end = out->data + out->len;
        code = page->bits ? code_bits(j, page->bits, scratch, err) : code_grey(j, page->grey, err);
    }
    if (code == PL_OK) {
        finish_bits(j);
        pl_buf_append(out, (const uint8_t[]){0xFF, 0xD9}, 2);
        code = pl_buf_check(out, err);
    }
    pl_arena_release(scratch, mark);
    return code;
}
