// Which pages of other origins may ask, and read answers.
#include "http/guard/cors.h"

#include "http/exchange/server.h"
#include "http/guard/guard.h"
#include "http/message/host.h"

bool http_server_open_to_all_pages(const struct http_server *server)
{
    return strcmp(server->config.cors, "*") == 0;
}

static bool is_scheme_byte(uint8_t c)
{
    return pl_is_letter(c) || pl_is_digit(c) || c == '-' || c == '+' || c == '.';
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

enum pl_errc http_cors_check(const struct http_server *s, struct pl_error *err)
{
    const char *list = s->config.cors;
    struct pl_slice origin;
    if (strcmp(list, "off") == 0 || http_server_open_to_all_pages(s))
        return PL_OK;
    while (http_option_entry(&list, &origin)) {
        if (!is_origin(origin))
            return pl_fail(
                err, PL_E_INVALID,
                "--cors: '%.*s' is not an origin such as https://shop.example; * and off cannot be in a list",
                (int)origin.len, (const char *)origin.ptr);
    }
    return PL_OK;
}

enum pl_errc http_cors_prepare(struct http_server *s, struct pl_error *err)
{
    const char *list = s->config.cors;
    const char *more = s->app->exposed_headers;
    pl_buf_init(&s->guard->cors, 1024);
    if (strcmp(list, "off") == 0 || !*list)
        return PL_OK;
    PL_TRY(http_cors_check(s, err));
    if (http_server_open_to_all_pages(s))
        pl_buf_append_cstr(&s->guard->cors, "Access-Control-Allow-Origin: *\r\n");
    pl_buf_append_cstr(&s->guard->cors,
                       "Access-Control-Expose-Headers: X-Request-Id, Retry-After, Content-Disposition");
    if (more)
        pl_buf_printf(&s->guard->cors, ", %s", more);
    pl_buf_append_cstr(&s->guard->cors, "\r\n");
    return pl_buf_check(&s->guard->cors, err);
}

static bool is_named(const struct http_server *s, struct pl_slice origin)
{
    const char *list = s->config.cors;
    struct pl_slice entry;
    while (http_option_entry(&list, &entry)) {
        if (pl_slice_eq_nocase(entry, origin))
            return true;
    }
    return false;
}

bool http_cors_open(const struct http_server *s, const struct http_exchange *ex)
{
    return s->guard->cors.len > 0 && !ex->is_private && (http_server_open_to_all_pages(s) || is_named(s, ex->origin));
}

// Where the host of "https://shop.example/a" begins; 0: it has none.
static size_t host_at(struct pl_slice url)
{
    const uint8_t *found = url.len > 0 ? memmem(url.ptr, url.len, "://", 3) : NULL;
    return found ? (size_t)(found - url.ptr) + 3 : 0;
}

static struct pl_slice origin_of(struct pl_slice url)
{
    size_t end = host_at(url);
    while (end < url.len && url.ptr[end] != '/')
        end++;
    return pl_slice_sub(url, 0, end);
}

bool http_cors_admits(const struct http_server *s, const struct http_exchange *ex)
{
    struct pl_slice site, origin, host;
    const struct http_request *req = &ex->req;
    bool has_site = http_header(req, "Sec-Fetch-Site", &site);
    bool has_origin = http_header(req, "Origin", &origin);
    if (has_site && pl_slice_eq_nocase(site, pl_slice_cstr("same-origin")))
        return true;
    // No page asks: a program, or a person who typed the address.
    if (!has_origin && (!has_site || pl_slice_eq_nocase(site, pl_slice_cstr("none"))))
        return true;
    if (has_origin && !has_site && host_at(origin) > 0 && http_header(req, "Host", &host) &&
        pl_slice_eq_nocase(pl_slice_sub(origin, host_at(origin), origin.len), host))
        return true;
    if (has_origin || http_server_open_to_all_pages(s))
        return http_cors_open(s, ex);
    return s->guard->cors.len > 0 && !ex->is_private && http_header(req, "Referer", &origin) &&
           is_named(s, origin_of(origin));
}
