// Positions, ranges and edits as JSON.
#include "lsp/server.h"

bool lsp_read_number(const struct pl_rpc_value *value, int64_t *out)
{
    int64_t number = 0;
    struct pl_slice s = value->token;
    bool minus = value->type == PL_JSON_NUMBER && s.len > 0 && s.ptr[0] == '-';
    if (value->type != PL_JSON_NUMBER || s.len > 18)
        return false;
    for (size_t i = minus; i < s.len; i++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return false;
        number = number * 10 + (s.ptr[i] - '0');
    }
    *out = minus ? -number : number;
    return true;
}

static bool read_unsigned(struct pl_slice object, const char *name, uint32_t *out)
{
    struct pl_rpc_value value;
    int64_t number;
    pl_rpc_member(object, name, &value);
    if (!lsp_read_number(&value, &number) || number < 0)
        return false;
    *out = number > INT32_MAX ? INT32_MAX : (uint32_t)number;
    return true;
}

bool lsp_read_position(struct pl_slice object, struct lsp_position *out)
{
    return read_unsigned(object, "line", &out->line) && read_unsigned(object, "character", &out->character);
}

bool lsp_read_range(const struct lsp_server *server, const struct lsp_document *document, struct pl_slice object,
                    size_t *from, size_t *to)
{
    struct pl_rpc_value start, end;
    struct lsp_position a, b;
    pl_rpc_member(object, "start", &start);
    pl_rpc_member(object, "end", &end);
    if (!lsp_read_position(start.raw, &a) || !lsp_read_position(end.raw, &b))
        return false;
    *from = lsp_text_offset(&document->text, server->encoding, a);
    *to = lsp_text_offset(&document->text, server->encoding, b);
    return *from <= *to;
}

void lsp_put_position(struct pl_json_writer *json, const char *key, struct lsp_position position)
{
    if (key)
        pl_json_key(json, key);
    pl_json_object(json);
    pl_json_kv_u64(json, "line", position.line);
    pl_json_kv_u64(json, "character", position.character);
    pl_json_end(json);
}

void lsp_put_range(struct pl_json_writer *json, const char *key, struct lsp_range range)
{
    if (key)
        pl_json_key(json, key);
    pl_json_object(json);
    lsp_put_position(json, "start", range.start);
    lsp_put_position(json, "end", range.end);
    pl_json_end(json);
}

struct lsp_cursor lsp_call_cursor(const struct lsp_call *call)
{
    return lsp_cursor_make(&call->document->text, call->server->encoding);
}

void lsp_put_edit(struct pl_json_writer *json, struct lsp_range range, struct pl_slice text)
{
    pl_json_object(json);
    lsp_put_range(json, "range", range);
    pl_json_kv_slice(json, "newText", text);
    pl_json_end(json);
}
