// Filling templates.
#include "cli/template.h"

#include <platen/platen.h>

#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "cli/cli_options.h"

// What decides how values are written: ^FH and what follows it, ^FN, and commands that change prefixes.
static void note_commands(struct template *t, struct pl_slice code)
{
    size_t count = 0;
    for (size_t i = 0; i + 2 < code.len; i++) {
        int first = code.ptr[i + 1] & ~32, second = code.ptr[i + 2] & ~32;
        if (code.ptr[i] != '^' && code.ptr[i] != '~')
            continue;
        t->by_library = t->by_library || (first == 'F' && second == 'N') ||
                        (first == 'C' && (second == 'C' || second == 'T' || second == 'D'));
        if (first != 'F' || second != 'H')
            continue;
        uint8_t own = i + 3 < code.len && code.ptr[i + 3] > ' ' && code.ptr[i + 3] != '^' ? code.ptr[i + 3] : '_';
        if (!memchr(t->indicators, own, count) && count + 1 < sizeof t->indicators)
            t->indicators[count++] = (char)own;
    }
}

bool template_read(struct template *template, struct pl_slice code)
{
    size_t capacity = 0, at = 0;
    *template = (struct template){.code = code};
    note_commands(template, code);
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
    platen_worker_free(template->worker);
    platen_engine_free(template->engine);
    free(template->pieces);
    *template = (struct template){0};
}

bool template_value(const struct template_values *values, struct pl_slice name, struct pl_slice *out)
{
    for (uint32_t i = 0; i < values->count; i++) {
        if (pl_slice_eq(values->names[i], name)) {
            *out = values->values[i];
            return true;
        }
    }
    return false;
}

static bool is_plain(const struct template *template, struct pl_slice value)
{
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] < 0x20 || value.ptr[i] == '^' || value.ptr[i] == '~' ||
            strchr(template->indicators, value.ptr[i]))
            return false;
    }
    return true;
}

static void put_csv(const struct pl_slice *fields, uint32_t count, struct pl_buf *out)
{
    for (uint32_t i = 0; i < count; i++) {
        pl_buf_append_cstr(out, i > 0 ? ",\"" : "\"");
        for (size_t k = 0; k < fields[i].len; k++) {
            if (fields[i].ptr[k] == '"')
                pl_buf_append_byte(out, '"');
            pl_buf_append_byte(out, fields[i].ptr[k]);
        }
        pl_buf_append_byte(out, '"');
    }
    pl_buf_append_byte(out, '\n');
}

static bool start_library(struct template *t, struct problem *problem)
{
    const struct cli_options defaults = cli_options_init();
    const struct platen_engine_options options = cli_limits_engine(&defaults.limits, NULL);
    struct platen_error err;
    if (t->worker)
        return true;
    if ((t->engine || platen_engine_new(&options, &t->engine, &err) == PLATEN_OK) &&
        platen_worker_new(t->engine, &t->worker, &err) == PLATEN_OK)
        return true;
    return problem_set(problem, 500, "internal_error", "%s", err.message);
}

static bool fill_by_library(struct template *t, const struct template_values *values, struct pl_buf *out,
                            struct problem *problem)
{
    struct pl_buf rows;
    struct platen_rewritten *rewritten = NULL;
    struct platen_error err;
    if (!start_library(t, problem))
        return false;
    pl_buf_init(&rows, SIZE_MAX / 2);
    put_csv(values->names, values->count, &rows);
    put_csv(values->values, values->count, &rows);
    const struct platen_rewrite_options options = PLATEN_REWRITE_OPTIONS(.rows = rows.data, .rows_size = rows.len);
    enum platen_status status =
        rows.failed ? PLATEN_E_MEMORY : platen_rewrite(t->worker, t->code.ptr, t->code.len, &options, &rewritten, &err);
    if (status == PLATEN_OK) {
        size_t size;
        const char *code = platen_rewritten_code(rewritten, &size);
        pl_buf_append(out, code, size);
        platen_rewritten_free(rewritten);
    }
    pl_buf_fini(&rows);
    if (status == PLATEN_OK)
        return true;
    if (status == PLATEN_E_MEMORY)
        return problem_set(problem, 413, "limit_exceeded", "There is not enough memory to fill in the values.");
    return problem_set(problem, 400, status == PLATEN_E_NOT_FOUND ? "missing_value" : "invalid_value",
                       "The values cannot be filled in: %s.", err.message);
}

bool template_fill(struct template *template, const struct template_values *values, struct pl_buf *out,
                   struct problem *problem)
{
    bool by_library = template->by_library;
    struct pl_slice text;
    for (size_t i = 0; i < template->count; i++) {
        const struct template_piece *piece = &template->pieces[i];
        if (!piece->is_name)
            continue;
        if (!template_value(values, piece->text, &text))
            return problem_set(problem, 400, "missing_value", "There is no value for {{%.*s}}.",
                               (int)PL_MIN(piece->text.len, (size_t)60), (const char *)piece->text.ptr);
        by_library = by_library || !is_plain(template, text);
    }
    if (by_library) {
        if (!fill_by_library(template, values, out, problem))
            return false;
    } else {
        for (size_t i = 0; i < template->count; i++) {
            text = template->pieces[i].text;
            if (template->pieces[i].is_name)
                (void)template_value(values, template->pieces[i].text, &text);
            pl_buf_append_slice(out, text);
        }
    }
    return !out->failed || problem_set(problem, 413, "limit_exceeded", "The label code is too long.");
}
