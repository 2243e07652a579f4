// What arrives in bodies and addresses: multipart, query, JSON, gzip, lists of weights.
#include <stdlib.h>
#include <string.h>

#include "http/message/gzip.h"
#include "http/message/url.h"
#include "http/server/server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void inside(struct pl_slice part, struct pl_slice whole)
{
    if (part.len > 0 && (part.ptr < whole.ptr || part.ptr + part.len > whole.ptr + whole.len))
        abort();
}

// The first line is the Content-Type's parameters, the rest the body.
static void multipart(struct pl_arena *arena, struct pl_slice text)
{
    const uint8_t *newline = text.len ? memchr(text.ptr, '\n', text.len) : NULL;
    size_t head = newline ? (size_t)(newline - text.ptr) : 0;
    struct http_request req = {.arena = arena,
                               .content_type = pl_slice_cstr("multipart/form-data"),
                               .content_param = pl_slice_sub(text, 0, head),
                               .body = pl_slice_sub(text, head + 1, text.len)};
    struct http_part parts[8];
    size_t count;
    struct pl_error err;
    if (http_multipart(&req, parts, 8, &count, &err) != PL_OK)
        return;
    for (size_t i = 0; i < count; i++) {
        inside(parts[i].data, req.body);
        inside(parts[i].content_type, req.body);
    }
}

static void query(struct pl_arena *arena, struct pl_slice text)
{
    struct http_pair pairs[HTTP_MAX_QUERY];
    size_t count;
    struct pl_error err;
    if (http_query_split(arena, text, pairs, HTTP_MAX_QUERY, &count, &err) != PL_OK)
        return;
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        total += pairs[i].name.len + pairs[i].value.len;
        if (memchr(pairs[i].value.ptr ? pairs[i].value.ptr : (const uint8_t *)"x", '\0', pairs[i].value.len) &&
            !memchr(text.ptr, '\0', text.len))
            abort();
    }
    if (total > text.len)
        abort();
}

// Writes a value back; what is written must read as JSON again.
static void write_value(struct pl_json_writer *out, const struct http_json *value)
{
    struct pl_slice text;
    int64_t integer;
    bool truth;
    void *iter = NULL;
    const struct http_json *member;
    if (http_json_string(value, &text)) {
        pl_json_slice(out, text);
    } else if (http_json_integer(value, &integer)) {
        pl_json_i64(out, integer);
    } else if (http_json_boolean(value, &truth)) {
        pl_json_bool(out, truth);
    } else if (http_json_type(value) == HTTP_JSON_ARRAY) {
        pl_json_array(out);
        while (http_json_next(value, &iter, &text, &member))
            write_value(out, member);
        pl_json_end(out);
    } else if (http_json_type(value) == HTTP_JSON_OBJECT) {
        pl_json_object(out);
        while (http_json_next(value, &iter, &text, &member)) {
            char key[64];
            size_t len = text.len < 60 ? text.len : 0;
            memcpy(key, text.ptr, len);
            key[len] = '\0';
            pl_json_key(out, key);
            write_value(out, member);
        }
        pl_json_end(out);
    } else {
        pl_json_null(out);
    }
}

static void json(struct pl_slice text)
{
    struct http_json *value, *again;
    struct pl_error err;
    if (http_json_parse(text, 1000, &value, &err) != PL_OK)
        return;
    struct pl_buf buf;
    struct pl_json_writer out;
    pl_buf_init(&buf, 1u << 20);
    pl_json_writer_init(&out, &buf);
    write_value(&out, value);
    if (!buf.failed) {
        enum pl_errc code = http_json_parse(pl_buf_slice(&buf), 2000, &again, &err);
        // Keys that were cut short here may meet; nothing else may go wrong.
        if (code != PL_OK && !strstr(err.message, "duplicate"))
            abort();
        http_json_free(again);
    }
    pl_buf_fini(&buf);
    http_json_free(value);
}

static void gzip(struct pl_slice text)
{
    uint8_t *plain;
    size_t len;
    struct pl_error err;
    if (http_gunzip(text, 1u << 16, &plain, &len, &err) == PL_OK && len > 1u << 16)
        abort();
    free(plain);
}

// The text as both a list of codings and an Accept header.
static void weights(struct pl_slice text)
{
    static const char *const types[] = {"image/png", "application/pdf"};
    struct http_pair accept = {pl_slice_cstr("Accept"), text};
    struct http_request req = {.headers = &accept, .header_count = 1};
    struct pl_slice list = text, name;
    double weight;
    while (http_list_next(&list, &name, &weight)) {
        inside(name, text);
        if (!(weight >= 0 && weight <= 1))
            abort();
    }
    if (http_list_weight(text, "gzip") > 1 || http_accept_choose(&req, types, 2) > 1)
        abort();
    // What is weighed is chosen, if it is alone and no wildcard stands for the first.
    bool wildcard = text.len > 0 && memchr(text.ptr, '*', text.len);
    if (!wildcard && http_list_weight(text, types[1]) > 0 && http_list_weight(text, types[0]) < 0 &&
        http_accept_choose(&req, types, 2) != 1)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    struct pl_slice text = pl_slice_make(data + 1, size - 1);
    struct pl_arena arena;
    pl_arena_init(&arena, 1u << 20);
    switch (data[0] % 5) {
    case 0:
        multipart(&arena, text);
        break;
    case 1:
        query(&arena, text);
        break;
    case 2:
        json(text);
        break;
    case 3:
        gzip(text);
        break;
    default:
        weights(text);
    }
    pl_arena_fini(&arena);
    return 0;
}
