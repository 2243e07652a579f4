// Documents as the editor opens, changes and closes them.
#include "lsp/changes.h"
#include "lsp/server.h"

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
