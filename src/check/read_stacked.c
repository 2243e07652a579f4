// Stacked symbologies whose rows tell by themselves which they are: Code 49, CODABLOCK F, E and A. Every scan line is
// tried; those between rows, and those that something else crosses, are no rows.
#include "bar/encode/code128.h"
#include "bar/encode/code49_patterns.h"
#include "check/readers.h"

enum { MAX_ROWS = 44, MAX_ROW_VALUES = 70, MAX_ELEMENTS = 6 * MAX_ROW_VALUES + 1 };

struct row {
    bool there;
    uint8_t values[MAX_ROW_VALUES];
    uint32_t count;
};

static bool same_as_above(const struct pl_bitmap *crop, uint32_t y)
{
    return y > 0 && pl_read_same_rows(crop, y, y - 1);
}

// ---- Code 49

enum { ROWS49 = 8, NUMERIC = 48 };

static void give_number(struct pl_read_text *out, uint32_t value, uint32_t unit)
{
    for (; unit > 0; unit /= 10)
        pl_read_put(out, '0' + value / unit % 10);
}

// Digits up to the next numeric shift, by threes; what is left over is three digits or one.
static bool read_digits49(const uint8_t *chars, uint32_t count, struct pl_read_text *out)
{
    for (; count >= 3; chars += 3, count -= 3) {
        uint32_t value = (uint32_t)chars[0] * 48 * 48 + (uint32_t)chars[1] * 48 + chars[2];
        if (value >= 110000)
            return false;
        if (value < 100000)
            give_number(out, value, 10000);
        else
            give_number(out, value - 100000, 1000);
    }
    if (count == 2)
        give_number(out, (uint32_t)chars[0] * 48 + chars[1], 100);
    else if (count == 1)
        give_number(out, chars[0], 1);
    return true;
}

static bool read_chars49(const uint8_t *chars, uint32_t count, uint32_t mode, struct pl_read_text *out)
{
    static const char plain[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%";
    static const char shifted[2][44] = {
        "'\33\34\35\36\37!\"#&\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23\24\25\26\27\30\31\32()\0*,:",
        "^;<=>?@[\\]abcdefghijklmnopqrstuvwxyz_`\177{|}~"};
    int shift = mode == 4 ? 0 : mode == 5 ? 1 : -1;
    bool numeric = mode == 2;
    for (uint32_t i = 0; i < count;) {
        if (numeric) {
            uint32_t n = 0;
            while (i + n < count && chars[i + n] != NUMERIC)
                n++;
            if (!read_digits49(chars + i, n, out))
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
            pl_read_put(out, (uint8_t)(shift < 0 ? plain[c] : shifted[shift][c]));
            shift = -1;
        }
    }
    return true;
}

// Which words of a row have even parity, the first in bit 3; the last row has all four.
static const uint8_t even49[ROWS49] = {0x6, 0xA, 0x3, 0xC, 0x5, 0x9, 0x0, 0xF};

// A row of 70 modules: which one, by its parities, or -1.
static int read_row49(const struct pl_bitmap *crop, uint32_t left, uint32_t y, uint32_t module, uint8_t values[8])
{
    uint32_t even = 0, sum = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t pattern = 0, word = PL_CODE49_WORDS, parity = 0;
        for (uint32_t x = 0; x < 16; x++)
            pattern = pattern << 1 | pl_read_module(crop, left + 2 + 16 * i + x, y, module);
        for (; parity < 2 && word == PL_CODE49_WORDS; parity++) {
            word = 0;
            while (word < PL_CODE49_WORDS && pl_code49_patterns[parity][word] != pattern)
                word++;
        }
        if (word == PL_CODE49_WORDS)
            return -1;
        even = even << 1 | (parity - 1);
        values[2 * i] = (uint8_t)(word / PL_CODE49_BASE);
        values[2 * i + 1] = (uint8_t)(word % PL_CODE49_BASE);
    }
    for (uint32_t i = 0; i < 7; i++)
        sum += values[i];
    if (sum % PL_CODE49_BASE != values[7])
        return -1;
    for (int row = 0; row < ROWS49; row++)
        if (even49[row] == even)
            return row;
    return -1;
}

bool pl_read_code49(const struct pl_bitmap *crop, uint32_t module, struct pl_read_text *out)
{
    // The outer separators begin ten modules before the rows.
    const uint32_t left = crop->width / module >= 80 ? 10 : 0;
    uint8_t rows[ROWS49][8], values[8], chars[8 * 7];
    bool there[ROWS49] = {false};
    uint32_t count = 0;
    for (uint32_t y = 0; y < crop->height; y++) {
        int row = same_as_above(crop, y) ? -1 : read_row49(crop, left, y, module, values);
        if (row < 0 || there[row])
            continue;
        there[row] = true;
        memcpy(rows[row], values, sizeof values);
    }
    const uint8_t *end = rows[ROWS49 - 1];
    if (!there[ROWS49 - 1] || end[6] / 7 + 2u > ROWS49)
        return false;
    uint32_t total = end[6] / 7 + 2u;
    for (uint32_t row = 0; row + 1 < total; row++) {
        if (!there[row])
            return false;
        memcpy(chars + count, rows[row], 7);
        count += 7;
    }
    if (total <= 6) { // small symbols have two characters of the data in the last row
        memcpy(chars + count, end, 2);
        count += 2;
    }
    return read_chars49(chars, count, end[6] % 7, out);
}

