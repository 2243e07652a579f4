// GS1 element strings (GS1 General Specifications, section 3): where an application identifier ends and its data
// begins.
#include "bar/encode/gs1.h"

#include "base/fmt.h"

uint32_t pl_gs1_identifier_length(struct pl_slice s)
{
    if (s.len < 2 || !pl_is_digit(s.ptr[0]) || !pl_is_digit(s.ptr[1]))
        return 0;
    uint32_t two = (uint32_t)(s.ptr[0] - '0') * 10 + (uint32_t)(s.ptr[1] - '0'), length;
    if (two <= 22 || two == 30 || two == 37 || two >= 90)
        length = 2;
    else if ((two >= 23 && two <= 25) || (two >= 40 && two <= 42) || two == 71)
        length = 3;
    else if ((two >= 31 && two <= 36) || two == 39 || two == 43 || two == 70 || two == 72 || (two >= 80 && two <= 82))
        length = 4;
    else
        return 0;
    for (uint32_t i = 2; i < length; i++)
        if (i >= s.len || !pl_is_digit(s.ptr[i]))
            return 0;
    return length;
}

// Length of identifier and data together where it is fixed, else 0.
static uint32_t fixed_length(struct pl_slice s)
{
    if (s.len < 2 || !pl_is_digit(s.ptr[0]) || !pl_is_digit(s.ptr[1]))
        return 0;
    uint32_t two = (uint32_t)(s.ptr[0] - '0') * 10 + (uint32_t)(s.ptr[1] - '0');
    if (two == 0)
        return 20;
    if ((two >= 1 && two <= 3) || two == 41)
        return 16;
    if (two == 4)
        return 18;
    if (two >= 11 && two <= 19)
        return 8;
    if (two == 20)
        return 4;
    return two >= 31 && two <= 36 ? 10 : 0;
}

// The 82 characters of GS1 element strings, and space.
static bool has_character(uint8_t c)
{
    return pl_is_digit(c) || pl_is_letter(c) || (c && strchr("!\"%&'()*+,-./:;<=>?_ ", c));
}

// Position of the end of an identifier in parentheses or brackets, or 0.
static size_t parenthesised(struct pl_slice s)
{
    size_t n = 1;
    while (n < s.len && n < 5 && pl_is_digit(s.ptr[n]))
        n++;
    if (n < 3 || n >= s.len)
        return 0;
    bool round = s.ptr[0] == '(' && s.ptr[n] == ')', square = s.ptr[0] == '[' && s.ptr[n] == ']';
    return round || square ? n + 1 : 0;
}

#define SEPARATOR 0x1D // behind elements of free length

// Copies the value at raw[*at], at most `most` characters, and returns how many. Others are counted and left out.
static size_t copy_value(struct pl_slice raw, size_t *at, size_t most, uint8_t *out, uint32_t *dropped)
{
    size_t n = 0;
    for (; *at < raw.len && n < most; ++*at) {
        struct pl_slice rest = pl_slice_sub(raw, *at, raw.len);
        if (rest.ptr[0] == SEPARATOR || parenthesised(rest))
            break;
        if (has_character(rest.ptr[0]))
            out[n++] = rest.ptr[0];
        else
            ++*dropped;
    }
    return n;
}

size_t pl_gs1_bracket(struct pl_slice raw, uint8_t *out, uint32_t *dropped)
{
    size_t n = 0, i = 0;
    *dropped = 0;
    while (i < raw.len) {
        struct pl_slice rest = pl_slice_sub(raw, i, raw.len);
        if (rest.ptr[0] == SEPARATOR) {
            i++;
            continue;
        }
        size_t behind = parenthesised(rest);
        struct pl_slice digits = pl_slice_sub(rest, behind ? 1 : 0, raw.len);
        uint32_t identifier = behind ? (uint32_t)behind - 2 : pl_gs1_identifier_length(digits);
        if (identifier == 0)
            return 0;
        out[n++] = '[';
        memcpy(out + n, digits.ptr, identifier);
        n += identifier;
        out[n++] = ']';
        uint32_t fixed = fixed_length(digits);
        i += behind ? behind : identifier;
        size_t length = copy_value(raw, &i, fixed > identifier ? fixed - identifier : SIZE_MAX, out + n, dropped);
        if (length == 0)
            return 0;
        n += length;
    }
    return n;
}

size_t pl_gs1_join(struct pl_slice bracketed, uint8_t *out)
{
    size_t n = 0;
    bool free_length = false;
    for (size_t i = 0; i < bracketed.len; i++) {
        if (bracketed.ptr[i] == '[') {
            if (free_length)
                out[n++] = SEPARATOR;
            free_length = fixed_length(pl_slice_sub(bracketed, i + 1, bracketed.len)) == 0;
        } else if (bracketed.ptr[i] != ']') {
            out[n++] = bracketed.ptr[i];
        }
    }
    return n;
}
