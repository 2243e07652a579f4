// `platen fmt`: label code written anew: laid out, shortened, for another density, turned, filled with values; or what
// is in it as a table or in words.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "cli/arguments.h"
#include "cli/cli_io.h"
#include "cli/path_list.h"
#include "commands.h"
#include "request/conversion.h"

static const char USAGE[] =
    "usage: platen fmt FILE|DIR|- [FILE|DIR ...] [options]\n"
    "\n"
    "Rewrites label code, to standard output: one field per line, drawn as before. Of a folder its "
    "files\n" CLI_LABEL_FILES ".\n"
    "\n"
    "  -w, --write           into the files themselves; not with --fill\n"
    "  --check               write nothing; exit status 1 if a file is laid out otherwise\n"
    "  --minify              as short as it gets, without comments\n"
    "  --rotation R          rotates clockwise: 0, 90, 180 or 270; --width-mm and --height-mm say how large the label "
    "is\n"
    "  --dpmm D              dots per millimetre that the code was made for (8)\n"
    "  --language L          which language it is in: auto (default), zpl, epl, tspl or cpcl\n"
    "  --fill FILE           once for each row of values in FILE (CSV or JSON): {{name}} and ^FN are "
    "replaced\n" CLI_CODE_HELP
    "  --strict              exit status 1, and nothing is written, if something could not be kept exactly\n"
    "  --extract json|csv    instead of code: texts and barcodes with their places\n"
    "  --explain[=json]      instead of code: each command in words\n"
    "\n"
    "What could not be kept exactly is reported on standard error.\n"
    "Exit status: 0 fine, 1 a file could not be read or written, or --check or --strict found one, 2 wrong usage.\n";

enum task { REWRITE, CHECK, EXTRACT, EXPLAIN };

struct formatting {
    struct platen_worker *worker;
    struct cli_options options;
    struct platen_rewrite_options rewrite;
    struct conversion_request request;
    enum task task;
    bool in_place, strict, minify;
    size_t limit;
    const char *fill; // file of values, or NULL
};

static void tell_notes(const char *path, const struct platen_rewritten *rewritten)
{
    struct platen_diagnostic note;
    for (uint32_t i = 0; platen_rewritten_note_at(rewritten, i, &note); i++)
        fprintf(stderr, "%s:%u:%u: %s\n", path, note.line, note.column, note.message);
}

static uint64_t count_bytes(const uint8_t *bytes, size_t size, uint8_t byte)
{
    uint64_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += bytes[i] == byte;
    return count;
}

// Labels that rewriting draws, for each row of values: at most so many.
static uint64_t count_labels(struct formatting *f, const struct cli_input *in)
{
    struct platen_document *document;
    const struct platen_rewrite_options *r = &f->rewrite;
    uint64_t labels = 1, rows = 1;
    struct platen_options parsing = f->options.render;
    parsing.deadline_ns = f->rewrite.deadline_ns;
    parsing.collapse_copies = true;
    if ((r->rotation || r->target_dpmm != 0 || r->unit || r->to_language || r->rows) && f->options.limits.render_ms &&
        platen_parse(f->worker, in->data, in->size, &parsing, &document, NULL) == PLATEN_OK) {
        labels = PL_MAX(platen_label_count(document), 1u);
        platen_document_free(document);
    }
    if (r->rows)
        rows = 1 + PL_MAX(count_bytes(r->rows, r->rows_size, '\n'), count_bytes(r->rows, r->rows_size, '{'));
    return labels * PL_MIN(rows, UINT64_C(100000));
}

// Is a failure that of the values, and not of the code? Without them the code can be rewritten.
static bool is_of_values(struct formatting *f, const struct cli_input *in, enum platen_status status)
{
    struct platen_rewrite_options bare = f->rewrite;
    struct platen_rewritten *rewritten;
    bare.rows = NULL;
    bare.unverified = true;
    if (!f->rewrite.rows || (status != PLATEN_E_INVALID && status != PLATEN_E_NOT_FOUND) ||
        platen_rewrite(f->worker, in->data, in->size, &bare, &rewritten, NULL) != PLATEN_OK)
        return false;
    platen_rewritten_free(rewritten);
    return true;
}

