// VP8L after the WebP lossless bitstream specification (RFC 9649): a colour table of white and black packs eight dots
// into one "pixel", and the packed rows are coded with back references to the row above and to the pixel on the left.
#include "enc/vp8l.h"

#include <inttypes.h>
#include <string.h>

#include "base/ckd.h"
#include "enc/huffman.h"

#define LENGTH_SYMBOLS 24
#define GREEN_SYMBOLS (256 + LENGTH_SYMBOLS)
#define DISTANCE_SYMBOLS 40
#define MAX_LENGTH 4096
#define MIN_MATCH 3
// Distance codes 1 and 2 (in a token's place) of the specification's neighbourhood map.
#define CODE_ABOVE (1u << 16)
#define CODE_LEFT (2u << 16)

// A literal byte, or a copy: length in the low bits, its distance code above.
#define TOKEN_COPY 0x80000000u

struct prefix {
    unsigned symbol, extra_bits, extra;
};

// The specification's prefix coding of lengths and distances.
static struct prefix prefix_of(uint32_t value)
{
    uint32_t d = value - 1;
    if (d < 4)
        return (struct prefix){d, 0, 0};
    unsigned high = 31u - (unsigned)__builtin_clz(d);
    unsigned second = d >> (high - 1) & 1;
    return (struct prefix){2 * high + second, high - 1, d & ((1u << (high - 1)) - 1)};
}

static uint8_t reverse_bits(uint8_t b)
{
    b = (uint8_t)(b >> 4 | b << 4);
    b = (uint8_t)((b & 0xCC) >> 2 | (b & 0x33) << 2);
    return (uint8_t)((b & 0xAA) >> 1 | (b & 0x55) << 1);
}

// Rows of eight dots a byte, the leftmost dot in the least significant bit.
static void pack_rows(const struct pl_bitmap *bits, uint32_t packed_width, uint8_t *out)
{
    for (uint32_t y = 0; y < bits->height; y++) {
        const uint64_t *row = pl_bitmap_row(bits, y);
        for (uint32_t i = 0; i < packed_width; i++) {
            uint8_t byte = (uint8_t)(row[i / 8] >> (56 - i % 8 * 8));
            *out++ = byte == 0 ? 0 : reverse_bits(byte);
        }
    }
}

// How many bytes from `at` on equal those `distance` before them.
static uint32_t match_length(const uint8_t *data, size_t at, size_t end, size_t distance)
{
    size_t limit = PL_MIN(end - at, (size_t)MAX_LENGTH), n = 0;
    const uint8_t *a = data + at, *b = a - distance;
    while (n + 8 <= limit) {
        uint64_t x, y;
        memcpy(&x, a + n, 8);
        memcpy(&y, b + n, 8);
        if (x != y)
            break;
        n += 8;
    }
    while (n < limit && a[n] == b[n])
        n++;
    return (uint32_t)n;
}

static size_t tokenize(const uint8_t *data, size_t size, size_t row, uint32_t *tokens)
{
    size_t n = 0;
    for (size_t i = 0; i < size;) {
        uint32_t above = i >= row ? match_length(data, i, size, row) : 0;
        uint32_t left = i >= 1 && above < MAX_LENGTH && data[i] == data[i - 1] ? match_length(data, i, size, 1) : 0;
        uint32_t length = PL_MAX(above, left);
        if (length < MIN_MATCH) {
            tokens[n++] = data[i++];
        } else {
            tokens[n++] = TOKEN_COPY | (above >= left ? CODE_ABOVE : CODE_LEFT) | length;
            i += length;
        }
    }
    return n;
}

static void put(struct pl_bit_writer *w, uint64_t value, unsigned count)
{
    pl_bits_put(w, value, count);
    pl_bits_flush(w);
}

// A prefix code of one or two symbols below 256.
static void put_simple_code(struct pl_bit_writer *w, unsigned count, unsigned first, unsigned second)
{
    put(w, 1, 1);
    put(w, count - 1, 1);
    put(w, 1, 1); // symbols take 8 bits
    put(w, first, 8);
    if (count == 2)
        put(w, second, 8);
}

