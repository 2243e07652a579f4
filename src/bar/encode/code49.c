// Code 49 (USS-49): from content to characters, checks and rows of modules.
#include "bar/encode/code49.h"

#include <string.h>

#include "bar/encode/code49_patterns.h"
#include "base/ckd.h"
#include "base/fmt.h"

// Characters 0 to 42 are these; the rest are controls.
static const char ALPHABET[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%";
enum { SHIFT_1 = 43, SHIFT_2 = 44, NUMERIC_SHIFT = 48 }; // those between them are reserved

// ASCII by the character behind Shift 1 and Shift 2; -1: none.
static const int8_t SHIFTED[2][43] = {
    {'\'', 27, 28, 29, 30, 31, '!', '"', '#', '&', 1,  2,  3,  4,  5,   6,   7, 8,   9,   10,  11, 12,
     13,   14, 15, 16, 17, 18, 19,  20,  21,  22,  23, 24, 25, 26, '(', ')', 0, '*', ',', ':', -1},
    {'^', ';', '<', '=', '>', '?', '@', '[', '\\', ']', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l',
     'm', 'n', 'o', 'p', 'q', 'r', 's', 't', 'u',  'v', 'w', 'x', 'y', 'z', '_', '`', 127, '{', '|', '}', '~'}};

#define MOST_CHARACTERS 50 // 49 in a symbol, and a first shift that becomes the mode
#define MOST_ROWS 8
#define MOST_TEXT PL_CODE49_LENGTH_MAX

struct message {
    uint8_t at[MOST_CHARACTERS];
    uint32_t count;
    bool full;
    uint32_t mode;
    uint8_t text[MOST_TEXT]; // what a reader says
    uint32_t text_length;
};

static void put(struct message *m, uint32_t value)
{
    if (m->count < MOST_CHARACTERS)
        m->at[m->count++] = (uint8_t)value;
    else
        m->full = true;
}

static void say(struct message *m, uint8_t c)
{
    if (m->text_length < MOST_TEXT)
        m->text[m->text_length++] = c;
}

static uint32_t number_of(const uint8_t *digits, uint32_t count)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; i++)
        value = value * 10 + (uint32_t)(digits[i] - '0');
    return value;
}

static void put_three(struct message *m, uint32_t value)
{
    put(m, value / (48 * 48));
    put(m, value / 48 % 48);
    put(m, value % 48);
}

// Five digits are three characters; four are too, behind 100000. Seven are four and three. Two alone cannot be written.
static void put_digits(struct message *m, const uint8_t *digits, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        say(m, digits[i]);
    for (; count >= 5 && count != 7; digits += 5, count -= 5)
        put_three(m, number_of(digits, 5));
    if (count == 7 || count == 4) {
        put_three(m, 100000 + number_of(digits, 4));
        digits += 4;
        count -= 4;
    }
    if (count == 3)
        put(m, number_of(digits, 3) / 48);
    if (count == 3 || count == 1)
        put(m, number_of(digits, count) % 48);
}

static uint32_t digits_at(const struct pl_content *content, size_t from)
{
    uint32_t n = 0;
    while (from + n < pl_content_length(content) && pl_is_digit(pl_content_at(content, from + n)))
        n++;
    return n;
}

