// Filling templates.
#include "cli/template.h"

#include <stdlib.h>

#include "base/ckd.h"

bool template_read(struct template *template, struct pl_slice code)
{
    size_t capacity = 0, at = 0;
    *template = (struct template){0};
    while (at < code.len) {
        const uint8_t *open = memmem(code.ptr + at, code.len - at, "{{", 2);
        const uint8_t *close = open ? memmem(open, code.len - (size_t)(open - code.ptr), "}}", 2) : NULL;
        size_t stop = close ? (size_t)(open - code.ptr) : code.len;
        if (template->count + 2 > capacity) {
            capacity = capacity ? capacity * 2 : 16;
            struct template_piece *more = realloc(template->pieces, capacity * sizeof *more);
            if (!more)
                return false;
            template->pieces = more;
        }
        if (stop > at)
            template->pieces[template->count++] = (struct template_piece){.text = pl_slice_sub(code, at, stop - at)};
        if (!close)
            break;
        size_t name = stop + 2, end = (size_t)(close - code.ptr);
        template->pieces[template->count++] =
            (struct template_piece){.text = pl_slice_trim(pl_slice_sub(code, name, end - name)), .is_name = true};
        at = end + 2;
    }
    return true;
}

void template_free(struct template *template)
{
    free(template->pieces);
    *template = (struct template){0};
}

static bool is_plain(struct pl_slice value)
{
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] < 0x20 || value.ptr[i] == '^' || value.ptr[i] == '~' || value.ptr[i] == 0x7F)
            return false;
    }
    return true;
}

bool template_fill(const struct template *template, template_value *value, const void *user, struct pl_buf *out,
                   struct problem *problem)
{
    for (size_t i = 0; i < template->count; i++) {
        const struct template_piece *piece = &template->pieces[i];
        struct pl_slice text = piece->text;
        if (piece->is_name) {
            int len = (int)PL_MIN(piece->text.len, (size_t)60);
            if (!value(user, piece->text, &text))
                return problem_set(problem, 400, "missing_value", "There is no value for {{%.*s}}.", len,
                                   (const char *)piece->text.ptr);
            if (!is_plain(text))
                return problem_set(problem, 400, "invalid_value",
                                   "The value for {{%.*s}} holds '^', '~' or a control character.", len,
                                   (const char *)piece->text.ptr);
        }
        pl_buf_append_slice(out, text);
    }
    return !out->failed || problem_set(problem, 413, "limit_exceeded", "The label code is too long.");
}