// The code lengths themselves, coded with a code of their own; runs of zeros are shortened.
static void put_normal_code(struct pl_bit_writer *w, const uint8_t *lengths, unsigned n)
{
    static const uint8_t order[19] = {17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    struct {
        uint8_t symbol, extra;
    } runs[GREEN_SYMBOLS];
    unsigned run_count = 0;
    uint32_t counts[19] = {0};
    for (unsigned i = 0; i < n;) {
        unsigned zeros = 0;
        while (i + zeros < n && lengths[i + zeros] == 0 && zeros < 138)
            zeros++;
        if (zeros >= 11) {
            runs[run_count].symbol = 18;
            runs[run_count].extra = (uint8_t)(zeros - 11);
            i += zeros;
        } else if (zeros >= 3) {
            runs[run_count].symbol = 17;
            runs[run_count].extra = (uint8_t)(zeros - 3);
            i += zeros;
        } else {
            runs[run_count].symbol = lengths[i];
            runs[run_count].extra = 0;
            i++;
        }
        counts[runs[run_count++].symbol]++;
    }
    uint8_t code_lengths[19];
    uint16_t codes[19];
    pl_huffman_lengths(counts, 19, 7, code_lengths);
    pl_huffman_codes(code_lengths, 19, codes);
    unsigned last = 19;
    while (last > 4 && code_lengths[order[last - 1]] == 0)
        last--;
    // A code with a single symbol takes no bits when read.
    unsigned used = 0;
    for (unsigned i = 0; i < 19; i++)
        used += code_lengths[i] != 0;
    put(w, 0, 1);
    put(w, last - 4, 4);
    for (unsigned i = 0; i < last; i++)
        put(w, code_lengths[order[i]], 3);
    put(w, 0, 1); // lengths for the whole alphabet follow
    for (unsigned i = 0; i < run_count; i++) {
        unsigned s = runs[i].symbol;
        if (used > 1)
            put(w, codes[s], code_lengths[s]);
        if (s == 18)
            put(w, runs[i].extra, 7);
        else if (s == 17)
            put(w, runs[i].extra, 3);
    }
}

// Makes the code for the counts, writes it, and leaves codes and lengths for use. Lengths are 0 where one symbol needs
// no bits.
static void put_code(struct pl_bit_writer *w, const uint32_t *counts, unsigned n, uint8_t *lengths, uint16_t *codes)
{
    unsigned used = 0, first = 0;
    for (unsigned i = n; i-- > 0;) {
        if (counts[i] != 0) {
            used++;
            first = i;
        }
    }
    if (used <= 1 && first < 256) {
        put_simple_code(w, 1, first, 0);
        memset(lengths, 0, n);
        memset(codes, 0, n * sizeof codes[0]);
        return;
    }
    pl_huffman_lengths(counts, n, 15, lengths);
    pl_huffman_codes(lengths, n, codes);
    put_normal_code(w, lengths, n);
}

// Two-colour table: index 0 white, index 1 black, the second entry as a difference from the first.
static void put_colour_table(struct pl_bit_writer *w)
{
    put(w, 1, 1);     // a transform follows
    put(w, 3, 2);     // colour indexing
    put(w, 2 - 1, 8); // two colours
    put(w, 0, 1);     // no colour cache
    for (int channel = 0; channel < 3; channel++)
        put_simple_code(w, 2, 1, 255); // green, red, blue: 255, then 255 + 1 = 0
    put_simple_code(w, 2, 0, 255);     // alpha: 255, then 255 + 0
    put_simple_code(w, 1, 0, 0);       // distances: none
    put(w, 0xF, 4);                    // first pixel: the larger symbol of each code
    put(w, 0x0, 4);                    // second pixel: the smaller one
}

static void put_tokens(struct pl_bit_writer *w, const uint32_t *tokens, size_t count, const uint8_t *green_lengths,
                       const uint16_t *green_codes, const uint8_t *distance_lengths, const uint16_t *distance_codes)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t t = tokens[i];
        if (!(t & TOKEN_COPY)) {
            put(w, green_codes[t], green_lengths[t]);
            continue;
        }
        struct prefix length = prefix_of(t & 0xFFFF);
        struct prefix distance = prefix_of(t >> 16 & 0xFF);
        pl_bits_put(w, green_codes[256 + length.symbol], green_lengths[256 + length.symbol]);
        pl_bits_put(w, length.extra, length.extra_bits);
        put(w, distance_codes[distance.symbol], distance_lengths[distance.symbol]);
    }
}

