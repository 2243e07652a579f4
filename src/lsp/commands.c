// Answers that take a job: the picture of a label, findings when they are whole, and the layout of the code.
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "lsp/server.h"

#define PREVIEW "platen.preview"
#define CHECK "platen.check"

const char *const lsp_commands[] = {PREVIEW, CHECK, NULL};

static enum lsp_outcome submit(struct lsp_call *call, enum lsp_job_kind kind, uint32_t label, uint32_t place,
                               struct pl_slice options)
{
    struct lsp_job *job = lsp_job_for(kind, call->document, call->id);
    if (!job)
        return lsp_refuse(call, LSP_E_FAILED, "There is no memory for the document.");
    job->label = label;
    job->place = place;
    if (options.len > 0)
        job->options = strndup((const char *)options.ptr, options.len);
    lsp_background_submit(&call->server->background, job);
    return LSP_LATER;
}

enum lsp_outcome lsp_formatting(struct lsp_call *call)
{
    const struct pl_lang *language = call->document->language;
    if (language != pl_lang_at(PLATEN_LANGUAGE_ZPL - 1))
        return lsp_refuse(call, LSP_E_FAILED, "This document is %s; only ZPL II can be laid out.", language->title);
    return submit(call, LSP_FORMAT, 0, UINT32_MAX, (struct pl_slice){0});
}

// arguments: [{"uri": …, "label": 0, "options": {…}}], or a position inside of the label
enum lsp_outcome lsp_execute_command(struct lsp_call *call)
{
    struct pl_rpc_value name, value, argument;
    struct pl_slice uri;
    struct lsp_position position;
    int64_t label = 0;
    size_t first = 0;
    pl_rpc_member(call->params, "command", &name);
    bool preview = name.type == PL_JSON_STRING && pl_slice_eq_cstr(name.token, PREVIEW);
    if (!preview && !(name.type == PL_JSON_STRING && pl_slice_eq_cstr(name.token, CHECK)))
        return lsp_refuse(call, LSP_E_PARAMS, "The commands are " PREVIEW " and " CHECK ".");
    pl_rpc_member(call->params, "arguments", &value);
    if (!pl_rpc_item(value.raw, &first, &argument))
        return lsp_refuse(call, LSP_E_PARAMS, "The first argument must be an object with the document's uri.");
    pl_rpc_member(argument.raw, "uri", &value);
    if (!pl_rpc_text(&value, call->arena, &uri) || !(call->document = lsp_server_find(call->server, uri)))
        return lsp_refuse(call, LSP_E_PARAMS, "The first argument's uri is no document that is open.");
    pl_rpc_member(argument.raw, "label", &value);
    if (value.type != PL_JSON_END && (!lsp_read_number(&value, &label) || label < 0 || label > INT32_MAX))
        return lsp_refuse(call, LSP_E_PARAMS, "'label' must be a whole number: 0 is the first label.");
    pl_rpc_member(argument.raw, "position", &value);
    uint32_t place = lsp_read_position(value.raw, &position)
                         ? (uint32_t)lsp_text_offset(&call->document->text, call->server->encoding, position)
                         : UINT32_MAX;
    pl_rpc_member(argument.raw, "options", &value);
    if (value.type != PL_JSON_END && value.type != PL_JSON_OBJECT)
        return lsp_refuse(call, LSP_E_PARAMS, "'options' must be an object.");
    if (preview)
        return submit(call, LSP_PREVIEW, (uint32_t)label, place, value.raw);
    lsp_check(call->server, call->document, call->id);
    return LSP_LATER;
}

// ---- answers

static void put_preview(const struct lsp_result *r, struct pl_json_writer *json)
{
    pl_json_object(json);
    pl_json_kv_cstr(json, "mimeType", r->mime);
    pl_json_key(json, "data");
    pl_json_base64(json, pl_buf_slice(&r->bytes));
    pl_json_kv_u64(json, "width", r->width);
    pl_json_kv_u64(json, "height", r->height);
    pl_json_kv_u64(json, "label", r->label);
    pl_json_kv_u64(json, "labels", r->labels);
    pl_json_end(json);
}

static void put_counts(const struct lsp_result *r, struct pl_json_writer *json)
{
    pl_json_object(json);
    pl_json_kv_i64(json, "version", r->version);
    pl_json_kv_u64(json, "findings", r->count + r->left_out);
    pl_json_kv_u64(json, "labels", r->labels);
    pl_json_end(json);
}

static bool is_inside(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

// One edit of what lies between the beginning and the end that both have: cursors and marks elsewhere stay.
static void put_layout(const struct lsp_server *server, const struct lsp_document *d, const struct lsp_result *r,
                       struct pl_json_writer *json)
{
    struct pl_slice old = lsp_text_slice(&d->text), new = pl_buf_slice(&r->bytes);
    size_t start = 0, end = 0, most = PL_MIN(old.len, new.len);
    struct lsp_cursor cursor = lsp_cursor_make(&d->text, server->encoding);
    while (start < most && old.ptr[start] == new.ptr[start])
        start++;
    while (start > 0 && start < old.len && is_inside(old.ptr[start]))
        start--;
    // CR LF is one end of a line.
    if (start > 0 && old.ptr[start - 1] == '\r')
        start--;
    while (end < most - start && old.ptr[old.len - 1 - end] == new.ptr[new.len - 1 - end])
        end++;
    while (end > 0 && is_inside(old.ptr[old.len - end]))
        end--;
    if (end > 0 && old.ptr[old.len - end] == '\n')
        end--;
    pl_json_array(json);
    if (start < old.len - end || start < new.len - end)
        lsp_put_edit(json, lsp_cursor_range(&cursor, start, old.len - end),
                     pl_slice_sub(new, start, new.len - end - start));
    pl_json_end(json);
}

void lsp_answer_job(struct lsp_server *server, struct lsp_document *d, const struct lsp_result *r)
{
    struct pl_slice id = pl_slice_cstr(r->id);
    struct pl_json_writer json;
    struct pl_buf body;
    if (r->problem[0]) {
        lsp_server_broken(server, id, r->is_cancelled ? LSP_E_CANCELLED : LSP_E_FAILED, r->problem);
        return;
    }
    if (!d && r->kind == LSP_FORMAT) {
        lsp_server_broken(server, id, LSP_E_MODIFIED, "The document was changed while it was laid out.");
        return;
    }
    pl_buf_init(&body, LSP_OUTPUT_MAX);
    pl_buf_printf(&body, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":", r->id);
    pl_json_writer_init(&json, &body);
    if (r->kind == LSP_PREVIEW)
        put_preview(r, &json);
    else if (r->kind == LSP_FORMAT)
        put_layout(server, d, r, &json);
    else
        put_counts(r, &json);
    pl_buf_append_byte(&body, '}');
    if (body.failed)
        lsp_server_broken(server, id, LSP_E_FAILED, "The answer is larger than this program makes.");
    else
        lsp_server_frame(server, &body);
    pl_buf_fini(&body);
}
