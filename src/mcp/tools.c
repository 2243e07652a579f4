// Tools: their list, their calls, and the content of their answers.
#include <stdarg.h>
#include <stdio.h>

#include "base/ckd.h"
#include "mcp/methods.h"

bool mcp_refuse(struct mcp_call *call, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(call->problem, sizeof call->problem, fmt, args);
    va_end(args);
    return false;
}

// ---- content of a tool's answer

static void begin_content(struct mcp_call *call, struct pl_json_writer *json, const char *type)
{
    if (call->content->len > 0)
        pl_buf_append_byte(call->content, ',');
    pl_json_writer_init(json, call->content);
    pl_json_object(json);
    pl_json_kv_cstr(json, "type", type);
}

void mcp_put_text(struct mcp_call *call, struct pl_slice text)
{
    struct pl_json_writer json;
    begin_content(call, &json, "text");
    pl_json_kv_slice(&json, "text", text);
    pl_json_end(&json);
}

void mcp_put_image(struct mcp_call *call, const char *type, struct pl_slice bytes)
{
    struct pl_json_writer json;
    begin_content(call, &json, "image");
    pl_json_key(&json, "data");
    pl_json_base64(&json, bytes);
    pl_json_kv_cstr(&json, "mimeType", type);
    pl_json_end(&json);
}

void mcp_put_file(struct mcp_call *call, const char *uri, const char *type, struct pl_slice bytes)
{
    struct pl_json_writer json;
    begin_content(call, &json, "resource");
    pl_json_key(&json, "resource");
    pl_json_object(&json);
    pl_json_kv_cstr(&json, "uri", uri);
    pl_json_kv_cstr(&json, "mimeType", type);
    pl_json_key(&json, "blob");
    pl_json_base64(&json, bytes);
    pl_json_end(&json);
    pl_json_end(&json);
}

// ---- methods

void mcp_list_tools(const struct mcp_exchange *x)
{
    mcp_open_lasting_result(x);
    pl_json_key(x->json, "tools");
    pl_json_array(x->json);
    for (size_t i = 0; i < x->offer->tool_count; i++) {
        const struct mcp_tool *tool = &x->offer->tools[i];
        struct pl_buf schema;
        pl_buf_init(&schema, MCP_ANSWER_MAX);
        tool->put_schema(tool, &schema);
        pl_json_object(x->json);
        pl_json_kv_cstr(x->json, "name", tool->name);
        pl_json_kv_cstr(x->json, "title", tool->title);
        pl_json_kv_cstr(x->json, "description", tool->description);
        pl_json_key(x->json, "inputSchema");
        pl_json_raw(x->json, pl_buf_slice(&schema));
        pl_buf_inherit(x->json->buf, &schema);
        pl_json_key(x->json, "annotations");
        pl_json_object(x->json);
        pl_json_kv_bool(x->json, "readOnlyHint", true);
        pl_json_kv_bool(x->json, "openWorldHint", false);
        pl_json_end(x->json);
        pl_json_end(x->json);
        pl_buf_fini(&schema);
    }
    pl_json_end(x->json);
    pl_json_end(x->json);
}

static void run_tool(const struct mcp_exchange *x, const struct mcp_tool *tool, struct pl_slice arguments)
{
    struct pl_buf content;
    struct mcp_call call = mcp_call_of(x, arguments);
    pl_buf_init(&content, MCP_ANSWER_MAX);
    call.content = &content;
    call.tool = tool;
    bool ok = tool->run(&call);
    if (ok && content.failed)
        ok = mcp_refuse(&call, "The answer is too large. Ask for less: a smaller label, or one label at a time.");
    if (!ok) {
        pl_buf_fini(&content);
        pl_buf_init(&content, MCP_ANSWER_MAX);
        mcp_put_text(&call, pl_slice_cstr(call.problem));
    }
    mcp_open_result(x);
    pl_json_key(x->json, "content");
    pl_json_array(x->json);
    pl_json_raw(x->json, pl_buf_slice(&content));
    pl_json_end(x->json);
    if (!ok)
        pl_json_kv_bool(x->json, "isError", true);
    pl_json_end(x->json);
    pl_buf_inherit(x->json->buf, &content);
    pl_buf_fini(&content);
}

void mcp_call_tool(const struct mcp_exchange *x)
{
    struct pl_slice name;
    struct pl_rpc_value arguments;
    if (!mcp_text_parameter(x, "name", &name))
        return;
    pl_rpc_member(x->message->params.raw, "arguments", &arguments);
    if (arguments.type != PL_JSON_END && arguments.type != PL_JSON_OBJECT) {
        mcp_put_error(x->json, RPC_INVALID_PARAMS, "'arguments' must be an object; it is %s.",
                      pl_json_event_name(arguments.type));
        return;
    }
    struct pl_slice object = arguments.type == PL_JSON_OBJECT ? arguments.raw : pl_slice_cstr("{}");
    for (size_t i = 0; i < x->offer->tool_count; i++) {
        if (pl_slice_eq_cstr(name, x->offer->tools[i].name)) {
            run_tool(x, &x->offer->tools[i], object);
            return;
        }
    }
    mcp_put_error(x->json, RPC_INVALID_PARAMS, "There is no tool '%.*s'; tools/list has those that there are.",
                  (int)PL_MIN(name.len, (size_t)100), (const char *)name.ptr);
}
