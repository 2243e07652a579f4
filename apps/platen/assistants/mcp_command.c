// The two ways to Platen's tools: `platen mcp` on standard input and output, and POST /mcp of the service.
#include <stdio.h>
#include <unistd.h>

#include "api/api.h"
#include "base/ckd.h"
#include "cli/arguments.h"
#include "commands.h"
#include "mcp/transport.h"
#include "mcp_tools.h"
#include "tool_arguments.h"

static const struct mcp_template TEMPLATES[] = {
    {"platen://commands/", "name", "command", "One command with its parameters, such as platen://commands/FO.",
     "application/json", reference_read_command},
};

static struct mcp_offer offer = {
    .name = "platen",
    .title = "Platen: ZPL label renderer",
    .instructions =
        "Draws, checks, explains and converts ZPL II label code on this machine. Write code, call check_label with the "
        "label's size, apply the fixes, then look at the picture of render_label. Lengths of arguments are "
        "millimetres; "
        "numbers in the code are dots. The resource platen://docs/writing-zpl has what is often done wrong.",
    .templates = TEMPLATES,
    .template_count = PL_COUNTOF(TEMPLATES),
    .resource_at = reference_resource_at,
};

enum pl_errc mcp_prepare(struct pl_error *err)
{
    offer.version = platen_version();
    offer.tools = label_tools;
    offer.tool_count = label_tool_count;
    offer.prompts = reference_prompts;
    offer.prompt_count = reference_prompt_count;
    return reference_prepare(err);
}

int mcp_post(struct http_request *req, struct http_response *res)
{
    struct service *service = req->app;
    struct mcp_host host = {.link = req->worker,
                            .requests = &service->requests,
                            .repeats = &service->repeats,
                            .client = req->client,
                            .id = req->id};
    return mcp_http(&offer, &host, req, res);
}

// ---- standard input and output

static const char USAGE[] =
    "usage: platen mcp [options]\n"
    "\n"
    "Tools for assistants by the Model Context Protocol, on standard input and output: render, check, explain, "
    "convert\n"
    "and compare labels, read their barcodes, look up commands. No file is read or written. docs/assistants.md tells "
    "how\n"
    "to connect clients.\n"
    "\n"
    "  --help                this text\n";

static enum pl_errc serve(const struct cli_limits *limits, struct platen_engine *engine, int *status,
                          struct pl_error *err)
{
    static struct renderers renderers; // too large for a stack
    struct renderer_link link;
    atomic_uint_fast64_t requests = 0;
    struct mcp_host host = {
        .link = &link, .requests = &requests, .client = pl_slice_cstr("standard input"), .id = pl_slice_cstr("none")};
    // A byte of label code may take six as JSON.
    const struct mcp_stdio stdio = {.offer = &offer,
                                    .message_max = PL_MIB(2 * PL_LIMIT_INPUT_MIB),
                                    .arena_bytes = PL_MIB(4 * PL_LIMIT_INPUT_MIB),
                                    .time_ms = limits->render_ms,
                                    .host = &host};
    PL_TRY(renderers_start(&renderers, NULL, engine, PL_MIB(PL_LIMIT_INPUT_MIB), 1, err));
    enum pl_errc code = renderer_link_open(&renderers, &link, err);
    if (code == PL_OK) {
        *status = mcp_stdio_run(&stdio, STDIN_FILENO, STDOUT_FILENO);
        renderer_link_close(&link);
    }
    renderers_stop(&renderers);
    return code;
}

static int run(const struct cli_limits *limits)
{
    struct platen_engine_options options = cli_limits_engine(limits, NULL);
    struct platen_engine *engine = NULL;
    struct platen_error failure;
    struct pl_error err;
    int status = 1;
    options.input_bytes = PL_MIB(PL_LIMIT_INPUT_MIB);
    options.labels = PL_LIMIT_LABELS;
    if (mcp_prepare(&err) != PL_OK) {
        fprintf(stderr, "platen mcp: %s\n", err.message);
        return 1;
    }
    if (platen_engine_new(&options, &engine, &failure) != PLATEN_OK) {
        fprintf(stderr, "platen mcp: %s\n", failure.message);
        return 1;
    }
    if (serve(limits, engine, &status, &err) != PL_OK)
        fprintf(stderr, "platen mcp: %s\n", err.message);
    platen_engine_free(engine);
    return status;
}

static enum cli_result read_limit(void *limits, int option, const char *value)
{
    struct pl_error err;
    if (option == '?')
        return CLI_BAD;
    if (cli_limit_option(option, value, limits, &err))
        return CLI_TAKEN;
    fprintf(stderr, "platen mcp: %s\n", err.message);
    return CLI_BAD;
}

int command_mcp(int argc, char **argv)
{
    static const struct cli_row ROWS[] = {CLI_ROW_LIMITS};
    static const struct cli_command COMMAND = {"mcp", USAGE, CLI_ROWS(ROWS), .shows_limits = true, .other = read_limit};
    struct cli_limits limits = CLI_LIMITS_INIT;
    int status = cli_arguments(&COMMAND, argc, argv, &limits, NULL);
    if (status == 0 && optind < argc)
        status = cli_usage_error(&COMMAND, "takes no arguments; `platen mcp --help` lists its options");
    return status ? status - 1 : run(&limits);
}