static void put_digits_at(struct message *m, const struct pl_content *content, size_t from, uint32_t count)
{
    uint8_t digits[PL_CODE49_LENGTH_MAX];
    if (count > sizeof digits) {
        m->full = true;
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        digits[i] = (uint8_t)pl_content_at(content, from + i);
    put_digits(m, digits, count);
}

// Value of a character without a shift, or -1.
static int plain_value(uint32_t c)
{
    const char *at = c && c < 128 ? strchr(ALPHABET, (int)c) : NULL;
    return at ? (int)(at - ALPHABET) : -1;
}

static void put_ascii(struct message *m, uint8_t c)
{
    int plain = plain_value(c);
    if (plain >= 0) {
        put(m, (uint32_t)plain);
        return;
    }
    for (uint32_t shift = 0; shift < 2; shift++)
        for (uint32_t i = 0; i < PL_COUNTOF(SHIFTED[0]); i++)
            if (SHIFTED[shift][i] == (int)c) {
                put(m, SHIFT_1 + shift);
                put(m, i);
                return;
            }
}

// Five digits or more go by the numeric mode; a shift of the first character becomes the mode.
static void make_automatic(struct message *m, const struct pl_content *content)
{
    size_t length = pl_content_length(content);
    for (size_t i = 0; i < length;) {
        uint32_t digits = digits_at(content, i);
        if (digits >= 5) {
            if (i == 0)
                m->mode = 2;
            else
                put(m, NUMERIC_SHIFT);
            put_digits_at(m, content, i, digits);
            i += digits;
            if (i < length)
                put(m, NUMERIC_SHIFT);
            continue;
        }
        uint8_t c = (uint8_t)pl_content_at(content, i++);
        say(m, c);
        put_ascii(m, c);
    }
    if (m->mode == 0 && m->count > 0 && (m->at[0] == SHIFT_1 || m->at[0] == SHIFT_2)) {
        m->mode = m->at[0] == SHIFT_1 ? 4 : 5;
        m->count--;
        memmove(m->at, m->at + 1, m->count);
    }
}

// The value of a control, or 0.
static uint32_t control_value(uint32_t code)
{
    return pl_mark_kind(code) == PL_MARK_SHIFT && pl_mark_number(code) <= NUMERIC_SHIFT - SHIFT_1
               ? SHIFT_1 + pl_mark_number(code)
               : 0;
}

// May a control be there: a shift belongs to the character behind it, a numeric shift to the digits behind it?
static bool control_fits(const struct pl_content *content, size_t i, uint32_t control)
{
    int behind = i + 1 < pl_content_length(content) ? plain_value(pl_content_at(content, i + 1)) : -1;
    if (control <= SHIFT_2)
        return behind >= 0 && SHIFTED[control - SHIFT_1][behind] >= 0;
    return control != NUMERIC_SHIFT || digits_at(content, i + 1) > 0;
}

// Digits after a numeric shift, and the shift that ends them. Returns how many characters they are; 0: they are none.
static size_t put_numeric(struct message *m, const struct pl_content *content, size_t i)
{
    size_t length = pl_content_length(content);
    uint32_t digits = digits_at(content, i);
    bool is_last = i + digits == length;
    if (digits == 0 || digits == 2 || !(is_last || control_value(pl_content_at(content, i + digits)) == NUMERIC_SHIFT))
        return 0;
    put_digits_at(m, content, i, digits);
    if (!is_last)
        put(m, NUMERIC_SHIFT);
    return digits + !is_last;
}

// The content is characters of the code itself. Returns how much of it is a valid sequence.
static size_t make_by_hand(struct message *m, const struct pl_content *content)
{
    bool numeric = m->mode == 2;
    int shift = m->mode == 4 ? 0 : m->mode == 5 ? 1 : -1; // before the next character
    size_t length = pl_content_length(content);
    for (size_t i = 0; i < length;) {
        if (numeric) {
            size_t taken = put_numeric(m, content, i);
            if (taken == 0)
                return i;
            i += taken;
            numeric = false;
            continue;
        }
        uint32_t code = pl_content_at(content, i), control = control_value(code);
        if (control && shift < 0) {
            if (!control_fits(content, i, control))
                return i;
            numeric = control == NUMERIC_SHIFT;
            shift = control <= SHIFT_2 ? (int)(control - SHIFT_1) : -1;
            put(m, control);
            i++;
            continue;
        }
        int value = plain_value(code);
        if (value < 0 || (shift >= 0 && SHIFTED[shift][value] < 0))
            return i;
        say(m, shift < 0 ? (uint8_t)code : (uint8_t)SHIFTED[shift][value]);
        put(m, (uint32_t)value);
        shift = -1;
        i++;
    }
    return length;
}

// Characters in rows of eight, with their checks. Returns the number of rows, or 0.
static uint32_t make_rows(const struct message *m, uint8_t rows[MOST_ROWS][8])
{
    uint32_t count = 2;
    while (count <= MOST_ROWS && m->count > (count - 1) * 7 + (count <= 6 ? 2 : 0))
        count++;
    if (m->full || count > MOST_ROWS)
        return 0;
    memset(rows, NUMERIC_SHIFT, MOST_ROWS * 8);
    for (uint32_t i = 0; i < m->count; i++)
        rows[i / 7][i % 7] = m->at[i];
    uint8_t *last = rows[count - 1];
    last[6] = (uint8_t)(7 * (count - 2) + m->mode);
    // Words of two characters in the order of their weights, three times with other weights: for the checks Z (large
    // symbols only), Y and X, of which each covers those before it.
    static const uint8_t WEIGHTS[34] = {1,  9,  31, 26, 2,  12, 17, 23, 37, 18, 22, 6,  27, 44, 15, 43, 39,
                                        11, 13, 5,  41, 33, 36, 8,  4,  32, 3,  19, 40, 25, 29, 10, 24, 30};
    static const uint8_t OWN[3] = {38, 16, 20}; // of the character with rows and mode
    for (uint32_t y = 0; y + 1 < count; y++) {
        uint32_t sum = 0;
        for (uint32_t x = 0; x < 7; x++)
            sum += rows[y][x];
        rows[y][7] = (uint8_t)(sum % PL_CODE49_BASE);
    }
    for (uint32_t check = count >= 7 ? 0 : 1; check < 3; check++) {
        uint32_t sum = OWN[check] * last[6], words = (count - 1) * 4 + check;
        for (uint32_t i = 0; i < words; i++)
            sum += WEIGHTS[i + 2 - check] *
                   ((uint32_t)rows[i / 4][i % 4 * 2] * PL_CODE49_BASE + rows[i / 4][i % 4 * 2 + 1]);
        sum %= PL_CODE49_WORDS;
        last[check * 2] = (uint8_t)(sum / PL_CODE49_BASE);
        last[check * 2 + 1] = (uint8_t)(sum % PL_CODE49_BASE);
    }
    uint32_t sum = 0;
    for (uint32_t x = 0; x < 7; x++)
        sum += last[x];
    last[7] = (uint8_t)(sum % PL_CODE49_BASE);
    return count;
}

// Start and stop, four words between them. The parity of the words tells which row it is; the last is even throughout.
static void draw_row(const uint8_t row[8], uint32_t y, bool last, struct pl_bitmap *modules)
{
    static const uint8_t EVEN[MOST_ROWS] = {0x6, 0xA, 0x3, 0xC, 0x5, 0x9, 0x0, 0xF}; // the first word in bit 3
    uint32_t even = last ? 0xF : EVEN[y];
    pl_bitmap_set(modules, 0, y);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t pattern =
            pl_code49_patterns[even >> (3 - i) & 1][(uint32_t)row[i * 2] * PL_CODE49_BASE + row[i * 2 + 1]];
        for (uint32_t x = 0; x < 16; x++)
            if (pattern >> (15 - x) & 1)
                pl_bitmap_set(modules, 2 + i * 16 + x, y);
    }
    for (uint32_t x = 66; x < 70; x++)
        pl_bitmap_set(modules, x, y);
}

