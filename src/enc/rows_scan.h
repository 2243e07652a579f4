// The rows of a picture as tokens: bytes, and copies of the row above or of the byte before. Deflate and VP8L write
// them in their own ways. Rows equal to the row above, which are most of a label, cost one comparison; elsewhere words
// are compared, and bytes only in words that differ.
#ifndef PL_ENC_ROWS_SCAN_H
#define PL_ENC_ROWS_SCAN_H

#include <stdbool.h>

#include "base/ckd.h"
#include "raster/byte_sets.h"
#include "raster/grey.h"

#define PL_SCAN_INLINE static inline __attribute__((always_inline))

#define PL_SCAN_BLOCK 16384u // tokens after which the rest of a row may follow

// A token: a byte, or 256 and more for a copy of a length: first those of the byte before, then those of the row above.
#define PL_TOKEN_COPY(max_copy, run, length) (256u + ((run) ? 0 : (max_copy) + 1u) + (length))
#define PL_TOKENS(max_copy) PL_TOKEN_COPY(max_copy, false, (max_copy) + 1u) // how many there are

// What the tokens are for; a constant wherever it is passed, so that the compiler makes tight loops of each.
struct pl_scan_kind {
    bool filter; // a byte 0 stands before each row
    uint32_t min_copy, max_copy;
    uint32_t gap;       // so many bytes as in the row above, between others, are not copied (2 to 7)
    uint32_t short_run; // nor so many that repeat the byte before (2 to 7)
    bool sums;          // wanted
};

struct pl_scan_cursor {
    uint16_t *at;     // next token
    uint32_t pending; // bytes that wait to become a copy
    bool run;         // they repeat the byte before them; otherwise they are as in the row above
};

// For Adler-32: the sum of the bytes of a row, and of its bytes by their distance from its end (1 for the last).
struct pl_scan_sums {
    uint64_t plain, weighted;
};

struct pl_scan {
    uint32_t row_bytes, row_words;
    bool can_copy;                // the row above is near enough
    uint8_t *line;                // the row before as bytes, behind the end of the one before that
    struct pl_scan_cursor cursor; // this and the sums live in registers while a row is taken
    struct pl_scan_sums sums;     // of the last row
};

#define PL_SCAN_KEEP 8 // bytes of the row before that stay in front of a row: bytes may have to be taken from there

// Memory for `line`.
static inline size_t pl_scan_line_bytes(uint32_t row_bytes)
{
    return PL_SCAN_KEEP + 1 + ((size_t)row_bytes + 71) / 64 * 64;
}

static inline void pl_scan_init(struct pl_scan *s, uint32_t row_bytes, bool can_copy, uint8_t *line, uint16_t *tokens)
{
    *s = (struct pl_scan){.row_bytes = row_bytes,
                          .row_words = row_bytes / 8 + (row_bytes % 8 != 0),
                          .can_copy = can_copy,
                          .line = line,
                          .cursor = {.at = tokens},
                          .sums = {.plain = UINT64_C(255) * row_bytes,
                                   .weighted = UINT64_C(255) * row_bytes * ((uint64_t)row_bytes + 1) / 2}};
    // The first row is compared with a white one. Before its first byte stands one that the filter byte is no
    // repetition of.
    memset(line, 0xFF, pl_scan_line_bytes(row_bytes));
    line[PL_SCAN_KEEP] = 0;
}

// The row as bytes, without its filter byte.
static inline const uint8_t *pl_scan_line(const struct pl_scan *s)
{
    return s->line + PL_SCAN_KEEP + 1;
}

// ---- tokens

// Turns the pending bytes into copies, or into bytes where they are too few; `end` points behind them.
PL_SCAN_INLINE void pl_scan_flush(struct pl_scan_kind kind, struct pl_scan_cursor *c, const uint8_t *end)
{
    uint32_t left = c->pending;
    c->pending = 0;
    if (left < kind.min_copy) {
        for (const uint8_t *p = end - left; p < end; p++)
            *c->at++ = *p;
        return;
    }
    while (left > kind.max_copy) {
        uint32_t take = left - kind.max_copy < kind.min_copy ? kind.max_copy - kind.min_copy : kind.max_copy;
        *c->at++ = (uint16_t)PL_TOKEN_COPY(kind.max_copy, c->run, take);
        left -= take;
    }
    *c->at++ = (uint16_t)PL_TOKEN_COPY(kind.max_copy, c->run, left);
}

