// The table of methods, what the server can do, and documents as the editor opens and changes them.
#include <stdlib.h>

#include "base/ckd.h"
#include "lsp/changes.h"
#include "lsp/server.h"

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

void lsp_capabilities(const struct lsp_server *server, struct pl_json_writer *json)
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

// ---- documents

enum lsp_outcome lsp_did_open(struct lsp_call *call)
{
    struct lsp_server *server = call->server;
    struct pl_rpc_value item, value;
    struct pl_slice uri, language = {0}, text;
    int64_t version = 0;
    pl_rpc_member(call->params, "textDocument", &item);
    pl_rpc_member(item.raw, "uri", &value);
    if (!pl_rpc_text(&value, call->arena, &uri))
        return lsp_refuse(call, LSP_E_PARAMS, "textDocument.uri is no string.");
    pl_rpc_member(item.raw, "text", &value);
    if (!pl_rpc_text(&value, call->arena, &text))
        return lsp_refuse(call, LSP_E_PARAMS, "textDocument.text is no string.");
    pl_rpc_member(item.raw, "languageId", &value);
    (void)!pl_rpc_text(&value, call->arena, &language);
    pl_rpc_member(item.raw, "version", &value);
    (void)!lsp_read_number(&value, &version);
    struct lsp_document *document = lsp_server_find(server, uri);
    if (!document) {
        document = lsp_document_new(uri, language);
        if (!document)
            return lsp_refuse(call, LSP_E_FAILED, "There is no memory for the document.");
        document->number = ++server->document_numbers;
        document->next = server->documents;
        server->documents = document;
    }
    document->version = version;
    if (!lsp_text_set(&document->text, text))
        return lsp_refuse(call, LSP_E_FAILED, "The document is longer than %zu bytes.", (size_t)LSP_TEXT_MAX);
    lsp_document_changed(document);
    lsp_check(server, document, pl_slice_make(NULL, 0));
    return LSP_ANSWERED;
}

static enum lsp_outcome apply_change(struct lsp_call *call, struct lsp_changes *changes, struct pl_slice change)
{
    struct lsp_range range = {{0, 0}, {UINT32_MAX, UINT32_MAX}};
    struct pl_rpc_value place, value;
    struct pl_slice with;
    pl_rpc_member(change, "range", &place);
    pl_rpc_member(change, "text", &value);
    if (!pl_rpc_text(&value, call->arena, &with))
        return lsp_refuse(call, LSP_E_PARAMS, "A change has no text.");
    if (place.type != PL_JSON_END && !lsp_read_positions(place.raw, &range))
        return lsp_refuse(call, LSP_E_PARAMS, "A change has a wrong range.");
    switch (lsp_changes_replace(changes, range, with)) {
    case LSP_BACKWARDS:
        return lsp_refuse(call, LSP_E_PARAMS, "A change has a wrong range.");
    case LSP_TOO_LONG:
        return lsp_refuse(call, LSP_E_FAILED, "The document is longer than %zu bytes.", (size_t)LSP_TEXT_MAX);
    case LSP_CHANGED:
        break;
    }
    return LSP_ANSWERED;
}

enum lsp_outcome lsp_did_change(struct lsp_call *call)
{
    struct pl_rpc_value value, change;
    struct pl_json_reader reader;
    struct lsp_changes changes;
    enum lsp_outcome outcome = LSP_ANSWERED;
    pl_rpc_member(call->params, "textDocument", &value);
    pl_rpc_member(value.raw, "version", &value);
    (void)!lsp_read_number(&value, &call->document->version);
    pl_rpc_member(call->params, "contentChanges", &value);
    pl_json_reader_init(&reader, value.raw);
    if (value.type != PL_JSON_ARRAY || pl_json_next(&reader) != PL_JSON_ARRAY)
        return lsp_refuse(call, LSP_E_PARAMS, "contentChanges is no array.");
    lsp_changes_begin(&changes, &call->document->text, call->server->encoding);
    while (outcome == LSP_ANSWERED && pl_rpc_value_next(&reader, &change))
        outcome = apply_change(call, &changes, change.raw);
    if (!lsp_changes_end(&changes))
        outcome = lsp_refuse(call, LSP_E_FAILED, "There is no memory for the document.");
    lsp_document_changed(call->document);
    lsp_check(call->server, call->document, pl_slice_make(NULL, 0));
    return outcome;
}

enum lsp_outcome lsp_did_close(struct lsp_call *call)
{
    struct lsp_server *server = call->server;
    struct lsp_document *document = call->document, **at = &server->documents;
    lsp_background_forget(&server->background, document->number);
    lsp_result_free(document->result);
    document->result = NULL;
    lsp_publish(server, document);
    while (*at != document)
        at = &(*at)->next;
    *at = document->next;
    lsp_document_free(document);
    return LSP_ANSWERED;
}