// ---- CODABLOCK F and E

// The symbol characters of a line of Code 128, the last of them the stop pattern; 0: it is none.
static uint32_t read_code128(const uint8_t *widths, uint32_t elements, uint8_t *values)
{
    uint32_t count = 0;
    if (elements < 7 || elements % 6 != 1)
        return 0;
    for (uint32_t at = 0; at < elements; count++) {
        uint32_t size = elements - at == 7 ? 7 : 6, pattern = 0, length = 0, value = 0;
        for (uint32_t i = 0; i < size; i++) {
            length += widths[at + i];
            for (uint32_t k = 0; k < widths[at + i] && length <= 13; k++)
                pattern = pattern << 1 | (i % 2 == 0);
        }
        at += size;
        while (value <= 106 && pl_code128_pattern(value) != pattern)
            value++;
        if (value > 106 || length != (size == 7 ? 13 : 11) || count == MAX_ROW_VALUES)
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

static void read_value_c(uint32_t v, char *set, struct pl_read_text *out)
{
    if (v < 100) {
        pl_read_put(out, '0' + v / 10);
        pl_read_put(out, '0' + v % 10);
    } else if (v == PL_C128_FNC1) {
        pl_read_put(out, 128);
    } else {
        *set = v == PL_C128_CODE_B ? 'B' : 'A';
    }
}

// The same in subsets A and B; the change to the subset itself is FNC4.
static bool read_value_ab(uint32_t v, char *set, struct pl_read_text *out)
{
    const bool is_a = *set == 'A';
    if (v < 96)
        pl_read_put(out, is_a && v >= 64 ? v - 64 : v + 32);
    else if (v == PL_C128_CODE_C)
        *set = 'C';
    else if (v == (is_a ? PL_C128_CODE_B : PL_C128_CODE_A))
        *set = is_a ? 'B' : 'A';
    else if (v == PL_C128_FNC1)
        pl_read_put(out, 128);
    else if (v == PL_C128_FNC2)
        pl_read_put(out, 129);
    else if (v == PL_C128_FNC3)
        pl_read_put(out, 130);
    else if (v == (is_a ? PL_C128_CODE_A : PL_C128_CODE_B))
        pl_read_put(out, 131);
    else
        return false;
    return true;
}

// One character in subset A, B or C, or a change of subset. FNC1 to FNC4 are 128 to 131, as in the checks.
static bool read_value(uint32_t v, char *set, struct pl_read_text *out)
{
    if (*set != 'C')
        return read_value_ab(v, set, out);
    read_value_c(v, set, out);
    return true;
}

// Start A, subset, row number, data, check, stop. The first row's number is that of the rows. -1: no such row.
static int row_of_f(const uint8_t *v, uint32_t count)
{
    uint32_t sum = PL_C128_START_A;
    if (count < 6 || v[0] != PL_C128_START_A || v[count - 1] != 106 || v[1] < 98 || v[1] > 100)
        return -1;
    for (uint32_t i = 1; i < count - 2; i++)
        sum += i * v[i];
    if (sum % 103 != v[count - 2])
        return -1;
    uint32_t number = number_of(v[2], v[1] == PL_C128_CODE_C);
    return number < 43 ? 0 : number - 42 < MAX_ROWS ? (int)(number - 42) : -1;
}

// The function characters in the form of read.h: FNC1 is GS, except the first, which CODABLOCK E has before its data.
// FNC4 makes a character of the upper half, FNC2 and FNC3 tell the scanner something.
static void take_functions(struct pl_read_text *out)
{
    uint32_t n = 0, high = 0;
    for (uint32_t i = 0; i < out->length; i++) {
        uint32_t c = out->data[i];
        if (c == 131) {
            high = 128;
        } else if (c < 128) {
            out->data[n++] = (uint8_t)(c + high);
            high = 0;
        } else if (c == 128 && i > 0) {
            out->data[n++] = 0x1D;
        }
    }
    out->length = n;
}

// Takes the rows that are found on any scan line.
static void take_rows_f(const struct pl_bitmap *crop, uint32_t module, struct row rows[MAX_ROWS])
{
    struct pl_read_runs runs;
    uint8_t widths[MAX_ELEMENTS], values[MAX_ROW_VALUES + 1];
    for (uint32_t y = 0; y < crop->height; y++) {
        if (same_as_above(crop, y))
            continue;
        pl_read_row(crop, y, &runs);
        uint32_t elements = pl_read_modules(&runs, module, widths, MAX_ELEMENTS);
        uint32_t count = read_code128(widths, elements, values);
        int row = count && count <= MAX_ROW_VALUES ? row_of_f(values, count) : -1;
        if (row < 0 || rows[row].there)
            continue;
        rows[row].there = true;
        rows[row].count = count;
        memcpy(rows[row].values, values, count);
    }
}

// The data of a row. The last row has the two check characters of the whole behind them, in the subset that is then in
// force.
static bool read_row_f(const struct row *row, bool is_last, uint32_t checks[2], struct pl_read_text *out)
{
    char set = row->values[1] == PL_C128_CODE_C ? 'C' : row->values[1] == PL_C128_CODE_B ? 'B' : 'A';
    uint32_t end = row->count - (is_last ? 4 : 2);
    for (uint32_t i = 3; i < end; i++)
        if (!read_value(row->values[i], &set, out))
            return false;
    for (uint32_t i = 0; is_last && i < 2; i++)
        checks[i] = number_of(row->values[end + i], set == 'C');
    return true;
}

bool pl_read_codablock_f(const struct pl_bitmap *crop, uint32_t module, struct pl_read_text *out)
{
    struct row rows[MAX_ROWS];
    memset(rows, 0, sizeof rows);
    take_rows_f(crop, module, rows);
    if (!rows[0].there)
        return false;
    uint32_t total = number_of(rows[0].values[2], rows[0].values[1] == PL_C128_CODE_C) + 2, checks[2] = {0, 0};
    for (uint32_t row = 0; row < total; row++)
        if (row >= MAX_ROWS || !rows[row].there || !read_row_f(&rows[row], row + 1 == total, checks, out))
            return false;
    uint32_t first = 0, second = 0;
    for (uint32_t i = 0; i < out->length; i++) {
        first = (first + (i + 1) * out->data[i]) % 86;
        second = (second + i * out->data[i]) % 86;
    }
    if (first != checks[0] || second != checks[1])
        return false;
    take_functions(out);
    return true;
}

// ---- CODABLOCK A

// The characters of a scan line between start and stop, with these; 0: it is no row.
static uint32_t read_row_a(const struct pl_bitmap *crop, uint32_t y, uint32_t module, uint8_t values[MAX_ROW_VALUES])
{
    struct pl_read_runs runs;
    pl_read_row(crop, y, &runs);
    uint32_t chars = (runs.count + 1) / PL_READ_CODE39_STEP;
    if ((runs.count + 1) % PL_READ_CODE39_STEP != 0 || chars < 4 || chars > MAX_ROW_VALUES)
        return 0;
    for (uint32_t i = 0; i < chars; i++) {
        uint32_t v = pl_read_code39(&runs, i, module);
        bool is_end = i == 0 || i + 1 == chars;
        if (v > PL_READ_CODE39_STAR || is_end != (v == PL_READ_CODE39_STAR))
            return 0;
        values[i] = (uint8_t)v;
    }
    return chars;
}

// Start, row number, data, row number again, stop; one row alone has the number once. Check characters of the whole,
// where the symbol has them, are given as data: nothing tells them apart. Blanks at the end are left out: they fill the
// last row.
bool pl_read_codablock_a(const struct pl_bitmap *crop, uint32_t module, struct pl_read_text *out)
{
    static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%";
    struct row rows[MAX_ROWS];
    uint8_t values[MAX_ROW_VALUES];
    memset(rows, 0, sizeof rows);
    uint32_t total = 0;
    for (uint32_t y = 0; y < crop->height; y++) {
        uint32_t chars = same_as_above(crop, y) ? 0 : read_row_a(crop, y, module, values);
        if (chars == 0)
            continue;
        // Row 0 has 20 and the number of rows, the others their place from 0 on.
        uint32_t number = values[1], row = number >= 21 ? 0 : number + 1;
        bool alone = number == 21;
        if (row >= MAX_ROWS || rows[row].there || (!alone && values[chars - 2] != number))
            continue;
        rows[row] = (struct row){.there = true, .count = chars - (alone ? 3 : 4)};
        memcpy(rows[row].values, values + 2, rows[row].count);
        total = row == 0 ? number - 20 : total;
    }
    for (uint32_t row = 0; row < total; row++) {
        if (row >= MAX_ROWS || !rows[row].there)
            return false;
        for (uint32_t i = 0; i < rows[row].count; i++)
            pl_read_put(out, (uint8_t)alphabet[rows[row].values[i]]);
    }
    while (out->length > 0 && out->data[out->length - 1] == ' ')
        out->length--;
    return total > 0;
}
