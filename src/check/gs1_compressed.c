// Compressed GS1 Digital Links: the last part of the path is a string of bits in base64url. Eight bits are an
// application identifier's first two digits, or a code for a sequence of identifiers; then comes the data by the
// identifier's format (GS1 Digital Link: compression; the table of sequences as GS1's own toolkit has it).
#include "base/ckd.h"
#include "check/gs1_internal.h"

enum { TEXT_MOST = 512, DIGITS_MOST = 90 };

struct bits {
    struct pl_slice text; // base64url
    size_t at, count;     // bits
};

struct writer {
    uint8_t text[TEXT_MOST];
    size_t length;
    bool free_end; // the last element has no fixed length
};

static int value_of(uint8_t c)
{
    if (pl_is_upper(c))
        return c - 'A';
    if (pl_is_lower(c))
        return c - 'a' + 26;
    if (pl_is_digit(c))
        return c - '0' + 52;
    return c == '-' ? 62 : c == '_' ? 63 : -1;
}

static char letter_of(uint32_t value)
{
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[value & 63];
}

// At most 32 bits; the caller knows that they are there.
static uint32_t take(struct bits *b, uint32_t count)
{
    uint32_t value = 0;
    for (; count; count--, b->at++)
        value = value << 1 | ((uint32_t)value_of(b->text.ptr[b->at / 6]) >> (5 - b->at % 6) & 1);
    return value;
}

static bool has(const struct bits *b, size_t count)
{
    return b->count - b->at >= count;
}

static void put(struct writer *w, char c)
{
    if (w->length < TEXT_MOST)
        w->text[w->length++] = (uint8_t)c;
}

// Both with GS1's safety of a hundredth.
static uint32_t bits_of_digits(uint32_t digits)
{
    return digits ? (uint32_t)(digits * 3.321928094887362 + 0.01) + 1 : 0;
}

static uint32_t bits_of_length(uint32_t most)
{
    uint32_t bits = 0;
    while (UINT32_C(1) << bits <= most)
        bits++;
    return bits;
}

// A number of so many digits.
static bool read_digits(struct bits *b, uint32_t digits, struct writer *w)
{
    uint8_t number[DIGITS_MOST] = {0};
    uint32_t bits = bits_of_digits(digits);
    if (digits > DIGITS_MOST || !has(b, bits))
        return false;
    for (; bits; bits--) {
        uint32_t carry = take(b, 1);
        for (uint32_t i = digits; i-- > 0;) {
            carry += number[i] * 2u;
            number[i] = (uint8_t)(carry % 10);
            carry /= 10;
        }
        if (carry)
            return false; // it has more digits
    }
    for (uint32_t i = 0; i < digits; i++)
        put(w, (char)('0' + number[i]));
    return true;
}

enum coding { DIGITS, LOWER_HEX, UPPER_HEX, BASE64, ASCII };

static bool read_characters(struct bits *b, uint32_t coding, uint32_t count, struct writer *w)
{
    const uint32_t width = coding == BASE64 ? 6 : coding == ASCII ? 7 : 4;
    if (coding == DIGITS)
        return read_digits(b, count, w);
    if (coding > ASCII || !has(b, (size_t)count * width))
        return false;
    for (; count; count--) {
        const uint32_t value = take(b, width);
        put(w, coding == BASE64  ? letter_of(value)
               : coding == ASCII ? (char)value
                                 : (coding == LOWER_HEX ? "0123456789abcdef" : "0123456789ABCDEF")[value]);
    }
    return true;
}

static bool read_part(struct bits *b, const struct pl_gs1_part *part, struct writer *w)
{
    const uint32_t length_bits = part->min == part->max && !part->optional ? 0 : bits_of_length(part->max);
    uint32_t coding = DIGITS, count = part->max;
    if (!has(b, 3u + length_bits))
        return false;
    if (part->set != 'N')
        coding = take(b, 3);
    if (length_bits)
        count = take(b, length_bits);
    return count <= part->max && read_characters(b, coding, count, w);
}

static bool read_element(struct bits *b, struct pl_slice ai, struct writer *w)
{
    const struct pl_gs1_identifier *row = pl_gs1_find(ai);
    if (!row)
        return false;
    if (w->free_end)
        put(w, 0x1D);
    w->free_end = !(row->flags & PL_GS1_PREDEFINED);
    for (size_t i = 0; i < ai.len; i++)
        put(w, (char)ai.ptr[i]);
    for (int i = 0; i < PL_GS1_PARTS && row->parts[i].max; i++)
        if (!read_part(b, &row->parts[i], w))
            return false;
    return true;
}