static bool rewrite_file(struct formatting *f, const char *path, const struct cli_input *in, struct platen_error *err)
{
    struct platen_rewritten *rewritten;
    f->rewrite.deadline_ns = cli_deadline(&f->options.limits);
    f->rewrite.deadline_ns = cli_deadline_of(&f->options.limits, f->rewrite.deadline_ns, count_labels(f, in));
    enum platen_status status = platen_rewrite(f->worker, in->data, in->size, &f->rewrite, &rewritten, err);
    if (is_of_values(f, in, status)) {
        fprintf(stderr, "platen: %s: %s (for %s)\n", f->fill, err->message, path);
        err->message[0] = '\0';
    }
    if (status != PLATEN_OK)
        return false;
    size_t size;
    const char *code = platen_rewritten_code(rewritten, &size);
    bool same = size == in->size && memcmp(code, in->data, size) == 0, ok = true;
    err->message[0] = '\0';
    tell_notes(path, rewritten);
    if (f->strict && platen_rewritten_note_count(rewritten) > 0) {
        ok = false;
    } else if (f->task == CHECK) {
        ok = same;
        if (!same)
            printf("%s\n", path);
    } else if (!f->in_place || !same) {
        ok = cli_write(f->in_place ? path : "-", code, size, NULL);
    }
    platen_rewritten_free(rewritten);
    return ok;
}

static bool table_of_file(struct formatting *f, const struct cli_input *in, struct platen_error *err)
{
    struct platen_buffer out = {0};
    enum platen_status status;
    if (f->task == EXPLAIN) {
        status = platen_explain(f->worker, in->data, in->size, f->options.render.dpmm,
                                (enum platen_table)f->request.table, &out, err);
    } else {
        struct platen_document *document;
        f->options.render.want_elements = true;
        f->options.render.deadline_ns = cli_deadline(&f->options.limits);
        status = platen_parse(f->worker, in->data, in->size, &f->options.render, &document, err);
        if (status == PLATEN_OK) {
            cli_more_time(&f->options.limits, f->options.render.deadline_ns, document);
            status = platen_extract(f->worker, document, (enum platen_table)f->request.table, &out, err);
            platen_document_free(document);
        }
    }
    bool ok = status == PLATEN_OK;
    if (ok) {
        err->message[0] = '\0';
        ok = out.size == 0 || cli_write("-", out.data, out.size, NULL);
        if (ok && f->request.table == PLATEN_TABLE_JSON)
            ok = cli_write("-", "\n", 1, NULL);
    }
    platen_buffer_free(&out);
    return ok;
}

static bool format_file(struct formatting *f, const char *path)
{
    struct cli_input in;
    struct platen_error err = {0};
    if (!cli_read(path, f->limit, &in, NULL))
        return false;
    bool ok = f->task == REWRITE || f->task == CHECK ? rewrite_file(f, path, &in, &err) : table_of_file(f, &in, &err);
    if (!ok && err.message[0])
        cli_print_failure(path, &err, NULL);
    cli_input_free(&in);
    return ok;
}

static bool read_table(struct formatting *f, enum task task, const char *value)
{
    f->task = task;
    f->request.action = task == EXTRACT ? ACTION_EXTRACT : ACTION_EXPLAIN;
    f->request.table = PLATEN_TABLE_TEXT;
    return (!value || conversion_take(&f->request, &CODE_FIELDS, conversion_field(&CODE_FIELDS, "table"),
                                      pl_slice_cstr(value))) &&
           conversion_has_table(&f->request);
}

static bool extract(void *command, const char *value)
{
    return read_table(command, EXTRACT, value);
}

