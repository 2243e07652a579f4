// Messages to their methods: the table of these, what the server can do, and its life.
#include "base/ckd.h"
#include "lsp/server.h"

#define CALL_MEMORY ((size_t)256 << 20)

static enum lsp_outcome nothing(struct lsp_call *call)
{
    (void)call;
    return LSP_ANSWERED;
}

static const struct lsp_method_row METHODS[] = {
    {"textDocument/hover", lsp_hover, LSP_OF_POSITION, false, false},
    {"textDocument/completion", lsp_completion, LSP_OF_POSITION, false, false},
    {"textDocument/signatureHelp", lsp_signature_help, LSP_OF_POSITION, false, false},
    {"textDocument/documentSymbol", lsp_symbols, LSP_OF_DOCUMENT, false, true},
    {"textDocument/foldingRange", lsp_folding, LSP_OF_DOCUMENT, false, true},
    {"textDocument/definition", lsp_definition, LSP_OF_POSITION, false, false},
    {"textDocument/references", lsp_references, LSP_OF_POSITION, false, false},
    {"textDocument/prepareRename", lsp_prepare_rename, LSP_OF_POSITION, false, false},
    {"textDocument/rename", lsp_rename, LSP_OF_POSITION, false, false},
    {"textDocument/semanticTokens/full", lsp_tokens, LSP_OF_DOCUMENT, false, true},
    {"textDocument/semanticTokens/range", lsp_tokens_range, LSP_OF_RANGE, false, false},
    {"textDocument/formatting", lsp_formatting, LSP_OF_DOCUMENT, false, false},
    {"textDocument/codeAction", lsp_code_action, LSP_OF_RANGE, false, false},
    {"textDocument/inlayHint", lsp_inlay_hint, LSP_OF_RANGE, false, false},
    {"textDocument/codeLens", lsp_code_lens, LSP_OF_DOCUMENT, false, true},
    {"workspace/executeCommand", lsp_execute_command, LSP_ANY, false, false},
    {"textDocument/didOpen", lsp_did_open, LSP_ANY, true, false},
    {"textDocument/didChange", lsp_did_change, LSP_OF_DOCUMENT, true, false},
    {"textDocument/didClose", lsp_did_close, LSP_OF_DOCUMENT, true, false},
    {"textDocument/didSave", nothing, LSP_ANY, true, false},
    {"initialized", nothing, LSP_ANY, true, false},
};

const struct lsp_method_row *lsp_method_find(struct pl_slice name)
{
    for (size_t i = 0; i < PL_COUNTOF(METHODS); i++) {
        if (pl_slice_eq_cstr(name, METHODS[i].name))
            return &METHODS[i];
    }
    return NULL;
}

static void put_list(struct pl_json_writer *json, const char *key, const char *const *list)
{
    pl_json_kv_array(json, key);
    for (; *list; list++)
        pl_json_cstr(json, *list);
    pl_json_end(json);
}

static void put_options(struct pl_json_writer *json, const char *key, const char *name, const char *const *list)
{
    pl_json_kv_object(json, key);
    put_list(json, name, list);
    pl_json_end(json);
}

static void put_tokens(struct pl_json_writer *json)
{
    static const char *const NONE[] = {NULL};
    pl_json_kv_object(json, "semanticTokensProvider");
    pl_json_kv_object(json, "legend");
    put_list(json, "tokenTypes", lsp_token_types);
    put_list(json, "tokenModifiers", NONE);
    pl_json_end(json);
    pl_json_kv_bool(json, "full", true);
    pl_json_kv_bool(json, "range", true);
    pl_json_end(json);
}

static void put_capabilities(const struct lsp_server *server, struct pl_json_writer *json)
{
    static const char *const PREFIXES[] = {"^", "~", ",", NULL}, *const COMMAS[] = {",", NULL},
                             *const FIXES[] = {"quickfix", "source.fixAll", NULL};
    static const char *const ABLE[] = {"hoverProvider",      "documentSymbolProvider",     "foldingRangeProvider",
                                       "definitionProvider", "referencesProvider",         "inlayHintProvider",
                                       "codeLensProvider",   "documentFormattingProvider", NULL};
    pl_json_kv_object(json, "capabilities");
    pl_json_kv_cstr(json, "positionEncoding", server->encoding == LSP_UTF8 ? "utf-8" : "utf-16");
    pl_json_kv_object(json, "textDocumentSync");
    pl_json_kv_bool(json, "openClose", true);
    pl_json_kv_u64(json, "change", 2); // incremental
    pl_json_end(json);
    for (size_t i = 0; ABLE[i]; i++) {
        if (strcmp(ABLE[i], "codeLensProvider") == 0) { // has no short form
            pl_json_kv_object(json, ABLE[i]);
            pl_json_end(json);
        } else {
            pl_json_kv_bool(json, ABLE[i], true);
        }
    }
    put_options(json, "completionProvider", "triggerCharacters", PREFIXES);
    put_options(json, "signatureHelpProvider", "triggerCharacters", COMMAS);
    put_options(json, "codeActionProvider", "codeActionKinds", FIXES);
    put_options(json, "executeCommandProvider", "commands", lsp_commands);
    put_tokens(json);
    pl_json_kv_object(json, "renameProvider");
    pl_json_kv_bool(json, "prepareProvider", true);
    pl_json_ends(json, 2);
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
    put_capabilities(server, &call->json);
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

// ---- messages

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
