// Reads CODABLOCK symbols from the widths of their elements, with all their checks.
#include <string.h>

#include "bar/encode/codablock.h"
#include "bar/encode/code128.h"
#include "decode.h"

static bool give(struct decoded *out, uint32_t c)
{
    if (out->count >= out->cap)
        return false;
    out->chars[out->count++] = (uint16_t)c;
    return true;
}

// The symbol characters of a row of Code 128, the last of them the stop pattern; 0: not valid.
static uint32_t read_code128(const uint8_t *widths, uint32_t elements, uint8_t *values)
{
    uint32_t count = 0;
    for (uint32_t at = 0; at < elements; count++) {
        uint32_t size = elements - at == 7 ? 7 : 6, pattern = 0, value = 0;
        for (uint32_t i = 0; i < size; i++)
            for (uint32_t k = 0; k < widths[at + i]; k++)
                pattern = pattern << 1 | (i % 2 == 0);
        at += size;
        while (value <= 106 && pl_code128_pattern(value) != pattern)
            value++;
        if (value > 106)
            return 0;
        values[count] = (uint8_t)value;
    }
    return count;
}

static uint32_t number_of(uint32_t value, bool set_c)
{
    if (set_c)
        return value;
    return value >= 64 ? value - 64 : value < 16 ? value + 32 : value + 22;
}

// One character of a row in subset A, B or C, or a change of subset.
static bool read_value(uint32_t v, char *set, struct decoded *out)
{
    if (*set == 'C') {
        if (v < 100)
            return give(out, '0' + v / 10) && give(out, '0' + v % 10);
        if (v == 102)
            return give(out, 128);
        *set = v == 100 ? 'B' : 'A';
        return v == 100 || v == 101;
    }
    if (v == 99) {
        *set = 'C';
        return true;
    }
    if (v == (*set == 'A' ? 100u : 101u)) {
        *set = *set == 'A' ? 'B' : 'A';
        return true;
    }
    if (v >= 96)
        return v == 102  ? give(out, 128)
               : v == 97 ? give(out, 129)
               : v == 96 ? give(out, 130)
                         : v == (*set == 'A' ? 101u : 100u) && give(out, 131);
    return give(out, *set == 'A' && v >= 64 ? v - 64 : v + 32);
}

static bool decode_f(const struct pl_codablock *symbol, struct decoded *out)
{
    uint32_t checks[2] = {0, 0}, first = 0, second = 0;
    for (uint32_t row = 0; row < symbol->rows; row++) {
        uint8_t v[128];
        uint32_t count = read_code128(symbol->widths + (size_t)row * symbol->elements, symbol->elements, v), sum = 103;
        if (count < 6 || v[0] != 103 || v[count - 1] != 106)
            return false;
        for (uint32_t i = 1; i < count - 2; i++)
            sum += i * v[i];
        char set = v[1] == 99 ? 'C' : v[1] == 100 ? 'B' : 'A';
        if (sum % 103 != v[count - 2] || number_of(v[2], set == 'C') != (row == 0 ? symbol->rows - 2 : row + 42))
            return false;
        uint32_t end = count - 2 - (row + 1 == symbol->rows ? 2 : 0);
        for (uint32_t i = 3; i < end; i++)
            if (!read_value(v[i], &set, out))
                return false;
        for (uint32_t i = 0; end < count - 2 && i < 2; i++)
            checks[i] = number_of(v[end + i], set == 'C');
    }
    for (size_t i = 0; i < out->count; i++) {
        first = (first + (uint32_t)(i + 1) * out->chars[i]) % 86;
        second = (second + (uint32_t)i * out->chars[i]) % 86;
    }
    return first == checks[0] && second == checks[1];
}

// Nine elements, three of them wide; the value in Code 39's order, or 44.
static uint32_t read_code39(const uint8_t *widths)
{
    static const char *const PATTERNS[44] = {
        "111221211", "211211112", "112211112", "212211111", "111221112", "211221111", "112221111", "111211212",
        "211211211", "112211211", "211112112", "112112112", "212112111", "111122112", "211122111", "112122111",
        "111112212", "211112211", "112112211", "111122211", "211111122", "112111122", "212111121", "111121122",
        "211121121", "112121121", "111111222", "211111221", "112111221", "111121221", "221111112", "122111112",
        "222111111", "121121112", "221121111", "122121111", "121111212", "221111211", "122111211", "121212111",
        "121211121", "121112121", "111212121", "121121211"};
    uint32_t value = 0;
    for (; value < 44; value++) {
        int i = 0;
        while (i < 9 && PATTERNS[value][i] == '0' + widths[i])
            i++;
        if (i == 9)
            break;
    }
    return value;
}

static bool decode_a(const struct pl_codablock *symbol, bool checks, struct decoded *out)
{
    static const char ALPHABET[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%";
    uint32_t chars = (symbol->elements + 1) / 10, last = chars - (symbol->rows == 1 ? 1 : 2);
    static uint8_t values[64 * 22];
    size_t count = 0;
    for (uint32_t row = 0; row < symbol->rows; row++) {
        for (uint32_t i = 0; i < chars; i++) {
            uint32_t v = read_code39(symbol->widths + (size_t)row * symbol->elements + 10 * (size_t)i);
            bool edge = i == 0 || i == chars - 1, indicator = i == 1 || (i == last && symbol->rows > 1);
            if (edge ? v != 43 : indicator ? v != (row == 0 ? 20 + symbol->rows : row - 1) : v > 42)
                return false;
            if (!edge && !indicator)
                values[count++] = (uint8_t)v;
        }
    }
    if (checks && symbol->rows > 1) {
        uint16_t first = 0, second = 0; // they wrap
        count -= 2;
        for (size_t i = 0; i < count; i++) {
            first = (uint16_t)(first + (i + 1) * values[i]);
            second = (uint16_t)(second + i * values[i]);
        }
        if (values[count] != first % 43 || values[count + 1] != second % 43)
            return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!give(out, (uint8_t)ALPHABET[values[i]]))
            return false;
    return true;
}

bool decode_codablock(const struct pl_codablock *symbol, char mode, bool checks, struct decoded *out)
{
    out->count = 0;
    return mode == 'A' ? decode_a(symbol, checks, out) : decode_f(symbol, out);
}
