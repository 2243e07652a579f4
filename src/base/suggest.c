// Names that a misspelt word may have meant.
#include "base/suggest.h"

#include <string.h>

#include "base/ckd.h"

uint32_t pl_edit_distance(struct pl_slice a, struct pl_slice b, bool swaps)
{
    uint32_t rows[3][PL_EDIT_WORD_MAX + 1];
    uint32_t *before = rows[0], *previous = rows[1], *current = rows[2];
    if (a.len > PL_EDIT_WORD_MAX || b.len > PL_EDIT_WORD_MAX)
        return UINT32_MAX;
    for (uint32_t j = 0; j <= b.len; j++)
        previous[j] = j;
    for (uint32_t i = 1; i <= a.len; i++) {
        current[0] = i;
        for (uint32_t j = 1; j <= b.len; j++) {
            uint32_t changed = previous[j - 1] + (a.ptr[i - 1] != b.ptr[j - 1]);
            current[j] = PL_MIN(changed, PL_MIN(previous[j], current[j - 1]) + 1);
            if (swaps && i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] && a.ptr[i - 2] == b.ptr[j - 1])
                current[j] = PL_MIN(current[j], before[j - 2] + 1);
        }
        uint32_t *oldest = before;
        before = previous;
        previous = current;
        current = oldest;
    }
    return previous[b.len];
}

void pl_suggest(struct pl_suggestions *best, struct pl_slice word, const char *name)
{
    struct pl_slice other = pl_slice_cstr(name);
    uint32_t far = pl_edit_distance(word, other, false);
    bool inside = word.len >= 3 && word.len <= PL_EDIT_WORD_MAX && memmem(other.ptr, other.len, word.ptr, word.len);
    if (inside)
        far = PL_MIN(far, 2u);
    if (far > 1 + word.len / 4)
        return;
    uint32_t at = best->count;
    while (at > 0 && best->far[at - 1] > far)
        at--;
    if (at == PL_SUGGESTED_MAX)
        return;
    best->count = PL_MIN(best->count + 1, PL_SUGGESTED_MAX);
    for (uint32_t i = best->count - 1; i > at; i--) {
        best->names[i] = best->names[i - 1];
        best->far[i] = best->far[i - 1];
    }
    best->names[at] = name;
    best->far[at] = far;
}

void pl_suggest_tell(const struct pl_suggestions *best, struct pl_buf *out)
{
    for (uint32_t i = 0; i < best->count; i++) {
        pl_buf_append_cstr(out, i == 0 ? "; did you mean " : i + 1 == best->count ? " or " : ", ");
        pl_buf_append_cstr(out, best->names[i]);
    }
    if (best->count)
        pl_buf_append_byte(out, '?');
}
