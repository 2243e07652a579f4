// Linear symbologies that zxing-cpp does not read: Code 11, Industrial and Standard 2 of 5, MSI, Plessey, and the
// two and five digits beside EAN and UPC. Widths are those of one scan line.
#include "check/readers.h"

// The pattern of some elements as bits, the first in the highest; `step` 2: bars only.
static uint32_t pattern(const struct pl_read_runs *runs, uint32_t at, uint32_t count, uint32_t step, uint32_t module)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < count; i++)
        bits = bits << 1 | pl_read_is_wide(runs->widths[at + i * step], module);
    return bits;
}

static int index_of(const uint8_t *table, int count, uint32_t value)
{
    for (int i = 0; i < count; i++)
        if (table[i] == value)
            return i;
    return -1;
}

// Five elements and a narrow gap; start and stop are 00110.
bool pl_read_code11(const struct pl_read_runs *runs, uint32_t module, struct pl_read_text *out)
{
    static const uint8_t patterns[11] = {1, 17, 9, 24, 5, 20, 12, 3, 18, 16, 4};
    uint32_t characters = (runs->count + 1) / 6;
    if ((runs->count + 1) % 6 != 0 || characters < 3)
        return false;
    for (uint32_t i = 0; i < characters; i++) {
        uint32_t bits = pattern(runs, i * 6, 5, 1, module);
        int value = index_of(patterns, 11, bits);
        if (i + 1 < characters && pl_read_is_wide(runs->widths[i * 6 + 5], module))
            return false;
        if (i == 0 || i + 1 == characters) {
            if (bits != 6)
                return false;
        } else if (value < 0) {
            return false;
        } else {
            pl_read_put(out, (uint32_t) "0123456789-"[value]);
        }
    }
    return true;
}

// Digits of five bars with two wide ones between a start and a stop of some bars; spaces say nothing.
static bool read_2of5(const struct pl_read_runs *runs, uint32_t module, uint32_t frame, uint32_t start, uint32_t stop,
                      struct pl_read_text *out)
{
    static const uint8_t digits[10] = {6, 17, 9, 24, 5, 20, 12, 3, 18, 10};
    uint32_t bars = (runs->count + 1) / 2;
    if (bars < 2 * frame + 5 || (bars - 2 * frame) % 5 != 0)
        return false;
    if (pattern(runs, 0, frame, 2, module) != start || pattern(runs, (bars - frame) * 2, frame, 2, module) != stop)
        return false;
    for (uint32_t i = 1; i < runs->count; i += 2)
        if (pl_read_is_wide(runs->widths[i], module))
            return false;
    for (uint32_t at = frame; at < bars - frame; at += 5) {
        int digit = index_of(digits, 10, pattern(runs, at * 2, 5, 2, module));
        if (digit < 0)
            return false;
        pl_read_put(out, '0' + (uint32_t)digit);
    }
    return true;
}

bool pl_read_industrial_2of5(const struct pl_read_runs *runs, uint32_t module, struct pl_read_text *out)
{
    return read_2of5(runs, module, 3, 6, 5, out);
}

bool pl_read_standard_2of5(const struct pl_read_runs *runs, uint32_t module, struct pl_read_text *out)
{
    return read_2of5(runs, module, 2, 0, 2, out);
}

// A bit is a bar and a space, wide and narrow or narrow and wide: 1, 0, or -1.
static int bit_at(const struct pl_read_runs *runs, uint32_t at, uint32_t module)
{
    uint32_t pair = pattern(runs, at, 2, 1, module);
    return pair == 2 ? 1 : pair == 1 ? 0 : -1;
}

// Start 1, four bits a digit, and narrow wide narrow at the end. Check digits are among the digits.
bool pl_read_msi(const struct pl_read_runs *runs, uint32_t module, struct pl_read_text *out)
{
    if (runs->count < 2 + 8 + 3 || (runs->count - 5) % 8 != 0)
        return false;
    if (bit_at(runs, 0, module) != 1 || pattern(runs, runs->count - 3, 3, 1, module) != 2)
        return false;
    for (uint32_t at = 2; at < runs->count - 3; at += 8) {
        uint32_t digit = 0;
        for (uint32_t i = 0; i < 4; i++) {
            int bit = bit_at(runs, at + 2 * i, module);
            if (bit < 0)
                return false;
            digit = digit << 1 | (uint32_t)bit;
        }
        if (digit > 9)
            return false;
        pl_read_put(out, '0' + digit);
    }
    return true;
}

