// Reads PDF417 and MicroPDF417 symbols from their modules: rows, check words, the three compactions.
#include <string.h>

#include "bar/encode/pdf417_parts.h"
#include "decode.h"

enum { PRIME = 929, UNKNOWN = 0xFFFF };

static uint32_t bits_at(const struct pl_bitmap *m, uint32_t row, uint32_t x, uint32_t count)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; i++)
        value = value << 1 | pl_bitmap_get(m, x + i, row);
    return value;
}

// The codeword of 17 modules in a cluster, or UNKNOWN.
static uint32_t word_of(uint32_t pattern, uint32_t cluster)
{
    static uint16_t of[3][1 << 17];
    static bool ready;
    if (!ready) {
        memset(of, 0xFF, sizeof of);
        for (uint32_t c = 0; c < 3; c++)
            for (uint32_t i = 0; i < PRIME; i++)
                of[c][pl_pdf_patterns[c][i]] = (uint16_t)i;
        ready = true;
    }
    return of[cluster][pattern & 0x1FFFF];
}

// The words, data first, are a polynomial that is 0 at 3, 9, 27, … as often as there are checks.
static bool checks_hold(const uint16_t *words, uint32_t total, uint32_t checks)
{
    uint32_t root = 1;
    for (uint32_t i = 0; i < checks; i++) {
        uint32_t value = 0;
        root = root * 3 % PRIME;
        for (uint32_t k = 0; k < total; k++)
            value = (value * root + words[k]) % PRIME;
        if (value)
            return false;
    }
    return true;
}

struct reader {
    const uint16_t *words;
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

static void read_text(struct reader *r)
{
    enum { UPPER, LOWER, MIXED, PUNCTUATION } table = UPPER, back = UPPER;
    static const char MIXED_CHARS[] = "0123456789&\r\t,:#-.$/+%*=^",
                      PUNCTUATION_CHARS[] = ";<>@[\\]_`~!\r\t,:\n-.$/\"|*()?{}'";
    bool shifted = false;
    while (r->at < r->end && (r->words[r->at] < 900 || r->words[r->at] == 913)) {
        uint32_t word = r->words[r->at++];
        if (word == 913) { // one byte; the table stays
            give(r, r->at < r->end ? r->words[r->at++] : 0);
            continue;
        }
        uint32_t values[2] = {word / 30, word % 30};
        for (int i = 0; i < 2; i++) {
            uint32_t v = values[i];
            bool was_shifted = shifted;
            shifted = false;
            switch (table) {
            case UPPER:
                if (v < 26)
                    give(r, 'A' + v);
                else if (v == 26)
                    give(r, ' ');
                else if (v == 29) {
                    back = table;
                    table = PUNCTUATION;
                    shifted = true;
                    continue;
                } else
                    table = v == 27 ? LOWER : MIXED;
                break;
            case LOWER:
                if (v < 26)
                    give(r, 'a' + v);
                else if (v == 26)
                    give(r, ' ');
                else if (v == 28)
                    table = MIXED;
                else {
                    back = table;
                    table = v == 27 ? UPPER : PUNCTUATION;
                    shifted = true;
                    continue;
                }
                break;
            case MIXED:
                if (v < 25)
                    give(r, (uint8_t)MIXED_CHARS[v]);
                else if (v == 26)
                    give(r, ' ');
                else if (v == 29) {
                    back = table;
                    table = PUNCTUATION;
                    shifted = true;
                    continue;
                } else
                    table = v == 25 ? PUNCTUATION : v == 27 ? LOWER : UPPER;
                break;
            case PUNCTUATION:
                if (v < 29)
                    give(r, (uint8_t)PUNCTUATION_CHARS[v]);
                else if (!was_shifted)
                    table = UPPER;
                break;
            }
            if (was_shifted)
                table = back;
        }
    }
}

static void read_bytes(struct reader *r, bool by_six)
{
    uint32_t count = 0;
    while (r->at + count < r->end && r->words[r->at + count] < 900)
        count++;
    uint32_t groups = count / 5;
    if (!by_six && count % 5 == 0 && groups > 0)
        groups--; // the last five stand for a byte each
    for (uint32_t g = 0; g < groups; g++) {
        uint64_t value = 0;
        for (int i = 0; i < 5; i++)
            value = value * 900 + r->words[r->at++];
        for (int i = 5; i >= 0; i--)
            give(r, value >> (8 * i) & 255);
    }
    for (uint32_t i = groups * 5; i < count; i++) {
        if (r->words[r->at] > 255)
            r->bad = true;
        give(r, r->words[r->at++]);
    }
}

static void read_numeric(struct reader *r)
{
    uint32_t count = 0;
    uint8_t digits[48] = {0}; // of the group, the lowest first
    while (r->at + count < r->end && r->words[r->at + count] < 900 && count < 15)
        count++;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t carry = r->words[r->at++];
        for (size_t k = 0; k < sizeof digits; k++) {
            carry += digits[k] * 900u;
            digits[k] = carry % 10;
            carry /= 10;
        }
    }
    size_t top = sizeof digits;
    while (top > 0 && digits[top - 1] == 0)
        top--;
    if (top == 0 || digits[top - 1] != 1) {
        r->bad = true;
        return;
    }
    while (--top > 0)
        give(r, '0' + digits[top - 1]);
}

