// Building an answer: problems, headers, bodies.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fmt.h"
#include "http/exchange/server.h"

void http_response_reset(struct http_response *res)
{
    res->status = 0;
    res->type = NULL;
    res->cache = "no-store";
    res->body = pl_slice_make("", 0);
    res->owned = NULL;
    res->extra = NULL;
    res->extra_len = res->extra_cap = 0;
    res->code[0] = '\0';
    res->no_body = res->is_problem = res->plain_problems = res->starved = false;
    res->steps = NULL;
    res->state = NULL;
    res->result = HTTP_RESULT_WHOLE;
    res->started = res->ended = res->cut = false;
    res->cut_status = 500;
    pl_buf_clear(&res->json);
    pl_buf_clear(&res->written);
}

int http_status(const struct http_response *res)
{
    return res->status;
}

static void drop_body(struct http_response *res)
{
    free(res->owned);
    res->owned = NULL;
    res->body = pl_slice_make("", 0);
    res->no_body = false;
}

int http_problem(struct http_response *res, int status, const char *code, const char *fmt, ...)
{
    static const char BROKEN[] =
        "{\"ok\":false,\"error\":\"There is no memory for this answer.\",\"code\":\"overloaded\"}";
    char message[512];
    va_list args;
    va_start(args, fmt);
    int length = vsnprintf(message, sizeof(message), fmt, args);
    va_end(args);
    if (length < 0)
        message[0] = '\0';
    drop_body(res);
    // A problem replaces what was begun, its headers too.
    res->extra_len = 0;
    res->status = status;
    snprintf(res->code, sizeof(res->code), "%s", code);
    res->is_problem = true;
    res->type = "application/json";
    res->cache = "no-store";
    struct pl_buf *buf = &res->json;
    pl_buf_clear(buf);
    if (res->plain_problems) {
        res->type = "text/plain; charset=utf-8";
        pl_buf_append_cstr(buf, "ERROR: ");
        pl_buf_append_cstr(buf, message);
    } else {
        pl_buf_append_cstr(buf, "{\"ok\":false,\"error\":");
        pl_buf_append_json_string(buf, pl_slice_cstr(message));
        pl_buf_append_cstr(buf, ",\"code\":");
        pl_buf_append_json_string(buf, pl_slice_cstr(code));
        pl_buf_append_byte(buf, '}');
    }
    res->body = pl_buf_slice(buf);
    if (buf->failed) {
        res->body = pl_slice_make(BROKEN, sizeof(BROKEN) - 1);
        res->type = "application/json";
        res->status = status = status == 429 ? 429 : 503; // who answers 429 adds when to come again
    }
    if (status == 503)
        http_set_header_cstr(res, "Retry-After", "1");
    return status;
}

void http_problem_plain(struct http_response *res)
{
    res->plain_problems = true;
}

void http_problem_members(struct http_response *res, struct pl_slice json)
{
    struct pl_buf *buf = &res->json;
    if (!res->is_problem || res->plain_problems || buf->failed || buf->len == 0)
        return;
    buf->len--;
    pl_buf_append_slice(buf, json);
    pl_buf_append_byte(buf, '}');
    if (!buf->failed)
        res->body = pl_buf_slice(buf);
}

int http_problem_deadline(struct http_response *res)
{
    const char *code = res->ex->req.server->app->deadline_code;
    return http_problem(res, 503, code ? code : "deadline", "The request took longer than one request may take.");
}

int http_problem_overloaded(struct http_response *res)
{
    http_counter_add(res->ex->req.server->m.rejected_memory, 1);
    return http_problem(res, 503, "overloaded", "There is no memory for this answer at the moment.");
}

