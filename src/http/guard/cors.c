// Which pages of other origins may read answers.
#include "http/guard/cors.h"

#include "http/message/host.h"
#include "http/server/server.h"

bool http_server_open_to_all_pages(const struct http_server *server)
{
    return strcmp(server->config.cors, "*") == 0;
}

static bool is_scheme_byte(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '+' ||
           c == '.';
}

// As browsers send it: a scheme, a host and a port if need be, and nothing behind it. "null" is none: every page can
// make itself one.
static bool is_origin(struct pl_slice text)
{
    size_t at = 0;
    while (at < text.len && is_scheme_byte(text.ptr[at]))
        at++;
    struct pl_slice name;
    return at > 0 && text.len - at > 3 && memcmp(text.ptr + at, "://", 3) == 0 &&
           http_host_split(pl_slice_sub(text, at + 3, text.len), &name) && text.ptr[text.len - 1] != ':';
}

enum pl_errc http_cors_prepare(struct http_server *s, struct pl_error *err)
{
    const char *list = s->config.cors;
    const char *more = s->app->exposed_headers;
    pl_buf_init(&s->cors, 1024);
    if (strcmp(list, "off") == 0 || !*list)
        return PL_OK;
    struct pl_slice origin;
    bool all = http_server_open_to_all_pages(s);
    while (!all && http_option_entry(&list, &origin)) {
        if (!is_origin(origin))
            return pl_fail(
                err, PL_E_INVALID,
                "--cors: '%.*s' is not an origin such as https://shop.example; * and off cannot be in a list",
                (int)origin.len, (const char *)origin.ptr);
    }
    if (all)
        pl_buf_append_cstr(&s->cors, "Access-Control-Allow-Origin: *\r\n");
    pl_buf_append_cstr(&s->cors, "Access-Control-Expose-Headers: X-Request-Id, Retry-After, Content-Disposition");
    if (more)
        pl_buf_printf(&s->cors, ", %s", more);
    pl_buf_append_cstr(&s->cors, "\r\n");
    return pl_buf_check(&s->cors, err);
}

bool http_cors_open(const struct http_server *s, const struct http_exchange *ex)
{
    if (s->cors.len == 0 || ex->is_private)
        return false;
    if (http_server_open_to_all_pages(s))
        return true;
    const char *list = s->config.cors;
    struct pl_slice origin;
    while (http_option_entry(&list, &origin)) {
        if (pl_slice_eq_nocase(origin, ex->origin))
            return true;
    }
    return false;
}
