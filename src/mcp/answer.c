// Answering messages: the methods of the protocol, from the tables of the offer.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "base/json_rpc.h"
#include "base/json_writer.h"
#include "mcp/mcp.h"

#define BATCH_MAX 32 // messages of a list; revisions after 2025-03-26 have no lists

// Codes of JSON-RPC 2.0, and one of the protocol's own.
enum rpc_code {
    RPC_PARSE = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_NO_METHOD = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_INTERNAL = -32603,
    RPC_NO_RESOURCE = -32002
};

static const char *const REVISIONS[] = {"2025-11-25", "2025-06-18", "2025-03-26"}; // the newest first

bool mcp_is_revision(struct pl_slice name)
{
    for (size_t i = 0; i < PL_COUNTOF(REVISIONS); i++) {
        if (pl_slice_eq_cstr(name, REVISIONS[i]))
            return true;
    }
    return false;
}

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

// ---- answers

// A request with its answer, which is written behind `start` of the buffer.
struct exchange {
    const struct mcp_offer *offer;
    const struct mcp_context *context;
    const struct pl_rpc_message *message;
    struct pl_json_writer *json; // the object of the answer is open
};

static void open_answer(struct pl_json_writer *json, struct pl_buf *out, struct pl_slice id)
{
    pl_json_writer_init(json, out);
    pl_json_object(json);
    pl_json_kv_cstr(json, "jsonrpc", "2.0");
    pl_json_key(json, "id");
    pl_json_raw(json, id);
}

static void put_error(struct pl_json_writer *json, enum rpc_code code, const char *fmt, ...) PL_PRINTF(3, 4);
static void put_error(struct pl_json_writer *json, enum rpc_code code, const char *fmt, ...)
{
    char text[MCP_PROBLEM_MAX + 100];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    pl_json_key(json, "error");
    pl_json_object(json);
    pl_json_kv_i64(json, "code", code);
    pl_json_kv_cstr(json, "message", text);
    pl_json_end(json);
}

static void open_result(struct pl_json_writer *json)
{
    pl_json_key(json, "result");
    pl_json_object(json);
}

// A parameter that is a string, into the message's memory. False: the error is written.
static bool text_parameter(const struct exchange *x, const char *name, struct pl_slice *out)
{
    struct pl_rpc_value value = {.type = PL_JSON_END};
    if (x->message->params.type == PL_JSON_OBJECT)
        pl_rpc_member(x->message->params.raw, name, &value);
    if (pl_rpc_text(&value, x->context->arena, out))
        return true;
    put_error(x->json, RPC_INVALID_PARAMS, "'params' must have '%s', a string.", name);
    return false;
}

static struct mcp_call call_of(const struct exchange *x, struct pl_slice arguments)
{
    return (struct mcp_call){.offer = x->offer,
                             .arguments = arguments,
                             .arena = x->context->arena,
                             .job = x->context->job,
                             .host = x->context->host};
}

static void put_optional(struct pl_json_writer *json, const char *name, const char *text)
{
    if (text)
        pl_json_kv_cstr(json, name, text);
}

// ---- methods

