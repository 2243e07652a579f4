// Messages to their methods: the life of the server, and answers with errors.
#include "lsp/server.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ckd.h"

#define CALL_MEMORY ((size_t)256 << 20)

enum lsp_outcome lsp_refuse(struct lsp_call *call, int code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(call->problem, sizeof call->problem, fmt, args);
    va_end(args);
    call->code = code;
    return LSP_REFUSED;
}

bool lsp_server_init(struct lsp_server *server, struct lsp_host *host)
{
    *server = (struct lsp_server){.host = host};
    pl_buf_init(&server->out, LSP_OUTPUT_MAX);
    pl_buf_init(&server->body, LSP_OUTPUT_MAX);
    return lsp_background_start(&server->background, host->run, host->user);
}

void lsp_server_fini(struct lsp_server *server)
{
    lsp_background_stop(&server->background);
    while (server->documents) {
        struct lsp_document *next = server->documents->next;
        lsp_document_free(server->documents);
        server->documents = next;
    }
    pl_buf_fini(&server->out);
    pl_buf_fini(&server->body);
}

void lsp_server_clear(struct pl_buf *buf)
{
    pl_buf_clear(buf);
    if (buf->cap > LSP_OUTPUT_KEPT)
        pl_buf_fini(buf);
}

struct lsp_document *lsp_server_find(struct lsp_server *server, struct pl_slice uri)
{
    for (struct lsp_document *d = server->documents; d; d = d->next) {
        if (pl_slice_eq_cstr(uri, d->uri))
            return d;
    }
    return NULL;
}

void lsp_server_frame(struct lsp_server *server, const struct pl_buf *body)
{
    pl_buf_printf(&server->out, "Content-Length: %zu\r\n\r\n", body->len);
    pl_buf_append_slice(&server->out, pl_buf_slice(body));
}

static void put_error(struct pl_buf *body, struct pl_slice id, int code, const char *why)
{
    pl_buf_printf(body, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":{\"code\":%d,\"message\":", (int)id.len,
                  (const char *)id.ptr, code);
    pl_buf_append_json_string(body, pl_slice_cstr(why));
    pl_buf_append_cstr(body, "}}");
}

void lsp_server_broken(struct lsp_server *server, struct pl_slice id, int code, const char *why)
{
    struct pl_buf body;
    pl_buf_init(&body, LSP_OUTPUT_MAX);
    put_error(&body, id, code, why);
    lsp_server_frame(server, &body);
    pl_buf_fini(&body);
}

// ---- the server's life

static bool client_has(struct pl_slice params, const char *const *path)
{
    struct pl_rpc_value value = {.type = PL_JSON_OBJECT, .raw = params};
    for (; *path && value.type == PL_JSON_OBJECT; path++)
        pl_rpc_member(value.raw, *path, &value);
    return value.type == PL_JSON_TRUE;
}

// UTF-16 is what all clients know, but bytes are what is counted here.
static enum lsp_encoding choose_encoding(struct pl_slice params)
{
    struct pl_rpc_value value, entry;
    pl_rpc_member(params, "capabilities", &value);
    pl_rpc_member(value.raw, "general", &value);
    pl_rpc_member(value.raw, "positionEncodings", &value);
    for (size_t at = 0; at < 16 && pl_rpc_item(value.raw, &at, &entry);) {
        if (entry.type == PL_JSON_STRING && pl_slice_eq_cstr(entry.token, "utf-8"))
            return LSP_UTF8;
    }
    return LSP_UTF16;
}

static enum lsp_outcome initialize(struct lsp_call *call)
{
    static const char *const SNIPPETS[] = {"capabilities",   "textDocument",   "completion",
                                           "completionItem", "snippetSupport", NULL};
    struct lsp_server *server = call->server;
    struct pl_rpc_value options;
    if (server->state != LSP_NEW)
        return lsp_refuse(call, LSP_E_INVALID_REQUEST, "The server is initialized already.");
    pl_rpc_member(call->params, "initializationOptions", &options);
    if (options.type == PL_JSON_OBJECT &&
        !server->host->configure(server->host, options.raw, call->problem, sizeof call->problem)) {
        call->code = LSP_E_PARAMS;
        return LSP_REFUSED;
    }
    server->encoding = choose_encoding(call->params);
    server->has_snippets = client_has(call->params, SNIPPETS);
    server->state = LSP_READY;
    pl_json_object(&call->json);
    lsp_capabilities(server, &call->json);
    pl_json_kv_object(&call->json, "serverInfo");
    pl_json_kv_cstr(&call->json, "name", "platen");
    pl_json_kv_cstr(&call->json, "version", server->host->version);
    pl_json_ends(&call->json, 2);
    return LSP_ANSWERED;
}

static enum lsp_outcome shut_down(struct lsp_call *call)
{
    call->server->state = LSP_SHUT;
    pl_json_null(&call->json);
    return LSP_ANSWERED;
}

// ---- methods

