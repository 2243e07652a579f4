// `platen render`: label code to pictures, one file or many.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/units.h"
#include "cli/arguments.h"
#include "cli/path_list.h"
#include "cli/progress.h"
#include "commands.h"
#include "os/cores.h"
#include "render_file.h"
#include "render_many.h"
#include "runner/confined.h"

#define JOBS_MAX RUNNER_PLACES_MAX

static const char USAGE[] =
    "usage: platen render FILE|DIR|- [FILE|DIR ...] [options]\n"
    "\n"
    "Renders label code (ZPL II, EPL2, TSPL, CPCL). One input goes to standard output or to -o; several\n"
    "inputs, or a folder (its " CLI_LABEL_FILES "), go to --out-dir, on all cores.\n"
    "Rows (*.ndjson, *.jsonl, *.csv) and the files of a *.zip are documents, too; they go to --out-dir or, as all\n"
    "inputs can, into one -o OUT.zip, OUT.pdf or OUT.ndjson.\n"
    "\n"
    "  -o, --output OUT      file to write, - for standard output (default)\n"
    "  --out-dir DIR         folder to write to: NAME.png for each NAME.zpl\n"
    "  --page N              which page, from 0 (0); a PDF always holds all\n"
    "  --pages all           every page, each in a file of its own: NAME-1.png, NAME-2.png\n"
    "  -j, --jobs N          threads for several inputs, with --timeout processes (all cores)\n"
    "  --timeout DURATION    time for each input or row (500ms, 2s, 1m), for untrusted label code: they are rendered "
    "in\n"
    "                        processes of their own, and one that crashes or takes too long fails alone\n"
    "  --template FILE       label code with {{name}} for each row: columns of a CSV file, members of NDJSON lines\n"
    "  --rows KIND           what standard input holds: ndjson, csv or zip\n"
    "  --as KIND             what -o - gets of many documents: ndjson (default), multipart, zip or pdf\n"
    "  --skip-existing       with --out-dir: leave out what is there already\n"
    "  -q, --quiet           do not print diagnostics\n"
    "  --strict              fail where there are warnings\n"
    "  -f, --format FORMAT   png (default), jpeg, webp, pdf, json or base64\n" CLI_LABELS_HELP "\n" CLI_SHEETS_HELP "\n"
    "Exit status: 0 all rendered, 1 some failed, 2 wrong usage.\n";

struct batch {
    const struct platen_engine *engine;
    const struct render_request *request;
    const struct path_list *inputs;
    const char *out_dir;
    const char *output; // without out_dir: that of the only input
    uint32_t jobs;
    uint64_t timeout_ms; // for each input, in processes; 0: in threads, for as long as it takes
    struct progress_bar bar;
};

// "out/label.png" for out_dir "out" and input "inbox/label.zpl". malloc'ed; NULL: no memory.
static char *output_path(const char *out_dir, const char *input, enum output output)
{
    const char *slash = strrchr(input, '/'), *name = slash ? slash + 1 : input;
    if (strcmp(input, "-") == 0)
        name = "stdin";
    const char *dot = strrchr(name, '.');
    size_t stem = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    char *out;
    return asprintf(&out, "%s/%.*s.%s", out_dir, (int)stem, name, output_name(output)) < 0 ? NULL : out;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const char *const *)a)[0], ((const char *const *)b)[0]);
}

// Two inputs of one name, from different folders, would overwrite each other. True: a line was printed.
static bool outputs_clash(const struct path_list *inputs, const char *out_dir, enum output output)
{
    size_t count = inputs->count;
    const char *(*pairs)[2] = calloc(count, sizeof *pairs); // output and input
    bool clash = !pairs;
    for (size_t i = 0; i < count && pairs; i++) {
        pairs[i][1] = inputs->paths[i];
        pairs[i][0] = output_path(out_dir, pairs[i][1], output);
        clash = clash || !pairs[i][0];
    }
    if (clash) {
        fprintf(stderr, "platen: not enough memory\n");
    } else {
        qsort(pairs, count, sizeof *pairs, by_path);
        for (size_t i = 1; i < count && !clash; i++) {
            clash = strcmp(pairs[i - 1][0], pairs[i][0]) == 0;
            if (clash)
                fprintf(stderr, "platen render: %s and %s would both become %s\n", pairs[i - 1][1], pairs[i][1],
                        pairs[i][0]);
        }
    }
    for (size_t i = 0; i < count && pairs; i++)
        free((char *)pairs[i][0]);
    free(pairs);
    return clash;
}

static void tell_progress(void *user, size_t done, size_t count, size_t failed)
{
    struct batch *batch = user;
    progress_tell(&batch->bar, count > 0 ? (double)done / (double)count : 1, done, failed);
}