enum pl_errc pl_code49_encode(struct pl_content content, int32_t mode, struct pl_arena *arena, struct pl_code49 *out,
                              struct pl_error *err)
{
    struct message *m = PL_ARENA_NEW(arena, struct message);
    if (!m)
        return pl_fail_memory(err);
    bool by_hand = mode >= 0 && mode <= 5;
    out->used = pl_content_length(&content);
    for (size_t i = 0; i < out->used; i++) {
        uint32_t code = pl_content_at(&content, i);
        if (code > 127 && !(by_hand && control_value(code)))
            return pl_fail(err, PL_E_INVALID, "Code 49 holds ASCII only");
    }
    if (by_hand) {
        m->mode = (uint32_t)mode;
        out->used = make_by_hand(m, &content);
    } else {
        make_automatic(m, &content);
    }
    if (m->count == 0)
        return pl_fail(err, PL_E_INVALID, "there is nothing that mode %c can encode", by_hand ? '0' + mode : 'A');
    uint8_t rows[MOST_ROWS][8];
    uint32_t count = make_rows(m, rows);
    if (count == 0)
        return pl_fail(err, PL_E_INVALID, "the data does not fit into eight rows");
    PL_TRY(pl_bitmap_new(arena, 70, count, &out->modules, err));
    for (uint32_t y = 0; y < count; y++)
        draw_row(rows[y], y, y + 1 == count, &out->modules);
    out->text = pl_slice_make(m->text, m->text_length);
    return PL_OK;
}
