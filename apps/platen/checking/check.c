// `platen check`: what is wrong with labels, for people and for pipelines.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ckd.h"
#include "base/fmt.h"
#include "check_print.h"
#include "cli/path_list.h"
#include "commands.h"
#include "os/cores.h"
#include "runner/confined.h"

#define JOBS_MAX 256u

static const char USAGE[] =
    "usage: platen check FILE|DIR|- [FILE|DIR ...] [options]\n"
    "\n"
    "Checks label code (ZPL II, EPL2, TSPL, CPCL): problems in it, and whether its barcodes can be\n"
    "read. Folders are searched with all folders in them for " CLI_LABEL_FILES ".\n"
    "\n"
    "  -f, --format FORMAT   text (default), json, junit, sarif, github or baseline\n"
    "  -o, --output FILE     file to write instead of standard output\n"
    "  --report DIR          also write DIR/index.html: each label with findings, and a picture of every place\n"
    "  --fail-on SEVERITY    exit with 1 from this severity on: error (default), warning or info\n"
    "  --ignore CODE         leave out findings of this code; may be repeated, or be a list with commas\n"
    "  --only CODE           only findings of this code; may be repeated, or be a list with commas\n"
    "  --severity RULE       [PATTERN:]CODE[@COMMAND]=LEVEL gives findings another severity: error, warning, info or\n"
    "                        off; may be repeated, and the last rule that matches counts\n"
    "  --baseline FILE       findings that this file has do not count: --format baseline --output FILE writes it\n"
    "  --docs-url URL        where this documentation is served (http://HOST/docs): SARIF links to the page of each "
    "code\n"
    "  --no-verify           do not read barcodes back; --verify is the default\n"
    "  --profile P           check what this profile draws: reference (default), or printer as virtual printers do\n"
    "  --config-file FILE    settings of the project; without it .platen.toml, here or in a folder "
    "above\n" CLI_SIZING_HELP CLI_CHECKING_HELP
    "  -j, --jobs N          threads for several inputs, with --timeout processes (all cores)\n"
    "  --timeout DURATION    time for each input (500ms, 2s, 1m), for untrusted label code: inputs are checked in\n"
    "                        processes of their own, and one that crashes or takes too long is a finding\n"
    "\n"
    "In a label, ^FX platen: ignore CODE -- REASON leaves out findings of this code for that label.\n"
    "\n"
    "Exit status: 0 no findings from --fail-on on, 1 there are some, or something failed, 2 wrong usage.\n";

struct run_check {
    struct check_request request;
    const struct platen_engine *engine;
    const struct path_list *inputs;
    struct check_print print;
    struct message_sink sink; // to `print`
    uint32_t jobs;
};

static void tell_progress(void *user, size_t done, size_t count, size_t failed)
{
    (void)user;
    (void)failed;
    fprintf(stderr, "\r%zu of %zu checked ", done, count);
}

// An answer that found no memory is one that says nothing, which is noticed where it arrives.
static void say_answer(const struct message_sink *sink, struct pl_buf *answer)
{
    if (answer->failed || answer->len == 0)
        message_say(sink, "\n", 1);
    else
        message_say(sink, answer->data, answer->len);
    pl_buf_fini(answer);
}

static bool check_item(void *user, size_t item, const struct runner_place *place)
{
    const struct run_check *run = user;
    struct check_request request = run->request;
    struct pl_buf answer;
    pl_buf_init(&answer, CHECK_MESSAGE_MAX);
    request.files = place->files;
    check_input(place->worker, &request, run->inputs->paths[item], item, &answer);
    bool ok = !answer.failed;
    say_answer(place->sink, &answer);
    return ok;
}

static bool accept_answer(void *user, size_t item, struct pl_slice answer, const struct message_sink *sink)
{
    struct check_message message;
    (void)user, (void)item;
    if (memchr(answer.ptr, '\0', answer.len) || !check_message_read(answer, &message))
        return false;
    message_say(sink, answer.ptr, answer.len);
    return true;
}

static void fail_input(void *user, size_t item, enum confined_end end, const char *why, const struct message_sink *sink)
{
    const struct run_check *run = user;
    const char *code = end == CONFINED_UNREADABLE ? CHECK_FILE_UNREADABLE : CHECK_NOT_CHECKED;
    struct pl_buf answer;
    pl_buf_init(&answer, CHECK_MESSAGE_MAX);
    check_input_failed(&run->request, run->inputs->paths[item], item, code, why, &answer);
    say_answer(sink, &answer);
}

// False: some inputs were not checked; lines were printed.
static bool check_inputs(struct run_check *run)
{
    const struct confined_work work = {.verb = "checked",
                                       .timeout_ms = run->request.settings->timeout_ms,
                                       .memory = cli_process_memory(run->engine),
                                       .paths = run->inputs->paths,
                                       .accept = accept_answer,
                                       .fail = fail_input};
    const struct run tasks = {.engine = run->engine,
                              .places = run->jobs,
                              .count = run->inputs->count,
                              .sink = &run->sink,
                              .task = check_item,
                              .progress = run->print.progress ? tell_progress : NULL,
                              .user = run};
    (void)(work.timeout_ms ? confined_run(&tasks, &work) : runner_run(&tasks)); // what fails is a finding
    return run->print.totals.files == run->inputs->count;
}

// ---- arguments