// Sequences of identifiers that have a code of their own.
static const char *sequence_of(uint32_t code)
{
    static const char *const rows[][6] = {
        {"01,22", "01,10", "01,21", "01,17", "01,7003", "01,30"},
        {"01,10,21,17", "01,15", "01,11", "01,16", "01,91", "01,10,15"},
        {"01,3100", "01,3101", "01,3102", "01,3103", "01,3104", "01,3105"},
        {"01,3200", "01,3201", "01,3202", "01,3203", "01,3204", "01,3205"},
    };
    static const char *const nine[] = {"8010,8011", "8017,8019", "8018,8019", "414,254"};
    const uint32_t high = code >> 4, low = code & 15;
    if (low < 10)
        return NULL;
    if (high < sizeof rows / sizeof *rows)
        return rows[high][low - 10];
    return high == 9 && low - 10 < sizeof nine / sizeof *nine ? nine[low - 10] : NULL;
}

// All identifiers that begin with the same two digits have the same length.
static size_t length_of(const char two[2])
{
    size_t count;
    const struct pl_gs1_identifier *rows = pl_gs1_identifiers(&count);
    for (size_t i = 0; i < count; i++)
        if (memcmp(rows[i].first, two, 2) == 0)
            return strlen(rows[i].first);
    return 0;
}

static bool read_one(struct bits *b, struct writer *w)
{
    const uint32_t code = take(b, 8);
    if (code >> 4 > 9 || (code & 15) > 9) {
        const char *at = sequence_of(code);
        for (; at && *at; at += at[strcspn(at, ",")] ? strcspn(at, ",") + 1 : strcspn(at, ","))
            if (!read_element(b, pl_slice_make(at, strcspn(at, ",")), w))
                return false;
        return at != NULL;
    }
    char ai[4] = {(char)('0' + (code >> 4)), (char)('0' + (code & 15))};
    const size_t length = length_of(ai);
    for (size_t i = 2; i < length; i++) {
        if (!has(b, 4))
            return false;
        ai[i] = (char)('0' + take(b, 4));
    }
    return length && read_element(b, pl_slice_make(ai, length), w);
}

// The last part of the path.
static struct pl_slice last_part(struct pl_slice link)
{
    const uint8_t *host = memmem(link.ptr, link.len, "://", 3);
    size_t end = 0, start;
    while (end < link.len && link.ptr[end] != '?' && link.ptr[end] != '#')
        end++;
    for (start = end; start > 0 && link.ptr[start - 1] != '/'; start--)
        ;
    // Not the host's name.
    if (!host || start < (size_t)(host - link.ptr) + 4)
        return (struct pl_slice){0};
    return pl_slice_sub(link, start, end - start);
}

enum pl_errc pl_gs1_decompress(struct pl_slice link, struct pl_arena *arena, struct pl_slice *out, struct pl_error *err)
{
    enum { LEAST = 8 };
    struct writer w = {.length = 0};
    struct bits b = {.text = last_part(link)};
    *out = (struct pl_slice){0};
    if (b.text.len < LEAST || b.text.len > TEXT_MOST || link.len < 8 || memcmp(link.ptr, "http", 4) != 0)
        return PL_OK;
    for (size_t i = 0; i < b.text.len; i++)
        if (value_of(b.text.ptr[i]) < 0)
            return PL_OK;
    b.count = b.text.len * 6;
    while (has(&b, 8))
        if (!read_one(&b, &w))
            return PL_OK;
    while (b.at < b.count)
        if (take(&b, 1))
            return PL_OK;
    struct pl_gs1_result *result = PL_ARENA_NEW(arena, struct pl_gs1_result);
    uint8_t *text = pl_arena_copy(arena, w.text, PL_MAX(w.length, (size_t)1));
    if (!result || !text)
        return pl_fail_memory(err);
    // Other paths look like this, too: only the check digit of its key tells.
    PL_TRY(pl_gs1_check(pl_slice_make(text, w.length), PL_GS1_ELEMENTS, arena, result, err));
    bool sure = result->element_count > 0 && result->elements[0].row->qualifiers &&
                result->elements[0].row->parts[0].set == 'N';
    for (uint32_t i = 0; i < result->finding_count; i++)
        sure = sure && strcmp(result->findings[i].ai, result->elements[0].ai) != 0;
    if (sure)
        *out = pl_slice_make(text, w.length);
    return PL_OK;
}
