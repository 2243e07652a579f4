// Deflate (RFC 1951) of the rows of a picture in one pass over its words: tokens, blocks of them, and the checksum.
// Rows equal to the row above, which are most of a label, cost one comparison; where a row differs, its bytes are taken
// from the row above, repeated, or written out.
#include "enc/rows_deflate.h"

#include "base/ckd.h"
#include "enc/deflate_block.h"
#include "raster/bits.h"

#define WINDOW 32768u
#define MAX_MATCH PL_DEFLATE_MAX_MATCH
#define MIN_MATCH PL_DEFLATE_MIN_MATCH
#define CHECK_BYTES 262144u // after so many the job is asked whether the work may go on
#define BLOCK_TOKENS 16384u // a block ends when so many are gathered
#define ADLER 65521u

// Where the tokeniser stands. It lives in registers while a row is taken.
struct cursor {
    uint32_t *at;     // next token
    uint32_t pending; // bytes that wait to become a match
    bool run;         // they repeat the byte before them; otherwise they are as in the row above
};

// The parts of Adler-32 that one row makes.
struct row_sums {
    uint64_t plain;   // of the bytes of the row
    int64_t weighted; // of the bytes by their distance from the row's end
};

struct stream {
    struct pl_buf *out;
    struct pl_arena *scratch;
    struct pl_arena_mark mark;
    uint32_t row_bytes, row_words;
    uint8_t *line; // the row before as bytes, behind the end of the one before that
    struct row_sums sums;
    uint64_t adler_a, adler_b;
    struct pl_bit_writer writer;
    uint32_t *tokens; // of this block
    struct cursor cursor;
    uint32_t row_distance; // 0: further than deflate can look back
    uint16_t length_tokens[MAX_MATCH + 1];
    bool failed; // no memory for the output
};

// ---- making tokens

#define MATCH_TOKEN(s, length, run) ((s)->length_tokens[length] | ((run) ? 1u : 2u) << PL_TOKEN_DISTANCE)

// Turns the pending bytes into matches, or into literals where they are too few; `end` points behind them.
static inline __attribute__((always_inline)) void flush_pending(const struct stream *s, struct cursor *c,
                                                                const uint8_t *end)
{
    uint32_t left = c->pending;
    c->pending = 0;
    if (left < MIN_MATCH) {
        for (const uint8_t *p = end - left; p < end; p++)
            *c->at++ = *p;
        return;
    }
    while (left > MAX_MATCH) {
        uint32_t take = left - MAX_MATCH < MIN_MATCH ? MAX_MATCH - MIN_MATCH : MAX_MATCH;
        *c->at++ = MATCH_TOKEN(s, take, c->run);
        left -= take;
    }
    *c->at++ = MATCH_TOKEN(s, left, c->run);
}

// `count` bytes before `end` are as in the row above.
static inline __attribute__((always_inline)) void take_from_above(const struct stream *s, struct cursor *c,
                                                                  const uint8_t *end, uint32_t count)
{
    if (c->run && c->pending)
        flush_pending(s, c, end - count);
    c->run = false;
    c->pending += count;
}

// The byte at `p` is not as in the row above.
static inline __attribute__((always_inline)) void take_other(const struct stream *s, struct cursor *c, const uint8_t *p)
{
    bool repeats = p[0] == p[-1];
    if (c->pending && !(c->run && repeats))
        flush_pending(s, c, p);
    if (repeats) {
        c->run = true;
        c->pending++;
    } else {
        *c->at++ = *p;
    }
}

// ---- Adler-32 of a row, kept up to date word by word

// A word's part in the sum of a row's bytes, and in the sum of bytes by their distance from the word's end (8 for the
// first).
static inline void word_sums(uint64_t word, uint32_t *plain, uint32_t *weighted)
{
    const uint64_t lanes = UINT64_C(0x00FF00FF00FF00FF);
    uint64_t first = (word >> 8) & lanes, second = word & lanes;
    // A product's top lane is the sum of the lanes, each by the factor of its place; no lane overflows.
    *plain = (uint32_t)(((first + second) * UINT64_C(0x0001000100010001)) >> 48);
    *weighted = (uint32_t)((first * UINT64_C(0x0002000400060008) + second * UINT64_C(0x0001000300050007)) >> 48);
}

static inline void change_word(struct row_sums *sums, uint64_t old, uint64_t new, int64_t behind)
{
    uint32_t old_plain, old_weighted, new_plain, new_weighted;
    word_sums(old, &old_plain, &old_weighted);
    word_sums(new, &new_plain, &new_weighted);
    sums->plain += (uint64_t)new_plain - old_plain;
    sums->weighted += ((int64_t)new_plain - old_plain) * behind + new_weighted - old_weighted;
}