// malloc'ed; NULL: no memory.
static char *output_of(const struct batch *batch, size_t item)
{
    return batch->out_dir
               ? output_path(batch->out_dir, batch->inputs->paths[item], batch->request->common.controls.format)
               : strdup(batch->output);
}

static bool render_item(void *user, size_t item, const struct runner_place *place)
{
    const struct batch *batch = user;
    const char *input = batch->inputs->paths[item];
    struct render_request request = *batch->request;
    char *output = output_of(batch, item);
    if (!output)
        message_print(place->sink, "platen: %s: not enough memory\n", input);
    request.files = place->files;
    bool ok = output && render_file(place->worker, &request, input, output, place->sink);
    free(output);
    return ok;
}

static bool may_write(void *user, size_t item, const char *path)
{
    const struct batch *batch = user;
    char *output = output_of(batch, item);
    bool may = output && render_writes(batch->request, output, path);
    free(output);
    return may;
}

static void fail_input(void *user, size_t item, enum confined_end end, const char *why, const struct message_sink *sink)
{
    const struct batch *batch = user;
    (void)end;
    message_print(sink, "platen: %s: %s\n", batch->inputs->paths[item], why);
}

// Returns how many failed.
static size_t render_listed(struct batch *batch)
{
    const struct confined_work work = {.verb = "rendered",
                                       .timeout_ms = batch->timeout_ms,
                                       .memory = cli_process_memory(batch->engine),
                                       .paths = batch->inputs->paths,
                                       .writes = may_write,
                                       .fail = fail_input};
    const struct run run = {.engine = batch->engine,
                            .places = batch->jobs,
                            .count = batch->inputs->count,
                            .task = render_item,
                            .progress = batch->bar.shown ? tell_progress : NULL,
                            .user = batch};
    return work.timeout_ms ? confined_run(&run, &work) : runner_run(&run);
}

static int render_batch(struct batch *batch)
{
    if (outputs_clash(batch->inputs, batch->out_dir, batch->request->common.controls.format))
        return 2;
    if (mkdir(batch->out_dir, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "platen: %s: %s\n", batch->out_dir, strerror(errno));
        return 1;
    }
    progress_begin(&batch->bar, batch->inputs->count > 1);
    size_t failed = render_listed(batch);
    bool shown = batch->bar.shown;
    progress_end(&batch->bar, batch->inputs->count - failed, failed);
    if (!shown && batch->inputs->count > 1 && !batch->request->quiet)
        fprintf(stderr, "%zu rendered, %zu failed\n", batch->inputs->count - failed, failed);
    return failed ? 1 : 0;
}

struct arguments {
    struct render_request request;
    const char *output, *out_dir;
    uint32_t jobs;
    uint64_t timeout_ms; // 0: in this process, for as long as it takes
    const char *template_path;
    enum row_kind rows;   // what standard input is
    enum batch_kind kind; // of an output that holds all
    bool kind_given, skip_existing;
    bool many; // rows, or an output that holds all documents
};

// Kinds of pictures that are not written. Other unknown endings can be anybody's, where a format is named.
static bool is_other_picture(struct pl_slice extension)
{
    static const char *const OTHERS[] = {"gif", "bmp", "tif", "tiff", "svg", "avif", "heic", "ico", "pcx", "grf"};
    for (size_t i = 0; i < PL_COUNTOF(OTHERS); i++) {
        if (pl_slice_eq_nocase(extension, pl_slice_cstr(OTHERS[i])))
            return true;
    }
    return false;
}

// Empty: the name has none, or it is no plain file.
static struct pl_slice extension_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return pl_slice_cstr(!dot || dot == name || cli_is_stream(path) ? "" : dot + 1);
}

static bool format_given(const struct arguments *a)
{
    return controls_has(&a->request.common.controls, CONTROL_FORMAT);
}

// "label.webp" says what it wants to be.
static void format_from_name(struct arguments *a)
{
    enum output output;
    if (a->output && !format_given(a) && output_by_name(extension_of(a->output), &output))
        a->request.common.controls.format = output;
}

// Does the name say what would be written? False: a line was printed.
static bool name_fits(const struct arguments *a)
{
    enum output output, wanted = a->request.common.controls.format;
    struct pl_slice extension = extension_of(a->output);
    bool known = output_by_name(extension, &output);
    if (extension.len == 0 || (known && (output == wanted || (output == OUTPUT_JSON && wanted == OUTPUT_BASE64))) ||
        (!known && format_given(a) && !is_other_picture(extension)))
        return true;
    if (format_given(a))
        fprintf(stderr, "platen render: %s: its name contradicts --format %s\n", a->output, output_name(wanted));
    else
        fprintf(stderr, "platen render: %s: the name ends in none of the formats " OUTPUT_LIST "; --format names one\n",
                a->output);
    return false;
}

static bool read_pages(void *command, const char *value)
{
    struct arguments *a = command;
    a->request.all_pages = true;
    return strcmp(value, "all") == 0;
}

