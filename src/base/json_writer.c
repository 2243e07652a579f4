// The JSON writer.
#include "base/json_writer.h"

#include <assert.h>

#include "base/base64.h"
#include "base/fmt.h"

void pl_json_writer_init(struct pl_json_writer *out, struct pl_buf *buf)
{
    *out = (struct pl_json_writer){.buf = buf};
}

#ifndef NDEBUG
// Is the writer inside of an object or an array that it began itself, and in order? Depth 0 can be anything: members
// and items are also written apart from what holds them.
static bool is_inside(const struct pl_json_writer *out, bool array)
{
    return out->depth > 0 && !out->buf->failed && (out->arrays >> out->depth & 1) == array;
}
#endif

// What stands before a member or a value: a comma after another one of the same level.
static void before_item(struct pl_json_writer *out)
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

static void before_value(struct pl_json_writer *out)
{
    assert(out->after_key || !is_inside(out, false)); // an object has no values without names
    before_item(out);
}

static void open(struct pl_json_writer *out, char bracket, bool array)
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

void pl_json_object(struct pl_json_writer *out)
{
    open(out, '{', false);
}

void pl_json_array(struct pl_json_writer *out)
{
    open(out, '[', true);
}

void pl_json_end(struct pl_json_writer *out)
{
    if (out->depth == 0) {
        out->buf->failed = true;
        return;
    }
    assert(!out->after_key || out->buf->failed);
    pl_buf_append_byte(out->buf, out->arrays >> out->depth & 1 ? ']' : '}');
    out->depth--;
}

void pl_json_ends(struct pl_json_writer *out, unsigned count)
{
    while (count-- > 0)
        pl_json_end(out);
}

void pl_json_key(struct pl_json_writer *out, const char *key)
{
    assert(!out->after_key && !is_inside(out, true)); // an array has no names
    before_item(out);
    pl_buf_append_json_string(out->buf, pl_slice_cstr(key));
    pl_buf_append_byte(out->buf, ':');
    out->after_key = true;
}

void pl_json_slice(struct pl_json_writer *out, struct pl_slice text)
{
    before_value(out);
    pl_buf_append_json_string(out->buf, text);
}

void pl_json_cstr(struct pl_json_writer *out, const char *text)
{
    pl_json_slice(out, pl_slice_cstr(text));
}

void pl_json_u64(struct pl_json_writer *out, uint64_t value)
{
    before_value(out);
    pl_buf_append_u64(out->buf, value);
}

void pl_json_i64(struct pl_json_writer *out, int64_t value)
{
    before_value(out);
    pl_buf_append_i64(out->buf, value);
}

void pl_json_double(struct pl_json_writer *out, double value)
{
    before_value(out);
    pl_buf_append_double(out->buf, value);
}

void pl_json_fixed(struct pl_json_writer *out, double value, unsigned decimals)
{
    before_value(out);
    pl_buf_append_fixed(out->buf, value, decimals);
}

void pl_json_bool(struct pl_json_writer *out, bool value)
{
    before_value(out);
    pl_buf_append_cstr(out->buf, value ? "true" : "false");
}

void pl_json_null(struct pl_json_writer *out)
{
    before_value(out);
    pl_buf_append_cstr(out->buf, "null");
}

void pl_json_raw(struct pl_json_writer *out, struct pl_slice json)
{
    before_item(out); // several members of an object, too
    pl_buf_append_slice(out->buf, json);
}

void pl_json_base64(struct pl_json_writer *out, struct pl_slice bytes)
{
    before_value(out);
    pl_buf_append_byte(out->buf, '"');
    uint8_t *room = pl_buf_reserve(out->buf, pl_base64_encoded_size(bytes.len));
    if (room)
        out->buf->len += pl_base64_encode(bytes, (char *)room);
    pl_buf_append_byte(out->buf, '"');
}

void pl_json_kv_object(struct pl_json_writer *out, const char *key)
{
    pl_json_key(out, key);
    pl_json_object(out);
}

void pl_json_kv_array(struct pl_json_writer *out, const char *key)
{
    pl_json_key(out, key);
    pl_json_array(out);
}

void pl_json_kv_cstr(struct pl_json_writer *out, const char *key, const char *text)
{
    pl_json_key(out, key);
    pl_json_cstr(out, text);
}

void pl_json_kv_slice(struct pl_json_writer *out, const char *key, struct pl_slice text)
{
    pl_json_key(out, key);
    pl_json_slice(out, text);
}

void pl_json_kv_u64(struct pl_json_writer *out, const char *key, uint64_t value)
{
    pl_json_key(out, key);
    pl_json_u64(out, value);
}

void pl_json_kv_i64(struct pl_json_writer *out, const char *key, int64_t value)
{
    pl_json_key(out, key);
    pl_json_i64(out, value);
}

void pl_json_kv_double(struct pl_json_writer *out, const char *key, double value)
{
    pl_json_key(out, key);
    pl_json_double(out, value);
}

void pl_json_kv_bool(struct pl_json_writer *out, const char *key, bool value)
{
    pl_json_key(out, key);
    pl_json_bool(out, value);
}
