// Answering messages: the methods of the protocol, from the tables of the offer.
#include <string.h>

#include "base/ckd.h"
#include "mcp/revision.h"

#define BATCH_MAX 32 // messages of a list
#define INITIALIZE "initialize"

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

static void put_capabilities(const struct mcp_exchange *x)
{
    static const char *const ABLE[] = {"tools", "resources", "prompts"};
    pl_json_key(x->json, "capabilities");
    pl_json_object(x->json);
    for (size_t i = 0; i < PL_COUNTOF(ABLE); i++) {
        pl_json_key(x->json, ABLE[i]);
        pl_json_raw(x->json, pl_slice_cstr("{}"));
    }
    pl_json_end(x->json);
}

static void initialize(const struct mcp_exchange *x)
{
    struct pl_slice wanted;
    if (!mcp_text_parameter(x, "protocolVersion", &wanted))
        return;
    const char *revision = mcp_revision_for(wanted);
    if (x->context->agreed)
        *x->context->agreed = revision;
    mcp_open_result(x);
    pl_json_kv_cstr(x->json, "protocolVersion", revision);
    put_capabilities(x);
    mcp_put_server(x, "serverInfo");
    pl_json_kv_cstr(x->json, "instructions", x->offer->instructions);
    pl_json_end(x->json);
}

static void discover(const struct mcp_exchange *x)
{
    mcp_open_lasting_result(x);
    mcp_put_revisions(x->json, "supportedVersions");
    put_capabilities(x);
    pl_json_kv_cstr(x->json, "instructions", x->offer->instructions);
    pl_json_end(x->json);
}

static void ping(const struct mcp_exchange *x)
{
    mcp_open_result(x);
    pl_json_end(x->json);
}

static const struct {
    const char *name;
    void (*answer)(const struct mcp_exchange *x);
    bool pages; // a list: it is always whole, so no cursor was given out
    enum { ALL, WITH_INITIALIZE, STATELESS } revisions;
} METHODS[] = {
    {INITIALIZE, initialize, false, WITH_INITIALIZE},
    {"ping", ping, false, WITH_INITIALIZE},
    {MCP_DISCOVER, discover, false, STATELESS},
    {"tools/list", mcp_list_tools, true, ALL},
    {"tools/call", mcp_call_tool, false, ALL},
    {"resources/list", mcp_list_resources, true, ALL},
    {"resources/templates/list", mcp_list_templates, true, ALL},
    {"resources/read", mcp_read_resource, false, ALL},
    {"prompts/list", mcp_list_prompts, true, ALL},
    {"prompts/get", mcp_get_prompt, false, ALL},
};

// What decides on the revision of the messages behind it, or is of one without lists, cannot be in one.
static bool is_alone(const struct mcp_exchange *x)
{
    return x->is_stateless || pl_slice_eq_cstr(x->message->method, INITIALIZE);
}

static enum mcp_outcome dispatch(const struct mcp_exchange *x)
{
    if (x->in_list && is_alone(x)) {
        mcp_put_error(x->json, RPC_INVALID_REQUEST, "This message must be sent by itself, not in a list.");
        return MCP_ANSWERED;
    }
    for (size_t i = 0; i < PL_COUNTOF(METHODS); i++) {
        if (!pl_slice_eq_cstr(x->message->method, METHODS[i].name) ||
            METHODS[i].revisions == (x->is_stateless ? WITH_INITIALIZE : STATELESS))
            continue;
        struct pl_rpc_value cursor = {.type = PL_JSON_END};
        if (METHODS[i].pages && x->message->params.type == PL_JSON_OBJECT)
            pl_rpc_member(x->message->params.raw, "cursor", &cursor);
        if (cursor.type != PL_JSON_END)
            mcp_put_error(x->json, RPC_INVALID_PARAMS, "The list has one page: leave 'cursor' out.");
        else
            METHODS[i].answer(x);
        return MCP_ANSWERED;
    }
    mcp_put_error(x->json, RPC_NO_METHOD, "There is no method '%.*s' here.",
                  (int)PL_MIN(x->message->method.len, (size_t)100), (const char *)x->message->method.ptr);
    return x->is_stateless ? MCP_NO_METHOD : MCP_ANSWERED;
}

static enum mcp_outcome answer_one(const struct mcp_offer *offer, struct pl_slice text, bool in_list,
                                   const struct mcp_context *context, struct pl_buf *out)
{
    struct pl_rpc_message message;
    struct pl_json_writer json;
    struct mcp_exchange x = {
        .offer = offer, .context = context, .message = &message, .json = &json, .in_list = in_list};
    enum mcp_outcome outcome = MCP_INVALID;
    const size_t start = out->len;
    pl_rpc_message_read(text, &message);
    open_answer(&json, out, message.id);
    if (message.kind == PL_RPC_NO_JSON || message.kind == PL_RPC_NO_MESSAGE)
        mcp_put_error(&json, message.kind == PL_RPC_NO_JSON ? RPC_PARSE : RPC_INVALID_REQUEST, "%s", message.why);
    else if (mcp_read_revision(&x))
        outcome = message.kind == PL_RPC_REQUEST ? dispatch(&x) : MCP_NOTHING;
    else if (message.kind != PL_RPC_REQUEST && !context->headers)
        outcome = MCP_NOTHING; // nobody waits for it
    pl_json_end(&json);
    if (outcome == MCP_NOTHING)
        out->len = start;
    return outcome;
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
        if (answer_one(offer, item.raw, true, context, out) == MCP_NOTHING)
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
    enum mcp_outcome outcome;
    if (!is_list)
        outcome = answer_one(offer, text, false, context, out);
    else if (!mcp_has_lists(context))
        outcome = invalid(out, RPC_INVALID_REQUEST,
                          "Lists of messages are of revision 2025-03-26 only: send each message by itself.");
    else
        outcome = answer_list(offer, text, context, out);
    if (!out->failed)
        return outcome;
    // What there is room for in any case.
    pl_buf_fini(out);
    pl_buf_init(out, MCP_ANSWER_MAX);
    invalid(out, RPC_INTERNAL, "The answer is too large.");
    return MCP_ANSWERED;
}
