// `platen diff`: are two versions of labels the same picture, and what differs?
#include <string.h>
#include <time.h>

#include "base/fmt.h"
#include "cli/arguments.h"
#include "commands.h"
#include "diff_pair.h"
#include "os/cores.h"
#include "runner/runner.h"

static const char USAGE[] =
    "usage: platen diff A B [options]\n"
    "\n"
    "Compares two label files, or two folders by the names of their files (" CLI_LABEL_FILES "),\n"
    "dot by dot.\n"
    "Either side may be a picture (*.png) that a label file is compared with. - is standard input.\n"
    "\n"
    "  --tolerance T         dots that may differ (12), or percent of the ink (0.5%); 0 by default\n"
    "  --elements            changes of elements count, too, even those that do not show\n"
    "  --picture OUT         PNG of both: black in both, orange only in A, blue only in B. For folders the folder to\n"
    "                        write to: a file for each label that differs\n"
    "  --page N              only this page, from 0; of a file that is compared with a picture 0 by default\n"
    "  --profile P           draw both sides like Labelary (reference, default), or like a printer (printer)\n"
    "  -f, --format FORMAT   text (default) or json\n"
    "  -q, --quiet           only the exit status\n"
    "  -j, --jobs N          threads for the files of folders (all cores)\n" CLI_SIZING_HELP "\n"
    "Exit status: 0 the same, 1 different, 2 wrong usage or a file that cannot be read.\n";

struct diff {
    struct diff_request request;
    uint32_t jobs;
};

struct comparing {
    const struct diff_request *request;
    struct diff_output output;
};

static bool compare_one(void *user, size_t task, const struct runner_place *place)
{
    struct comparing *c = user;
    if (!atomic_load(&c->output.broken))
        diff_pair_compare(c->request, &c->output.pairs->items[task], place->worker, place->sink);
    return true; // what fails is counted by the output
}

// The exit status.
static int compare_all(const struct diff *d, const struct diff_pairs *pairs)
{
    struct comparing c = {.request = &d->request,
                          .output = {.pairs = pairs, .as_json = d->request.json, .quiet = d->request.quiet}};
    const struct message_sink sink = {.say = diff_output_take, .user = &c.output};
    const struct run tasks = {.engine = d->request.engine,
                              .places = d->jobs,
                              .count = pairs->count,
                              .sink = &sink,
                              .task = compare_one,
                              .user = &c};
    diff_output_open(&c.output, d->request.output_limit);
    (void)runner_run(&tasks);
    bool written = diff_output_close(&c.output);
    return !written || c.output.count[DIFF_UNREADABLE] ? 2 : c.output.count[DIFF_DIFFERENT] ? 1 : 0;
}

static bool read_tolerance(void *command, const char *text)
{
    struct platen_compare_options *options = &((struct diff *)command)->request.options;
    struct pl_slice s = pl_slice_cstr(text);
    bool percent = s.len > 0 && s.ptr[s.len - 1] == '%';
    s.len -= percent;
    return control_read(conversion_field(&COMPARE_FIELDS, percent ? "tolerancePercent" : "toleranceDots"),
                        control_text(s), percent ? (void *)&options->tolerance_percent : &options->tolerance_dots);
}

static bool read_page(void *command, const char *text)
{
    struct diff_request *d = &((struct diff *)command)->request;
    uint64_t number;
    if (!pl_parse_u64(pl_slice_cstr(text), &number) || number >= UINT32_MAX)
        return false;
    d->page = (uint32_t)number;
    return d->one_page = true;
}

static bool read_format(void *command, const char *text)
{
    struct diff_request *d = &((struct diff *)command)->request;
    d->json = strcmp(text, "json") == 0;
    return d->json || strcmp(text, "text") == 0;
}

// 0: go on; otherwise the exit status plus one.
static int read_arguments(int argc, char **argv, struct diff *d)
{
    static const struct cli_row ROWS[] = {
        CLI_ROW_CONTROL(CONTROL_PROFILE),
        CLI_ROW_GROUPS(GROUP_SIZING),
        CLI_ROW_LIMITS,
        {"picture", '\0', CLI_TO_TEXT(struct diff, request.picture)},
        {"tolerance", '\0', CLI_READ(read_tolerance, "must be a number of dots, or percent of the ink such as 0.5%")},
        {"elements", '\0', CLI_TO_FLAG(struct diff, request.options.elements)},
        {"page", '\0', CLI_READ(read_page, "must be a whole number from 0")},
        {"format", 'f', CLI_READ(read_format, "must be text or json")},
        {"quiet", 'q', CLI_TO_FLAG(struct diff, request.quiet)},
        {"jobs", 'j', CLI_TO_COUNT(struct diff, jobs, 1, RUNNER_PLACES_MAX, "must be from 1 to 256")},
    };
    static const struct cli_command COMMAND = {"diff", USAGE, CLI_ROWS(ROWS), .shows_limits = true};
    int status = cli_arguments(&COMMAND, argc, argv, d, &d->request.common);
    if (status)
        return status;
    if (argc - optind != 2)
        return cli_usage_error(&COMMAND, "name two files or two folders (see --help)");
    if (strcmp(argv[optind], "-") == 0 && strcmp(argv[optind + 1], "-") == 0)
        return cli_usage_error(&COMMAND, "only one side can be standard input");
    return 0;
}

int command_diff(int argc, char **argv)
{
    struct diff d = {.request = {.common = cli_options_init(), .options = PLATEN_COMPARE_OPTIONS()},
                     .jobs = PL_MIN(pl_core_count(), RUNNER_PLACES_MAX)};
    struct diff_request *request = &d.request;
    int status = read_arguments(argc, argv, &d);
    if (status)
        return status - 1;
    struct platen_options *render = &request->common.render;
    render->want_elements = true;
    render->collapse_copies = request->page == 0 && !request->one_page;
    // Both sides are drawn at the same time of the printer's clock.
    if (!render->has_time) {
        render->has_time = true;
        render->time = (int64_t)time(NULL);
    }
    struct diff_pairs pairs = {0};
    struct platen_limits limits;
    struct platen_engine *engine = NULL;
    status = 2;
    if (diff_pairs_read(&pairs, argv[optind], argv[optind + 1]) &&
        (engine = cli_engine_new(&request->common, NULL, &limits)) != NULL) {
        request->engine = engine;
        request->input_limit = limits.input_bytes;
        request->output_limit = limits.arena_bytes;
        request->folders = pairs.folders;
        status = compare_all(&d, &pairs);
        platen_engine_free(engine);
    }
    diff_pairs_free(&pairs);
    return status;
}
