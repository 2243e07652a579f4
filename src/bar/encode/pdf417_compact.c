// PDF417: bytes to codewords. Blocks of text, digits and bytes, merged where a latch would cost more than it saves.
#include "bar/encode/pdf417_parts.h"

enum {
    LATCH_TEXT = 900,
    LATCH_BYTES = 901,
    LATCH_NUMERIC = 902,
    SHIFT_BYTE = 913,
    LATCH_BYTES_BY_SIX = 924,
    MAX_DIGITS = 44,
};

enum kind { TEXT, NUMERIC, BYTES };

struct block {
    uint32_t length;
    enum kind kind;
};

static enum kind kind_of(uint8_t c)
{
    if (pl_is_digit(c))
        return NUMERIC;
    return (c >= 0x20 && c <= 0x7E) || c == '\t' || c == '\n' || c == '\r' ? TEXT : BYTES;
}

static uint32_t find_blocks(struct pl_slice data, struct block *blocks)
{
    uint32_t count = 0;
    for (size_t i = 0; i < data.len; i++) {
        enum kind kind = kind_of(data.ptr[i]);
        if (count > 0 && blocks[count - 1].kind == kind && (kind != NUMERIC || blocks[count - 1].length < MAX_DIGITS))
            blocks[count - 1].length++;
        else
            blocks[count++] = (struct block){1, kind};
    }
    return count;
}

static uint32_t merge(struct block *blocks, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kept > 0 && blocks[i].kind == blocks[kept - 1].kind && blocks[i].kind != NUMERIC)
            blocks[kept - 1].length += blocks[i].length;
        else
            blocks[kept++] = blocks[i];
    }
    return kept;
}

// What a block of digits becomes between its neighbours.
static enum kind judge_digits(const struct block *blocks, uint32_t count, uint32_t i)
{
    uint32_t length = blocks[i].length;
    bool first = i == 0, last = i + 1 == count;
    if (first && last)
        return NUMERIC;
    if (first || last) {
        enum kind neighbour = first ? blocks[1].kind : blocks[i - 1].kind;
        if (neighbour == TEXT && length < (first ? 8 : 7))
            return TEXT;
        return neighbour == BYTES && length == 1 ? BYTES : NUMERIC;
    }
    enum kind before = blocks[i - 1].kind, after = blocks[i + 1].kind;
    if (before == BYTES)
        return length < 4 && after != NUMERIC ? after : NUMERIC;
    if (after == BYTES)
        return before == TEXT && length < 5 ? TEXT : NUMERIC;
    return after == TEXT && length < 8 ? TEXT : NUMERIC;
}

// The same by length alone. MicroPDF417 has digits alone in a numeric block, however few they are.
static enum kind judge_digits_by_length(const struct block *blocks, uint32_t count, uint32_t i, uint32_t least,
                                        bool micro)
{
    enum { LEAST_ALONE = 8 };
    bool goes_on = i > 0 && blocks[i - 1].kind == NUMERIC; // more digits than a block has
    if (count == 1)
        least = micro ? 1 : LEAST_ALONE;
    return goes_on || blocks[i].length >= least ? NUMERIC : TEXT;
}

static enum kind judge_text(const struct block *blocks, uint32_t count, uint32_t i)
{
    if (i == 0)
        return TEXT;
    bool before = blocks[i - 1].kind == BYTES;
    if (i + 1 == count)
        return before && blocks[i].length == 1 ? BYTES : TEXT;
    bool after = blocks[i + 1].kind == BYTES;
    uint32_t limit = before && after ? 5 : before || after ? 3 : 0;
    return blocks[i].length < limit ? BYTES : TEXT;
}