// Start 1101, four bits a digit with the lowest first, eight bits of remainder, the grown bar, and 0011 from behind.
bool pl_read_plessey(const struct pl_read_runs *runs, uint32_t module, struct pl_read_text *out)
{
    enum { START = 8, STOP = 9, CHECK = 8 };
    uint8_t bits[PL_READ_MAX_RUNS / 2];
    uint32_t count = 0;
    if (runs->count < START + 8 + 2 * CHECK + STOP || (runs->count - START - STOP) % 8 != 0)
        return false;
    for (uint32_t at = 0; at < runs->count - STOP; at += 2) {
        int bit = bit_at(runs, at, module);
        if (bit < 0)
            return false;
        bits[count++] = (uint8_t)bit;
    }
    if (bits[0] != 1 || bits[1] != 1 || bits[2] != 0 || bits[3] != 1)
        return false;
    uint32_t data = count - CHECK;
    for (uint32_t at = 4; at < data; at += 4)
        pl_read_put(
            out, (uint32_t) "0123456789ABCDEF"[bits[at] | bits[at + 1] << 1 | bits[at + 2] << 2 | bits[at + 3] << 3]);
    // The bits with their remainder are a multiple of x^8+x^7+x^6+x^5+x^3+1.
    static const uint8_t generator[9] = {1, 1, 1, 1, 0, 1, 0, 0, 1};
    for (uint32_t i = 4; i < data; i++)
        for (uint32_t k = 0; bits[i] && k < 9; k++)
            if (k)
                bits[i + k] ^= generator[k];
    for (uint32_t i = data; i < count; i++)
        if (bits[i])
            return false;
    return true;
}

// Widths of L digits, space first; G digits are the same backwards.
static const uint16_t ean_digits[10] = {0x3211, 0x2221, 0x2122, 0x1411, 0x1132, 0x1231, 0x1114, 0x1312, 0x1213, 0x3112};

bool pl_read_extension(const struct pl_read_runs *runs, uint32_t module, struct pl_read_text *out)
{
    // Which of five digits are G, by the check sum.
    static const uint8_t parities[10] = {24, 20, 18, 17, 12, 6, 3, 10, 9, 5};
    uint8_t w[31], digits[5];
    uint32_t count = pl_read_modules(runs, module, w, sizeof w), n = count == 13 ? 2 : count == 31 ? 5 : 0, parity = 0;
    if (n == 0 || w[0] != 1 || w[1] != 1 || w[2] != 2)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const uint8_t *e = w + 3 + 6 * i;
        uint32_t left = (uint32_t)(e[0] << 12 | e[1] << 8 | e[2] << 4 | e[3]);
        uint32_t back = (uint32_t)(e[3] << 12 | e[2] << 8 | e[1] << 4 | e[0]), digit = 0;
        while (digit < 10 && ean_digits[digit] != left && ean_digits[digit] != back)
            digit++;
        if (digit == 10 || (i + 1 < n && (e[4] != 1 || e[5] != 1)))
            return false;
        parity = parity << 1 | (ean_digits[digit] == back);
        digits[i] = (uint8_t)digit;
    }
    uint32_t odd = n == 5 ? (uint32_t)digits[0] + digits[2] + digits[4] : 0u;
    uint32_t even = n == 5 ? (uint32_t)digits[1] + digits[3] : 0u;
    if (parity != (n == 2 ? (digits[0] * 10u + digits[1]) % 4 : parities[(3 * odd + 9 * even) % 10]))
        return false;
    for (uint32_t i = 0; i < n; i++)
        pl_read_put(out, '0' + (uint32_t)digits[i]);
    return true;
}