// Reads what the method is about.
static enum lsp_outcome take_place(struct lsp_call *call, const struct lsp_method_row *row)
{
    struct pl_rpc_value value;
    struct pl_slice uri;
    struct lsp_position position;
    if (row->takes == LSP_ANY)
        return LSP_ANSWERED;
    pl_rpc_member(call->params, "textDocument", &value);
    pl_rpc_member(value.raw, "uri", &value);
    if (!pl_rpc_text(&value, call->arena, &uri))
        return lsp_refuse(call, LSP_E_PARAMS, "%s needs textDocument.uri, a string.", row->name);
    call->document = lsp_server_find(call->server, uri);
    if (!call->document)
        return lsp_refuse(call, LSP_E_PARAMS, "The document '%.*s' is not open.", (int)PL_MIN(uri.len, (size_t)120),
                          (const char *)uri.ptr);
    pl_rpc_member(call->params, row->takes == LSP_OF_RANGE ? "range" : "position", &value);
    if (row->takes == LSP_OF_POSITION) {
        if (!lsp_read_position(value.raw, &position))
            return lsp_refuse(call, LSP_E_PARAMS, "%s needs a position with line and character.", row->name);
        call->offset = lsp_text_offset(&call->document->text, call->server->encoding, position);
    }
    if (row->takes == LSP_OF_RANGE && !lsp_read_range(call->server, call->document, value.raw, &call->from, &call->to))
        return lsp_refuse(call, LSP_E_PARAMS, "%s needs a range with start and end.", row->name);
    if (!row->is_notification && !lsp_document_read(call->document))
        return lsp_refuse(call, LSP_E_FAILED, "There is no memory for the document's commands.");
    return LSP_ANSWERED;
}

static enum lsp_outcome run_method(struct lsp_call *call, struct pl_slice method)
{
    const struct lsp_server *server = call->server;
    if (pl_slice_eq_cstr(method, "initialize"))
        return initialize(call);
    if (server->state == LSP_NEW)
        return lsp_refuse(call, LSP_E_NOT_INITIALIZED, "The first request must be initialize.");
    if (server->state == LSP_SHUT)
        return lsp_refuse(call, LSP_E_INVALID_REQUEST, "The server is shut down: only exit may follow.");
    if (pl_slice_eq_cstr(method, "shutdown"))
        return shut_down(call);
    const struct lsp_method_row *row = lsp_method_find(method);
    if (!row || row->is_notification)
        return lsp_refuse(call, LSP_E_METHOD, "There is no method '%.*s'.", (int)PL_MIN(method.len, (size_t)80),
                          (const char *)method.ptr);
    enum lsp_outcome outcome = take_place(call, row);
    return outcome == LSP_ANSWERED ? row->run(call) : outcome;
}

// Notifications are not answered, whatever is wrong with them: the log says it.
static void notify(struct lsp_call *call, struct pl_slice method)
{
    struct lsp_server *server = call->server;
    const struct lsp_method_row *row = lsp_method_find(method);
    if (pl_slice_eq_cstr(method, "exit")) {
        server->status = server->state == LSP_SHUT ? 0 : 1;
        server->state = LSP_EXITED;
        return;
    }
    if (!row || !row->is_notification || server->state != LSP_READY)
        return;
    enum lsp_outcome outcome = take_place(call, row);
    if (outcome == LSP_ANSWERED)
        outcome = row->run(call);
    if (outcome == LSP_REFUSED && server->host->log)
        server->host->log(row->name, call->problem);
}

static void answer(struct lsp_call *call, struct pl_slice method, bool is_cancelled)
{
    struct pl_buf *body = &call->server->body;
    pl_buf_printf(body, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":", (int)call->id.len, (const char *)call->id.ptr);
    pl_json_writer_init(&call->json, body);
    enum lsp_outcome outcome =
        is_cancelled ? lsp_refuse(call, LSP_E_CANCELLED, "The request was cancelled.") : run_method(call, method);
    pl_buf_append_byte(body, '}');
    if (outcome == LSP_ANSWERED && body->failed)
        outcome = lsp_refuse(call, LSP_E_FAILED, "The answer is larger than this program makes.");
    if (outcome == LSP_REFUSED)
        lsp_server_broken(call->server, call->id, call->code, call->problem);
    else if (outcome == LSP_ANSWERED)
        lsp_server_frame(call->server, body);
    lsp_server_clear(body);
}

void lsp_server_message(struct lsp_server *server, const struct pl_rpc_message *message, bool is_cancelled)
{
    struct pl_arena arena;
    struct lsp_call call = {.server = server, .id = message->id, .arena = &arena};
    if (message->params.type == PL_JSON_OBJECT)
        call.params = message->params.raw;
    pl_arena_init(&arena, CALL_MEMORY);
    switch (message->kind) {
    case PL_RPC_REQUEST:
        answer(&call, message->method, is_cancelled);
        break;
    case PL_RPC_NOTIFICATION:
        notify(&call, message->method);
        break;
    case PL_RPC_RESPONSE:
        break;
    case PL_RPC_NO_MESSAGE:
        lsp_server_broken(server, message->id, LSP_E_INVALID_REQUEST, message->why);
        break;
    case PL_RPC_NO_JSON:
        lsp_server_broken(server, message->id, LSP_E_PARSE, message->why);
        break;
    }
    pl_arena_fini(&arena);
}

// ---- what the thread found

void lsp_server_results(struct lsp_server *server)
{
    struct lsp_result *result;
    while ((result = lsp_background_take(&server->background))) {
        struct lsp_document *document = server->documents;
        while (document && document->number != result->document)
            document = document->next;
        bool is_current = document && document->revision == result->revision;
        bool has_findings = result->kind == LSP_CHECK && result->problem[0] == '\0' && is_current;
        if (has_findings) {
            lsp_result_free(document->result);
            document->result = result;
            lsp_publish(server, document);
        }
        if (result->id)
            lsp_answer_job(server, is_current ? document : NULL, result);
        if (!has_findings)
            lsp_result_free(result);
    }
}
