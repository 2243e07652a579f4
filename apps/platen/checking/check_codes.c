// Codes of findings: names, sets, and what a misspelt one may have meant.
#include "check_codes.h"

#include "base/ckd.h"
#include "base/suggest.h"

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

bool check_code_read(struct pl_slice code, uint32_t *index, struct pl_buf *why)
{
    if (check_code_find(code, index))
        return true;
    pl_buf_printf(why, "there is no code '%.*s'", (int)PL_MIN(code.len, (size_t)200), (const char *)code.ptr);
    check_codes_suggest(code, why);
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

void check_codes_suggest(struct pl_slice code, struct pl_buf *out)
{
    struct pl_suggestions best = {0};
    struct check_code known;
    for (uint32_t i = 0; check_code_at(i, &known); i++)
        pl_suggest(&best, code, known.code);
    pl_suggest_tell(&best, out);
}

void check_suggest(struct pl_slice word, const char *const *names, struct pl_buf *out)
{
    struct pl_suggestions best = {0};
    for (; *names; names++)
        pl_suggest(&best, word, *names);
    pl_suggest_tell(&best, out);
}