struct arguments {
    struct check_settings settings;
    enum check_format format;
    const char *output, *report;
    uint32_t jobs;
    bool only_given;
};

static bool read_format(void *command, const char *value, struct pl_buf *why)
{
    static const char *const NAMES[] = {
        [CHECK_TEXT] = "text",   [CHECK_JSON] = "json",     [CHECK_JUNIT] = "junit",
        [CHECK_SARIF] = "sarif", [CHECK_GITHUB] = "github", [CHECK_BASELINE] = "baseline"};
    struct arguments *a = command;
    for (size_t i = 0; i < PL_COUNTOF(NAMES); i++) {
        if (strcmp(value, NAMES[i]) == 0) {
            a->format = (enum check_format)i;
            return true;
        }
    }
    pl_buf_printf(why, "'%s': must be text, json, junit, sarif, github or baseline", value);
    return false;
}

static bool read_only(void *command, const char *value, struct pl_buf *why)
{
    struct arguments *a = command;
    if (!a->only_given)
        a->settings.only = (struct check_codes){0}; // the file's
    a->only_given = true;
    return check_add_codes(&a->settings.only, value, why);
}

static bool read_jobs(void *command, const char *value, struct pl_buf *why)
{
    struct arguments *a = command;
    uint64_t number;
    if (!pl_parse_u64(pl_slice_cstr(value), &number) || number < 1 || number > JOBS_MAX) {
        pl_buf_printf(why, "'%s': must be from 1 to 256", value);
        return false;
    }
    a->jobs = (uint32_t)number;
    return true;
}

_Static_assert(offsetof(struct arguments, settings) == 0, "functions of the settings are rows");
static const struct cli_row ROWS[] = {
    {"format", 'f', CLI_JUDGE(read_format)},
    {"output", 'o', CLI_TO_TEXT(struct arguments, output)},
    {"report", '\0', CLI_TO_TEXT(struct arguments, report)},
    {"fail-on", '\0', CLI_JUDGE(check_set_fail_on)},
    {"ignore", '\0', CLI_JUDGE(check_add_ignored)},
    {"only", '\0', CLI_JUDGE(read_only)},
    {"severity", '\0', CLI_JUDGE(check_add_severity)},
    {"baseline", '\0', CLI_JUDGE(check_set_baseline)},
    CHECK_ROWS,
    {"jobs", 'j', CLI_JUDGE(read_jobs)},
    {"timeout", '\0', CLI_JUDGE(check_set_timeout)},
};
static const struct cli_command COMMAND = {"check", USAGE, CLI_ROWS(ROWS), .shows_limits = true,
                                           .other = check_other_option};

static bool wants_colours(const struct arguments *a)
{
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return a->format == CHECK_TEXT && (!a->output || strcmp(a->output, "-") == 0) && !(no && no[0]) &&
           !(terminal && strcmp(terminal, "dumb") == 0) && isatty(STDOUT_FILENO);
}

static int check_all(const struct arguments *a, const struct path_list *inputs)
{
    struct platen_limits limits;
    struct platen_engine *engine = cli_engine_new(&a->settings.common, NULL, &limits);
    if (!engine)
        return 1;
    struct run_check run = {.request = {.settings = &a->settings,
                                        .format = a->format,
                                        .report = a->report != NULL,
                                        .input_limit = limits.input_bytes},
                            .engine = engine,
                            .inputs = inputs,
                            .jobs = a->jobs,
                            .print = {.settings = &a->settings,
                                      .format = a->format,
                                      .colours = wants_colours(a),
                                      .progress = isatty(STDERR_FILENO) && inputs->count > 1,
                                      .totals.settings_file = a->settings.file}};
    run.sink = (struct message_sink){.say = check_print_message, .user = &run.print};
    bool ok = check_print_open(&run.print, a->output, a->report);
    if (ok) {
        ok = check_inputs(&run);
        if (run.print.progress)
            fputs("\r\033[K", stderr);
        ok = check_print_close(&run.print) && ok;
#ifdef __wasm__
        if (!a->settings.no_verify && run.print.totals.labels > 0)
            fprintf(stderr,
                    "platen check: this build does not read back Code 128, Code 39, Code 93, Codabar, Interleaved "
                    "2 of 5, EAN, UPC, DataBar, QR Code, Data Matrix and MaxiCode, nor barcodes in "
                    "graphics: a damaged one is not found. The native program reads them.\n");
#endif
    }
    platen_engine_free(engine);
    return ok && !run.print.totals.failed ? 0 : 1;
}

int command_check(int argc, char **argv)
{
    struct arguments a = {.settings = CHECK_SETTINGS_INIT, .jobs = PL_MIN(pl_core_count(), JOBS_MAX)};
    struct path_list inputs = {0};
    struct pl_arena memory;
    pl_arena_init(&memory, (size_t)64 << 20);
    a.settings.memory = &memory;
    int status = check_read_arguments(&COMMAND, argc, argv, &a.settings);
    if (status == 0 && optind == argc)
        status = cli_usage_error(&COMMAND, "name a file, a folder, or - for standard input (see --help)");
    if (status)
        status--;
    else
        status =
            path_list_add_all(&inputs, path_list_add_tree, argc - optind, argv + optind) ? check_all(&a, &inputs) : 1;
    path_list_free(&inputs);
    pl_arena_fini(&memory);
    return status;
}
