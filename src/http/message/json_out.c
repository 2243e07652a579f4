// The JSON writer.
#include "http/message/json.h"

#include "base/base64.h"
#include "base/fmt.h"

void http_json_out_init(struct http_json_out *out, struct pl_buf *buf)
{
    *out = (struct http_json_out){.buf = buf};
}

// What stands before a value: a comma after another one of the same level.
static void before_value(struct http_json_out *out)
{
    if (out->after_key) {
        out->after_key = false;
        return;
    }
    uint64_t bit = (uint64_t)1 << (out->depth & 63);
    if (out->filled & bit)
        pl_buf_append_byte(out->buf, ',');
    out->filled |= bit;
}

static void open(struct http_json_out *out, char bracket, bool array)
{
    before_value(out);
    pl_buf_append_byte(out->buf, (uint8_t)bracket);
    if (out->depth >= 63) {
        out->buf->failed = true;
        return;
    }
    out->depth++;
    uint64_t bit = (uint64_t)1 << out->depth;
    out->filled &= ~bit;
    out->arrays = array ? out->arrays | bit : out->arrays & ~bit;
}

void http_json_object(struct http_json_out *out)
{
    open(out, '{', false);
}

void http_json_array(struct http_json_out *out)
{
    open(out, '[', true);
}

void http_json_end(struct http_json_out *out)
{
    if (out->depth == 0) {
        out->buf->failed = true;
        return;
    }
    pl_buf_append_byte(out->buf, out->arrays >> out->depth & 1 ? ']' : '}');
    out->depth--;
}

void http_json_key(struct http_json_out *out, const char *key)
{
    before_value(out);
    pl_buf_append_json_string(out->buf, pl_slice_cstr(key));
    pl_buf_append_byte(out->buf, ':');
    out->after_key = true;
}

void http_json_slice(struct http_json_out *out, struct pl_slice text)
{
    before_value(out);
    pl_buf_append_json_string(out->buf, text);
}

void http_json_cstr(struct http_json_out *out, const char *text)
{
    http_json_slice(out, pl_slice_cstr(text));
}

void http_json_u64(struct http_json_out *out, uint64_t value)
{
    before_value(out);
    pl_buf_append_u64(out->buf, value);
}

void http_json_i64(struct http_json_out *out, int64_t value)
{
    before_value(out);
    pl_buf_append_i64(out->buf, value);
}

void http_json_double(struct http_json_out *out, double value)
{
    before_value(out);
    pl_buf_append_double(out->buf, value);
}

void http_json_fixed(struct http_json_out *out, double value, unsigned decimals)
{
    char text[PL_FMT_DOUBLE_MAX];
    before_value(out);
    pl_buf_append(out->buf, text, pl_format_fixed(value, decimals, text));
}

void http_json_bool(struct http_json_out *out, bool value)
{
    before_value(out);
    pl_buf_append_cstr(out->buf, value ? "true" : "false");
}

void http_json_null(struct http_json_out *out)
{
    before_value(out);
    pl_buf_append_cstr(out->buf, "null");
}

void http_json_raw(struct http_json_out *out, struct pl_slice json)
{
    before_value(out);
    pl_buf_append_slice(out->buf, json);
}

void http_json_base64(struct http_json_out *out, struct pl_slice bytes)
{
    before_value(out);
    pl_buf_append_byte(out->buf, '"');
    uint8_t *room = pl_buf_reserve(out->buf, pl_base64_encoded_size(bytes.len));
    if (room)
        out->buf->len += pl_base64_encode(bytes, (char *)room);
    pl_buf_append_byte(out->buf, '"');
}

void http_json_kv_cstr(struct http_json_out *out, const char *key, const char *text)
{
    http_json_key(out, key);
    http_json_cstr(out, text);
}

void http_json_kv_slice(struct http_json_out *out, const char *key, struct pl_slice text)
{
    http_json_key(out, key);
    http_json_slice(out, text);
}

void http_json_kv_u64(struct http_json_out *out, const char *key, uint64_t value)
{
    http_json_key(out, key);
    http_json_u64(out, value);
}

void http_json_kv_i64(struct http_json_out *out, const char *key, int64_t value)
{
    http_json_key(out, key);
    http_json_i64(out, value);
}

void http_json_kv_double(struct http_json_out *out, const char *key, double value)
{
    http_json_key(out, key);
    http_json_double(out, value);
}

void http_json_kv_bool(struct http_json_out *out, const char *key, bool value)
{
    http_json_key(out, key);
    http_json_bool(out, value);
}
