// `platen bench`: renders one file again and again in one thread and says how long it takes, and where.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli_io.h"
#include "cli_options.h"
#include "commands.h"

enum { OPT_SECONDS = OPT_OWN };

static const char USAGE[] = "usage: platen bench FILE [options]\n"
                            "\n"
                            "Renders all labels of the file again and again, in one thread, from its bytes to the "
                            "bytes of the pictures. Prints the\n"
                            "share of each stage and, as the last line, the median in microseconds.\n"
                            "\n"
                            "  --seconds S           how long (2)\n" CLI_COMMON_HELP;

enum stage { PARSE, DRAW, ENCODE, STAGES };
static const char *const STAGE_NAMES[STAGES] = {"parse", "draw", "encode"};

struct bench {
    struct platen_worker *worker;
    struct cli_options options;
    struct cli_input zpl;
    struct platen_buffer bytes, part;
    double stage_us[STAGES];
    uint32_t labels;
    size_t output;
};

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static enum platen_status encode(struct bench *b, const struct platen_page *page, struct platen_pdf *pdf,
                                 uint32_t copies, struct platen_error *err)
{
    if (!pdf)
        return platen_encode(b->worker, page, b->options.format, &b->options.encode, &b->bytes, err);
    enum platen_status status = platen_pdf_part(b->worker, page, &b->part, err);
    return status == PLATEN_OK ? platen_pdf_add(pdf, &b->part, copies, err) : status;
}

// One whole rendering; returns its time in microseconds, or a negative number with `err` filled.
static double render_once(struct bench *b, struct platen_error *err)
{
    struct platen_document *document;
    struct platen_pdf *pdf = NULL;
    double start = now_us(), at = start;
    if (platen_parse(b->worker, b->zpl.data, b->zpl.size, &b->options.render, &document, err) != PLATEN_OK)
        return -1;
    double t = now_us();
    b->stage_us[PARSE] += t - at;
    at = t;
    b->labels = platen_label_count(document);
    b->output = 0;
    enum platen_status status = PLATEN_OK;
    if (b->options.format == PLATEN_PDF)
        status = platen_pdf_new("labels", &b->bytes, &pdf, err);
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
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#define MAX_RUNS 1000000u

static int measure(struct bench *b, double seconds)
{
    struct platen_error err = {0};
    double *times = malloc(MAX_RUNS * sizeof *times);
    if (!times) {
        fprintf(stderr, "platen: not enough memory\n");
        return 1;
    }
    size_t n = 0;
    double first = 0, end = now_us() + seconds * 1e6;
    bool ok = true;
    while (n < MAX_RUNS && (n == 0 || now_us() < end)) {
        double us = render_once(b, &err);
        if (us < 0) {
            fprintf(stderr, "platen: %s\n", err.message);
            ok = false;
            break;
        }
        if (first == 0) { // the first one warms caches and memory, and is told apart
            first = us;
            memset(b->stage_us, 0, sizeof b->stage_us);
            continue;
        }
        times[n++] = us;
    }
    if (ok && b->labels == 0) {
        fprintf(stderr, "platen: there is no label in it\n");
        ok = false;
    }
    if (ok && n > 0) {
        qsort(times, n, sizeof *times, by_value);
        double all = b->stage_us[PARSE] + b->stage_us[DRAW] + b->stage_us[ENCODE];
        printf("%zu runs of %u label%s, %zu bytes out; first %.1f us, 10 %% %.1f, 90 %% %.1f\n", n, b->labels,
               b->labels == 1 ? "" : "s", b->output, first, times[n / 10], times[n - 1 - n / 10]);
        for (int s = 0; s < STAGES; s++)
            printf("%-7s %5.1f %%  %10.2f us\n", STAGE_NAMES[s], b->stage_us[s] / all * 100,
                   b->stage_us[s] / (double)n);
        printf("%.2f\n", n % 2 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2);
    }
    free(times);
    return ok ? 0 : 1;
}

int command_bench(int argc, char **argv)
{
    static const struct option OPTIONS[] = {
        CLI_COMMON_OPTIONS,
        {"seconds", required_argument, NULL, OPT_SECONDS},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct bench b = {0};
    double seconds = 2;
    int option;
    while ((option = getopt_long(argc, argv, "f:h", OPTIONS, NULL)) != -1) {
        if (option == 'h') {
            fputs(USAGE, stdout);
            return 0;
        }
        if (option == OPT_SECONDS) {
            if (!cli_number(optarg, 0, 3600, &seconds)) {
                fprintf(stderr, "platen: --seconds '%s': must be from 0 to 3600\n", optarg);
                return 2;
            }
        } else if (cli_option(option, optarg, &b.options) != CLI_TAKEN) {
            return 2;
        }
    }
    if (optind + 1 != argc) {
        fprintf(stderr, "platen bench: name one file (--help tells more)\n");
        return 2;
    }
    struct platen_engine_options engine_options = {.objects_dir = b.options.objects_dir};
    struct platen_engine *engine;
    struct platen_error err;
    b.options.render.want_elements = b.options.format == PLATEN_PDF;
    if (platen_engine_new(&engine_options, &engine, &err) != PLATEN_OK) {
        fprintf(stderr, "platen: %s\n", err.message);
        return 1;
    }
    int status = 1;
    struct platen_limits limits;
    platen_engine_limits(engine, &limits);
    if (platen_worker_new(engine, &b.worker, &err) != PLATEN_OK)
        fprintf(stderr, "platen: %s\n", err.message);
    else if (cli_read(argv[optind], limits.input_bytes, &b.zpl))
        status = measure(&b, seconds);
    cli_input_free(&b.zpl);
    platen_buffer_free(&b.bytes);
    platen_buffer_free(&b.part);
    platen_worker_free(b.worker);
    platen_engine_free(engine);
    return status;
}
