// Filling templates.
#include "cli/template.h"

#include <platen/platen.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "base/utf8.h"
#include "renderer/render_problem.h"

#define MOST_PLAIN 4096 // bytes; the library has limits for longer values

enum place { NO_PLACE, DATA, PARAMETER };

// Has ^BX, whose parameters begin at `at`, an escape character of its own?
static bool has_escape(struct pl_slice code, size_t at)
{
    unsigned commas = 0;
    for (; at < code.len && code.ptr[at] != '^' && code.ptr[at] != '~'; at++)
        commas += code.ptr[at] == ',';
    return commas >= 6;
}

static bool is_for_library(struct pl_slice code, size_t at, const char *name)
{
    static const char BY_LIBRARY[][3] = {"FN", "DF", "SN", "CC", "CT", "CD"};
    uint8_t next = at + 3 < code.len ? code.ptr[at + 3] : '^';
    // Payloads of counted bytes may hold anything.
    if ((code.ptr[at] == '~' && name[0] == 'D') || (strcmp(name, "GF") == 0 && next != 'A' && next != 'a'))
        return true;
    if (strcmp(name, "BX") == 0)
        return has_escape(code, at + 3);
    for (size_t i = 0; i < PL_COUNTOF(BY_LIBRARY); i++) {
        if (strcmp(name, BY_LIBRARY[i]) == 0)
            return true;
    }
    return false;
}

// What a name behind this command would be in. Sets by_library where only the library knows how the code is read.
static enum place read_command(struct template *t, struct pl_slice code, size_t at)
{
    static const char NO_NAMES[][3] = {"XA", "XZ", "FS", "FH", "FV", "FX", "GF"};
    char name[3] = {0};
    for (size_t i = 0; i < 2; i++) {
        uint8_t c = at + 1 + i < code.len ? code.ptr[at + 1 + i] : 0;
        bool letter = pl_is_letter(c);
        t->by_library = t->by_library || !(letter || pl_is_digit(c) || (c == '@' && name[0] == 'A'));
        name[i] = (char)(letter ? c & ~32 : c);
    }
    uint8_t next = at + 3 < code.len ? code.ptr[at + 3] : '^';
    bool control = code.ptr[at] == '~';
    t->by_library = t->by_library || is_for_library(code, at, name);
    if (strcmp(name, "FH") == 0) {
        uint8_t own = next == '^' || next == '~' || next == '\r' || next == '\n' ? '_' : next;
        size_t count = strlen(t->indicators);
        if (!memchr(t->indicators, own, count) && count + 1 < sizeof t->indicators)
            t->indicators[count] = (char)own;
    }
    for (size_t i = 0; i < PL_COUNTOF(NO_NAMES); i++) {
        if (strcmp(name, NO_NAMES[i]) == 0)
            return NO_PLACE;
    }
    return control ? NO_PLACE : strcmp(name, "FD") == 0 ? DATA : PARAMETER;
}

// {{name}} from `at` on: its length with the braces. 0: it is none that is one wherever it is.
static size_t simple_name(struct pl_slice code, size_t at, struct pl_slice *name)
{
    size_t end = at + 2;
    while (end < code.len && end - at < 90 && code.ptr[end] >= ' ' && !strchr("{},^~", code.ptr[end]))
        end++;
    *name = pl_slice_trim(pl_slice_sub(code, at + 2, end - at - 2));
    return pl_slice_has_at(code, end, "}}") && name->len > 0 ? end + 2 - at : 0;
}

static bool add_piece(struct template *t, struct template_piece piece)
{
    if (t->count == t->capacity) {
        t->capacity = t->capacity ? t->capacity * 2 : 16;
        struct template_piece *more = realloc(t->pieces, t->capacity * sizeof *more);
        if (!more)
            return false;
        t->pieces = more;
    }
    t->pieces[t->count++] = piece;
    return true;
}

