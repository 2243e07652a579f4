// Codes of findings: names, sets, and what a misspelt one may have meant.
#include "check_codes.h"

#include <string.h>

#include "base/ckd.h"

#define WORD_MAX 48u
#define SUGGESTED_MAX 3u

static const struct check_code OWN[] = {
    {CHECK_FILE_UNREADABLE, PLATEN_ERROR, "The file or folder cannot be read, or has nothing to check."},
    {CHECK_NOT_CHECKED, PLATEN_ERROR, "The label could not be drawn within the limits, so it was not checked."},
    {CHECK_IGNORE_INVALID, PLATEN_WARNING, "A comment `^FX platen: ignore` names no known code, or is in no label."},
    {CHECK_RULE_BROKEN, PLATEN_ERROR, "The label breaks a rule of the project's settings."},
};

bool check_code_at(uint32_t index, struct check_code *out)
{
    uint32_t count = platen_diagnostic_kind_count();
    if (index < count)
        return platen_diagnostic_kind_at(index, &out->code, &out->severity, &out->summary);
    if (index - count >= PL_COUNTOF(OWN) || index >= CHECK_CODES_MAX)
        return false;
    *out = OWN[index - count];
    return true;
}

bool check_code_find(struct pl_slice code, uint32_t *index)
{
    struct check_code known;
    for (*index = 0; check_code_at(*index, &known); ++*index) {
        if (pl_slice_eq_cstr(code, known.code))
            return true;
    }
    return false;
}

bool check_codes_any(const struct check_codes *set)
{
    for (size_t i = 0; i < PL_COUNTOF(set->bits); i++) {
        if (set->bits[i])
            return true;
    }
    return false;
}

bool check_codes_have(const struct check_codes *set, const char *code)
{
    uint32_t index;
    return check_code_find(pl_slice_cstr(code), &index) && (set->bits[index / 64] >> index % 64 & 1);
}

void check_codes_put(struct check_codes *set, uint32_t index)
{
    set->bits[index / 64] |= (uint64_t)1 << index % 64;
}

// How many letters have to be changed, added or removed.
static uint32_t distance(struct pl_slice a, struct pl_slice b)
{
    uint32_t row[WORD_MAX + 1];
    if (a.len > WORD_MAX || b.len > WORD_MAX)
        return UINT32_MAX;
    for (uint32_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (uint32_t i = 1; i <= a.len; i++) {
        uint32_t corner = row[0];
        row[0] = i;
        for (uint32_t j = 1; j <= b.len; j++) {
            uint32_t changed = corner + (a.ptr[i - 1] != b.ptr[j - 1]);
            corner = row[j];
            row[j] = PL_MIN(changed, PL_MIN(row[j], row[j - 1]) + 1);
        }
    }
    return row[b.len];
}

struct suggestions {
    const char *names[SUGGESTED_MAX];
    uint32_t far[SUGGESTED_MAX];
    uint32_t count;
};

static void consider(struct suggestions *best, struct pl_slice word, const char *name)
{
    struct pl_slice other = pl_slice_cstr(name);
    uint32_t far = distance(word, other);
    bool inside = word.len >= 3 && word.len <= WORD_MAX && memmem(other.ptr, other.len, word.ptr, word.len);
    if (inside)
        far = PL_MIN(far, 2u);
    if (far > 1 + word.len / 4)
        return;
    uint32_t at = best->count;
    while (at > 0 && best->far[at - 1] > far)
        at--;
    if (at == SUGGESTED_MAX)
        return;
    best->count = PL_MIN(best->count + 1, SUGGESTED_MAX);
    for (uint32_t i = best->count - 1; i > at; i--) {
        best->names[i] = best->names[i - 1];
        best->far[i] = best->far[i - 1];
    }
    best->names[at] = name;
    best->far[at] = far;
}

static void tell(const struct suggestions *best, struct pl_buf *out)
{
    for (uint32_t i = 0; i < best->count; i++) {
        pl_buf_append_cstr(out, i == 0 ? "; did you mean " : i + 1 == best->count ? " or " : ", ");
        pl_buf_append_cstr(out, best->names[i]);
    }
    if (best->count)
        pl_buf_append_byte(out, '?');
}

void check_codes_suggest(struct pl_slice code, struct pl_buf *out)
{
    struct suggestions best = {0};
    struct check_code known;
    for (uint32_t i = 0; check_code_at(i, &known); i++)
        consider(&best, code, known.code);
    tell(&best, out);
}

void check_suggest(struct pl_slice word, const char *const *names, struct pl_buf *out)
{
    struct suggestions best = {0};
    for (; *names; names++)
        consider(&best, word, *names);
    tell(&best, out);
}
