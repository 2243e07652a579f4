// The rows of a picture as tokens: bytes, and copies of the row above or of the byte before. Deflate and VP8L write
// them in their own ways. Rows equal to the row above, which are most of a label, cost one comparison; elsewhere words
// are compared, and bytes only in words that differ.
#ifndef PL_ENC_ROWS_SCAN_H
#define PL_ENC_ROWS_SCAN_H

#include <stdbool.h>

#include "base/ckd.h"
#include "raster/bits.h"
#include "raster/grey.h"

#define PL_SCAN_INLINE static inline __attribute__((always_inline))

#define PL_SCAN_BLOCK 16384u // tokens after which the rest of a row may follow

// A token: a byte, or the symbol of a length, then how the copy goes on, so that writing it needs no decisions.
#define PL_TOKEN_EXTRA 9     // where the length's extra bits begin
#define PL_TOKEN_DISTANCE 19 // 0: no copy, 1: of the byte before, 2: of the row above
#define PL_TOKEN_SYMBOL ((1u << PL_TOKEN_EXTRA) - 1)

// What the tokens are for; a constant wherever it is passed, so that the compiler makes tight loops of each.
struct pl_scan_kind {
    bool filter; // a byte 0 stands before each row
    uint32_t min_copy, max_copy;
    bool sums; // Adler-32 is wanted
};

struct pl_scan_cursor {
    uint32_t *at;     // next token
    uint32_t pending; // bytes that wait to become a copy
    bool run;         // they repeat the byte before them; otherwise they are as in the row above
};

struct pl_scan {
    uint32_t row_bytes, row_words;
    bool can_copy; // the row above is near enough
    uint8_t *line; // the row before as bytes, behind the end of the one before that
    const uint32_t *length_tokens;
    struct pl_scan_cursor cursor; // lives in registers while a row is taken
    // The parts of Adler-32 that one row makes: the sum of its bytes, and of its bytes by their distance from its end.
    uint64_t plain;
    int64_t weighted;
};

#define PL_SCAN_KEEP 8 // bytes of the row before that stay in front of a row: bytes may have to be taken from there

// Memory for `line`.
static inline size_t pl_scan_line_bytes(uint32_t row_bytes)
{
    return PL_SCAN_KEEP + 1 + ((size_t)row_bytes + 71) / 64 * 64;
}

static inline void pl_scan_init(struct pl_scan *s, uint32_t row_bytes, bool can_copy, uint8_t *line, uint32_t *tokens,
                                const uint32_t *length_tokens)
{
    *s = (struct pl_scan){.row_bytes = row_bytes,
                          .row_words = row_bytes / 8 + (row_bytes % 8 != 0),
                          .can_copy = can_copy,
                          .line = line,
                          .length_tokens = length_tokens,
                          .cursor = {.at = tokens}};
    // Before the first byte stands one that the filter byte is no repetition of.
    memset(line, 0xFF, pl_scan_line_bytes(row_bytes));
    line[PL_SCAN_KEEP] = 0;
}

// ---- tokens

PL_SCAN_INLINE uint32_t pl_scan_copy(const struct pl_scan *s, uint32_t length, bool run)
{
    return s->length_tokens[length] | (run ? 1u : 2u) << PL_TOKEN_DISTANCE;
}

// Turns the pending bytes into copies, or into bytes where they are too few; `end` points behind them.
PL_SCAN_INLINE void pl_scan_flush(const struct pl_scan *s, struct pl_scan_kind kind, struct pl_scan_cursor *c,
                                  const uint8_t *end)
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
        *c->at++ = pl_scan_copy(s, take, c->run);
        left -= take;
    }
    *c->at++ = pl_scan_copy(s, left, c->run);
}

// `count` bytes before `end` are as in the row above.
PL_SCAN_INLINE void pl_scan_above(const struct pl_scan *s, struct pl_scan_kind kind, struct pl_scan_cursor *c,
                                  const uint8_t *end, uint32_t count)
{
    if (c->run && c->pending)
        pl_scan_flush(s, kind, c, end - count);
    c->run = false;
    c->pending += count;
}

