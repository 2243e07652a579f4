// Reads Code 49 symbols from their modules: words and their parities, checks, modes, shifts, digits.
#include <string.h>

#include "bar/encode/code49_patterns.h"
#include "decode.h"

enum { UNKNOWN = 0xFFFF, NUMERIC = 48 };

// The word of 16 modules of a parity (1: even), or UNKNOWN.
static uint32_t word_of(uint32_t pattern, uint32_t even)
{
    static uint16_t of[2][1 << 16];
    static bool ready;
    if (!ready) {
        memset(of, 0xFF, sizeof of);
        for (uint32_t p = 0; p < 2; p++)
            for (uint32_t i = 0; i < PL_CODE49_WORDS; i++)
                of[p][pl_code49_patterns[p][i]] = (uint16_t)i;
        ready = true;
    }
    return of[even][pattern];
}

static bool give(struct decoded *out, uint32_t c)
{
    if (out->count >= out->cap)
        return false;
    out->chars[out->count++] = (uint16_t)c;
    return true;
}

static bool give_number(struct decoded *out, uint32_t value, uint32_t digits)
{
    for (uint32_t unit = digits == 5 ? 10000 : digits == 4 ? 1000 : digits == 3 ? 100 : 1; unit > 0; unit /= 10)
        if (!give(out, '0' + value / unit % 10))
            return false;
    return true;
}

// Digits up to the next numeric shift, by threes; what is left over is three digits or one.
static bool read_digits(const uint8_t *chars, uint32_t count, struct decoded *out)
{
    for (; count >= 3; chars += 3, count -= 3) {
        uint32_t value = (uint32_t)chars[0] * 48 * 48 + (uint32_t)chars[1] * 48 + chars[2];
        if (!(value < 100000 ? give_number(out, value, 5) : value < 110000 && give_number(out, value - 100000, 4)))
            return false;
    }
    if (count == 2)
        return give_number(out, (uint32_t)chars[0] * 48 + chars[1], 3);
    return count == 0 || give_number(out, chars[0], 1);
}

static bool read_chars(const uint8_t *chars, uint32_t count, uint32_t mode, struct decoded *out)
{
    static const char PLAIN[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%";
    static const char SHIFTED[2][44] = {
        "'\33\34\35\36\37!\"#&\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23\24\25\26\27\30\31\32()\0*,:",
        "^;<=>?@[\\]abcdefghijklmnopqrstuvwxyz_`\177{|}~"};
    int shift = mode == 4 ? 0 : mode == 5 ? 1 : -1;
    bool numeric = mode == 2;
    for (uint32_t i = 0; i < count;) {
        if (numeric) {
            uint32_t n = 0;
            while (i + n < count && chars[i + n] != NUMERIC)
                n++;
            if (!read_digits(chars + i, n, out))
                return false;
            i += n + 1;
            numeric = false;
            continue;
        }
        uint32_t c = chars[i++];
        if (c == NUMERIC) {
            numeric = true;
        } else if (c >= 45) {
            continue; // reserved
        } else if (c >= 43) {
            shift = (int)c - 43;
        } else {
            if (!give(out, (uint8_t)(shift < 0 ? PLAIN[c] : SHIFTED[shift][c])))
                return false;
            shift = -1;
        }
    }
    return true;
}

bool decode_code49(const struct pl_bitmap *m, struct decoded *out)
{
    static const uint8_t EVEN[8] = {0x6, 0xA, 0x3, 0xC, 0x5, 0x9, 0x0, 0xF};
    uint8_t chars[8 * 7];
    uint32_t count = 0, rows = m->height, mode = 0;
    out->count = 0;
    if (m->width != 70 || rows < 2 || rows > 8)
        return false;
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t even = row + 1 == rows ? 0xF : EVEN[row], sum = 0;
        uint8_t values[8];
        if (!pl_bitmap_get(m, 0, row) || pl_bitmap_get(m, 1, row) || !pl_bitmap_get(m, 66, row) ||
            !pl_bitmap_get(m, 69, row))
            return false;
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t pattern = 0;
            for (uint32_t x = 0; x < 16; x++)
                pattern = pattern << 1 | pl_bitmap_get(m, 2 + 16 * i + x, row);
            uint32_t word = word_of(pattern, even >> (3 - i) & 1);
            if (word == UNKNOWN)
                return false;
            values[2 * i] = (uint8_t)(word / PL_CODE49_BASE);
            values[2 * i + 1] = (uint8_t)(word % PL_CODE49_BASE);
        }
        for (uint32_t i = 0; i < 7; i++)
            sum += values[i];
        if (sum % PL_CODE49_BASE != values[7])
            return false;
        // The last row has two characters of the data, or none in large symbols; then checks, and rows and mode.
        uint32_t data = row + 1 < rows ? 7 : rows <= 6 ? 2 : 0;
        memcpy(chars + count, values, data);
        count += data;
        if (row + 1 == rows) {
            mode = values[6] % 7;
            if (values[6] / 7 + 2u != rows)
                return false;
        }
    }
    return read_chars(chars, count, mode, out);
}
