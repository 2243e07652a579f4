// `platen fmt`: label code written anew: laid out, shortened, for another density, turned, filled with values; or what
// is in it as a table or in words.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "cli/cli_io.h"
#include "cli/cli_options.h"
#include "cli/render_inputs.h"
#include "commands.h"
#include "request/conversion.h"

enum {
    OPT_MINIFY = OPT_OWN,
    OPT_TO,
    OPT_GRAPHICS,
    OPT_FILL,
    OPT_EXTRACT,
    OPT_EXPLAIN,
    OPT_CHECK,
    OPT_STRICT,
    OPT_UTF8,
    OPT_UNITS,
    OPT_TO_LANGUAGE,
    OPT_HELP
};

static const char USAGE[] =
    "usage: platen fmt FILE|DIR|- [FILE|DIR ...] [options]\n"
    "\n"
    "Rewrites label code, to standard output: one field per line, drawn as before. Of a folder its *.zpl, *.epl, "
    "*.tspl,\n"
    "*.cpcl, *.txt, *.prn and *.lbl.\n"
    "\n"
    "  -w, --write           into the files themselves; not with --fill\n"
    "  --check               write nothing; exit status 1 if a file is laid out otherwise\n"
    "  --minify              as short as it gets, without comments\n"
    "  --graphics C          coding of ^GF and ~DG: keep (default), " CODING_LIST "\n"
    "  --to D                for another density, in dots per millimetre; --dpmm says for which it was made (8)\n"
    "  --rotation R          rotates clockwise: 0, 90, 180 or 270; --width-mm and --height-mm say how large the label "
    "is\n"
    "  --fill FILE           once for each row of values in FILE (CSV or JSON): {{name}} and ^FN are replaced\n"
    "  --to-language L       as code of another language: zpl (texts and barcodes stay what they are where the dots "
    "are the\n"
    "                        same), epl, tspl or cpcl (each label as a graphic); --language says which it is in\n"
    "  --units U             lengths of ZPL in dots, mm or in (inches), with the ^MU that says so; the dots stay\n"
    "  --utf8                adds ^CI28 to UTF-8 code that chooses no character set\n"
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
    enum task task;
    enum platen_table table;
    bool in_place, strict;
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
        status = platen_explain(f->worker, in->data, in->size, f->options.render.dpmm, f->table, &out, err);
    } else {
        struct platen_document *document;
        f->options.render.want_elements = true;
        f->options.render.deadline_ns = cli_deadline(&f->options.limits);
        status = platen_parse(f->worker, in->data, in->size, &f->options.render, &document, err);
        if (status == PLATEN_OK) {
            cli_more_time(&f->options.limits, f->options.render.deadline_ns, document);
            status = platen_extract(f->worker, document, f->table, &out, err);
            platen_document_free(document);
        }
    }
    bool ok = status == PLATEN_OK;
    if (ok) {
        err->message[0] = '\0';
        ok = out.size == 0 || cli_write("-", out.data, out.size, NULL);
        if (ok && f->table == PLATEN_TABLE_JSON)
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
        cli_print_failure(path, &err);
    cli_input_free(&in);
    return ok;
}

static bool read_graphics(const char *value, enum platen_graphic_coding *out)
{
    uint32_t index;
    if (coding_by_name(pl_slice_cstr(value), "keep", &index)) {
        *out = (enum platen_graphic_coding)index;
        return true;
    }
    fprintf(stderr, "platen: --graphics '%s': must be keep, " CODING_LIST "\n", value);
    return false;
}

static bool read_language(const char *value, enum platen_language *out)
{
    uint32_t index;
    if (target_language_by_name(pl_slice_cstr(value), &index)) {
        *out = (enum platen_language)index;
        return true;
    }
    fprintf(stderr, "platen: --to-language '%s': must be " TARGET_LANGUAGE_LIST "\n", value);
    return false;
}

static bool read_unit(const char *value, enum platen_length_unit *out)
{
    uint32_t unit;
    if (length_unit_by_name(pl_slice_cstr(value), &unit)) {
        *out = (enum platen_length_unit)unit;
        return true;
    }
    fprintf(stderr, "platen: --units '%s': must be dots, mm or in\n", value);
    return false;
}

static bool read_table(struct formatting *f, enum task task, const char *value)
{
    bool json = value && strcmp(value, "json") == 0, csv = value && strcmp(value, "csv") == 0;
    f->task = task;
    f->table = json ? PLATEN_TABLE_JSON : csv ? PLATEN_TABLE_CSV : PLATEN_TABLE_TEXT;
    if (task == EXTRACT ? json || csv : json || !value)
        return true;
    fprintf(stderr, "platen: --%s '%s': must be json%s\n", task == EXTRACT ? "extract" : "explain", value,
            task == EXTRACT ? " or csv" : "");
    return false;
}