// Up to what only the library can read.
static bool read_pieces(struct template *t, struct pl_slice code)
{
    enum place place = NO_PLACE;
    bool named = false; // the data at hand has a name
    size_t from = 0, at = 0;
    while (at < code.len && !t->by_library) {
        uint8_t c = code.ptr[at];
        if (c == '^' || c == '~') {
            t->by_library = named && !pl_slice_has_at(code, at, "^FS"); // of several ^FD in a field the last one counts
            named = false;
            place = read_command(t, code, at);
            at += 3;
            continue;
        }
        if (!pl_slice_has_at(code, at, "{{")) { // control codes may stand for commands
            t->by_library = c < ' ' && c != '\t' && c != '\r' && c != '\n';
            at++;
            continue;
        }
        struct template_piece piece = {.is_name = true};
        size_t length = simple_name(code, at, &piece.text);
        t->by_library = length == 0 || place == NO_PLACE;
        if (!add_piece(t, (struct template_piece){.text = pl_slice_sub(code, from, at - from)}) || !add_piece(t, piece))
            return false;
        named = place == DATA;
        from = at += length;
    }
    t->by_library = t->by_library || named;
    return t->by_library || add_piece(t, (struct template_piece){.text = pl_slice_sub(code, from, code.len - from)});
}

bool template_read(struct template *template, struct pl_slice code, const struct cli_limits *limits)
{
    *template = (struct template){.code = code, .limits = limits, .indicators = "\\<"}; // of blocks and barcodes
    bool ok = read_pieces(template, code);
    template->count = template->by_library ? 0 : template->count;
    return ok;
}

bool template_load(struct template *template, const char *path, size_t most, const struct cli_limits *limits)
{
    struct cli_input file;
    if (!cli_read(path, most, &file, NULL))
        return false;
    bool ok = template_read(template, pl_slice_make(file.data, file.size), limits);
    template->file = file;
    if (!ok)
        fprintf(stderr, "platen: %s: not enough memory\n", path);
    return ok;
}

void template_free(struct template *template)
{
    cli_input_free(&template->file);
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
    if (value.len > MOST_PLAIN)
        return false;
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

static bool is_utf8(const struct pl_slice *texts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!pl_utf8_valid(texts[i]))
            return false;
    }
    return true;
}

// JSON has no limit for a row, and may have no values; only CSV has bytes of other character sets.
static void put_row(const struct template_values *values, struct pl_buf *out)
{
    if (!is_utf8(values->names, values->count) || !is_utf8(values->values, values->count)) {
        put_csv(values->names, values->count, out);
        put_csv(values->values, values->count, out);
        return;
    }
    pl_buf_append_byte(out, '{');
    for (uint32_t i = 0; i < values->count; i++) {
        pl_buf_append_cstr(out, i > 0 ? "," : "");
        pl_buf_append_json_string(out, values->names[i]);
        pl_buf_append_byte(out, ':');
        pl_buf_append_json_string(out, values->values[i]);
    }
    pl_buf_append_byte(out, '}');
}

static enum platen_status start_library(struct template *t, struct platen_error *err)
{
    const struct platen_engine_options options = cli_limits_engine(t->limits, NULL);
    enum platen_status status = t->engine ? PLATEN_OK : platen_engine_new(&options, &t->engine, err);
    return status != PLATEN_OK || t->worker ? status : platen_worker_new(t->engine, &t->worker, err);
}

static bool fill_by_library(struct template *t, const struct template_values *values, struct pl_buf *out,
                            struct problem *problem)
{
    struct pl_buf row;
    struct platen_rewritten *rewritten = NULL;
    struct platen_error err = {.status = PLATEN_E_MEMORY};
    pl_buf_init(&row, SIZE_MAX / 2);
    put_row(values, &row);
    const struct platen_rewrite_options options =
        PLATEN_REWRITE_OPTIONS(.rows = row.data, .rows_size = row.len, .unverified = true, // it is drawn anyway
                               .deadline_ns = cli_deadline(t->limits));
    enum platen_status status = row.failed ? PLATEN_E_MEMORY : start_library(t, &err);
    if (status == PLATEN_OK)
        status = platen_rewrite(t->worker, t->code.ptr, t->code.len, &options, &rewritten, &err);
    pl_buf_fini(&row);
    if (status == PLATEN_OK) {
        size_t size;
        const char *code = platen_rewritten_code(rewritten, &size);
        pl_buf_append(out, code, size);
        platen_rewritten_free(rewritten);
        return true;
    }
    if (status == PLATEN_E_INVALID)
        return problem_set(problem, 400, "invalid_value", "The values cannot be filled in: %s.", err.message);
    render_problem_of(&err, problem);
    return false;
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
