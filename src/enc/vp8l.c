// VP8L after the WebP lossless bitstream specification (RFC 9649). Pictures of two colours have a colour table that
// packs eight dots into one "pixel"; those of shades have a pixel a dot. Pixels are copied from the row above or from
// the left, or written out.
#include "enc/enc.h"

#include <inttypes.h>

#include "base/machine.h"
#include "enc/rows_scan.h"
#include "enc/vp8l_codes.h"

#define MAX_LENGTH 4096u
#define MIN_LENGTH 3u
#define TOKENS PL_TOKENS(MAX_LENGTH)
#define CHECK_ROWS 1024u
#define FRAME 20u // bytes before the stream
#define MAX_SIDE 16383

static const struct pl_scan_kind KIND = {.min_copy = MIN_LENGTH, .max_copy = MAX_LENGTH, .gap = 2, .short_run = 2};

struct block {
    struct block *next;
    size_t count;
    uint16_t *tokens;
};

struct coder {
    struct pl_scan scan;
    struct pl_arena *scratch;
    struct block *first, *last;
    size_t token_count;
    size_t block_room;
    bool failed; // no memory
    uint32_t counts[TOKENS];
    uint64_t entries[TOKENS]; // what tokens are written as; only of those that occur
};

// ---- tokens

static uint16_t *new_block(struct coder *c)
{
    struct block *block = PL_ARENA_ARRAY(c->scratch, struct block, 1);
    uint16_t *tokens = PL_ARENA_ARRAY(c->scratch, uint16_t, c->block_room);
    if (!block || !tokens) {
        c->failed = true;
        return NULL;
    }
    *block = (struct block){.tokens = tokens};
    *(c->last ? &c->last->next : &c->first) = block;
    c->last = block;
    return tokens;
}

static void close_block(struct coder *c)
{
    c->last->count = (size_t)(c->scan.cursor.at - c->last->tokens);
    c->token_count += c->last->count;
}

// After each row: the next block where this one is full.
static inline void end_row(struct coder *c)
{
    if (c->scan.cursor.at < c->last->tokens + PL_SCAN_BLOCK)
        return;
    close_block(c);
    uint16_t *next = new_block(c);
    c->scan.cursor.at = next ? next : c->last->tokens;
}

static enum pl_errc scan(struct coder *c, const struct pl_canvas *page, uint32_t row_bytes, struct pl_arena *scratch,
                         struct pl_error *err)
{
    uint32_t height = page->bits ? page->bits->height : page->grey->height;
    uint8_t *line = (uint8_t *)pl_arena_alloc(scratch, pl_scan_line_bytes(row_bytes), 8);
    c->scratch = scratch;
    c->first = c->last = NULL;
    c->token_count = 0;
    c->failed = false;
    c->block_room = (size_t)PL_SCAN_BLOCK + row_bytes + 32;
    uint16_t *tokens = new_block(c);
    if (!line || !tokens)
        return pl_fail_memory(err);
    pl_scan_init(&c->scan, row_bytes, true, line, tokens);
    for (uint32_t y = 0; y < height && !c->failed; y++) {
        if (page->bits)
            pl_scan_bits_row(&c->scan, KIND, page->bits, y);
        else
            pl_scan_grey_row(&c->scan, KIND, page->grey, y);
        end_row(c);
        if (y % CHECK_ROWS == CHECK_ROWS - 1)
            PL_TRY(pl_job_check(page->job, err));
    }
    if (c->failed)
        return pl_fail_memory(err);
    pl_scan_flush(KIND, &c->scan.cursor, pl_scan_line_end(&c->scan));
    close_block(c);
    return pl_job_check(page->job, err);
}

// ---- colours

// Dots of a byte as PNG has them, to a pixel: ink is 1, the leftmost dot in the least significant bit.
static uint8_t packed(uint8_t b)
{
    b = (uint8_t)~b;
    b = (uint8_t)(b >> 4 | b << 4);
    b = (uint8_t)((b & 0xCC) >> 2 | (b & 0x33) << 2);
    return (uint8_t)((b & 0xAA) >> 1 | (b & 0x55) << 1);
}