static void initialize(const struct exchange *x)
{
    struct pl_slice wanted;
    if (!text_parameter(x, "protocolVersion", &wanted))
        return;
    open_result(x->json);
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

static void ping(const struct exchange *x)
{
    open_result(x->json);
    pl_json_end(x->json);
}

static void list_tools(const struct exchange *x)
{
    open_result(x->json);
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

static void run_tool(const struct exchange *x, const struct mcp_tool *tool, struct pl_slice arguments)
{
    struct pl_buf content;
    struct mcp_call call = call_of(x, arguments);
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
    open_result(x->json);
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

static void call_tool(const struct exchange *x)
{
    struct pl_slice name;
    struct pl_rpc_value arguments;
    if (!text_parameter(x, "name", &name))
        return;
    pl_rpc_member(x->message->params.raw, "arguments", &arguments);
    if (arguments.type != PL_JSON_END && arguments.type != PL_JSON_OBJECT) {
        put_error(x->json, RPC_INVALID_PARAMS, "'arguments' must be an object; it is %s.",
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
    put_error(x->json, RPC_INVALID_PARAMS, "There is no tool '%.*s'; tools/list has those that there are.",
              (int)PL_MIN(name.len, (size_t)100), (const char *)name.ptr);
}

// A page begins with "# Title".
static struct pl_slice first_line(struct pl_slice text)
{
    size_t from = 0, end = 0;
    while (from < text.len && (text.ptr[from] == '#' || text.ptr[from] == ' '))
        from++;
    for (end = from; end < text.len && text.ptr[end] != '\n';)
        end++;
    return pl_slice_sub(text, from, end - from);
}

static void list_resources(const struct exchange *x)
{
    struct mcp_resource resource;
    struct pl_slice text;
    open_result(x->json);
    pl_json_key(x->json, "resources");
    pl_json_array(x->json);
    for (size_t i = 0; x->offer->resource_at(i, &resource, &text); i++) {
        pl_json_object(x->json);
        pl_json_kv_cstr(x->json, "uri", resource.uri);
        pl_json_kv_cstr(x->json, "name", resource.name);
        pl_json_key(x->json, "title");
        if (resource.title)
            pl_json_cstr(x->json, resource.title);
        else
            pl_json_slice(x->json, first_line(text));
        put_optional(x->json, "description", resource.description);
        pl_json_kv_cstr(x->json, "mimeType", resource.type);
        if (text.len > 0)
            pl_json_kv_u64(x->json, "size", text.len);
        pl_json_end(x->json);
    }
    pl_json_end(x->json);
    pl_json_end(x->json);
}

static void list_templates(const struct exchange *x)
{
    open_result(x->json);
    pl_json_key(x->json, "resourceTemplates");
    pl_json_array(x->json);
    for (size_t i = 0; i < x->offer->template_count; i++) {
        const struct mcp_template *t = &x->offer->templates[i];
        char uri[160];
        snprintf(uri, sizeof uri, "%s{%s}", t->prefix, t->parameter);
        pl_json_object(x->json);
        pl_json_kv_cstr(x->json, "uriTemplate", uri);
        pl_json_kv_cstr(x->json, "name", t->name);
        pl_json_kv_cstr(x->json, "description", t->description);
        pl_json_kv_cstr(x->json, "mimeType", t->type);
        pl_json_end(x->json);
    }
    pl_json_end(x->json);
    pl_json_end(x->json);
}

static void put_contents(const struct exchange *x, struct pl_slice uri, const char *type, struct pl_slice text)
{
    open_result(x->json);
    pl_json_key(x->json, "contents");
    pl_json_array(x->json);
    pl_json_object(x->json);
    pl_json_kv_slice(x->json, "uri", uri);
    pl_json_kv_cstr(x->json, "mimeType", type);
    pl_json_kv_slice(x->json, "text", text);
    pl_json_end(x->json);
    pl_json_end(x->json);
    pl_json_end(x->json);
}

static void read_resource(const struct exchange *x)
{
    struct pl_slice uri, text;
    struct mcp_resource resource;
    if (!text_parameter(x, "uri", &uri))
        return;
    for (size_t i = 0; x->offer->resource_at(i, &resource, &text); i++) {
        if (pl_slice_eq_cstr(uri, resource.uri)) {
            put_contents(x, uri, resource.type, text);
            return;
        }
    }
    for (size_t i = 0; i < x->offer->template_count; i++) {
        const struct mcp_template *t = &x->offer->templates[i];
        size_t prefix = strlen(t->prefix);
        if (uri.len <= prefix || memcmp(uri.ptr, t->prefix, prefix) != 0)
            continue;
        struct mcp_call call = call_of(x, pl_slice_sub(uri, prefix, uri.len));
        struct pl_buf out;
        pl_buf_init(&out, MCP_ANSWER_MAX);
        if (t->read(&call, &out))
            put_contents(x, uri, t->type, pl_buf_slice(&out));
        else
            put_error(x->json, RPC_NO_RESOURCE, "%s", call.problem);
        pl_buf_inherit(x->json->buf, &out);
        pl_buf_fini(&out);
        return;
    }
    put_error(x->json, RPC_NO_RESOURCE, "There is no resource '%.*s'; resources/list has those that there are.",
              (int)PL_MIN(uri.len, (size_t)200), (const char *)uri.ptr);
}

static void list_prompts(const struct exchange *x)
{
    open_result(x->json);
    pl_json_key(x->json, "prompts");
    pl_json_array(x->json);
    for (size_t i = 0; i < x->offer->prompt_count; i++) {
        const struct mcp_prompt *prompt = &x->offer->prompts[i];
        pl_json_object(x->json);
        pl_json_kv_cstr(x->json, "name", prompt->name);
        pl_json_kv_cstr(x->json, "title", prompt->title);
        pl_json_kv_cstr(x->json, "description", prompt->description);
        pl_json_key(x->json, "arguments");
        pl_json_array(x->json);
        for (size_t a = 0; a < MCP_PROMPT_ARGUMENTS && prompt->arguments[a].name; a++) {
            pl_json_object(x->json);
            pl_json_kv_cstr(x->json, "name", prompt->arguments[a].name);
            pl_json_kv_cstr(x->json, "description", prompt->arguments[a].description);
            pl_json_kv_bool(x->json, "required", prompt->arguments[a].required);
            pl_json_end(x->json);
        }
        pl_json_end(x->json);
        pl_json_end(x->json);
    }
    pl_json_end(x->json);
    pl_json_end(x->json);
}

// At a brace of the text: appends the value that it names, or the brace. Returns how many bytes of the text that was.
static size_t put_argument(const struct mcp_prompt *prompt, const char *at, const struct pl_slice *values,
                           struct pl_buf *out)
{
    if (!*at)
        return 0;
    for (size_t a = 0; a < MCP_PROMPT_ARGUMENTS && prompt->arguments[a].name; a++) {
        size_t len = strlen(prompt->arguments[a].name);
        if (strncmp(at + 1, prompt->arguments[a].name, len) == 0 && at[len + 1] == '}') {
            pl_buf_append_slice(out, values[a]);
            return len + 2;
        }
    }
    pl_buf_append_byte(out, (uint8_t)*at);
    return 1;
}

// Appends the prompt's text with its arguments in it. False: one is missing or no string, and the error is written.
static bool fill_prompt(const struct exchange *x, const struct mcp_prompt *prompt, struct pl_slice arguments,
                        struct pl_buf *out)
{
    struct pl_slice values[MCP_PROMPT_ARGUMENTS] = {0};
    for (size_t a = 0; a < MCP_PROMPT_ARGUMENTS && prompt->arguments[a].name; a++) {
        struct pl_rpc_value value;
        pl_rpc_member(arguments, prompt->arguments[a].name, &value);
        bool absent = value.type == PL_JSON_END && !prompt->arguments[a].required;
        if (!absent && !pl_rpc_text(&value, x->context->arena, &values[a])) {
            put_error(x->json, RPC_INVALID_PARAMS, "'arguments' must have '%s', a string: %s",
                      prompt->arguments[a].name, prompt->arguments[a].description);
            return false;
        }
    }
    for (const char *p = prompt->text; *p;) {
        size_t n = strcspn(p, "{");
        pl_buf_append(out, p, n);
        p += n;
        p += put_argument(prompt, p, values, out);
    }
    return true;
}

static void get_prompt(const struct exchange *x)
{
    struct pl_slice name;
    if (!text_parameter(x, "name", &name))
        return;
    struct pl_rpc_value arguments;
    pl_rpc_member(x->message->params.raw, "arguments", &arguments);
    struct pl_slice object = arguments.type == PL_JSON_OBJECT ? arguments.raw : pl_slice_cstr("{}");
    for (size_t i = 0; i < x->offer->prompt_count; i++) {
        const struct mcp_prompt *prompt = &x->offer->prompts[i];
        if (!pl_slice_eq_cstr(name, prompt->name))
            continue;
        struct pl_buf text;
        pl_buf_init(&text, MCP_ANSWER_MAX);
        if (fill_prompt(x, prompt, object, &text)) {
            open_result(x->json);
            pl_json_kv_cstr(x->json, "description", prompt->description);
            pl_json_key(x->json, "messages");
            pl_json_array(x->json);
            pl_json_object(x->json);
            pl_json_kv_cstr(x->json, "role", "user");
            pl_json_key(x->json, "content");
            pl_json_object(x->json);
            pl_json_kv_cstr(x->json, "type", "text");
            pl_json_kv_slice(x->json, "text", pl_buf_slice(&text));
            pl_json_end(x->json);
            pl_json_end(x->json);
            pl_json_end(x->json);
            pl_json_end(x->json);
        }
        pl_buf_inherit(x->json->buf, &text);
        pl_buf_fini(&text);
        return;
    }
    put_error(x->json, RPC_INVALID_PARAMS, "There is no prompt '%.*s'; prompts/list has those that there are.",
              (int)PL_MIN(name.len, (size_t)100), (const char *)name.ptr);
}

static const struct {
    const char *name;
    void (*answer)(const struct exchange *x);
    bool pages; // a list: it is always whole, so no cursor was given out
} METHODS[] = {
    {"initialize", initialize, false},        {"ping", ping, false},
    {"tools/list", list_tools, true},         {"tools/call", call_tool, false},
    {"resources/list", list_resources, true}, {"resources/templates/list", list_templates, true},
    {"resources/read", read_resource, false}, {"prompts/list", list_prompts, true},
    {"prompts/get", get_prompt, false},
};

static void dispatch(const struct exchange *x)
{
    for (size_t i = 0; i < PL_COUNTOF(METHODS); i++) {
        if (!pl_slice_eq_cstr(x->message->method, METHODS[i].name))
            continue;
        struct pl_rpc_value cursor = {.type = PL_JSON_END};
        if (METHODS[i].pages && x->message->params.type == PL_JSON_OBJECT)
            pl_rpc_member(x->message->params.raw, "cursor", &cursor);
        if (cursor.type != PL_JSON_END)
            put_error(x->json, RPC_INVALID_PARAMS, "The list has one page: leave 'cursor' out.");
        else
            METHODS[i].answer(x);
        return;
    }
    put_error(x->json, RPC_NO_METHOD, "There is no method '%.*s' here.",
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
    const struct exchange x = {.offer = offer, .context = context, .message = &message, .json = &json};
    if (message.kind == PL_RPC_REQUEST)
        dispatch(&x);
    else
        put_error(&json, message.kind == PL_RPC_NO_JSON ? RPC_PARSE : RPC_INVALID_REQUEST, "%s", message.why);
    pl_json_end(&json);
    return message.kind == PL_RPC_REQUEST ? MCP_ANSWERED : MCP_INVALID;
}

static enum mcp_outcome invalid(struct pl_buf *out, enum rpc_code code, const char *why)
{
    struct pl_json_writer json;
    open_answer(&json, out, pl_slice_cstr("null"));
    put_error(&json, code, "%s", why);
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