int http_problem_error(struct http_response *res, const struct pl_error *err)
{
    switch (err->code) {
    case PL_E_INVALID:
        return http_problem(res, 400, "invalid", "%s", err->message);
    case PL_E_NOT_FOUND:
        return http_problem(res, 404, "not_found", "%s", err->message);
    case PL_E_LIMIT:
        return http_problem(res, 413, "limit", "%s", err->message);
    case PL_E_MEMORY:
        return http_problem(res, 413, "memory_limit", "The request needs more memory than one request may use.");
    case PL_E_DEADLINE:
        return http_problem_deadline(res);
    case PL_E_CANCELLED:
        return http_problem(res, 503, "cancelled", "The client closed the connection.");
    case PL_OK:
    case PL_E_IO:
    case PL_E_BUG:
        break;
    }
    return http_problem(res, 500, "internal", "Something went wrong here; the request is not at fault.");
}

void http_set_header(struct http_response *res, const char *name, struct pl_slice value)
{
    size_t name_len = strlen(name);
    if (value.len > HTTP_EXTRA_MAX || name_len > 256)
        return;
    size_t need = name_len + value.len + 4;
    if (res->extra_len + need > HTTP_EXTRA_MAX)
        return;
    if (res->extra_len + need > res->extra_cap) {
        size_t cap = res->extra_cap ? res->extra_cap * 2 : 512;
        while (cap < res->extra_len + need)
            cap *= 2;
        uint8_t *more = pl_arena_alloc(&res->ex->arena, cap, 1);
        if (!more) {
            res->starved = true;
            return;
        }
        if (res->extra_len > 0)
            memcpy(more, res->extra, res->extra_len);
        res->extra = more;
        res->extra_cap = cap;
    }
    uint8_t *out = res->extra + res->extra_len;
    memcpy(out, name, name_len);
    out += name_len;
    *out++ = ':';
    *out++ = ' ';
    for (size_t i = 0; i < value.len; i++)
        *out++ = value.ptr[i] >= 0x20 && value.ptr[i] < 0x7F ? value.ptr[i] : '?';
    *out++ = '\r';
    *out++ = '\n';
    res->extra_len += need;
}

void http_set_header_buf(struct http_response *res, const char *name, const struct pl_buf *value)
{
    if (value->failed)
        res->starved = true;
    else
        http_set_header(res, name, pl_buf_slice(value));
}

void http_set_header_cstr(struct http_response *res, const char *name, const char *value)
{
    http_set_header(res, name, pl_slice_cstr(value));
}

void http_set_header_u64(struct http_response *res, const char *name, uint64_t value)
{
    char digits[PL_FMT_DOUBLE_MAX];
    http_set_header(res, name, pl_slice_make(digits, pl_format_u64(value, digits)));
}

void http_set_type(struct http_response *res, const char *content_type)
{
    res->type = content_type;
}

void http_set_cache(struct http_response *res, const char *cache_control)
{
    res->cache = cache_control;
}

void http_body_borrow(struct http_response *res, struct pl_slice body)
{
    drop_body(res);
    res->body = body;
}

void http_body_take(struct http_response *res, void *data, size_t len)
{
    drop_body(res);
    res->owned = data;
    res->body = pl_slice_make(data, len);
}

void http_body_take_buf(struct http_response *res, struct pl_buf *buf)
{
    http_body_take(res, buf->data, buf->len);
    *buf = (struct pl_buf){.max = buf->max};
}

struct pl_json_writer *http_json_begin(struct http_response *res)
{
    pl_buf_clear(&res->json);
    pl_json_writer_init(&res->out, &res->json);
    return &res->out;
}

int http_json_send(struct http_response *res, int status)
{
    if (res->json.failed && res->json.short_of_memory)
        return http_problem_overloaded(res);
    if (res->json.failed)
        return http_problem(res, 413, "answer_too_large", "The answer is larger than one answer may be.");
    if (res->out.depth != 0)
        return http_problem(res, 500, "internal", "Something went wrong here; the request is not at fault.");
    http_body_borrow(res, pl_buf_slice(&res->json));
    res->status = status;
    res->type = "application/json";
    return status;
}
