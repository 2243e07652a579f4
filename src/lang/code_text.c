// Full ASCII of Code 39 and Code 93, element strings of GS1, check digits.
#include "lang/code_text.h"

#include "base/ckd.h"
#include "base/fmt.h"

// Characters beyond the 43 are a shift ($ % / +) and a letter.
static bool ascii_pair(uint8_t c, char *shift, char *letter)
{
    static const struct {
        uint8_t from, to;
        char shift, first;
    } RANGES[] = {{0, 0, '%', 'U'},     {1, 26, '$', 'A'},    {27, 31, '%', 'A'},   {'!', ',', '/', 'A'},
                  {'/', '/', '/', 'O'}, {':', ':', '/', 'Z'}, {';', '?', '%', 'F'}, {'@', '@', '%', 'V'},
                  {'[', '_', '%', 'K'}, {'`', '`', '%', 'W'}, {'a', 'z', '+', 'A'}, {'{', '~', '%', 'P'},
                  {127, 127, '%', 'T'}};
    for (size_t i = 0; i < PL_COUNTOF(RANGES); i++)
        if (c >= RANGES[i].from && c <= RANGES[i].to) {
            *shift = RANGES[i].shift;
            *letter = (char)(RANGES[i].first + (c - RANGES[i].from));
            return true;
        }
    return false;
}

static bool is_plain39(uint8_t c)
{
    return pl_is_digit(c) || pl_is_upper(c) || (c && strchr("-. $/+%", c));
}

static bool all_plain39(struct pl_slice data)
{
    for (size_t i = 0; i < data.len; i++)
        if (!is_plain39(data.ptr[i]))
            return false;
    return true;
}

bool pl_full_ascii_39(struct pl_arena *arena, struct pl_slice data, struct pl_content *out)
{
    *out = pl_content_of(data);
    if (all_plain39(data))
        return true;
    uint8_t *text = PL_ARENA_ARRAY(arena, uint8_t, data.len * 2);
    if (!text)
        return false;
    size_t n = 0;
    for (size_t i = 0; i < data.len; i++) {
        char shift, letter;
        if (ascii_pair(data.ptr[i], &shift, &letter)) {
            text[n++] = (uint8_t)shift;
            text[n++] = (uint8_t)letter;
        } else {
            text[n++] = data.ptr[i];
        }
    }
    *out = pl_content_of(pl_slice_make(text, n));
    return true;
}

bool pl_full_ascii_93(struct pl_arena *arena, struct pl_slice data, struct pl_content *out)
{
    static const char SHIFTS[] = "$%/+";
    *out = pl_content_of(data);
    if (all_plain39(data))
        return true;
    uint32_t *codes = PL_ARENA_ARRAY(arena, uint32_t, data.len * 2);
    if (!codes)
        return false;
    size_t n = 0;
    for (size_t i = 0; i < data.len; i++) {
        char shift, letter;
        if (!is_plain39(data.ptr[i]) && ascii_pair(data.ptr[i], &shift, &letter)) {
            codes[n++] = PL_MARK_SHIFT + (uint32_t)(strchr(SHIFTS, shift) - SHIFTS);
            codes[n++] = (uint32_t)letter;
        } else {
            codes[n++] = data.ptr[i];
        }
    }
    *out = (struct pl_content){.codes = codes, .count = n};
    return true;
}

// Identifiers whose data has a fixed length need no separator behind it.
static bool has_fixed_length(struct pl_slice identifier)
{
    static const char FIXED[] = "00010203041112131415161718192031323334353641";
    for (size_t i = 0; identifier.len >= 2 && i + 1 < sizeof FIXED; i += 2)
        if (memcmp(FIXED + i, identifier.ptr, 2) == 0)
            return true;
    return false;
}

bool pl_gs1_elements(struct pl_arena *arena, struct pl_slice data, struct pl_content *out)
{
    *out = pl_content_of(data);
    if (data.len == 0 || data.ptr[0] != '(')
        return true;
    uint32_t *codes = PL_ARENA_ARRAY(arena, uint32_t, data.len);
    if (!codes)
        return false;
    size_t n = 0;
    bool fixed = true;
    for (size_t i = 0; i < data.len; i++) {
        uint8_t c = data.ptr[i];
        if (c == '(') {
            if (!fixed)
                codes[n++] = PL_MARK_FNC1;
            fixed = has_fixed_length(pl_slice_sub(data, i + 1, 2));
        } else if (c != ')') {
            codes[n++] = c;
        }
    }
    *out = (struct pl_content){.codes = codes, .count = n};
    return true;
}

char pl_check_digit(struct pl_slice data, uint32_t last, uint32_t before)
{
    uint32_t sum = 0, weight = last;
    for (size_t i = data.len; i-- > 0;) {
        if (!pl_is_digit(data.ptr[i]))
            continue;
        sum += (uint32_t)(data.ptr[i] - '0') * weight;
        weight = last + before - weight;
    }
    return (char)('0' + (10 - sum % 10) % 10);
}

bool pl_qr_mode_holds(enum pl_qr_mode mode, struct pl_slice data)
{
    for (size_t i = 0; i < data.len; i++) {
        uint8_t c = data.ptr[i];
        bool digit = pl_is_digit(c), sign = pl_is_upper(c) || (c && strchr(" $%*+-./:", c));
        if ((mode == PL_QR_NUMERIC && !digit) || (mode == PL_QR_ALNUM && !digit && !sign))
            return false;
    }
    return mode != PL_QR_KANJI || data.len % 2 == 0;
}