static bool read_timeout(void *command, const char *value)
{
    struct arguments *a = command;
    return pl_parse_ms(value, &a->timeout_ms) && a->timeout_ms >= 1 && a->timeout_ms <= LIMIT_MS_MOST;
}

static bool read_rows(void *command, const char *value)
{
    struct arguments *a = command;
    return row_kind_by_name(value, &a->rows);
}

static bool read_kind(void *command, const char *value)
{
    struct arguments *a = command;
    a->kind_given = true;
    return batch_kind_by_name(pl_slice_cstr(value), &a->kind);
}

static const struct cli_row ROWS[] = {
    CLI_ROW_GROUPS(GROUP_LABELS),
    CLI_ROW_LIMITS,
    CLI_ROW_GROUPS(GROUP_SHEETS),
    {"output", 'o', CLI_TO_TEXT(struct arguments, output)},
    {"out-dir", '\0', CLI_TO_TEXT(struct arguments, out_dir)},
    {"page", '\0', CLI_TO_COUNT(struct arguments, request.page, 0, UINT32_MAX, "must be a whole number from 0")},
    {"pages", '\0', CLI_READ(read_pages, "must be 'all'")},
    {"jobs", 'j', CLI_TO_COUNT(struct arguments, jobs, 1, JOBS_MAX, "must be from 1 to 256")},
    {"timeout", '\0', CLI_READ(read_timeout, "must be a time such as 500ms, 2s or 1m, up to 24h")},
    {"template", '\0', CLI_TO_TEXT(struct arguments, template_path)},
    {"rows", '\0', CLI_READ(read_rows, "must be " ROW_KIND_LIST)},
    {"as", '\0', CLI_READ(read_kind, "must be " BATCH_KIND_LIST)},
    {"skip-existing", '\0', CLI_TO_FLAG(struct arguments, skip_existing)},
    {"quiet", 'q', CLI_TO_FLAG(struct arguments, request.quiet)},
    {"strict", '\0', CLI_TO_FLAG(struct arguments, request.strict)},
};
static const struct cli_command COMMAND = {"render", USAGE, CLI_ROWS(ROWS), .letters = "f:", .shows_limits = true};

static int usage_error(const char *message)
{
    return cli_usage_error(&COMMAND, message) - 1;
}

static bool same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && S_ISREG(first.st_mode) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

// Are there rows, or is there one output for several documents?
static void find_many(struct arguments *a, const struct path_list *inputs)
{
    bool several = inputs->folder || inputs->count > 1;
    struct pl_slice ending = extension_of(a->output ? a->output : "");
    a->many = a->rows != ROW_FILE || a->template_path || a->kind_given;
    for (size_t i = 0; i < inputs->count; i++)
        a->many = a->many || row_kind_of(inputs->paths[i]) != ROW_FILE;
    bool packed = pl_slice_eq_nocase(ending, pl_slice_cstr("zip")) ||
                  pl_slice_eq_nocase(ending, pl_slice_cstr("ndjson")) ||
                  ((several || a->many) && pl_slice_eq_nocase(ending, pl_slice_cstr("pdf")));
    a->many = a->many || packed || (several && a->output && !a->out_dir);
    if (!a->kind_given && packed)
        (void)batch_kind_by_name(ending, &a->kind);
    if (a->many && a->kind == BATCH_PDF && a->request.common.controls.format == OUTPUT_PDF)
        a->request.common.controls.format = OUTPUT_PNG; // each label; the output is the PDF
}

static int check_many(const struct arguments *a)
{
    struct pl_slice ending = extension_of(a->output ? a->output : "");
    enum batch_kind named;
    if (a->output && a->out_dir)
        return usage_error("give -o or --out-dir, not both");
    if (a->request.all_pages || a->request.page > 0)
        return usage_error("rows and packed outputs hold all pages: leave out --page and --pages");
    if (a->output && ending.len > 0 && (!batch_kind_by_name(ending, &named) || named != a->kind))
        return usage_error("the name of an output for many documents ends in .zip, .pdf or .ndjson, as --as says");
    if (a->skip_existing && !a->out_dir)
        return usage_error("--skip-existing needs --out-dir");
    if (controls_of_pdf(&a->request.common.controls) && (a->out_dir || a->kind != BATCH_PDF))
        return usage_error("the options of a PDF's pages, such as --page-size, need -o FILE.pdf");
    if (a->out_dir && a->kind_given)
        return usage_error("--as is for -o, not for --out-dir");
    if (!a->out_dir && !a->output && isatty(STDOUT_FILENO) && a->kind != BATCH_NDJSON)
        return usage_error("this is nothing for a terminal: give -o FILE");
    return 0;
}

