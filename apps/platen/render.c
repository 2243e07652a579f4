// `platen render`: label code to pictures, one file or many.
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/cores.h"
#include "base/fmt.h"
#include "cli_io.h"
#include "commands.h"
#include "render_file.h"

#define JOBS_MAX 256u

enum { OPT_OUT_DIR = OPT_OWN, OPT_PAGE, OPT_PAGES, OPT_JOBS, OPT_STRICT, OPT_HELP };

static const char USAGE[] =
    "usage: platen render FILE|DIR|- [FILE|DIR ...] [options]\n"
    "\n"
    "Renders ZPL II label code. One input goes to standard output or to -o; several inputs, or a folder (its *.zpl,\n"
    "*.txt, *.prn and *.lbl), go to --out-dir, on all cores.\n"
    "\n"
    "  -o, --output OUT      file to write, - for standard output (default)\n"
    "  --out-dir DIR         folder to write to: NAME.png for each NAME.zpl\n"
    "  --page N              which page, from 0 (0); a PDF always holds all\n"
    "  --pages all           every page, each in a file of its own: NAME-1.png, NAME-2.png\n"
    "  -j, --jobs N          threads for several inputs (all cores)\n"
    "  -q, --quiet           do not print diagnostics\n"
    "  --strict              fail where there are warnings\n"
    "  -f, --format FORMAT   png (default), jpeg, webp, pdf, json or base64\n" CLI_COMMON_HELP "\n"
    "Exit status: 0 all rendered, 1 some failed, 2 wrong usage.\n";

struct list {
    char **paths;
    size_t count;
};

// False: a line was printed.
static bool list_add(struct list *list, const char *path)
{
    char **paths = realloc(list->paths, (list->count + 1) * sizeof *paths);
    char *copy = paths ? strdup(path) : NULL;
    if (paths)
        list->paths = paths;
    if (!copy) {
        fprintf(stderr, "platen: %s: not enough memory\n", path);
        return false;
    }
    list->paths[list->count++] = copy;
    return true;
}

static void list_free(struct list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->paths[i]);
    free(list->paths);
}

static bool is_label_file(const char *name)
{
    static const char *const ENDINGS[] = {".zpl", ".txt", ".prn", ".lbl"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && dot != name && i < sizeof ENDINGS / sizeof ENDINGS[0]; i++) {
        if (strcasecmp(dot, ENDINGS[i]) == 0)
            return true;
    }
    return false;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Adds a file, or the label files of a folder in the order of their names. False: a line was printed.
static bool collect(struct list *list, const char *path, bool *folder)
{
    struct stat st;
    if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return list_add(list, path); // a missing file is reported when it is read
    *folder = true;
    DIR *dir = opendir(path);
    if (!dir) {
        fprintf(stderr, "platen: %s: %s\n", path, strerror(errno));
        return false;
    }
    size_t first = list->count;
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(dir));) {
        char *full;
        if (!is_label_file(entry->d_name))
            continue;
        if (asprintf(&full, "%s/%s", path, entry->d_name) < 0) {
            fprintf(stderr, "platen: %s: not enough memory\n", path);
            ok = false;
        } else {
            ok = list_add(list, full);
            free(full);
        }
    }
    closedir(dir);
    if (list->count > first)
        qsort(list->paths + first, list->count - first, sizeof *list->paths, by_name);
    if (ok && list->count == first) {
        fprintf(stderr, "platen: %s: no label files (*.zpl, *.txt, *.prn, *.lbl) in this folder\n", path);
        return false;
    }
    return ok;
}

struct batch {
    const struct platen_engine *engine;
    const struct render_request *request;
    const struct list *inputs;
    const char *out_dir;
    struct shared_work work;
    atomic_size_t done, failed;
    bool progress;
};

static char *output_path(const struct batch *batch, const char *input)
{
    const char *slash = strrchr(input, '/'), *name = slash ? slash + 1 : input;
    if (strcmp(input, "-") == 0)
        name = "stdin";
    const char *dot = strrchr(name, '.');
    size_t stem = dot && dot != name ? (size_t)(dot - name) : strlen(name);
    char *out;
    return asprintf(&out, "%s/%.*s.%s", batch->out_dir, (int)stem, name, output_name(batch->request->common.output)) < 0
               ? NULL
               : out;
}

