// Answering messages: the methods of the protocol, from the tables of the offer.
#include <string.h>

#include "base/ckd.h"
#include "mcp/methods.h"

#define BATCH_MAX 32 // messages of a list; revisions after 2025-03-26 have no lists

static const char *const REVISIONS[] = {"2025-11-25", "2025-06-18", "2025-03-26"}; // the newest first

bool mcp_is_revision(struct pl_slice name)
{
    for (size_t i = 0; i < PL_COUNTOF(REVISIONS); i++) {
        if (pl_slice_eq_cstr(name, REVISIONS[i]))
            return true;
    }
    return false;
}

// ---- answers

static void open_answer(struct pl_json_writer *json, struct pl_buf *out, struct pl_slice id)
{
    pl_json_writer_init(json, out);
    pl_json_object(json);
    pl_json_kv_cstr(json, "jsonrpc", "2.0");
    pl_json_key(json, "id");
    pl_json_raw(json, id);
}

// ---- methods

static void initialize(const struct mcp_exchange *x)
{
    struct pl_slice wanted;
    if (!mcp_text_parameter(x, "protocolVersion", &wanted))
        return;
    mcp_open_result(x->json);
    pl_json_key(x->json, "protocolVersion");
    if (mcp_is_revision(wanted))
        pl_json_slice(x->json, wanted);
    else
        pl_json_cstr(x->json, REVISIONS[0]);
    pl_json_key(x->json, "capabilities");
    pl_json_object(x->json);
    pl_json_key(x->json, "tools");
    pl_json_raw(x->json, pl_slice_cstr("{}"));
    pl_json_key(x->json, "resources");
    pl_json_raw(x->json, pl_slice_cstr("{}"));
    pl_json_key(x->json, "prompts");
    pl_json_raw(x->json, pl_slice_cstr("{}"));
    pl_json_end(x->json);
    pl_json_key(x->json, "serverInfo");
    pl_json_object(x->json);
    pl_json_kv_cstr(x->json, "name", x->offer->name);
    pl_json_kv_cstr(x->json, "title", x->offer->title);
    pl_json_kv_cstr(x->json, "version", x->offer->version);
    pl_json_end(x->json);
    pl_json_kv_cstr(x->json, "instructions", x->offer->instructions);
    pl_json_end(x->json);
}

static void ping(const struct mcp_exchange *x)
{
    mcp_open_result(x->json);
    pl_json_end(x->json);
}

static const struct {
    const char *name;
    void (*answer)(const struct mcp_exchange *x);
    bool pages; // a list: it is always whole, so no cursor was given out
} METHODS[] = {
    {"initialize", initialize, false},
    {"ping", ping, false},
    {"tools/list", mcp_list_tools, true},
    {"tools/call", mcp_call_tool, false},
    {"resources/list", mcp_list_resources, true},
    {"resources/templates/list", mcp_list_templates, true},
    {"resources/read", mcp_read_resource, false},
    {"prompts/list", mcp_list_prompts, true},
    {"prompts/get", mcp_get_prompt, false},
};

static void dispatch(const struct mcp_exchange *x)
{
    for (size_t i = 0; i < PL_COUNTOF(METHODS); i++) {
        if (!pl_slice_eq_cstr(x->message->method, METHODS[i].name))
            continue;
        struct pl_rpc_value cursor = {.type = PL_JSON_END};
        if (METHODS[i].pages && x->message->params.type == PL_JSON_OBJECT)
            pl_rpc_member(x->message->params.raw, "cursor", &cursor);
        if (cursor.type != PL_JSON_END)
            mcp_put_error(x->json, RPC_INVALID_PARAMS, "The list has one page: leave 'cursor' out.");
        else
            METHODS[i].answer(x);
        return;
    }
    mcp_put_error(x->json, RPC_NO_METHOD, "There is no method '%.*s' here.",
                  (int)PL_MIN(x->message->method.len, (size_t)100), (const char *)x->message->method.ptr);
}

static enum mcp_outcome answer_one(const struct mcp_offer *offer, struct pl_slice text,
                                   const struct mcp_context *context, struct pl_buf *out)
{
    struct pl_rpc_message message;
    struct pl_json_writer json;
    pl_rpc_message_read(text, &message);
    if (message.kind == PL_RPC_NOTIFICATION || message.kind == PL_RPC_RESPONSE)
        return MCP_NOTHING;
    open_answer(&json, out, message.id);
    const struct mcp_exchange x = {.offer = offer, .context = context, .message = &message, .json = &json};
    if (message.kind == PL_RPC_REQUEST)
        dispatch(&x);
    else
        mcp_put_error(&json, message.kind == PL_RPC_NO_JSON ? RPC_PARSE : RPC_INVALID_REQUEST, "%s", message.why);
    pl_json_end(&json);
    return message.kind == PL_RPC_REQUEST ? MCP_ANSWERED : MCP_INVALID;
}

static enum mcp_outcome invalid(struct pl_buf *out, enum mcp_rpc_code code, const char *why)
{
    struct pl_json_writer json;
    open_answer(&json, out, pl_slice_cstr("null"));
    mcp_put_error(&json, code, "%s", why);
    pl_json_end(&json);
    return MCP_INVALID;
}

static enum mcp_outcome answer_list(const struct mcp_offer *offer, struct pl_slice text,
                                    const struct mcp_context *context, struct pl_buf *out)
{
    struct pl_json_reader reader;
    pl_json_reader_init(&reader, text);
    if (pl_json_next(&reader) != PL_JSON_ARRAY || !pl_json_skip(&reader) || pl_json_next(&reader) != PL_JSON_END)
        return invalid(out, RPC_PARSE, "The message is not valid JSON.");
    struct pl_rpc_value item;
    size_t count = 0, at = 0, start = out->len;
    while (count <= BATCH_MAX && pl_rpc_item(text, &at, &item)) // each call reads the list from its start
        count++;
    if (count == 0 || count > BATCH_MAX)
        return invalid(out, RPC_INVALID_REQUEST, "A list of messages must have 1 to 32 of them.");
    for (at = 0; pl_rpc_item(text, &at, &item);) {
        size_t before = out->len;
        pl_buf_append_byte(out, before == start ? '[' : ',');
        if (answer_one(offer, item.raw, context, out) == MCP_NOTHING)
            out->len = before;
    }
    if (out->len == start)
        return MCP_NOTHING;
    pl_buf_append_byte(out, ']');
    return MCP_ANSWERED;
}

enum mcp_outcome mcp_answer(const struct mcp_offer *offer, struct pl_slice text, const struct mcp_context *context,
                            struct pl_buf *out)
{
    size_t at = 0;
    while (at < text.len && memchr(" \t\r\n", text.ptr[at], 4))
        at++;
    bool is_list = at < text.len && text.ptr[at] == '[';
    enum mcp_outcome outcome = is_list ? answer_list(offer, text, context, out) : answer_one(offer, text, context, out);
    if (!out->failed)
        return outcome;
    // What there is room for in any case.
    pl_buf_fini(out);
    pl_buf_init(out, MCP_ANSWER_MAX);
    invalid(out, RPC_INTERNAL, "The answer is too large.");
    return MCP_ANSWERED;
}