static int check_arguments(const struct arguments *a, const struct path_list *inputs)
{
    bool several = inputs->folder || inputs->count > 1;
    if (inputs->count == 0)
        return usage_error("name a file, a folder, or - for standard input (see --help)");
    if (a->many)
        return check_many(a);
    if (a->skip_existing &&
        (!a->out_dir || (a->request.all_pages && !output_holds_all(a->request.common.controls.format))))
        return usage_error("--skip-existing needs --out-dir, and one file for each input");
    if (a->output && a->out_dir)
        return usage_error("give -o or --out-dir, not both");
    if (a->output && !several && same_file(inputs->paths[0], a->output))
        return usage_error("the output is the input itself");
    if (a->output && !name_fits(a))
        return 2;
    if (several && !a->out_dir)
        return usage_error("several inputs need --out-dir");
    if (!a->out_dir && a->request.all_pages && !output_holds_all(a->request.common.controls.format) &&
        (!a->output || strcmp(a->output, "-") == 0))
        return usage_error("--pages all needs -o or --out-dir");
    if (!a->out_dir && !a->output && isatty(STDOUT_FILENO) && a->request.common.controls.format != OUTPUT_JSON &&
        a->request.common.controls.format != OUTPUT_BASE64)
        return usage_error("a picture is nothing for a terminal: give -o FILE");
    return 0;
}

// Leaves out inputs whose outputs are there. False: none is left.
static bool leave_out_existing(struct path_list *inputs, const struct arguments *a)
{
    size_t left = 0;
    for (size_t i = 0; i < inputs->count; i++) {
        char *output = output_path(a->out_dir, inputs->paths[i], a->request.common.controls.format);
        struct stat st;
        bool there = output && stat(output, &st) == 0 && S_ISREG(st.st_mode);
        free(output);
        if (there)
            free(inputs->paths[i]);
        else
            inputs->paths[left++] = inputs->paths[i];
    }
    size_t skipped = inputs->count - left;
    inputs->count = left;
    if (skipped > 0 && !a->request.quiet)
        fprintf(stderr, "%zu left out: their outputs are there already\n", skipped);
    return left > 0;
}

static int render_all(struct arguments *a, const struct path_list *inputs)
{
    struct platen_limits limits;
    struct platen_engine *engine = cli_engine_new(&a->request.common, NULL, &limits);
    if (!engine)
        return 1;
    // A process is ended from outside.
    bool in_processes = a->timeout_ms > 0 && (confined_can() || !a->many);
    if (a->timeout_ms)
        a->request.common.limits.render_ms = in_processes ? 0 : a->timeout_ms;
    a->request.input_limit = limits.input_bytes;
    // Several inputs are shared out; of a single one, its labels.
    a->request.engine = engine;
    a->request.jobs = inputs->count == 1 && !in_processes ? a->jobs : 1;
    const char *output = a->output ? a->output : "-";
    struct batch batch = {.engine = engine,
                          .request = &a->request,
                          .inputs = inputs,
                          .out_dir = a->out_dir,
                          .output = output,
                          .jobs = a->jobs,
                          .timeout_ms = a->timeout_ms};
    struct render_many many = {.request = &a->request,
                               .engine = engine,
                               .inputs = inputs,
                               .out_dir = a->out_dir,
                               .output = output,
                               .kind = a->kind,
                               .standard = a->rows,
                               .template_path = a->template_path,
                               .jobs = a->jobs,
                               .timeout_ms = in_processes ? a->timeout_ms : 0,
                               .skip_existing = a->skip_existing};
    int status = a->many ? render_many_run(&many) : a->out_dir ? render_batch(&batch) : render_listed(&batch) ? 1 : 0;
    platen_engine_free(engine);
    return status;
}

static int run(struct arguments *a, struct path_list *inputs)
{
    find_many(a, inputs);
    int status = check_arguments(a, inputs);
    if (status)
        return status;
    bool is_pdf = a->many ? a->kind == BATCH_PDF : a->request.common.controls.format == OUTPUT_PDF;
    if (controls_of_pdf(&a->request.common.controls) && !is_pdf && !a->request.quiet)
        fprintf(stderr, "platen: the options of a PDF's pages have no effect on this output; they were ignored\n");
    if (a->skip_existing && !a->many && !leave_out_existing(inputs, a))
        return 0;
    return render_all(a, inputs);
}

int command_render(int argc, char **argv)
{
    struct arguments a = {.request.common = cli_options_init()};
    a.jobs = PL_MIN(pl_core_count(), JOBS_MAX);
    int status = cli_arguments(&COMMAND, argc, argv, &a, &a.request.common);
    if (status)
        return status - 1;
    format_from_name(&a);
    struct path_list inputs = {0};
    status = path_list_add_all(&inputs, path_list_add_input, argc - optind, argv + optind) ? run(&a, &inputs) : 1;
    path_list_free(&inputs);
    return status;
}