// Two-colour table: index 0 white, index 1 black, the second entry as a difference from the first.
static void put_two_colours(struct pl_bit_writer *w)
{
    pl_vp8l_put(w, 2 - 1, 8); // two colours
    pl_vp8l_put(w, 0, 1);     // no colour cache
    for (int channel = 0; channel < 3; channel++)
        pl_vp8l_put_simple_code(w, 2, 1, 255); // green, red, blue: 255, then 255 + 1 = 0
    pl_vp8l_put_simple_code(w, 2, 0, 255);     // alpha: 255, then 255 + 0
    pl_vp8l_put_simple_code(w, 1, 0, 0);       // distances: none
    pl_vp8l_put(w, 0xF, 4);                    // first pixel: the larger symbol of each code
    pl_vp8l_put(w, 0x0, 4);                    // second pixel: the smaller one
}

// A table of shades, each as a difference from the one before. Fewer than 17 would mean that pixels are packed.
#define LEAST_SHADES 17u

static void put_shades(struct pl_bit_writer *w, const uint8_t *shades, unsigned count)
{
    uint32_t counts[PL_VP8L_SYMBOLS] = {0};
    uint8_t lengths[PL_VP8L_SYMBOLS];
    uint16_t codes[PL_VP8L_SYMBOLS];
    uint8_t differences[256];
    for (unsigned i = 0; i < count; i++) {
        differences[i] = (uint8_t)(shades[i] - (i > 0 ? shades[i - 1] : 0));
        counts[differences[i]]++;
    }
    pl_vp8l_put(w, count - 1, 8);
    pl_vp8l_put(w, 0, 1); // no colour cache
    pl_vp8l_put_code(w, counts, PL_VP8L_SYMBOLS, lengths, codes);
    for (int channel = 0; channel < 2; channel++)
        pl_vp8l_put_code(w, counts, 256, lengths, codes);
    pl_vp8l_put_simple_code(w, 2, 0, 255); // alpha: 255, then the same
    pl_vp8l_put_simple_code(w, 1, 0, 0);   // distances: none
    for (unsigned i = 0; i < count; i++) {
        for (int channel = 0; channel < 3; channel++)
            pl_vp8l_put(w, codes[differences[i]], lengths[differences[i]]);
        pl_vp8l_put(w, i == 0, 1);
    }
}

// Writes the palette and fills `symbols` with each byte's index. A shade that is copied was written out before, so
// bytes that no token has do not occur.
static void put_colours(struct pl_bit_writer *w, bool two, const uint32_t *counts, uint8_t symbols[256])
{
    pl_vp8l_put(w, 1, 1); // a transform follows
    pl_vp8l_put(w, 3, 2); // colour indexing
    if (two) {
        for (unsigned i = 0; i < 256; i++)
            symbols[i] = packed((uint8_t)i);
        put_two_colours(w);
        return;
    }
    uint8_t shades[256];
    unsigned used = 0;
    for (unsigned i = 256; i-- > 0;) {
        symbols[i] = 0;
        if (counts[i]) {
            symbols[i] = (uint8_t)used;
            shades[used++] = (uint8_t)i;
        }
    }
    for (; used < LEAST_SHADES; used++)
        shades[used] = used > 0 ? shades[used - 1] : 0;
    put_shades(w, shades, used);
}

// ---- the stream

// The specification's prefix coding of a length: four symbols of their own, then two for each power of two.
struct prefix {
    unsigned symbol, extra_bits, extra;
};

static struct prefix prefix_of(uint32_t length)
{
    uint32_t d = length - 1;
    if (d < 4)
        return (struct prefix){d, 0, 0};
    unsigned high = 31u - (unsigned)__builtin_clz(d);
    return (struct prefix){2 * high + (d >> (high - 1) & 1), high - 1, d & ((1u << (high - 1)) - 1)};
}

// Copies first: of the byte on the left, then of the row above.
#define FIRST_COPY PL_TOKEN_COPY(MAX_LENGTH, true, 0)
#define FIRST_ABOVE PL_TOKEN_COPY(MAX_LENGTH, false, 0)

static uint32_t length_of(uint32_t token)
{
    return token - (token < FIRST_ABOVE ? FIRST_COPY : FIRST_ABOVE);
}