// `count` bytes before `end` are as in the row above.
PL_SCAN_INLINE void pl_scan_above(struct pl_scan_kind kind, struct pl_scan_cursor *c, const uint8_t *end,
                                  uint32_t count)
{
    if (c->run && c->pending)
        pl_scan_flush(kind, c, end - count);
    c->run = false;
    c->pending += count;
}

// Bit sets of at most 64 bytes; the first byte is the top bit.

// Those of the set, and the bytes of the gaps of at most `by` + 1 bytes (1 or more, 7 at most) between two of them.
PL_SCAN_INLINE uint64_t pl_scan_close_gaps(uint64_t set, unsigned by)
{
    uint64_t wide = set | set >> 1;
    wide |= wide >> PL_MIN(by, 2u);
    wide |= wide >> (by > 2 ? by - 2 : 0);
    uint64_t narrow = wide & wide << 1;
    narrow &= narrow << PL_MIN(by, 2u);
    narrow &= narrow << (by > 2 ? by - 2 : 0);
    return set | narrow;
}

// Without stretches of at most `by` + 1 bytes, unless they are near an end: they may go on there.
PL_SCAN_INLINE uint64_t pl_scan_drop_short(uint64_t set, unsigned by)
{
    uint64_t starts = set & set << 1;
    starts &= starts << PL_MIN(by, 2u);
    starts &= starts << (by > 2 ? by - 2 : 0);
    uint64_t whole = starts | starts >> 1;
    whole |= whole >> PL_MIN(by, 2u);
    whole |= whole >> (by > 2 ? by - 2 : 0);
    uint64_t ends = ~(~UINT64_C(0) << (by + 1)) | ~(~UINT64_C(0) >> (by + 1));
    return set & (whole | ends);
}

// `count` bytes as they are, eight at a time: there is room for seven tokens more, and seven bytes more to read.
PL_SCAN_INLINE void pl_scan_literals(struct pl_scan_cursor *c, const uint8_t *p, uint32_t count)
{
    typedef uint8_t eight_bytes __attribute__((vector_size(8)));
    typedef uint16_t eight_tokens __attribute__((vector_size(16)));
    for (uint32_t k = 0; k < count; k += 8) {
        eight_bytes bytes;
        memcpy(&bytes, p + k, sizeof bytes);
        eight_tokens tokens = __builtin_convertvector(bytes, eight_tokens);
        memcpy(c->at + k, &tokens, sizeof tokens);
    }
    c->at += count;
}

// At most 64 bytes at `p`: a bit for each, from the top, tells whether it differs from the row above, and whether it
// repeats the byte before. Bits of `repeats` count where `differs` is set.
PL_SCAN_INLINE void pl_scan_bytes(struct pl_scan_kind kind, struct pl_scan_cursor *c, const uint8_t *p, uint32_t count,
                                  uint64_t differs, uint64_t repeats)
{
    differs = pl_scan_close_gaps(differs, kind.gap - 1);
    repeats = pl_scan_drop_short(repeats & differs, kind.short_run - 1);
    // The last byte of each stretch of one kind: copied from above, repeated, or written out.
    uint64_t ends = (differs ^ differs << 1) | (repeats ^ repeats << 1) | UINT64_C(1) << (64 - count);
    for (uint32_t k = 0, n; k < count; k += n) {
        n = (uint32_t)__builtin_clzll(ends << k) + 1;
        if (!(differs << k >> 63)) {
            pl_scan_above(kind, c, p + k + n, n);
            continue;
        }
        bool run = repeats << k >> 63;
        if (c->pending && !(c->run && run))
            pl_scan_flush(kind, c, p + k);
        if (run) {
            c->run = true;
            c->pending += n;
        } else {
            pl_scan_literals(c, p + k, n);
        }
    }
}

// Which bytes of a word, at `p` of the line, repeat the byte before them.
PL_SCAN_INLINE uint64_t pl_scan_repeats(uint64_t word, const uint8_t *p)
{
    return pl_word_marks(word ^ (word >> 8 | (uint64_t)p[-1] << 56)) ^ 0xFF;
}

// The sums of a row change as a word of it does, behind which there are `behind` bytes (a negative number where the row
// ends inside the word: then the bytes beyond it are the same in both).
PL_SCAN_INLINE void pl_scan_add(struct pl_scan_sums *sums, struct pl_scan_kind kind, uint64_t old, uint64_t new,
                                int64_t behind)
{
    if (!kind.sums)
        return;
    // Differences of bytes, 256 added to each, in four lanes: first, third, fifth and seventh, and the others.
    const uint64_t lanes = UINT64_C(0x00FF00FF00FF00FF), ones = UINT64_C(0x0001000100010001);
    uint64_t odd = (new >> 8 & lanes) + ones * 256 - (old >> 8 & lanes);
    uint64_t even = (new &lanes) + ones * 256 - (old & lanes);
    // A product's top lane is the sum of the lanes, each by the factor of its place; no lane overflows.
    int64_t plain = (int64_t)((odd + even) * ones >> 48) - 8 * 256;
    int64_t weighted =
        (int64_t)((odd * UINT64_C(0x0002000400060008) + even * UINT64_C(0x0001000300050007)) >> 48) - 36 * 256;
    sums->plain += (uint64_t)plain;
    sums->weighted += (uint64_t)(plain * behind + weighted);
}