static void put_le32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

enum pl_errc pl_vp8l_encode(const struct pl_bitmap *bits, const struct pl_job *job, struct pl_arena *scratch,
                            struct pl_buf *out, struct pl_error *err)
{
    if (bits->width > PL_WEBP_MAX_SIDE || bits->height > PL_WEBP_MAX_SIDE)
        return pl_fail(err, PL_E_INVALID,
                       "WebP pictures have at most %d dots a side; this label has %" PRIu32 " x %" PRIu32,
                       PL_WEBP_MAX_SIDE, bits->width, bits->height);
    struct pl_arena_mark mark = pl_arena_mark(scratch);
    uint32_t row = (bits->width + 7) / 8;
    size_t size = (size_t)row * bits->height;
    uint8_t *packed = PL_ARENA_ARRAY(scratch, uint8_t, size);
    uint32_t *tokens = PL_ARENA_ARRAY(scratch, uint32_t, size);
    if (!packed || !tokens)
        return pl_fail_memory(err);
    // Each of the steps takes some hundredths of a second for the largest picture.
    pack_rows(bits, row, packed);
    PL_TRY(pl_job_check(job, err));
    size_t token_count = tokenize(packed, size, row, tokens);
    PL_TRY(pl_job_check(job, err));

    uint32_t green[GREEN_SYMBOLS] = {0}, distances[DISTANCE_SYMBOLS] = {0};
    for (size_t i = 0; i < token_count; i++) {
        if (tokens[i] & TOKEN_COPY) {
            green[256 + prefix_of(tokens[i] & 0xFFFF).symbol]++;
            distances[prefix_of(tokens[i] >> 16 & 0xFF).symbol]++;
        } else {
            green[tokens[i]]++;
        }
    }
    PL_TRY(pl_job_check(job, err));
    // No token takes more than 15 + 10 + 15 bits; the tables take less than 2 KiB.
    uint8_t *start = pl_buf_reserve(out, 20 + 2048 + token_count * 5 + 16);
    if (!start) {
        pl_arena_release(scratch, mark);
        return pl_buf_check(out, err);
    }
    struct pl_bit_writer w = {.out = start + 20};
    put(&w, 0x2F, 8);
    put(&w, bits->width - 1, 14);
    put(&w, bits->height - 1, 14);
    put(&w, 0, 1 + 3); // no alpha, version 0
    put_colour_table(&w);
    put(&w, 0, 1); // no further transform
    put(&w, 0, 1); // no colour cache
    put(&w, 0, 1); // one set of codes for the whole picture
    uint8_t green_lengths[GREEN_SYMBOLS], distance_lengths[DISTANCE_SYMBOLS];
    uint16_t green_codes[GREEN_SYMBOLS], distance_codes[DISTANCE_SYMBOLS];
    put_code(&w, green, GREEN_SYMBOLS, green_lengths, green_codes);
    for (int channel = 0; channel < 3; channel++)
        put_simple_code(&w, 1, 0, 0); // red, blue, alpha are not used
    put_code(&w, distances, DISTANCE_SYMBOLS, distance_lengths, distance_codes);
    put_tokens(&w, tokens, token_count, green_lengths, green_codes, distance_lengths, distance_codes);
    uint8_t *end = pl_bits_finish(&w);

    uint32_t stream = (uint32_t)(end - start) - 20;
    if (stream % 2 != 0)
        *end++ = 0;
    memcpy(start, "RIFF", 4);
    put_le32(start + 4, (uint32_t)(end - start) - 8);
    memcpy(start + 8, "WEBPVP8L", 8);
    put_le32(start + 16, stream);
    out->len += (size_t)(end - start);
    pl_arena_release(scratch, mark);
    return PL_OK;
}