// The byte at `p` is not as in the row above.
PL_SCAN_INLINE void pl_scan_other(const struct pl_scan *s, struct pl_scan_kind kind, struct pl_scan_cursor *c,
                                  const uint8_t *p)
{
    bool repeats = p[0] == p[-1];
    if (c->pending && !(c->run && repeats))
        pl_scan_flush(s, kind, c, p);
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
static inline void pl_scan_word_sums(uint64_t word, uint32_t *plain, uint32_t *weighted)
{
    const uint64_t lanes = UINT64_C(0x00FF00FF00FF00FF);
    uint64_t first = (word >> 8) & lanes, second = word & lanes;
    // A product's top lane is the sum of the lanes, each by the factor of its place; no lane overflows.
    *plain = (uint32_t)(((first + second) * UINT64_C(0x0001000100010001)) >> 48);
    *weighted = (uint32_t)((first * UINT64_C(0x0002000400060008) + second * UINT64_C(0x0001000300050007)) >> 48);
}

static inline void pl_scan_change_word(struct pl_scan *s, uint64_t old, uint64_t new, int64_t behind)
{
    uint32_t old_plain, old_weighted, new_plain, new_weighted;
    pl_scan_word_sums(old, &old_plain, &old_weighted);
    pl_scan_word_sums(new, &new_plain, &new_weighted);
    s->plain += (uint64_t)new_plain - old_plain;
    s->weighted += ((int64_t)new_plain - old_plain) * behind + new_weighted - old_weighted;
}

// ---- rows

// Word i of a row, of which `here` bytes are in the file, and the word above it (0 where there is none). Words hold the
// leftmost byte on top.
PL_SCAN_INLINE void pl_scan_word(struct pl_scan *s, struct pl_scan_kind kind, struct pl_scan_cursor *c, uint32_t i,
                                 uint64_t new, uint64_t old, bool can_copy)
{
    uint32_t here = PL_MIN(8u, s->row_bytes - i * 8);
    uint8_t *p = s->line + PL_SCAN_KEEP + 1 + (size_t)i * 8;
    uint64_t differs = new ^ old;
    if (differs == 0 && can_copy) {
        pl_scan_above(s, kind, c, p + here, here);
        return;
    }
    if (kind.sums) {
        // Bytes of the last word that are not in the file count for nothing.
        uint64_t in_file = here == 8 ? ~UINT64_C(0) : ~(~UINT64_C(0) >> (here * 8));
        pl_scan_change_word(s, old & in_file, new &in_file, (int64_t)s->row_bytes - 8 * ((int64_t)i + 1));
    }
    pl_store_be64(p, new);
    // The top bit of each byte that differs; then runs of equal and of different bytes in turn.
    const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    uint64_t marks = can_copy ? (((differs & low) + low) | differs) & ~low : ~low;
    for (uint32_t k = 0; k < here;) {
        uint32_t equal = marks ? (uint32_t)__builtin_clzll(marks) / 8 : 8;
        if (equal > 0) {
            equal = PL_MIN(equal, here - k);
            pl_scan_above(s, kind, c, p + k + equal, equal);
            k += equal;
            if (k == here)
                break;
            marks <<= equal * 8;
        }
        pl_scan_other(s, kind, c, p + k);
        marks <<= 8;
        k++;
    }
}

// Before a row whose first byte is `first`.
PL_SCAN_INLINE void pl_scan_row_start(struct pl_scan *s, struct pl_scan_kind kind, struct pl_scan_cursor *c, uint32_t y,
                                      uint8_t first)
{
    uint8_t *line = s->line, *bytes = line + PL_SCAN_KEEP + 1;
    size_t gap = kind.filter ? 0 : 1; // between what is kept and the row
    memmove(line + gap, line + gap + s->row_bytes + 1 - gap, PL_SCAN_KEEP);
    if (!kind.filter && y == 0)
        bytes[-1] = (uint8_t)~first; // there is nothing that it could repeat
    else if (kind.filter && y > 0 && s->can_copy)
        pl_scan_above(s, kind, c, bytes, 1);
    else if (kind.filter)
        pl_scan_other(s, kind, c, bytes - 1);
}

static inline const uint8_t *pl_scan_line_end(const struct pl_scan *s)
{
    return s->line + PL_SCAN_KEEP + 1 + s->row_bytes;
}

// A row that is as the one above it. What waits is let go before it is more than a row's tokens can hold.
PL_SCAN_INLINE void pl_scan_equal_row(struct pl_scan *s, struct pl_scan_kind kind)
{
    struct pl_scan_cursor c = s->cursor;
    if (c.run && c.pending)
        pl_scan_flush(s, kind, &c, pl_scan_line_end(s));
    c.run = false;
    c.pending += s->row_bytes + (kind.filter ? 1 : 0);
    while (c.pending >= kind.max_copy * 2) {
        *c.at++ = pl_scan_copy(s, kind.max_copy, false);
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
    bool can_copy = above && s->can_copy;
    pl_scan_row_start(s, kind, &c, y, (uint8_t)(~row[0] >> 56));
    for (uint32_t i = 0; i < s->row_words; i++)
        pl_scan_word(s, kind, &c, i, ~row[i], above ? ~above[i] : 0, can_copy);
    s->cursor = c;
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
    const uint64_t *row = pl_bitmap_row(&grey->black, y);
    const uint8_t *start = pl_grey_shades(grey, y, 0);
    pl_scan_row_start(s, kind, &c, y, start ? start[0] : row[0] >> 63 ? 0 : 255);
    for (uint32_t i = 0; i < grey->black.stride; i++) {
        const uint8_t *shades = pl_grey_shades(grey, y, i);
        uint32_t first = i * 8, end = PL_MIN(first + 8, s->row_words);
        uint8_t *p = s->line + PL_SCAN_KEEP + 1 + (size_t)i * PL_GREY_GROUP;
        if (can_copy && !shades && !pl_grey_shades(grey, y - 1, i) && row[i] == (row - grey->black.stride)[i]) {
            uint32_t here = PL_MIN(PL_GREY_GROUP, s->row_bytes - i * PL_GREY_GROUP);
            pl_scan_above(s, kind, &c, p + here, here);
            continue;
        }
        for (uint32_t k = first; k < end; k++, p += 8) {
            uint64_t new = shades ? pl_load_be64(shades + (size_t)(k - first) * 8)
                                  : pl_grey_eight((uint8_t)(row[i] >> (56 - 8 * (k - first))));
            pl_scan_word(s, kind, &c, k, new, y > 0 ? pl_load_be64(p) : 0, can_copy);
        }
    }
    s->cursor = c;
}

#endif