// The same for 64 bytes.
PL_SCAN_INLINE void pl_scan_add_group(struct pl_scan_sums *sums, struct pl_scan_kind kind, const uint8_t *old,
                                      const uint8_t *new, int64_t behind)
{
    if (!kind.sums)
        return;
    int32_t plain = 0, weighted = 0;
    for (int i = 0; i < 64; i++) {
        int16_t change = (int16_t)(new[i] - old[i]), weight = (int16_t)(64 - i);
        plain += change;
        weighted += change * weight;
    }
    sums->plain += (uint64_t)(int64_t)plain;
    sums->weighted += (uint64_t)(plain * behind + weighted);
}

// ---- rows

// Before a row whose first byte is `first`.
PL_SCAN_INLINE void pl_scan_row_start(struct pl_scan *s, struct pl_scan_kind kind, struct pl_scan_cursor *c, uint32_t y,
                                      uint8_t first)
{
    uint8_t *line = s->line, *bytes = line + PL_SCAN_KEEP + 1;
    size_t gap = kind.filter ? 0 : 1; // between what is kept and the row
    memmove(line + gap, line + s->row_bytes + 1, PL_SCAN_KEEP);
    if (!kind.filter && y == 0)
        bytes[-1] = (uint8_t)~first; // there is nothing that it could repeat
    else if (kind.filter && y > 0 && s->can_copy)
        pl_scan_above(kind, c, bytes, 1);
    else if (kind.filter)
        pl_scan_bytes(kind, c, bytes - 1, 1, UINT64_C(1) << 63, (uint64_t)(bytes[-1] == bytes[-2]) << 63);
}

static inline const uint8_t *pl_scan_line_end(const struct pl_scan *s)
{
    return pl_scan_line(s) + s->row_bytes;
}

// A row that is as the one above it. What waits is let go before it is more than a row's tokens can hold.
PL_SCAN_INLINE void pl_scan_equal_row(struct pl_scan *s, struct pl_scan_kind kind)
{
    struct pl_scan_cursor c = s->cursor;
    if (c.run && c.pending)
        pl_scan_flush(kind, &c, pl_scan_line_end(s));
    c.run = false;
    c.pending += s->row_bytes + (kind.filter ? 1 : 0);
    if (!kind.filter && s->row_bytes < kind.min_copy) // what waits may have to be written out
        memmove(s->line + 1, s->line + s->row_bytes + 1, PL_SCAN_KEEP);
    while (c.pending >= kind.max_copy * 2) {
        *c.at++ = (uint16_t)PL_TOKEN_COPY(kind.max_copy, false, kind.max_copy);
        c.pending -= kind.max_copy;
    }
    s->cursor = c;
}

// Row y of two colours, as PNG has it: ink is 0. Bits right of the page are 1.
PL_SCAN_INLINE void pl_scan_bits_row(struct pl_scan *s, struct pl_scan_kind kind, const struct pl_bitmap *bits,
                                     uint32_t y)
{
    const uint64_t *row = pl_bitmap_row(bits, y), *above = y > 0 ? row - bits->stride : NULL;
    uint64_t any = 0;
    for (uint32_t i = 0; above && i < s->row_words; i++)
        any |= row[i] ^ above[i];
    if (above && s->can_copy && any == 0) {
        pl_scan_equal_row(s, kind);
        return;
    }
    struct pl_scan_cursor c = s->cursor;
    struct pl_scan_sums sums = s->sums;
    bool can_copy = above && s->can_copy;
    pl_scan_row_start(s, kind, &c, y, (uint8_t)(~row[0] >> 56));
    for (uint32_t i = 0; i < s->row_words; i += 8) {
        uint64_t differs = 0, repeats = 0;
        uint8_t *start = s->line + PL_SCAN_KEEP + 1 + (size_t)i * 8;
        uint32_t count = PL_MIN(8u, s->row_words - i), changed = 0;
        for (uint32_t k = 0; k < count; k++)
            changed |= (uint32_t)(!can_copy || row[i + k] != above[i + k]) << k;
        for (; changed; changed &= changed - 1) {
            uint32_t k = (uint32_t)__builtin_ctz(changed), shift = 56 - 8 * k;
            uint64_t old = above ? ~above[i + k] : ~UINT64_C(0), new = ~row[i + k];
            uint8_t *p = start + (size_t)k * 8;
            differs |= (can_copy ? pl_word_marks(new ^ old) : 0xFF) << shift;
            repeats |= pl_scan_repeats(new, p) << shift;
            pl_scan_add(&sums, kind, old, new, (int64_t)s->row_bytes - (i + k + 1) * 8);
            pl_store_be64(p, new);
        }
        pl_scan_bytes(kind, &c, start, PL_MIN(64u, s->row_bytes - i * 8), differs, repeats);
    }
    s->cursor = c;
    s->sums = sums;
}