// ---- rows

#define KEEP 8 // bytes of the row before that stay in front of a row: literals may have to be taken from there

// Takes a row that differs from the one above (NULL: there is none). Words hold the leftmost byte on top; `invert`
// turns ink into what PNG calls black.
static inline __attribute__((always_inline)) void take_row(struct stream *s, const uint64_t *row, const uint64_t *above,
                                                           uint64_t invert)
{
    struct cursor c = s->cursor;
    bool can_copy = above && s->row_distance;
    uint32_t row_bytes = s->row_bytes;
    uint8_t *line = s->line, *bytes = line + KEEP + 1;
    memcpy(line, line + row_bytes + 1, KEEP); // the end of the row before
    if (can_copy)
        take_from_above(s, &c, bytes, 1);
    else
        take_other(s, &c, bytes - 1);
    for (uint32_t i = 0; i < s->row_words; i++) {
        uint32_t here = PL_MIN(8u, row_bytes - i * 8);
        uint8_t *p = bytes + (size_t)i * 8;
        uint64_t differs = above ? row[i] ^ above[i] : ~UINT64_C(0);
        if (differs == 0 && can_copy) {
            take_from_above(s, &c, p + here, here);
            continue;
        }
        // Bytes of the last word that are not in the file count for nothing.
        uint64_t in_file = here == 8 ? ~UINT64_C(0) : ~(~UINT64_C(0) >> (here * 8));
        change_word(&s->sums, above ? (above[i] ^ invert) & in_file : 0, (row[i] ^ invert) & in_file,
                    (int64_t)row_bytes - 8 * ((int64_t)i + 1));
        pl_store_be64(p, row[i] ^ invert);
        // The top bit of each byte that differs; then runs of equal and of different bytes in turn.
        const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
        uint64_t marks = can_copy ? (((differs & low) + low) | differs) & ~low : ~low;
        for (uint32_t k = 0; k < here;) {
            uint32_t equal = marks ? (uint32_t)__builtin_clzll(marks) / 8 : 8;
            if (equal > 0) {
                equal = PL_MIN(equal, here - k);
                take_from_above(s, &c, p + k + equal, equal);
                k += equal;
                if (k == here)
                    break;
                marks <<= equal * 8;
            }
            take_other(s, &c, p + k);
            marks <<= 8;
            k++;
        }
    }
    s->cursor = c;
}

static const uint8_t *line_end(const struct stream *s)
{
    return s->line + KEEP + 1 + s->row_bytes;
}

// A row that is as the one above it. What waits is let go before it is more than a row's tokens can hold.
static void take_equal_row(struct stream *s)
{
    struct cursor c = s->cursor;
    if (c.run && c.pending)
        flush_pending(s, &c, line_end(s));
    c.run = false;
    c.pending += s->row_bytes + 1;
    while (c.pending >= MAX_MATCH * 2) {
        *c.at++ = MATCH_TOKEN(s, MAX_MATCH, false);
        c.pending -= MAX_MATCH;
    }
    s->cursor = c;
}

static void write_block(struct stream *s, bool final)
{
    size_t count = (size_t)(s->cursor.at - s->tokens);
    if (!pl_deflate_block(s->tokens, count, s->row_distance, final, &s->writer, s->out))
        s->failed = true;
    s->cursor.at = s->tokens;
}

// After each row: its part in the checksum, and a block when there is enough for one.
static void end_row(struct stream *s)
{
    // The filter byte is 0 and adds nothing but its place.
    s->adler_b = (s->adler_b + (s->row_bytes + 1) * s->adler_a + (uint64_t)s->sums.weighted) % ADLER;
    s->adler_a = (s->adler_a + s->sums.plain) % ADLER;
    if (s->cursor.at >= s->tokens + BLOCK_TOKENS)
        write_block(s, false);
}

