// What the methods write their answers with.
#include "mcp/methods.h"

#include <stdarg.h>
#include <stdio.h>

PL_PRINTF(3, 0)
static void open_error(struct pl_json_writer *json, enum mcp_rpc_code code, const char *fmt, va_list args)
{
    char text[MCP_PROBLEM_MAX + 100];
    vsnprintf(text, sizeof text, fmt, args);
    pl_json_key(json, "error");
    pl_json_object(json);
    pl_json_kv_i64(json, "code", code);
    pl_json_kv_cstr(json, "message", text);
}

void mcp_open_error(struct pl_json_writer *json, enum mcp_rpc_code code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    open_error(json, code, fmt, args);
    va_end(args);
}

void mcp_put_error(struct pl_json_writer *json, enum mcp_rpc_code code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    open_error(json, code, fmt, args);
    va_end(args);
    pl_json_end(json);
}

bool mcp_text_parameter(const struct mcp_exchange *x, const char *name, struct pl_slice *out)
{
    struct pl_rpc_value value = {.type = PL_JSON_END};
    if (x->message->params.type == PL_JSON_OBJECT)
        pl_rpc_member(x->message->params.raw, name, &value);
    if (pl_rpc_text(&value, x->context->arena, out))
        return true;
    mcp_put_error(x->json, RPC_INVALID_PARAMS, "'params' must have '%s', a string.", name);
    return false;
}

struct mcp_call mcp_call_of(const struct mcp_exchange *x, struct pl_slice arguments)
{
    return (struct mcp_call){.offer = x->offer,
                             .arguments = arguments,
                             .arena = x->context->arena,
                             .job = x->context->job,
                             .host = x->context->host};
}

void mcp_put_optional(struct pl_json_writer *json, const char *name, const char *text)
{
    if (text)
        pl_json_kv_cstr(json, name, text);
}
