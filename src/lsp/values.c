// Positions, ranges and edits as JSON.
#include "base/fmt.h"
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

bool lsp_read_positions(struct pl_slice object, struct lsp_range *out)
{
    struct pl_rpc_value start, end;
    pl_rpc_member(object, "start", &start);
    pl_rpc_member(object, "end", &end);
    return lsp_read_position(start.raw, &out->start) && lsp_read_position(end.raw, &out->end);
}

bool lsp_read_range(const struct lsp_server *server, const struct lsp_document *document, struct pl_slice object,
                    size_t *from, size_t *to)
{
    struct lsp_range range;
    if (!lsp_read_positions(object, &range))
        return false;
    *from = lsp_text_offset(&document->text, server->encoding, range.start);
    *to = lsp_text_offset(&document->text, server->encoding, range.end);
    return *from <= *to;
}

// Lists of a large document have some ten thousand of these: each is written as one piece.
#define POSITION_MAX (32u + 2 * PL_FMT_DOUBLE_MAX)
#define RANGE_MAX (32u + 2 * POSITION_MAX)

static size_t put_text(char *out, const char *text)
{
    size_t n = strlen(text);
    memcpy(out, text, n);
    return n;
}

static size_t format_position(char *out, struct lsp_position position)
{
    size_t n = put_text(out, "{\"line\":");
    n += pl_format_u64(position.line, out + n);
    n += put_text(out + n, ",\"character\":");
    n += pl_format_u64(position.character, out + n);
    out[n++] = '}';
    return n;
}

static size_t format_range(char *out, struct lsp_range range)
{
    size_t n = put_text(out, "{\"start\":");
    n += format_position(out + n, range.start);
    n += put_text(out + n, ",\"end\":");
    n += format_position(out + n, range.end);
    out[n++] = '}';
    return n;
}

void lsp_put_position(struct pl_json_writer *json, const char *key, struct lsp_position position)
{
    char text[POSITION_MAX];
    pl_json_key(json, key);
    pl_json_raw(json, pl_slice_make(text, format_position(text, position)));
}

void lsp_put_range(struct pl_json_writer *json, const char *key, struct lsp_range range)
{
    char text[RANGE_MAX];
    pl_json_key(json, key);
    pl_json_raw(json, pl_slice_make(text, format_range(text, range)));
}

void lsp_put_symbol_place(struct pl_json_writer *json, unsigned kind, struct lsp_range whole,
                          struct lsp_position shown_end)
{
    char text[2 * RANGE_MAX + POSITION_MAX], start[POSITION_MAX];
    size_t begin = format_position(start, whole.start), n = put_text(text, "\"kind\":");
    n += pl_format_u64(kind, text + n);
    n += put_text(text + n, ",\"range\":{\"start\":");
    memcpy(text + n, start, begin);
    n += begin;
    n += put_text(text + n, ",\"end\":");
    n += format_position(text + n, whole.end);
    n += put_text(text + n, "},\"selectionRange\":{\"start\":"); // they begin at the same place
    memcpy(text + n, start, begin);
    n += begin;
    n += put_text(text + n, ",\"end\":");
    n += format_position(text + n, shown_end);
    n += put_text(text + n, "}");
    pl_json_raw(json, pl_slice_make(text, n));
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