static enum pl_errc begin(uint32_t row_bytes, struct pl_arena *scratch, struct pl_buf *out, struct stream **result,
                          struct pl_error *err)
{
    struct pl_arena_mark mark = pl_arena_mark(scratch);
    uint32_t distance = row_bytes + 1, words = row_bytes / 8 + (row_bytes % 8 != 0);
    struct stream *s = PL_ARENA_NEW(scratch, struct stream);
    // A row gives at most a token a byte, after those that close what was pending; blocks are cut between rows.
    uint32_t *tokens = PL_ARENA_ARRAY(scratch, uint32_t, (size_t)BLOCK_TOKENS + distance + 16);
    uint8_t *line = (uint8_t *)pl_arena_alloc(scratch, KEEP + 1 + (size_t)words * 8, 8);
    if (!s || !tokens || !line)
        return pl_fail_memory(err);
    // Before the first byte stands one that the filter byte is no repetition of.
    memset(line, 0xFF, KEEP + 1 + (size_t)words * 8);
    line[KEEP] = 0;
    *s = (struct stream){.out = out,
                         .scratch = scratch,
                         .mark = mark,
                         .row_bytes = row_bytes,
                         .row_words = words,
                         .line = line,
                         .adler_a = 1,
                         .tokens = tokens,
                         .cursor = {.at = tokens},
                         .row_distance = distance <= WINDOW ? distance : 0};
    for (uint32_t length = MIN_MATCH; length <= MAX_MATCH; length++)
        s->length_tokens[length] = pl_deflate_length_token(length);
    pl_buf_append(out, (const uint8_t[]){0x78, 0x01}, 2); // zlib: 32 KiB window, fastest
    *result = s;
    return PL_OK;
}

static enum pl_errc finish(struct stream *s, struct pl_error *err)
{
    flush_pending(s, &s->cursor, line_end(s));
    write_block(s, true);
    if (s->writer.count % 8 != 0)
        pl_buf_append_byte(s->out, (uint8_t)s->writer.bits);
    pl_buf_append_be32(s->out, (uint32_t)(s->adler_b << 16 | s->adler_a));
    struct pl_buf *out = s->out;
    pl_arena_release(s->scratch, s->mark);
    return pl_buf_check(out, err);
}

// Is it time to ask the job, after row `y`?
static bool is_time(const struct stream *s, uint32_t y)
{
    uint32_t rows = PL_MAX(CHECK_BYTES / (s->row_bytes + 1), 1u);
    return y % rows == rows - 1;
}

static bool rows_equal(const uint64_t *a, const uint64_t *b, uint32_t n)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < n; i++)
        any |= a[i] ^ b[i];
    return any == 0;
}

enum pl_errc pl_rows_deflate(const struct pl_bitmap *bits, const struct pl_job *job, struct pl_arena *scratch,
                             struct pl_buf *out, struct pl_error *err)
{
    struct stream *s;
    PL_TRY(begin(bits->width / 8 + (bits->width % 8 != 0), scratch, out, &s, err));
    for (uint32_t y = 0; y < bits->height && !s->failed; y++) {
        const uint64_t *row = pl_bitmap_row(bits, y), *above = y > 0 ? row - bits->stride : NULL;
        if (above && s->row_distance && rows_equal(row, above, bits->stride))
            take_equal_row(s);
        else
            take_row(s, row, above, ~UINT64_C(0));
        end_row(s);
        if (is_time(s, y))
            PL_TRY(pl_job_check(job, err));
    }
    return finish(s, err);
}

// Bytes of a row into words; the last word is filled up with zeros.
static void pack_row(uint64_t *words, const uint8_t *bytes, uint32_t n)
{
    uint32_t i = 0;
    for (; i + 8 <= n; i += 8)
        words[i / 8] = pl_load_be64(bytes + i);
    if (i < n) {
        uint8_t last[8] = {0};
        memcpy(last, bytes + i, n - i);
        words[i / 8] = pl_load_be64(last);
    }
}

enum pl_errc pl_grey_rows_deflate(const struct pl_grey *grey, const struct pl_job *job, struct pl_arena *scratch,
                                  struct pl_buf *out, struct pl_error *err)
{
    struct stream *s;
    PL_TRY(begin(grey->width, scratch, out, &s, err));
    uint64_t *rows[2]; // this one and the one above, in turn
    unsigned now = 0;
    for (unsigned i = 0; i < 2; i++) {
        rows[i] = PL_ARENA_ARRAY(scratch, uint64_t, s->row_words);
        if (!rows[i])
            return pl_fail_memory(err);
    }
    for (uint32_t y = 0; y < grey->height && !s->failed; y++) {
        const uint8_t *dots = grey->dots + (size_t)y * grey->width;
        if (y > 0 && s->row_distance && memcmp(dots, dots - grey->width, grey->width) == 0) {
            take_equal_row(s);
        } else {
            pack_row(rows[now], dots, grey->width);
            take_row(s, rows[now], y > 0 ? rows[now ^ 1] : NULL, 0);
            now ^= 1;
        }
        end_row(s);
        if (is_time(s, y))
            PL_TRY(pl_job_check(job, err));
    }
    return finish(s, err);
}