static bool explain(void *command, const char *value)
{
    return read_table(command, EXPLAIN, value);
}

static const struct cli_row ROWS[] = {
    CLI_ROW_GROUPS(GROUP_LABELS),
    CLI_ROW_LIMITS,
    {"write", 'w', CLI_TO_FLAG(struct formatting, in_place)},
    {"check", '\0', CLI_TO_CHOICE(struct formatting, enum task, task, CHECK)},
    {"strict", '\0', CLI_TO_FLAG(struct formatting, strict)},
    {"minify", '\0', CLI_TO_FLAG(struct formatting, minify)},
    CLI_ROW_FIELDS(CODE_FIELDS, struct formatting, request),
    {"fill", '\0', CLI_TO_TEXT(struct formatting, fill)},
    {"extract", '\0', CLI_READ(extract, "must be json or csv")},
    {"explain", '\0', CLI_MAY_READ(explain, "must be text or json")},
};
static const struct cli_command COMMAND = {
    "fmt", USAGE, CLI_ROWS(ROWS), .shows_usage = true, .shows_limits = true, .quotes = true};

// Options that the task has no use for are told, and forgotten.
static void drop_useless(struct formatting *f)
{
    bool is_table = f->task == EXTRACT || f->task == EXPLAIN;
    struct controls *c = &f->options.controls;
    f->request.conversion = f->task == EXTRACT ? CONVERT_EXTRACT : f->task == EXPLAIN ? CONVERT_EXPLAIN : CONVERT_CODE;
    if (is_table && f->minify)
        controls_note_useless(c, "minify");
    if (is_table && f->fill)
        controls_note_useless(c, "fill");
    if (is_table && f->in_place)
        controls_note_useless(c, "write");
    conversion_drop_useless(&f->request, &CODE_FIELDS, c, true);
    cli_tell_useless(c, f->task == EXTRACT ? "--extract" : is_table ? "--explain" : NULL);
    f->options.render = controls_given_options(&c->values);
    if (!is_table && f->minify)
        f->request.action = ACTION_MINIFY;
    f->rewrite = conversion_rewrite(&f->request, &f->options.render);
}

static bool format_files(struct formatting *f, const struct path_list *inputs)
{
    struct platen_limits limits;
    struct cli_input rows = {0};
    struct platen_engine *engine = cli_engine_new(&f->options, &f->worker, &limits);
    if (!engine)
        return false;
    f->limit = limits.input_bytes;
    bool fills = f->fill && (f->task == REWRITE || f->task == CHECK);
    bool ok = !fills || cli_read(f->fill, f->limit, &rows, NULL);
    if (fills && ok) {
        f->rewrite.rows = rows.data ? rows.data : (const uint8_t *)"";
        f->rewrite.rows_size = rows.size;
    }
    for (size_t i = 0; i < inputs->count && (ok || i > 0); i++)
        ok = format_file(f, inputs->paths[i]) && ok;
    cli_input_free(&rows);
    platen_worker_free(f->worker);
    platen_engine_free(engine);
    return ok;
}

int command_fmt(int argc, char **argv)
{
    struct formatting f = {.options = cli_options_init()};
    int status = cli_arguments(&COMMAND, argc, argv, &f, &f.options);
    if (status)
        return status - 1;
    if (optind == argc) {
        cli_help(stderr, USAGE);
        return 2;
    }
    if (f.fill && f.in_place) {
        fprintf(stderr,
                "platen: --write with --fill would replace the template by its labels; write to another file: "
                "platen fmt --fill %s %s > labels.zpl\n",
                f.fill, argv[optind]);
        return 2;
    }
    drop_useless(&f);
    struct path_list inputs = {0};
    bool ok =
        path_list_add_all(&inputs, path_list_add_input, argc - optind, argv + optind) && format_files(&f, &inputs);
    path_list_free(&inputs);
    return ok ? 0 : 1;
}
