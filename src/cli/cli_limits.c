// The limits of the command line.
#include "cli/cli_limits.h"

#include "base/ckd.h"
#include "os/clock.h"
#include "renderer/render_problem.h"

#define SPARE_MEMORY PL_MIB(64)

// In the order of the options' numbers.
static const struct http_option ROWS[] = {
    {"max-copies", HTTP_U32(struct cli_limits, engine.copies, 1, LIMIT_LABELS_MOST), PL_LIMIT_TEXT(PL_LIMIT_LABELS),
     NULL, "labels that ^PQ makes of one file, serial numbers included", NULL},
    LIMIT_OPTIONS(struct cli_limits, engine, "file"),
    {"render-timeout", HTTP_MS(struct cli_limits, render_ms, 1, LIMIT_MS_MOST), PL_LIMIT_TEXT(PL_LIMIT_SECONDS) "s",
     NULL,
     "time of one file; above " PL_LIMIT_TEXT(PL_LIMIT_LABELS) " labels as much again for each further " PL_LIMIT_TEXT(
         PL_LIMIT_LABELS),
     NULL},
};
_Static_assert(PL_COUNTOF(ROWS) == OPT_UNLIMITED - OPT_LIMIT, "a row for each option");

void cli_limits_help(FILE *out)
{
    fputs("\nLimits, as of the service:\n", out);
    for (size_t i = 0; i < PL_COUNTOF(ROWS); i++) {
        const char *value = ROWS[i].kind == HTTP_OPT_SIZE ? "SIZE" : ROWS[i].kind == HTTP_OPT_MS ? "TIME" : "N";
        int used = fprintf(out, "  --%s %s", ROWS[i].name, value);
        fprintf(out, "%*s%s (%s)\n", PL_MAX(26 - used, 2), "", ROWS[i].help, ROWS[i].value);
    }
    fputs("  --unlimited             no limit of time, and all others as high as their options allow\n", out);
}

const char *cli_limit_name(int option)
{
    return option < OPT_UNLIMITED ? ROWS[option - OPT_LIMIT].name : option == OPT_UNLIMITED ? "unlimited" : NULL;
}

bool cli_limit_option(int option, const char *value, struct cli_limits *limits, struct pl_error *err)
{
    char name[32], most[24];
    if (option != OPT_UNLIMITED) {
        const struct http_option *row = &ROWS[option - OPT_LIMIT];
        snprintf(name, sizeof name, "--%s", row->name);
        return http_option_set(row, limits, name, value, err) == PL_OK;
    }
    bool ok = true;
    for (size_t i = 0; i < PL_COUNTOF(ROWS); i++) {
        snprintf(most, sizeof most, "%llu", (unsigned long long)ROWS[i].max);
        ok = http_option_set(&ROWS[i], limits, ROWS[i].name, most, err) == PL_OK && ok;
    }
    limits->render_ms = 0;
    return ok;
}

struct platen_engine_options cli_limits_engine(const struct cli_limits *limits, const char *objects_dir)
{
    struct platen_engine_options o = limits->engine;
    o.size = sizeof o;
    o.objects_dir = objects_dir;
    o.input_bytes = o.arena_bytes ? o.arena_bytes : PL_MIB(PL_LIMIT_MEMORY_MIB);
    o.labels = LIMIT_LABELS_MOST;
    o.copies = o.copies ? o.copies : PL_LIMIT_LABELS;
    return o;
}

size_t cli_process_memory(const struct platen_engine *engine)
{
    struct platen_limits limits;
    platen_engine_limits(engine, &limits);
    return 2 * limits.arena_bytes + SPARE_MEMORY;
}

uint64_t cli_deadline(const struct cli_limits *limits)
{
    return limits->render_ms ? pl_now_ns() + limits->render_ms * 1000000u : 0;
}

uint64_t cli_deadline_of(const struct cli_limits *limits, uint64_t deadline, uint64_t labels)
{
    return deadline && labels > 0 ? deadline + (labels - 1) / PL_LIMIT_LABELS * limits->render_ms * 1000000u : deadline;
}

void cli_more_time(const struct cli_limits *limits, uint64_t deadline_ns, struct platen_document *document)
{
    uint32_t labels = platen_label_count(document);
    if (deadline_ns > 0 && labels > PL_LIMIT_LABELS)
        platen_document_set_deadline(document, cli_deadline_of(limits, deadline_ns, labels));
}

// The option that helps, by what the library says.
static const char *option_of(const struct platen_error *err)
{
    if (err->status == PLATEN_E_MEMORY)
        return " (--max-memory)";
    if (err->status == PLATEN_E_DEADLINE)
        return " (--render-timeout)";
    if (strstr(err->message, "set 'to_language'"))
        return " (--to-language zpl)";
    if (strstr(err->message, "dots is over the limit of"))
        return strstr(err->message, "picture of ") ? " (--max-graphics)" : " (--max-dots)";
    // Rows of values and the size of the input have a limit that no option changes.
    bool fixed = strstr(err->message, "rows of values") || strstr(err->message, "is a quote missing") ||
                 strstr(err->message, "a row has more than") || strstr(err->message, " fields") ||
                 strstr(err->message, "the input of");
    return err->status == PLATEN_E_LIMIT && !fixed ? " (limits: --help)" : "";
}

void cli_failure(const struct platen_error *err, char *out, size_t size)
{
    struct problem problem;
    const char *option = option_of(err);
    if (err->status != PLATEN_E_LIMIT && !option[0]) {
        snprintf(out, size, "%s", err->message);
        return;
    }
    render_problem_of(err, &problem);
    snprintf(out, size, "%s [%s]%s", problem.message, problem.code, option);
}

bool cli_print_failure(const char *path, const struct platen_error *err, const struct message_sink *sink)
{
    char text[CLI_FAILURE_SIZE];
    cli_failure(err, text, sizeof text);
    message_print(sink, "platen: %s: %s\n", path, text);
    return false;
}

bool cli_output_fits(const char *path, const struct pl_buf *output)
{
    if (!output->failed)
        return true;
    if (output->short_of_memory)
        fprintf(stderr, "platen: %s: not enough memory\n", path);
    else
        fprintf(stderr, "platen: %s: The output is over the limit of %zu bytes. [limit_exceeded] (--max-memory)\n",
                path, output->max);
    return false;
}
