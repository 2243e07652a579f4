// CC-A: an element string to bits by the general method, bits to codewords, check codewords.
#include "bar/encode/composite_a.h"

#include "bar/encode/pdf417_parts.h"
#include "base/ckd.h"

enum { FNC1 = 0x1D, MAX_BITS = 197, MAX_WORDS = 28, BASE = 928 };

struct variant {
    struct pl_pdf_micro shape;
    uint8_t bits;
};

// Of each number of columns by rising capacity.
static const struct variant variants[] = {
    {{2, 5, 4, 39, 0, 19}, 59},   {{2, 6, 4, 1, 0, 33}, 78},    {{2, 7, 5, 32, 0, 12}, 88},
    {{2, 8, 5, 8, 0, 40}, 108},   {{2, 9, 6, 14, 0, 46}, 118},  {{2, 10, 6, 43, 0, 23}, 138},
    {{2, 12, 7, 20, 0, 52}, 167}, {{3, 4, 4, 11, 43, 23}, 78},  {{3, 5, 5, 1, 33, 13}, 98},
    {{3, 6, 6, 5, 37, 17}, 118},  {{3, 7, 7, 15, 47, 27}, 138}, {{3, 8, 7, 21, 1, 33}, 167},
    {{4, 3, 4, 40, 20, 52}, 78},  {{4, 4, 5, 43, 23, 3}, 108},  {{4, 5, 6, 46, 26, 6}, 138},
    {{4, 6, 7, 34, 14, 46}, 167}, {{4, 7, 8, 29, 9, 41}, 197},
};

// Bits behind the capacity are counted, not kept.
struct bits {
    uint8_t bit[MAX_BITS];
    uint32_t length;
};

static void put(struct bits *bits, uint32_t value, uint32_t count)
{
    while (count-- > 0) {
        if (bits->length < MAX_BITS)
            bits->bit[bits->length] = value >> count & 1;
        bits->length++;
    }
}

// Characters by the first mode that has them. FNC1 is in all modes, and numeric goes on behind it.
enum mode { NUMERIC, ALPHANUMERIC, ISO646 };

static const char alphanumeric_signs[] = "*,-./", iso646_signs[] = "!\"%&'()*+,-./:;<=>?_ ";

static bool has_character(uint8_t c)
{
    return pl_is_digit(c) || pl_is_letter(c) || c == FNC1 || (c != 0 && strchr(iso646_signs, c));
}

static enum mode mode_of(uint8_t c)
{
    if (pl_is_digit(c) || c == FNC1)
        return NUMERIC;
    return pl_is_upper(c) || strchr(alphanumeric_signs, c) ? ALPHANUMERIC : ISO646;
}

// How many characters from `at` on need no higher mode than this one.
static size_t run_of(struct pl_slice text, size_t at, enum mode mode)
{
    size_t end = at;
    while (end < text.len && mode_of(text.ptr[end]) <= mode)
        end++;
    return end - at;
}

static void put_character(struct bits *bits, uint8_t c, enum mode mode)
{
    if (pl_is_digit(c))
        put(bits, 5u + c - '0', 5);
    else if (mode == ALPHANUMERIC && pl_is_upper(c))
        put(bits, 32u + c - 'A', 6);
    else if (mode == ALPHANUMERIC)
        put(bits, 58u + (uint32_t)(strchr(alphanumeric_signs, c) - alphanumeric_signs), 6);
    else if (pl_is_upper(c))
        put(bits, 64u + c - 'A', 7);
    else if (pl_is_lower(c))
        put(bits, 90u + c - 'a', 7);
    else
        put(bits, 232u + (uint32_t)(strchr(iso646_signs, c) - iso646_signs), 8);
}

// The mode in which the character at `at` is written, where the mode is not numeric.
static enum mode next_mode(struct pl_slice text, size_t at, enum mode mode)
{
    enum { LOOK = 10 };
    size_t digits = run_of(text, at, NUMERIC), plain = run_of(text, at, ALPHANUMERIC);
    if (mode == ALPHANUMERIC) {
        if (plain == 0)
            return ISO646;
        return digits >= 6 || (digits >= 4 && at + digits == text.len) ? NUMERIC : ALPHANUMERIC;
    }
    if (plain < PL_MIN(text.len - at, (size_t)LOOK))
        return ISO646;
    return digits >= 4 ? NUMERIC : plain >= 5 ? ALPHANUMERIC : ISO646;
}

