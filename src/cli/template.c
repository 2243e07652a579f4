// Filling templates.
#include "cli/template.h"

#include <stdio.h>

#include "base/utf8.h"
#include "describe/fixes.h"
#include "renderer/render_problem.h"

bool template_load(struct template *template, const char *path, size_t most, const struct cli_limits *limits)
{
    *template = (struct template){.limits = limits};
    return cli_read(path, most, &template->code, NULL);
}

void template_free(struct template *template)
{
    cli_input_free(&template->code);
    platen_worker_free(template->worker);
    platen_engine_free(template->engine);
    *template = (struct template){0};
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

static bool is_utf8(const struct pl_slice *texts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!pl_utf8_valid(texts[i]))
            return false;
    }
    return true;
}

void template_put_row(const struct pl_slice *names, const struct pl_slice *values, uint32_t count, struct pl_buf *out)
{
    if (!is_utf8(names, count) || !is_utf8(values, count)) {
        put_csv(names, count, out);
        put_csv(values, count, out);
        return;
    }
    const char *separator = "{";
    for (uint32_t i = 0; i < count; i++) {
        if (names[i].len == 0)
            continue;
        pl_buf_append_cstr(out, separator);
        separator = ",";
        pl_buf_append_json_string(out, names[i]);
        pl_buf_append_byte(out, ':');
        pl_buf_append_json_string(out, values[i]);
    }
    pl_buf_append_cstr(out, *separator == '{' ? "{}" : "}");
}

static enum platen_status start_library(struct template *t, struct platen_error *err)
{
    const struct platen_engine_options options = cli_limits_engine(t->limits, NULL);
    enum platen_status status = t->engine ? PLATEN_OK : platen_engine_new(&options, &t->engine, err);
    return status != PLATEN_OK || t->worker ? status : platen_worker_new(t->engine, &t->worker, err);
}

static void take_notes(const struct platen_rewritten *rewritten, struct template_notes *notes)
{
    struct platen_diagnostic d;
    *notes = (struct template_notes){0};
    while (notes->count < TEMPLATE_NOTES && platen_rewritten_note_at(rewritten, notes->count, &d)) {
        struct template_note *note = &notes->items[notes->count++];
        *note = (struct template_note){d.offset, d.length, d.line, d.column, "", ""};
        snprintf(note->command, sizeof note->command, "%s", d.command);
        snprintf(note->message, sizeof note->message, "%s", d.message);
    }
}

void template_put_notes(const struct template_notes *notes, struct platen_document *document)
{
    for (uint32_t i = 0; i < notes->count; i++) {
        const struct template_note *n = &notes->items[i];
        pl_fix_add_note(document, &(struct platen_diagnostic){.command = n->command,
                                                              .message = n->message,
                                                              .offset = n->offset,
                                                              .length = n->length,
                                                              .line = n->line,
                                                              .column = n->column});
    }
}

bool template_fill(struct template *t, struct pl_slice row, struct pl_buf *out, struct template_notes *notes,
                   struct problem *problem)
{
    struct platen_rewritten *rewritten = NULL;
    struct platen_error err = {.status = PLATEN_E_MEMORY};
    const struct platen_rewrite_options options =
        PLATEN_REWRITE_OPTIONS(.rows = row.ptr, .rows_size = row.len, .unverified = true, // it is drawn anyway
                               .deadline_ns = cli_deadline(t->limits));
    enum platen_status status = start_library(t, &err);
    if (status == PLATEN_OK)
        status = platen_rewrite(t->worker, t->code.data, t->code.size, &options, &rewritten, &err);
    if (status == PLATEN_E_INVALID)
        return problem_set(problem, 400, "invalid_value", "The values cannot be filled in: %s.", err.message);
    if (status != PLATEN_OK) {
        render_problem_of(&err, problem);
        return false;
    }
    size_t size;
    const char *code = platen_rewritten_code(rewritten, &size);
    pl_buf_append(out, code, size);
    take_notes(rewritten, notes);
    platen_rewritten_free(rewritten);
    return !out->failed || problem_set(problem, 413, "limit_exceeded", "The label code is too long.");
}