static void read_words(struct reader *r, bool micro)
{
    if (!micro)
        read_text(r);
    while (r->at < r->end && !r->bad) {
        switch (r->words[r->at++]) {
        case 900:
            read_text(r);
            break;
        case 901:
            read_bytes(r, false);
            break;
        case 924:
            read_bytes(r, true);
            break;
        case 902:
            read_numeric(r);
            break;
        case 913: // outside of text it stands before the first byte of a symbol
            give(r, r->at < r->end ? r->words[r->at++] : 0);
            read_text(r);
            break;
        case 918: // linked
            break;
        default:
            r->bad = true;
        }
    }
}

bool decode_pdf417(const struct pl_bitmap *m, bool truncated, struct decoded *out)
{
    static uint16_t words[2800];
    uint32_t frame = truncated ? 35 : 69, columns = (m->width - frame) / 17, total = 0, facts[3] = {0, 0, 0};
    out->count = 0;
    if (m->width <= frame || (m->width - frame) % 17 || columns > 30 || m->height < 3 || m->height > 90)
        return false;
    for (uint32_t row = 0; row < m->height; row++) {
        uint32_t left = word_of(bits_at(m, row, 17, 17), row % 3);
        if (bits_at(m, row, 0, 17) != 0x1FEA8 || left == UNKNOWN || left / 30 != row / 3)
            return false;
        if (row < 3)
            facts[row] = left % 30;
        if (left % 30 != facts[row % 3])
            return false;
        for (uint32_t i = 0; i < columns; i++) {
            uint32_t word = word_of(bits_at(m, row, 34 + 17 * i, 17), row % 3);
            if (word == UNKNOWN)
                return false;
            words[total++] = (uint16_t)word;
        }
        uint32_t x = 34 + 17 * columns;
        if (truncated ? !pl_bitmap_get(m, x, row) : bits_at(m, row, x + 17, 18) != 0x3FA29)
            return false;
        if (!truncated) {
            uint32_t right = word_of(bits_at(m, row, x, 17), row % 3);
            if (right / 30 != row / 3 || (row >= 1 && right % 30 != facts[(row + 2) % 3] && row > 2))
                return false;
        }
    }
    uint32_t checks = 2u << facts[1] / 3;
    if (facts[0] * 3 + facts[1] % 3 + 1 != m->height || facts[2] + 1 != columns || checks >= total)
        return false;
    struct reader r = {.words = words, .at = 1, .end = words[0], .out = out};
    if (words[0] != total - checks || !checks_hold(words, total, checks))
        return false;
    read_words(&r, false);
    return !r.bad;
}

bool decode_micropdf417(const struct pl_bitmap *m, struct decoded *out)
{
    static const uint8_t CHECKS[][3] = {{1, 11, 7},  {1, 14, 7},  {1, 17, 7},  {1, 20, 8},  {1, 24, 8},  {1, 28, 8},
                                        {2, 8, 8},   {2, 11, 9},  {2, 14, 9},  {2, 17, 10}, {2, 20, 11}, {2, 23, 13},
                                        {2, 26, 15}, {3, 6, 12},  {3, 8, 14},  {3, 10, 16}, {3, 12, 18}, {3, 15, 21},
                                        {3, 20, 26}, {3, 26, 32}, {3, 32, 38}, {3, 38, 44}, {3, 44, 50}, {4, 6, 12},
                                        {4, 8, 14},  {4, 10, 16}, {4, 12, 18}, {4, 15, 21}, {4, 20, 26}, {4, 26, 32},
                                        {4, 32, 38}, {4, 38, 44}, {4, 44, 50}, {4, 4, 8}};
    uint16_t words[44 * 4];
    uint32_t columns = m->width == 38 ? 1 : m->width == 55 ? 2 : m->width == 82 ? 3 : m->width == 99 ? 4 : 0;
    uint32_t checks = 0, total = 0, cluster = 0;
    out->count = 0;
    for (size_t i = 0; i < sizeof CHECKS / sizeof *CHECKS; i++)
        if (CHECKS[i][0] == columns && CHECKS[i][1] == m->height)
            checks = CHECKS[i][2];
    if (!checks)
        return false;
    while (cluster < 3 && word_of(bits_at(m, 0, 10, 17), cluster) == UNKNOWN)
        cluster++;
    for (uint32_t row = 0; row < m->height; row++) {
        uint32_t x = 10;
        for (uint32_t i = 0; i < columns; i++) {
            x += columns > 2 && i == columns - 2 ? 10 : 0;
            uint32_t word = cluster < 3 ? word_of(bits_at(m, row, x, 17), (cluster + row) % 3) : UNKNOWN;
            if (word == UNKNOWN)
                return false;
            words[total++] = (uint16_t)word;
            x += 17;
        }
        if (x + 11 != m->width || !pl_bitmap_get(m, x + 10, row))
            return false;
    }
    struct reader r = {.words = words, .end = total - checks, .out = out};
    if (!checks_hold(words, total, checks))
        return false;
    read_words(&r, true);
    return !r.bad;
}
