// The head of an answer, put together from blocks that are made once.
#include "http/conn/head.h"

#include "base/fmt.h"
#include "http/exchange/loop.h"
#include "http/exchange/server.h"
#include "http/guard/cors.h"
#include "http/guard/guard.h"

static const struct {
    int status;
    const char *reason;
} REASONS[] = {
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {304, "Not Modified"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {411, "Length Required"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Content"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
};

static const char *reason_of(int status)
{
    for (size_t i = 0; i < sizeof(REASONS) / sizeof(REASONS[0]); i++) {
        if (REASONS[i].status == status)
            return REASONS[i].reason;
    }
    return "Status";
}

static uint8_t *put(uint8_t *out, const void *data, size_t len)
{
    memcpy(out, data, len);
    return out + len;
}

#define PUT_LITERAL(out, text) put((out), (text), sizeof(text) - 1)

static uint8_t *put_cstr(uint8_t *out, const char *text)
{
    return put(out, text, strlen(text));
}

static uint8_t *put_u64(uint8_t *out, uint64_t value)
{
    char digits[PL_FMT_DOUBLE_MAX];
    return put(out, digits, pl_format_u64(value, digits));
}

static uint8_t *put_cors(const struct http_server *s, const struct http_exchange *ex, uint8_t *out)
{
    if (s->guard->cors.len == 0 || ex->is_private)
        return out;
    bool all = http_server_open_to_all_pages(s);
    if (!all)
        out = PUT_LITERAL(out, "Vary: Origin\r\n");
    if (!http_cors_open(s, ex))
        return out;
    if (!all) {
        out = PUT_LITERAL(out, "Access-Control-Allow-Origin: ");
        out = put(out, ex->origin.ptr, ex->origin.len);
        out = PUT_LITERAL(out, "\r\n");
    }
    return put(out, s->guard->cors.data, s->guard->cors.len);
}

size_t http_head_write(const struct http_loop *l, const struct http_exchange *ex, enum http_framing framing, bool close,
                       uint8_t *start)
{
    const struct http_server *s = l->server;
    const struct http_response *res = &ex->res;
    uint8_t *out = start;
    if (res->status == 200) {
        out = PUT_LITERAL(out, "HTTP/1.1 200 OK\r\n");
    } else {
        out = PUT_LITERAL(out, "HTTP/1.1 ");
        out = put_u64(out, (uint64_t)res->status);
        out = PUT_LITERAL(out, " ");
        out = put_cstr(out, reason_of(res->status));
        out = PUT_LITERAL(out, "\r\n");
    }
    out = put(out, l->date, l->date_len);
    if (res->type) {
        out = PUT_LITERAL(out, "Content-Type: ");
        out = put_cstr(out, res->type);
        out = PUT_LITERAL(out, "\r\n");
    }
    if (framing == HTTP_FRAMING_CHUNKED) {
        out = PUT_LITERAL(out, "Transfer-Encoding: chunked\r\n");
    } else if (framing == HTTP_FRAMING_LENGTH && res->status != 204 && res->status != 304) {
        out = PUT_LITERAL(out, "Content-Length: ");
        out = put_u64(out, res->body.len);
        out = PUT_LITERAL(out, "\r\n");
    }
    out = PUT_LITERAL(out, "X-Request-Id: ");
    out = put(out, ex->req.id.ptr, ex->req.id.len);
    if (ex->trace[0]) {
        out = PUT_LITERAL(out, "\r\ntraceparent: ");
        out = put(out, ex->trace, HTTP_TRACE_LEN);
    }
    out = PUT_LITERAL(out, "\r\nCache-Control: ");
    out = put_cstr(out, res->cache);
    out = PUT_LITERAL(out, "\r\n");
    out = put(out, s->fixed.data, s->fixed.len);
    out = put_cors(s, ex, out);
    if (close)
        out = PUT_LITERAL(out, "Connection: close\r\n");
    else if (ex->http10)
        out = PUT_LITERAL(out, "Connection: keep-alive\r\n");
    if (res->extra_len > 0)
        out = put(out, res->extra, res->extra_len);
    out = PUT_LITERAL(out, "\r\n");
    return (size_t)(out - start);
}
