// Slices: comparison without case and trimming.
#include "base/slice.h"

bool pl_slice_eq_nocase(struct pl_slice a, struct pl_slice b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++) {
        if (pl_lower(a.ptr[i]) != pl_lower(b.ptr[i]))
            return false;
    }
    return true;
}

bool pl_slice_is_sgd_verb(struct pl_slice word)
{
    return pl_slice_eq_nocase(word, pl_slice_cstr("getvar")) || pl_slice_eq_nocase(word, pl_slice_cstr("setvar")) ||
           pl_slice_eq_nocase(word, pl_slice_cstr("do"));
}

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct pl_slice pl_slice_trim(struct pl_slice s)
{
    while (s.len > 0 && is_space(s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len > 0 && is_space(s.ptr[s.len - 1]))
        s.len--;
    return s;
}