static void *run_batch(void *arg)
{
    struct batch *batch = arg;
    struct platen_worker *worker;
    struct platen_error err;
    if (platen_worker_new(batch->engine, &worker, &err) != PLATEN_OK) {
        fprintf(stderr, "platen: %s\n", err.message);
        return NULL; // the other threads do the work; what none of them did counts as failed
    }
    struct voice voice = {.work = &batch->work};
    while (shared_work_take(&batch->work, &voice.item)) {
        const char *input = batch->inputs->paths[voice.item];
        char *output = output_path(batch, input);
        if (!output)
            voice_print(&voice, "platen: %s: not enough memory\n", input);
        if (!output || !render_file(worker, batch->request, input, output, &voice))
            atomic_fetch_add(&batch->failed, 1);
        free(output);
        shared_work_done(&batch->work, voice.item);
        size_t done = atomic_fetch_add(&batch->done, 1) + 1;
        if (batch->progress)
            fprintf(stderr, "\r%zu of %zu rendered, %zu failed ", done, batch->inputs->count,
                    atomic_load(&batch->failed));
    }
    platen_worker_free(worker);
    return NULL;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const char *const *)a)[0], ((const char *const *)b)[0]);
}

// Two inputs of one name, from different folders, would overwrite each other. True: a line was printed.
static bool names_clash(const struct batch *batch)
{
    size_t count = batch->inputs->count;
    const char *(*pairs)[2] = calloc(count, sizeof *pairs); // output and input
    bool clash = !pairs;
    for (size_t i = 0; i < count && pairs; i++) {
        pairs[i][1] = batch->inputs->paths[i];
        pairs[i][0] = output_path(batch, pairs[i][1]);
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

static int render_batch(struct batch *batch, uint32_t jobs)
{
    if (names_clash(batch))
        return 2;
    if (mkdir(batch->out_dir, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "platen: %s: %s\n", batch->out_dir, strerror(errno));
        return 1;
    }
    if (!shared_work_init(&batch->work, batch->inputs->count, NULL)) {
        fprintf(stderr, "platen: not enough memory\n");
        return 1;
    }
    batch->progress = isatty(STDERR_FILENO) && batch->inputs->count > 1;
    pthread_t threads[JOBS_MAX];
    uint32_t started = 0;
    for (uint32_t i = 1; i < jobs && i < batch->inputs->count; i++)
        started += pthread_create(&threads[started], NULL, run_batch, batch) == 0;
    run_batch(batch);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    shared_work_fini(&batch->work);
    size_t failed = atomic_load(&batch->failed) + batch->inputs->count - atomic_load(&batch->done);
    if (batch->progress)
        fputc('\n', stderr);
    else if (batch->inputs->count > 1 && !batch->request->quiet)
        fprintf(stderr, "%zu rendered, %zu failed\n", batch->inputs->count - failed, failed);
    return failed ? 1 : 0;
}

static int render_one(const struct platen_engine *engine, const struct render_request *request, const char *input,
                      const char *output)
{
    struct platen_worker *worker;
    struct platen_error err;
    if (platen_worker_new(engine, &worker, &err) != PLATEN_OK) {
        fprintf(stderr, "platen: %s\n", err.message);
        return 1;
    }
    bool ok = render_file(worker, request, input, output, NULL);
    platen_worker_free(worker);
    return ok ? 0 : 1;
}

struct arguments {
    struct render_request request;
    const char *output, *out_dir;
    uint32_t jobs;
    bool format_given;
};

static int usage_error(const char *message)
{
    fprintf(stderr, "platen render: %s\n", message);
    return 2;
}

static void set_by_extension(struct cli_options *options, const char *extension)
{
    enum output output;
    if (output_by_name(pl_slice_cstr(extension), &output))
        cli_set_output(options, output);
}

// "label.webp" says what it wants to be.
static void format_from_name(struct arguments *a)
{
    const char *dot = a->output ? strrchr(a->output, '.') : NULL;
    if (dot && !a->format_given)
        set_by_extension(&a->request.common, dot + 1);
}

// 0: go on; otherwise the exit status plus one.
static int read_arguments(int argc, char **argv, struct arguments *a)
{
    static const struct option OPTIONS[] = {
        CLI_COMMON_OPTIONS,
        {"output", required_argument, NULL, 'o'},
        {"out-dir", required_argument, NULL, OPT_OUT_DIR},
        {"page", required_argument, NULL, OPT_PAGE},
        {"pages", required_argument, NULL, OPT_PAGES},
        {"jobs", required_argument, NULL, 'j'},
        {"quiet", no_argument, NULL, 'q'},
        {"strict", no_argument, NULL, OPT_STRICT},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int option;
    uint64_t number;
    while ((option = getopt_long(argc, argv, "f:o:j:qh", OPTIONS, NULL)) != -1) {
        switch (option) {
        case 'o':
            a->output = optarg;
            break;
        case OPT_OUT_DIR:
            a->out_dir = optarg;
            break;
        case OPT_PAGE:
            if (!pl_parse_u64(pl_slice_cstr(optarg), &number) || number > UINT32_MAX)
                return usage_error("--page: must be a whole number from 0") + 1;
            a->request.page = (uint32_t)number;
            break;
        case OPT_PAGES:
            if (strcmp(optarg, "all") != 0)
                return usage_error("--pages: must be 'all'") + 1;
            a->request.all_pages = true;
            break;
        case 'j':
            if (!pl_parse_u64(pl_slice_cstr(optarg), &number) || number < 1 || number > JOBS_MAX)
                return usage_error("--jobs: must be from 1 to 256") + 1;
            a->jobs = (uint32_t)number;
            break;
        case 'q':
            a->request.quiet = true;
            break;
        case OPT_STRICT:
            a->request.strict = true;
            break;
        case 'h':
            fputs(USAGE, stdout);
            return 1;
        default:
            if (option == OPT_FORMAT)
                a->format_given = true;
            if (cli_option(option, optarg, &a->request.common) != CLI_TAKEN)
                return 3;
        }
    }
    format_from_name(a);
    return 0;
}

static bool same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && S_ISREG(first.st_mode) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static int check_arguments(const struct arguments *a, const struct list *inputs, bool folder)
{
    bool several = folder || inputs->count > 1;
    if (inputs->count == 0)
        return usage_error("name a file, a folder, or - for standard input (--help tells more)");
    if (a->output && a->out_dir)
        return usage_error("give -o or --out-dir, not both");
    if (a->output && !several && same_file(inputs->paths[0], a->output))
        return usage_error("the output is the input itself");
    if (several && !a->out_dir)
        return usage_error("several inputs need --out-dir");
    if (!a->out_dir && a->request.all_pages && !render_holds_all(a->request.common.output) &&
        (!a->output || strcmp(a->output, "-") == 0))
        return usage_error("--pages all needs -o or --out-dir");
    if (!a->out_dir && !a->output && isatty(STDOUT_FILENO) && a->request.common.output != OUTPUT_JSON &&
        a->request.common.output != OUTPUT_BASE64)
        return usage_error("a picture is nothing for a terminal: give -o FILE");
    return 0;
}

int command_render(int argc, char **argv)
{
    struct arguments a = {0};
    a.jobs = PL_MIN(pl_core_count(), JOBS_MAX);
    int status = read_arguments(argc, argv, &a);
    if (status)
        return status - 1;
    struct list inputs = {0};
    bool folder = false;
    for (int i = optind; i < argc; i++) {
        if (!collect(&inputs, argv[i], &folder)) {
            list_free(&inputs);
            return 1;
        }
    }
    status = check_arguments(&a, &inputs, folder);
    if (status == 0) {
        struct platen_engine_options options = cli_engine_options(&a.request.common);
        struct platen_engine *engine;
        struct platen_error err;
        if (platen_engine_new(&options, &engine, &err) != PLATEN_OK) {
            fprintf(stderr, "platen: %s\n", err.message);
            status = 1;
        } else {
            struct platen_limits limits;
            platen_engine_limits(engine, &limits);
            a.request.input_limit = limits.input_bytes;
            // Several inputs are shared out; of a single one, its labels.
            a.request.engine = engine;
            a.request.jobs = inputs.count == 1 ? a.jobs : 1;
            struct batch batch = {.engine = engine, .request = &a.request, .inputs = &inputs, .out_dir = a.out_dir};
            status = a.out_dir ? render_batch(&batch, a.jobs)
                               : render_one(engine, &a.request, inputs.paths[0], a.output ? a.output : "-");
            platen_engine_free(engine);
        }
    }
    list_free(&inputs);
    return status;
}
