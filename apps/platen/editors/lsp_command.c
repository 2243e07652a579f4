// `platen lsp`: the language server on standard input and output.
#include <stdio.h>
#include <unistd.h>

#include "base/ckd.h"
#include "commands.h"
#include "lsp_work.h"

static const char USAGE[] =
    "usage: platen lsp [options]\n"
    "\n"
    "A language server for label code (Language Server Protocol 3.17), on standard input and output: findings while\n"
    "typing, help, completion, renaming, layout, quick fixes, pictures. docs/editors.md has settings of editors.\n"
    "\n"
    "  --docs-url URL        where this documentation is served (http://HOST/docs): findings link to their page\n"
    "  --no-verify           do not read barcodes back; --verify is the default\n"
    "  --profile P           check what this profile draws: reference (default), or printer as virtual printers do\n"
    "  --config-file FILE    settings of the project; without it .platen.toml, here or in a folder "
    "above\n" CLI_SIZING_HELP CLI_CHECKING_HELP "  --help                this text\n";

static const struct cli_row ROWS[] = {
    {"stdio", '\0', CLI_NO_EFFECT}, // editors say it; there is no other way
    CHECK_ROWS,
};
static const struct cli_command COMMAND = {"lsp", USAGE, CLI_ROWS(ROWS), .shows_limits = true,
                                           .other = check_other_option};

static void print_problem(const char *method, const char *problem)
{
    fprintf(stderr, "platen lsp: %s: %s\n", method, problem);
}

static int run(struct lsp_work *work)
{
    struct check_settings *s = &work->settings;
    struct platen_engine_options options = cli_limits_engine(&s->common.limits, s->common.objects_dir);
    struct lsp_host host = {.version = platen_version(),
                            .dpmm = s->common.render.dpmm > 0 ? s->common.render.dpmm : 8,
                            .docs_url = s->docs_url,
                            .user = work,
                            .configure = lsp_work_configure,
                            .log = print_problem,
                            .run = lsp_work_run};
    struct platen_engine *engine;
    struct platen_error err;
    int status = 1;
    if (platen_engine_new(&options, &engine, &err) != PLATEN_OK) {
        fprintf(stderr, "platen lsp: %s\n", err.message);
        return 1;
    }
    if (platen_worker_new(engine, &work->worker, &err) != PLATEN_OK) {
        fprintf(stderr, "platen lsp: %s\n", err.message);
    } else {
        status = lsp_run(&host, STDIN_FILENO, STDOUT_FILENO);
        platen_worker_free(work->worker);
    }
    platen_engine_free(engine);
    return status;
}

int command_lsp(int argc, char **argv)
{
    static struct lsp_work work; // too large for a stack
    struct pl_arena memory;
    work = (struct lsp_work){.settings = CHECK_SETTINGS_INIT};
    work.settings.memory = &memory;
    pl_arena_init(&memory, (size_t)64 << 20);
    int status = check_read_arguments(&COMMAND, argc, argv, &work.settings);
    if (status == 0 && optind < argc)
        status = cli_usage_error(&COMMAND, "takes no arguments; `platen lsp --help` lists its options");
    status = status ? status - 1 : run(&work);
    pl_arena_fini(&memory);
    return status;
}
