// `hygro mcp` and POST /mcp: the grain calculator for assistants.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/json_rpc.h"
#include "commands.h"
#include "grain/batch.h"
#include "grain/catalog.h"
#include "http/route/docs.h"
#include "mcp/schema.h"
#include "mcp/transport.h"
#include "service.h"

extern const struct http_embedded hygro_docs[];

#define MESSAGE_MAX ((size_t)1 << 20)
#define MESSAGE_ARENA ((size_t)4 << 20)
#define MESSAGE_MS 10000

static struct pl_slice schemas; // of OpenAPI

static void put_schema(const struct mcp_tool *tool, struct pl_buf *out)
{
    (void)tool;
    pl_buf_append_cstr(out, "{\"type\":\"object\",\"properties\":{");
    mcp_schema_put_all(schemas, "Calculation", out);
    pl_buf_append_cstr(out, "},\"required\":[\"grain\",\"ta\"]}");
}

// The calculation of POST /api/calculate, whose problems name the field and what is allowed.
static bool compute(struct mcp_call *call)
{
    struct pl_buf answer;
    struct grain_tally tally;
    struct pl_error err;
    pl_buf_init(&answer, GRAIN_ANSWER_MAX);
    enum pl_errc code = grain_answer_json(call->arguments, call->job, &answer, &tally, &err);
    bool ok = code == PL_OK && tally.errors == 0;
    if (ok) {
        mcp_put_text(call, pl_buf_slice(&answer));
    } else if (code == PL_OK) {
        struct pl_rpc_value sentence;
        struct pl_slice text = pl_slice_cstr("The values cannot be used.");
        pl_rpc_member(pl_buf_slice(&answer), "error", &sentence);
        pl_rpc_text(&sentence, call->arena, &text);
        mcp_refuse(call, "%.*s", (int)PL_MIN(text.len, (size_t)MCP_PROBLEM_MAX), (const char *)text.ptr);
    } else {
        mcp_refuse(call, "%s", err.message);
    }
    pl_buf_fini(&answer);
    return ok;
}

static const struct mcp_tool TOOLS[] = {
    {"grain_moisture", "Equilibrium moisture of grain",
     "Computes the moisture that grain takes on in air of a temperature and relative humidity, or the humidity in "
     "equilibrium with grain of a moisture. Give 'ur' or 'moisture', not both.",
     put_schema, compute, NULL},
};

static struct pl_buf catalog; // the cultures, made once

static bool resource_at(size_t index, struct mcp_resource *out, struct pl_slice *text)
{
    if (index > 0)
        return false;
    *out = (struct mcp_resource){.uri = "hygro://grains",
                                 .name = "grains",
                                 .title = "Cultures",
                                 .description = "The cultures: names, equations, constants, sources, confidence.",
                                 .type = "application/json"};
    *text = pl_buf_slice(&catalog);
    return true;
}

static const struct mcp_prompt PROMPTS[] = {
    {"grain_storage",
     "May this grain be stored?",
     "Judge the moisture of grain for a store.",
     {{"grain", "The culture, such as corn or soybean.", true},
      {"air", "Temperature and relative humidity of the air, and the grain's moisture if it is known.", true}},
     "Grain: {grain}\nAir: {air}\n\nCall grain_moisture for the equilibrium moisture in this air. Say whether the "
     "grain "
     "gains or loses moisture, name the set of constants that was used, and repeat the warnings of the answer."},
};

static const struct mcp_offer OFFER = {
    .name = "hygro",
    .title = "Hygro: grain moisture calculator",
    .version = PROJECT_VERSION,
    .instructions =
        "Equilibrium moisture of grain by published equations. Humidity and moisture are percent, "
        "temperatures are degrees Celsius unless taUnit is F. The resource hygro://grains has the cultures.",
    .tools = TOOLS,
    .tool_count = PL_COUNTOF(TOOLS),
    .resource_at = resource_at,
    .prompts = PROMPTS,
    .prompt_count = PL_COUNTOF(PROMPTS),
};

enum pl_errc hygro_mcp_prepare(struct pl_error *err)
{
    // Parts of the document that no argument has.
    static const struct http_doc_var vars[] = {{"grain_ids", mcp_put_no_value},
                                               {"grain_ids_quoted", mcp_put_no_value},
                                               {"limits", mcp_put_no_member},
                                               {"service", mcp_put_no_value},
                                               {"version", mcp_put_no_value}};
    static struct pl_buf filled; // for as long as the program runs
    if (schemas.len > 0)
        return PL_OK;
    pl_buf_init(&filled, (size_t)4 << 20);
    pl_buf_init(&catalog, (size_t)1 << 20);
    grain_write_catalog(&catalog);
    PL_TRY(pl_buf_check(&catalog, err));
    PL_TRY(http_docs_fill(NULL, http_embedded_find(hygro_docs, "openapi.json"), vars, PL_COUNTOF(vars), NULL, &filled,
                          err));
    schemas = mcp_schemas_of(pl_buf_slice(&filled));
    return schemas.len > 0 ? PL_OK : pl_fail(err, PL_E_BUG, "openapi.json has no schemas");
}

int hygro_mcp_post(struct http_request *req, struct http_response *res)
{
    return mcp_http(&OFFER, NULL, req, res);
}

int hygro_mcp(int argc, char **argv)
{
    const struct mcp_stdio stdio = {
        .offer = &OFFER, .message_max = MESSAGE_MAX, .arena_bytes = MESSAGE_ARENA, .time_ms = MESSAGE_MS};
    struct pl_error err;
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs("usage: hygro mcp\n\nThe tool grain_moisture for assistants, by the Model Context Protocol on standard "
              "input and output.\n\n  --help            this text\n",
              stdout);
        return 0;
    }
    if (argc > 1) {
        fprintf(stderr, "hygro mcp: unknown option %s (see hygro mcp --help)\n", argv[1]);
        return 2;
    }
    if (hygro_mcp_prepare(&err) != PL_OK) {
        fprintf(stderr, "hygro mcp: %s\n", err.message);
        return 1;
    }
    return mcp_stdio_run(&stdio, STDIN_FILENO, STDOUT_FILENO);
}