// Are two rows the same? Groups of shades are taken for different from those of two colours.
static inline bool pl_scan_grey_repeats(const struct pl_grey *grey, uint32_t y)
{
    uint32_t n = grey->black.stride;
    const uint64_t *row = pl_bitmap_row(&grey->black, y), *above = row - n;
    uint8_t **shades = grey->rows[y], **shades_above = grey->rows[y - 1];
    uint64_t any = 0;
    if (!shades && !shades_above) {
        for (uint32_t i = 0; i < n; i++)
            any |= row[i] ^ above[i];
        return any == 0;
    }
    if (!shades || !shades_above)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (shades[i] && shades_above[i] ? memcmp(shades[i], shades_above[i], PL_GREY_GROUP) != 0
                                         : shades[i] != shades_above[i] || row[i] != above[i])
            return false;
    }
    return true;
}

// Row y of shades.
PL_SCAN_INLINE void pl_scan_grey_row(struct pl_scan *s, struct pl_scan_kind kind, const struct pl_grey *grey,
                                     uint32_t y)
{
    bool can_copy = y > 0 && s->can_copy;
    if (can_copy && pl_scan_grey_repeats(grey, y)) {
        pl_scan_equal_row(s, kind);
        return;
    }
    struct pl_scan_cursor c = s->cursor;
    struct pl_scan_sums sums = s->sums;
    const uint64_t *row = pl_bitmap_row(&grey->black, y);
    const uint8_t *head = pl_grey_shades(grey, y, 0), *end = pl_scan_line_end(s);
    pl_scan_row_start(s, kind, &c, y, head ? head[0] : row[0] >> 63 ? 0 : 255);
    for (uint32_t i = 0; i < grey->black.stride; i++) {
        const uint8_t *shades = pl_grey_shades(grey, y, i);
        uint8_t *start = s->line + PL_SCAN_KEEP + 1 + (size_t)i * PL_GREY_GROUP, *p = start;
        uint32_t count = PL_MIN(PL_GREY_GROUP, s->row_bytes - i * PL_GREY_GROUP);
        uint64_t differs = 0, repeats = 0;
        if (can_copy && !shades && !pl_grey_shades(grey, y - 1, i)) {
            // Two colours: dots of the bitmap are bytes of the row.
            uint64_t word = row[i];
            differs = word ^ (row - grey->black.stride)[i];
            repeats = ~(word ^ (word >> 1 | (uint64_t)(p[-1] == 0) << 63));
            if (p[-1] != 0 && p[-1] != 255)
                repeats &= ~UINT64_C(0) >> 1;
            for (uint64_t left = differs; left; left <<= 8, word <<= 8, p += 8) {
                if (left >> 56 == 0)
                    continue;
                uint64_t new = pl_grey_eight((uint8_t)(word >> 56));
                pl_scan_add(&sums, kind, pl_load_be64(p), new, end - p - 8);
                pl_store_be64(p, new);
            }
        } else {
            uint8_t dots[PL_GREY_GROUP];
            if (!shades) {
                pl_grey_get_group(grey, y, i, dots);
                shades = dots;
            }
            differs = can_copy ? pl_bytes_differ(shades, start) : ~UINT64_C(0);
            if (differs) {
                repeats = pl_bytes_repeat(shades, start[-1]);
                // Negative where the row ends inside the group, with pointers of 32 bits, too.
                pl_scan_add_group(&sums, kind, start, shades, (int64_t)(end - start) - PL_GREY_GROUP);
                memcpy(start, shades, PL_GREY_GROUP);
            }
        }
        pl_scan_bytes(kind, &c, start, count, differs, repeats);
    }
    s->cursor = c;
    s->sums = sums;
}

#endif
