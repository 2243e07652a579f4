// `platen lsp`: the language server on standard input and output.
#include <stdio.h>
#include <unistd.h>

#include "commands.h"
#include "lsp_work.h"

enum { OPT_DOCS_URL = OPT_OWN, OPT_NO_VERIFY, OPT_CONFIG_FILE };

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

static const struct option OPTIONS[] = {
    {"docs-url", required_argument, NULL, OPT_DOCS_URL},
    {"no-verify", no_argument, NULL, OPT_NO_VERIFY},
    {"config-file", required_argument, NULL, OPT_CONFIG_FILE},
    {"stdio", no_argument, NULL, 's'}, // editors say it; there is no other way
    {"profile", required_argument, NULL, OPT_OF(CONTROL_PROFILE)},
    CLI_CONTROLS(GROUP_SIZING | GROUP_CHECKING),
    CLI_LIMIT_OPTIONS,
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

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

// 0: go on; otherwise the exit status plus one.
static int read_arguments(int argc, char **argv, struct check_settings *s)
{
    for (int option; (option = cli_getopt(argc, argv, "h", OPTIONS)) != -1;) {
        switch (option) {
        case 'h':
            cli_help(stdout, USAGE);
            cli_limits_help(stdout);
            return 1;
        case OPT_DOCS_URL:
            s->docs_url = optarg;
            break;
        case OPT_NO_VERIFY:
        case OPT_OF(CONTROL_VERIFY):
            s->no_verify = option == OPT_NO_VERIFY;
            break;
        case OPT_CONFIG_FILE: // read before
        case 's':
            break;
        default:
            if (option == '?' || cli_option(option, optarg, &s->common) != CLI_TAKEN)
                return 3;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "platen lsp: takes no arguments; `platen lsp --help` lists its options\n");
        return 3;
    }
    return 0;
}

// The file comes first, so that the command line has the last word.
static const char *config_file(int argc, char **argv)
{
    const char *file = NULL;
    int errors = opterr;
    opterr = 0;
    for (int option; (option = cli_getopt(argc, argv, "h", OPTIONS)) != -1;)
        file = option == OPT_CONFIG_FILE ? optarg : file;
    opterr = errors;
    optind = 0; // GNU's getopt begins anew
    return file;
}

int command_lsp(int argc, char **argv)
{
    static struct lsp_work work; // too large for a stack
    struct pl_arena memory;
    work = (struct lsp_work){.settings = CHECK_SETTINGS_INIT, .memory = &memory};
    pl_arena_init(&memory, (size_t)64 << 20);
    const char *file = config_file(argc, argv);
    int status = check_settings_load(&work.settings, file, &memory) ? read_arguments(argc, argv, &work.settings) : 3;
    status = status ? status - 1 : run(&work);
    pl_arena_fini(&memory);
    return status;
}
