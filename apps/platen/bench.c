// `platen bench`: renders one file again and again in one thread and says how long it takes, and where.
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cli/arguments.h"
#include "cli/cli_io.h"
#include "commands.h"

static const char USAGE[] = "usage: platen bench FILE [options]\n"
                            "\n"
                            "Renders all labels of the file again and again, in one thread, from its bytes to the "
                            "bytes of the pictures. Prints the\n"
                            "share of each stage and, as the last line, the median in microseconds.\n"
                            "\n"
                            "  --seconds S           how long (2)\n"
                            "  --runs N              or: how many times, after the first\n"
                            "  -f, --format FORMAT   png (default), jpeg, webp or pdf\n" CLI_LABELS_HELP;

enum stage { PARSE, DRAW, ENCODE, STAGES };
static const char *const STAGE_NAMES[STAGES] = {"parse", "draw", "encode"};

struct bench {
    struct platen_worker *worker;
    struct cli_options options;
    double seconds;
    uint32_t runs; // 0: as many as the seconds give
    struct cli_input zpl;
    struct platen_buffer bytes, part;
    double stage_us[STAGES]; // of the run that goes on
    uint32_t labels;
    size_t output;
};

// Counts this thread's own instructions, where the system lets a program do that; -1 where not.
static int open_instruction_counter(void)
{
    struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE,
                                   .size = sizeof attr,
                                   .config = PERF_COUNT_HW_INSTRUCTIONS,
                                   .disabled = 1,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static void print_instructions(int counter, size_t runs)
{
    uint64_t count;
    if (counter >= 0 && runs > 0 && read(counter, &count, sizeof count) == (ssize_t)sizeof count)
        printf("%.0f instructions a run\n", (double)count / (double)runs);
}

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static enum platen_status encode(struct bench *b, const struct platen_page *page, struct platen_pdf *pdf,
                                 uint32_t copies, struct platen_error *err)
{
    const struct platen_encode_options encoding = controls_encoding(&b->options.controls.values);
    if (!pdf)
        return platen_encode(b->worker, page, output_format(b->options.controls.format), &encoding, &b->bytes, err);
    enum platen_status status = platen_pdf_part(b->worker, page, &b->part, err);
    return status == PLATEN_OK ? platen_pdf_add(pdf, &b->part, copies, err) : status;
}

// One whole rendering; returns its time in microseconds, or a negative number with `err` filled.
static double render_once(struct bench *b, struct platen_error *err)
{
    struct platen_document *document;
    struct platen_pdf *pdf = NULL;
    double start = now_us(), at = start;
    memset(b->stage_us, 0, sizeof b->stage_us);
    if (platen_parse(b->worker, b->zpl.data, b->zpl.size, &b->options.render, &document, err) != PLATEN_OK)
        return -1;
    double t = now_us();
    b->stage_us[PARSE] += t - at;
    at = t;
    b->labels = platen_label_count(document);
    b->output = 0;
    enum platen_status status = PLATEN_OK;
    if (b->options.controls.format == OUTPUT_PDF)
        status = platen_pdf_new("Labels", &b->bytes, &pdf, err);
    for (uint32_t i = 0; i < b->labels && status == PLATEN_OK; i++) {
        const struct platen_page *page;
        struct platen_label label;
        platen_label_at(document, i, &label);
        status = platen_draw(b->worker, document, i, &page, err);
        t = now_us();
        b->stage_us[DRAW] += t - at;
        at = t;
        if (status == PLATEN_OK)
            status = encode(b, page, pdf, label.copies, err);
        b->output += pdf ? 0 : b->bytes.size;
        t = now_us();
        b->stage_us[ENCODE] += t - at;
        at = t;
    }
    if (pdf && status == PLATEN_OK) {
        status = platen_pdf_finish(pdf, err);
        b->output = b->bytes.size;
    }
    platen_pdf_free(pdf);
    platen_document_free(document);
    t = now_us();
    b->stage_us[ENCODE] += t - at;
    return status == PLATEN_OK ? t - start : -1;
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static double median(float *values, size_t n)
{
    qsort(values, n, sizeof *values, by_value);
    return n % 2 ? (double)values[n / 2] : ((double)values[n / 2 - 1] + (double)values[n / 2]) / 2;
}

#define MAX_RUNS 500000

// What was measured: a column for each stage and one for the whole.
struct times {
    float *columns[STAGES + 1];
    size_t n;
};

static bool times_new(struct times *t)
{
    bool ok = true;
    for (int i = 0; i <= STAGES; i++) {
        t->columns[i] = malloc(MAX_RUNS * sizeof(float));
        ok = ok && t->columns[i];
    }
    return ok;
}

static void times_free(struct times *t)
{
    for (int i = 0; i <= STAGES; i++)
        free(t->columns[i]);
}

static void print_times(const struct bench *b, struct times *t, double first, int counter)
{
    double whole = median(t->columns[STAGES], t->n), stages[STAGES], all = 0;
    float *sorted = t->columns[STAGES];
    for (int s = 0; s < STAGES; s++)
        all += stages[s] = median(t->columns[s], t->n);
    printf("%zu runs of %u label%s, %zu bytes out; first %.1f us, 10 %% %.1f, 90 %% %.1f\n", t->n, b->labels,
           b->labels == 1 ? "" : "s", b->output, first, (double)sorted[t->n / 10],
           (double)sorted[t->n - 1 - t->n / 10]);
    for (int s = 0; s < STAGES; s++)
        printf("%-7s %5.1f %%  %10.2f us\n", STAGE_NAMES[s], stages[s] / all * 100, stages[s]);
    print_instructions(counter, t->n);
    printf("%.2f\n", whole);
}

// Runs until the time or the number of runs is over, and at least twice: the first one warms caches and memory, and is
// told apart.
static int measure(struct bench *b)
{
    struct platen_error err = {0};
    struct times t = {0};
    if (!times_new(&t)) {
        times_free(&t);
        fprintf(stderr, "platen: not enough memory\n");
        return 1;
    }
    int counter = open_instruction_counter();
    double first = render_once(b, &err), end = now_us() + b->seconds * 1e6;
    bool ok = first >= 0;
    if (ok && b->labels == 0) {
        snprintf(err.message, sizeof err.message, "there is no label in it");
        ok = false;
    }
    if (counter >= 0)
        ioctl(counter, PERF_EVENT_IOC_ENABLE, 0);
    while (ok && t.n < MAX_RUNS && (b->runs ? t.n < b->runs : t.n == 0 || now_us() < end)) {
        double us = render_once(b, &err);
        ok = us >= 0;
        for (int s = 0; s < STAGES; s++)
            t.columns[s][t.n] = (float)b->stage_us[s];
        t.columns[STAGES][t.n++] = (float)us;
    }
    if (counter >= 0)
        ioctl(counter, PERF_EVENT_IOC_DISABLE, 0);
    if (ok)
        print_times(b, &t, first, counter);
    else
        fprintf(stderr, "platen: %s\n", err.message);
    if (counter >= 0)
        close(counter);
    times_free(&t);
    return ok ? 0 : 1;
}

static bool read_seconds(void *command, const char *value)
{
    struct bench *b = command;
    return cli_number(value, 0, 3600, &b->seconds);
}

int command_bench(int argc, char **argv)
{
    static const struct cli_row ROWS[] = {
        CLI_ROW_GROUPS(GROUP_LABELS),
        CLI_ROW_LIMITS,
        {"seconds", '\0', CLI_READ(read_seconds, "must be from 0 to 3600")},
        {"runs", '\0', CLI_TO_COUNT(struct bench, runs, 1, MAX_RUNS, "must be from 1 to " PL_LIMIT_TEXT(MAX_RUNS))},
    };
    static const struct cli_command COMMAND = {"bench", USAGE, CLI_ROWS(ROWS), .letters = "f:", .quotes = true};
    struct bench b = {.options = cli_options_init(), .seconds = 2};
    int status = cli_arguments(&COMMAND, argc, argv, &b, &b.options);
    if (status)
        return status - 1;
    if (optind + 1 != argc)
        return cli_usage_error(&COMMAND, "name one file (see --help)") - 1;
    if (b.options.controls.format == OUTPUT_JSON || b.options.controls.format == OUTPUT_BASE64)
        return cli_usage_error(&COMMAND, "png, jpeg, webp and pdf can be measured") - 1;
    b.options.render.want_elements = b.options.controls.format == OUTPUT_PDF || b.options.render.verify;
    struct platen_limits limits;
    struct platen_engine *engine = cli_engine_new(&b.options, &b.worker, &limits);
    if (!engine)
        return 1;
    status = cli_read(argv[optind], limits.input_bytes, &b.zpl, NULL) ? measure(&b) : 1;
    cli_input_free(&b.zpl);
    platen_buffer_free(&b.bytes);
    platen_buffer_free(&b.part);
    platen_worker_free(b.worker);
    platen_engine_free(engine);
    return status;
}
