// Messages of the Model Context Protocol to an offer with one of everything: each answer is JSON on one line, of the
// kind that the outcome says.
#include <stdlib.h>
#include <string.h>

#include "base/json_reader.h"
#include "base/json_rpc.h"
#include "mcp/mcp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_schema(const struct mcp_tool *tool, struct pl_buf *out)
{
    (void)tool;
    pl_buf_append_cstr(out, "{\"type\":\"object\"}");
}

static bool echo(struct mcp_call *call)
{
    mcp_put_text(call, call->arguments);
    mcp_put_image(call, "image/png", call->arguments);
    return call->arguments.len < 40 || mcp_refuse(call, "%zu bytes", call->arguments.len);
}

static bool resource_at(size_t index, struct mcp_resource *out, struct pl_slice *text)
{
    *out = (struct mcp_resource){.uri = "a://b", .name = "b", .type = "text/plain"};
    *text = pl_slice_cstr("# Title\nText");
    return index == 0;
}

static bool read_one(struct mcp_call *call, struct pl_buf *out)
{
    pl_buf_append_slice(out, call->arguments);
    return call->arguments.len < 5 || mcp_refuse(call, "too long");
}

static void check_json(const struct pl_buf *out)
{
    struct pl_json_reader reader;
    enum pl_json_event event;
    pl_json_reader_init(&reader, pl_buf_slice(out));
    while ((event = pl_json_next(&reader)) != PL_JSON_END) {
        if (event == PL_JSON_BAD)
            abort();
    }
    if (memchr(out->data, '\n', out->len))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct mcp_tool tools[] = {{"t", "T", "A tool", put_schema, echo, NULL}};
    static const struct mcp_template templates[] = {{"a://c/", "name", "c", "A part", "text/plain", read_one}};
    static const struct mcp_prompt prompts[] = {{"p", "P", "A prompt", {{"x", "A text", true}}, "{x} {y {"}};
    static const struct mcp_offer offer = {.name = "n",
                                           .title = "N",
                                           .version = "1",
                                           .instructions = "",
                                           .tools = tools,
                                           .tool_count = 1,
                                           .resource_at = resource_at,
                                           .templates = templates,
                                           .template_count = 1,
                                           .prompts = prompts,
                                           .prompt_count = 1};
    struct pl_arena arena;
    struct pl_buf out;
    const struct mcp_context context = {.arena = &arena};
    pl_arena_init(&arena, (size_t)1 << 20);
    pl_buf_init(&out, MCP_ANSWER_MAX);
    enum mcp_outcome outcome = mcp_answer(&offer, pl_slice_make(data, size), &context, &out);
    if (outcome != MCP_NOTHING)
        check_json(&out);
    else if (out.len > 0)
        abort();
    pl_buf_fini(&out);
    pl_arena_fini(&arena);
    return 0;
}