PL_BY_MACHINE static enum pl_errc put_picture(struct pl_bit_writer *w, struct coder *c, bool two,
                                              const struct pl_job *job, struct pl_error *err)
{
    uint32_t green[PL_VP8L_SYMBOLS] = {0};
    // Distance codes 1 and 2 of the specification's neighbourhood are the pixel above and the one on the left.
    uint32_t distances[PL_VP8L_DISTANCES] = {0};
    uint8_t becomes[256], green_lengths[PL_VP8L_SYMBOLS], distance_lengths[PL_VP8L_DISTANCES];
    uint16_t green_codes[PL_VP8L_SYMBOLS], distance_codes[PL_VP8L_DISTANCES];
    memset(c->counts, 0, sizeof c->counts);
    for (const struct block *block = c->first; block; block = block->next) {
        PL_TRY(pl_job_check(job, err));
        for (size_t i = 0; i < block->count; i++)
            c->counts[block->tokens[i]]++;
    }
    put_colours(w, two, c->counts, becomes);
    pl_vp8l_put(w, 0, 1); // no further transform
    pl_vp8l_put(w, 0, 1); // no colour cache
    pl_vp8l_put(w, 0, 1); // one set of codes for the whole picture
    for (uint32_t i = 0; i < 256; i++)
        green[becomes[i]] += c->counts[i];
    for (uint32_t i = 256; i < TOKENS; i++) {
        if (c->counts[i]) {
            green[256 + prefix_of(length_of(i)).symbol] += c->counts[i];
            distances[i < FIRST_ABOVE] += c->counts[i];
        }
    }
    pl_vp8l_put_code(w, green, PL_VP8L_SYMBOLS, green_lengths, green_codes);
    for (int channel = 0; channel < 3; channel++)
        pl_vp8l_put_simple_code(w, 1, 0, 0); // red, blue, alpha are not used
    pl_vp8l_put_code(w, distances, PL_VP8L_DISTANCES, distance_lengths, distance_codes);

    for (uint32_t i = 0; i < 256; i++)
        c->entries[i] = PL_BITS_ENTRY(green_codes[becomes[i]], green_lengths[becomes[i]]);
    for (uint32_t i = 256; i < TOKENS; i++) {
        if (!c->counts[i])
            continue;
        struct prefix prefix = prefix_of(length_of(i));
        unsigned symbol = 256 + prefix.symbol, distance = i < FIRST_ABOVE, used = green_lengths[symbol];
        uint64_t bits = green_codes[symbol] | (uint64_t)prefix.extra << used;
        used += prefix.extra_bits;
        c->entries[i] =
            PL_BITS_ENTRY(bits | (uint64_t)distance_codes[distance] << used, used + distance_lengths[distance]);
    }
    for (const struct block *block = c->first; block; block = block->next) {
        PL_TRY(pl_job_check(job, err));
        pl_bits_put_tokens(w, block->tokens, block->count, c->entries);
    }
    return PL_OK;
}

static void put_le32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static bool has_shades(const struct pl_grey *grey)
{
    bool some = false;
    for (uint32_t y = 0; y < grey->height; y++)
        some |= grey->rows[y] != NULL;
    return some;
}

PL_BY_MACHINE enum pl_errc pl_webp_encode(const struct pl_canvas *page, struct pl_arena *scratch, struct pl_buf *out,
                                          struct pl_error *err)
{
    struct pl_canvas plain;
    if (page->grey && !has_shades(page->grey)) { // bars and boxes alone
        plain = *page;
        plain.bits = &page->grey->black;
        plain.grey = NULL;
        page = &plain;
    }
    uint32_t width = page->bits ? page->bits->width : page->grey->width;
    uint32_t height = page->bits ? page->bits->height : page->grey->height;
    if (width > MAX_SIDE || height > MAX_SIDE)
        return pl_fail(err, PL_E_INVALID,
                       "WebP pictures have at most %d dots a side; this label has %" PRIu32 " x %" PRIu32, MAX_SIDE,
                       width, height);
    struct pl_arena_mark mark = pl_arena_mark(scratch);
    struct coder *c = PL_ARENA_ARRAY(scratch, struct coder, 1);
    if (!c)
        return pl_fail_memory(err);
    PL_TRY(scan(c, page, page->bits ? (width + 7) / 8 : width, scratch, err));
    // No token takes more than 15 + 10 + 15 bits; the tables take less than 4 KiB.
    uint8_t *start = pl_buf_reserve(out, FRAME + 4096 + c->token_count * 5 + 16);
    if (!start) {
        pl_arena_release(scratch, mark);
        return pl_buf_check(out, err);
    }
    struct pl_bit_writer w = {.out = start + FRAME};
    pl_vp8l_put(&w, 0x2F, 8);
    pl_vp8l_put(&w, width - 1, 14);
    pl_vp8l_put(&w, height - 1, 14);
    pl_vp8l_put(&w, 0, 1 + 3); // no alpha, version 0
    PL_TRY(put_picture(&w, c, page->bits != NULL, page->job, err));
    uint8_t *end = pl_bits_finish(&w);

    uint32_t stream = (uint32_t)(end - start) - FRAME;
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