// Options that the task has no use for.
static void tell_useless(const struct formatting *f)
{
    if (f->task != EXTRACT && f->task != EXPLAIN)
        return;
    const char *task = f->task == EXTRACT ? "--extract" : "--explain";
    bool layout = f->rewrite.layout != PLATEN_LAYOUT_LINES, graphics = f->rewrite.graphics != PLATEN_GRAPHIC_KEEP;
    const struct {
        const char *name;
        bool given;
    } OPTIONS[] = {{"--minify", layout},
                   {"--graphics", graphics},
                   {"--to", f->rewrite.target_dpmm != 0},
                   {"--to-language", f->rewrite.to_language != PLATEN_LANGUAGE_DETECT},
                   {"--units", f->rewrite.unit != PLATEN_UNIT_KEEP},
                   {"--fill", f->fill != NULL},
                   {"--utf8", f->rewrite.to_utf8},
                   {"--write", f->in_place},
                   {"--rotation", f->task == EXPLAIN && f->options.render.rotation != 0},
                   {"--language", f->task == EXPLAIN && f->options.render.language != PLATEN_LANGUAGE_DETECT}};
    for (size_t i = 0; i < PL_COUNTOF(OPTIONS); i++) {
        if (OPTIONS[i].given)
            fprintf(stderr, "platen: %s has no effect with %s; it was ignored\n", OPTIONS[i].name, task);
    }
}

// False: a mistake, which was reported.
static bool read_option(struct formatting *f, int option, const char *value, bool *help)
{
    switch (option) {
    case 'w':
        f->in_place = true;
        return true;
    case OPT_CHECK:
        f->task = CHECK;
        return true;
    case OPT_STRICT:
        f->strict = true;
        return true;
    case OPT_UTF8:
        f->rewrite.to_utf8 = true;
        return true;
    case OPT_MINIFY:
        f->rewrite.layout = PLATEN_LAYOUT_COMPACT;
        return true;
    case OPT_GRAPHICS:
        return read_graphics(value, &f->rewrite.graphics);
    case OPT_TO:
        if (cli_number(value, PL_DPMM_MIN, PL_DPMM_MAX, &f->rewrite.target_dpmm))
            return true;
        fprintf(stderr, "platen: --to '%s': must be a number from %d to %d\n", value, PL_DPMM_MIN, PL_DPMM_MAX);
        return false;
    case OPT_TO_LANGUAGE:
        return read_language(value, &f->rewrite.to_language);
    case OPT_UNITS:
        return read_unit(value, &f->rewrite.unit);
    case OPT_FILL:
        f->fill = value;
        return true;
    case OPT_EXTRACT:
        return read_table(f, EXTRACT, value);
    case OPT_EXPLAIN:
        return read_table(f, EXPLAIN, value);
    case OPT_HELP:
    case 'h':
        *help = true;
        return true;
    default:
        cli_help(stderr, USAGE);
        return false;
    }
}

static bool format_files(struct formatting *f, const struct render_inputs *inputs)
{
    struct platen_engine_options engine_options = cli_limits_engine(&f->options.limits, f->options.objects_dir);
    struct platen_engine *engine;
    struct platen_error err;
    struct platen_limits limits;
    struct cli_input rows = {0};
    if (platen_engine_new(&engine_options, &engine, &err) != PLATEN_OK ||
        platen_worker_new(engine, &f->worker, &err) != PLATEN_OK) {
        fprintf(stderr, "platen: %s\n", err.message);
        return false;
    }
    platen_engine_limits(engine, &limits);
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
    static const struct option OPTIONS[] = {
        CLI_CONTROLS(GROUP_LABELS),
        CLI_LIMIT_OPTIONS,
        {"write", no_argument, NULL, 'w'},
        {"check", no_argument, NULL, OPT_CHECK},
        {"strict", no_argument, NULL, OPT_STRICT},
        {"utf8", no_argument, NULL, OPT_UTF8},
        {"minify", no_argument, NULL, OPT_MINIFY},
        {"graphics", required_argument, NULL, OPT_GRAPHICS},
        {"to", required_argument, NULL, OPT_TO},
        {"to-language", required_argument, NULL, OPT_TO_LANGUAGE},
        {"units", required_argument, NULL, OPT_UNITS},
        {"fill", required_argument, NULL, OPT_FILL},
        {"extract", required_argument, NULL, OPT_EXTRACT},
        {"explain", optional_argument, NULL, OPT_EXPLAIN},
        {"help", no_argument, NULL, OPT_HELP},
        {NULL, 0, NULL, 0},
    };
    struct formatting f = {.options = cli_options_init(), .rewrite = PLATEN_REWRITE_OPTIONS()};
    bool help = false;
    for (int option; (option = cli_getopt(argc, argv, "hw", OPTIONS)) != -1;) {
        enum cli_result result = cli_option(option, optarg, &f.options);
        if (result == CLI_BAD || (result == CLI_NOT_MINE && !read_option(&f, option, optarg, &help)))
            return 2;
    }
    if (help) {
        cli_help(stdout, USAGE);
        cli_limits_help(stdout);
        return 0;
    }
    f.rewrite.dpmm = f.options.render.dpmm;
    f.rewrite.width_mm = f.options.render.width_mm;
    f.rewrite.height_mm = f.options.render.height_mm;
    f.rewrite.fit_size = f.options.render.fit_size;
    f.rewrite.rotation = f.options.render.rotation;
    f.rewrite.language = f.options.render.language;
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
    tell_useless(&f);
    struct render_inputs inputs = {0};
    bool ok = render_inputs_add_all(&inputs, argc - optind, argv + optind) && format_files(&f, &inputs);
    render_inputs_free(&inputs);
    return ok ? 0 : 1;
}