static uint32_t digit_value(uint8_t c)
{
    return c == FNC1 ? 10 : c - (uint32_t)'0';
}

// Writes all but a last digit that numeric mode has no pair for: that is returned, or 0.
static uint8_t put_text(struct bits *bits, struct pl_slice text, enum mode *mode)
{
    for (size_t at = 0; at < text.len;) {
        uint8_t c = text.ptr[at];
        if (*mode == NUMERIC) {
            size_t digits = run_of(text, at, NUMERIC);
            if (digits >= 2) {
                put(bits, 11 * digit_value(c) + digit_value(text.ptr[at + 1]) + 8, 7);
                at += 2;
            } else if (digits == 1 && at + 1 == text.len && c != FNC1) {
                return c;
            } else {
                put(bits, 0, 4);
                *mode = ALPHANUMERIC;
            }
            continue;
        }
        enum mode next = c == FNC1 ? *mode : next_mode(text, at, *mode);
        if (next != *mode) {
            put(bits, next == NUMERIC ? 0 : 4, next == NUMERIC ? 3 : 5);
            *mode = next;
            continue;
        }
        if (c == FNC1) {
            put(bits, 15, 5);
            *mode = NUMERIC;
        } else {
            put_character(bits, c, *mode);
        }
        at++;
    }
    return 0;
}

static const struct variant *variant_for(uint32_t columns, uint32_t bits)
{
    for (size_t i = 0; i < PL_COUNTOF(variants); i++)
        if (variants[i].shape.columns == columns && variants[i].bits >= bits)
            return &variants[i];
    return NULL;
}

// What is left of the symbol: numeric mode ends, and latches follow that nobody needs.
static void pad(struct bits *bits, uint32_t length, enum mode mode)
{
    if (mode == NUMERIC)
        put(bits, 0, PL_MIN(4, length - bits->length));
    for (uint32_t i = 0; bits->length < length; i++)
        put(bits, i % 5 == 2, 1);
}

// Each 69 bits are seven codewords, the rest as many as it needs.
static uint32_t to_words(const struct bits *bits, uint16_t words[MAX_WORDS])
{
    enum { GROUP_BITS = 69 };
    uint32_t count = 0;
    for (uint32_t from = 0; from < bits->length; from += GROUP_BITS) {
        uint32_t n = PL_MIN(bits->length - from, GROUP_BITS), digits = n / 10 + 1;
        memset(words + count, 0, digits * sizeof words[0]);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t carry = bits->bit[from + i];
            for (uint32_t k = digits; k-- > 0;) {
                uint32_t value = words[count + k] * 2u + carry;
                words[count + k] = (uint16_t)(value % BASE);
                carry = value / BASE;
            }
        }
        count += digits;
    }
    return count;
}

uint32_t pl_composite_a_width(uint32_t columns)
{
    static const uint8_t widths[] = {[2] = 55, [3] = 72, [4] = 99};
    return columns < PL_COUNTOF(widths) ? widths[columns] : 0;
}

enum pl_errc pl_composite_a_encode(struct pl_slice elements, uint32_t columns, struct pl_arena *arena,
                                   struct pl_bitmap *modules, struct pl_error *err)
{
    struct bits bits = {.length = 0};
    enum mode mode = NUMERIC;
    for (size_t i = 0; i < elements.len; i++)
        if (!has_character(elements.ptr[i]))
            return pl_fail(err, PL_E_INVALID, "the elements have a character that GS1 does not have");
    put(&bits, 0, 1); // the general method
    uint8_t last = put_text(&bits, elements, &mode);
    const struct variant *v = variant_for(columns, bits.length);
    uint32_t room = v ? v->bits - bits.length : 0;
    if (last && room >= 4 && room <= 6)
        put(&bits, digit_value(last) + 1, 4); // a digit alone; with more room it is a pair with FNC1
    else if (last)
        put(&bits, 11 * digit_value(last) + 10 + 8, 7);
    v = variant_for(columns, bits.length);
    if (!v)
        return pl_fail(err, PL_E_INVALID, "the elements need a larger form than CC-A");
    pad(&bits, v->bits, mode);
    uint16_t words[MAX_WORDS];
    uint32_t length = to_words(&bits, words);
    pl_pdf_add_checks(words, length, v->shape.checks);
    PL_TRY(pl_bitmap_new(arena, pl_composite_a_width(columns), v->shape.rows, modules, err));
    pl_pdf_draw_micro(&v->shape, columns != 3, words, modules);
    return PL_OK;
}