static void put_numeric(struct pl_slice digits, struct pl_pdf_words *out)
{
    // '1' and the digits as one number, in base 10^9, divided down to base 900.
    uint32_t limbs[6] = {0}, limb_count = 0;
    uint16_t words[16];
    uint32_t word_count = 0;
    uint32_t lead = (uint32_t)(digits.len % 9);
    uint32_t limb = 1;
    size_t at = 0;
    for (uint32_t i = 0; i < lead; i++)
        limb = 10 * limb + digits.ptr[at++] - '0';
    limbs[limb_count++] = limb;
    while (at < digits.len) {
        limb = 0;
        for (uint32_t i = 0; i < 9; i++)
            limb = 10 * limb + digits.ptr[at++] - '0';
        limbs[limb_count++] = limb;
    }
    bool more = true;
    while (more) {
        uint64_t rest = 0;
        more = false;
        for (uint32_t i = 0; i < limb_count; i++) {
            uint64_t value = rest * 1000000000u + limbs[i];
            limbs[i] = (uint32_t)(value / 900);
            rest = value % 900;
            more = more || limbs[i] != 0;
        }
        words[word_count++] = (uint16_t)rest;
    }
    while (word_count > 0)
        pl_pdf_put(out, words[--word_count]);
}

// Some write the latch once for all groups of digits that follow each other.
static void put_digits(struct pl_slice digits, bool goes_on, struct pl_pdf_words *out)
{
    if (!goes_on || !out->rules.least_digits)
        pl_pdf_put(out, LATCH_NUMERIC);
    put_numeric(digits, out);
}

static void put_bytes(struct pl_slice bytes, bool after_text, struct pl_pdf_words *out)
{
    if (bytes.len == 1 && after_text) {
        pl_pdf_put(out, SHIFT_BYTE);
        pl_pdf_put(out, bytes.ptr[0]);
        return;
    }
    pl_pdf_put(out, bytes.len % 6 == 0 ? LATCH_BYTES_BY_SIX : LATCH_BYTES);
    size_t at = 0;
    for (; at + 6 <= bytes.len && !out->overflow; at += 6) {
        uint64_t value = 0;
        for (int i = 0; i < 6; i++)
            value = value << 8 | bytes.ptr[at + (size_t)i];
        uint16_t words[5];
        for (int i = 4; i >= 0; i--) {
            words[i] = (uint16_t)(value % 900);
            value /= 900;
        }
        for (int i = 0; i < 5; i++)
            pl_pdf_put(out, words[i]);
    }
    for (; at < bytes.len && !out->overflow; at++)
        pl_pdf_put(out, bytes.ptr[at]);
}

enum pl_errc pl_pdf_compact(struct pl_slice data, bool micro, struct pl_arena *arena, struct pl_pdf_words *out,
                            struct pl_error *err)
{
    // Three digits a codeword is the most that any compaction reaches; more is not worth looking at.
    if (data.len > 3u * PL_PDF_MAX_WORDS) {
        out->overflow = true;
        return PL_OK;
    }
    struct pl_arena_mark mark = pl_arena_mark(arena);
    struct block *blocks = PL_ARENA_ARRAY(arena, struct block, data.len + 1);
    if (blocks == NULL)
        return pl_fail_memory(err);
    uint32_t count = find_blocks(data, blocks);
    for (uint32_t i = 0; i < count; i++)
        if (blocks[i].kind == NUMERIC)
            blocks[i].kind = out->rules.least_digits
                                 ? judge_digits_by_length(blocks, count, i, out->rules.least_digits, micro)
                                 : judge_digits(blocks, count, i);
    count = merge(blocks, count);
    for (uint32_t i = 0; i < count; i++)
        if (blocks[i].kind == TEXT)
            blocks[i].kind = judge_text(blocks, count, i);
    count = merge(blocks, count);
    size_t at = 0;
    for (uint32_t i = 0; i < count && !out->overflow; i++) {
        struct pl_slice part = pl_slice_sub(data, at, blocks[i].length);
        at += part.len;
        if (blocks[i].kind == NUMERIC) {
            put_digits(part, i > 0 && blocks[i - 1].kind == NUMERIC, out);
        } else if (blocks[i].kind == BYTES) {
            put_bytes(part, i == 0 || blocks[i - 1].kind == TEXT, out);
        } else {
            if (i > 0 || micro)
                pl_pdf_put(out, LATCH_TEXT);
            pl_pdf_put_text(part, out);
        }
    }
    pl_arena_release(arena, mark);
    return PL_OK;
}
