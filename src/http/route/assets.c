// Serving embedded files and documents: ETag, 304, and the Brotli or gzip form for those who take it.
#include <stdio.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "base/hash.h"
#include "http/exchange/server.h"
#include "http/message/gzip.h"
#include "http/message/host.h"
#include "http/route/router.h"

static const char DEFAULT_POLICY[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

#define ETAG_SIZE 24
#define ADDRESSED_MAX ((size_t)1 << 20)

// A form in which an asset can be sent. The plain one has no coding.
struct form {
    const char *coding; // as in Accept-Encoding and Content-Encoding
    const char *mark;   // what its tag has behind the plain form's
    const uint8_t *data;
    size_t size;
};

static void write_etag(struct pl_slice body, char etag[ETAG_SIZE])
{
    snprintf(etag, ETAG_SIZE, "\"%016llx\"", (unsigned long long)pl_hash_fnv1a(body));
}

// Is the tag that of any form? All of them have the same stem.
static bool is_tag_of(struct pl_slice tag, const char *etag)
{
    static const char *const marks[] = {"", "-gz", "-br"};
    size_t stem = strlen(etag) - 1; // without the last quote
    for (size_t i = 0; i < PL_COUNTOF(marks); i++) {
        size_t mark = strlen(marks[i]);
        if (tag.len == stem + mark + 1 && memcmp(tag.ptr, etag, stem) == 0 &&
            memcmp(tag.ptr + stem, marks[i], mark) == 0 && tag.ptr[tag.len - 1] == '"')
            return true;
    }
    return false;
}

// If-None-Match: '*', or a list of tags, weak or strong.
static bool tag_matches(struct pl_slice list, const char *etag)
{
    while (list.len > 0) {
        struct pl_slice tag = pl_slice_trim(pl_slice_until(&list, ','));
        if (pl_slice_eq_cstr(tag, "*"))
            return true;
        if (tag.len > 2 && tag.ptr[0] == 'W' && tag.ptr[1] == '/')
            tag = pl_slice_sub(tag, 2, tag.len);
        if (is_tag_of(tag, etag))
            return true;
    }
    return false;
}

static bool takes(struct pl_slice accept_encoding, const char *coding)
{
    double weight = http_list_weight(accept_encoding, coding);
    return weight > 0 || (weight < 0 && http_list_weight(accept_encoding, "*") > 0);
}

// The smallest one that the client takes.
static struct form choose_form(const struct http_asset *asset, struct pl_slice accept_encoding)
{
    if (asset->brotli && takes(accept_encoding, "br"))
        return (struct form){"br", "-br", asset->brotli, asset->brotli_size};
    if (asset->gzip && takes(accept_encoding, "gzip"))
        return (struct form){"gzip", "-gz", asset->gzip, asset->gzip_size};
    return (struct form){NULL, "", asset->data, asset->size};
}

// The address that the client has used, as far as it is known here; else the one that the service has by default.
static void put_address(const struct http_request *req, struct pl_buf *out)
{
    const struct http_server *s = req->server;
    struct pl_slice host, name, scheme;
    bool is_https = s->config.trust_proxy && http_header(req, "X-Forwarded-Proto", &scheme) &&
                    pl_slice_eq_nocase(scheme, pl_slice_cstr("https"));
    if (!http_header(req, "Host", &host) || !http_host_split(host, &name))
        host = pl_slice_cstr(s->app->default_listen);
    pl_buf_append_cstr(out, is_https ? "https://" : "http://");
    pl_buf_append(out, host.ptr, host.len);
}

// A document whose examples call the address that it was asked for at.
static int send_addressed(struct http_request *req, struct http_response *res, const struct http_asset *asset)
{
    const size_t mark = sizeof(HTTP_ADDRESS_MARK) - 1;
    struct pl_slice rest = pl_slice_make(asset->data, asset->size);
    struct pl_buf body;
    pl_buf_init(&body, ADDRESSED_MAX);
    for (;;) {
        const uint8_t *at = memmem(rest.ptr, rest.len, HTTP_ADDRESS_MARK, mark);
        pl_buf_append(&body, rest.ptr, at ? (size_t)(at - rest.ptr) : rest.len);
        if (!at)
            break;
        put_address(req, &body);
        rest = pl_slice_sub(rest, (size_t)(at - rest.ptr) + mark, rest.len);
    }
    if (body.failed) {
        pl_buf_fini(&body);
        return http_problem_overloaded(res);
    }
    char etag[ETAG_SIZE];
    write_etag(pl_buf_slice(&body), etag);
    http_set_header_cstr(res, "ETag", etag);
    http_set_cache(res, "no-cache");
    if (tag_matches(http_exchange_of(req)->if_none_match, etag)) {
        pl_buf_fini(&body);
        http_body_borrow(res, pl_slice_make("", 0));
        return 304;
    }
    http_set_type(res, asset->content_type);
    http_body_take_buf(res, &body);
    return 200;
}

int http_send_asset(struct http_request *req, struct http_response *res, const struct http_asset *asset)
{
    if (!asset->etag)
        return send_addressed(req, res, asset);
    const struct http_exchange *ex = http_exchange_of(req);
    const struct form form = choose_form(asset, ex->accept_encoding);
    char etag[64];
    snprintf(etag, sizeof(etag), "%.*s%s\"", (int)strlen(asset->etag) - 1, asset->etag, form.mark);
    http_set_header_cstr(res, "ETag", etag);
    if (asset->gzip)
        http_set_header_cstr(res, "Vary", "Accept-Encoding");
    http_set_cache(res, "no-cache");
    if (tag_matches(ex->if_none_match, asset->etag)) {
        http_body_borrow(res, pl_slice_make("", 0));
        return 304;
    }
    if (strncmp(asset->content_type, "text/html", 9) == 0) {
        const struct http_app *app = req->server->app;
        http_set_header_cstr(res, "Content-Security-Policy", app->page_policy ? app->page_policy : DEFAULT_POLICY);
        http_set_header_cstr(res, "Referrer-Policy", "no-referrer");
    } else if (asset->policy) {
        http_set_header_cstr(res, "Content-Security-Policy", asset->policy);
    }
    http_set_type(res, asset->content_type);
    if (form.coding)
        http_set_header_cstr(res, "Content-Encoding", form.coding);
    http_body_borrow(res, pl_slice_make(form.data, form.size));
    return 200;
}

enum pl_errc http_document_fill(struct http_document *document, struct pl_slice body, struct pl_error *err)
{
    struct http_asset *asset = document->asset;
    uint8_t *copy = malloc(body.len + 1);
    asset->data = copy;
    if (!copy)
        return pl_fail_memory(err);
    memcpy(copy, body.ptr, body.len);
    asset->size = body.len;
    if (memmem(body.ptr, body.len, HTTP_ADDRESS_MARK, sizeof(HTTP_ADDRESS_MARK) - 1))
        return PL_OK;
    char *etag = malloc(ETAG_SIZE);
    asset->etag = etag;
    if (!etag)
        return pl_fail_memory(err);
    write_etag(body, etag);
    uint8_t *gzip;
    PL_TRY(http_gzip(body, &gzip, &asset->gzip_size, err));
    asset->gzip = gzip;
    return PL_OK;
}

enum pl_errc http_document_add(struct http_routes *routes, const char *path, const char *content_type,
                               const char *summary, struct http_document **out, struct pl_error *err)
{
    if (routes->document_count == PL_COUNTOF(routes->documents))
        return pl_fail(err, PL_E_BUG, "more documents are published than there is room for");
    struct http_asset *asset = calloc(1, sizeof(*asset));
    if (!asset)
        return pl_fail_memory(err);
    asset->path = path;
    asset->content_type = content_type;
    *out = &routes->documents[routes->document_count++];
    **out = (struct http_document){.asset = asset};
    const struct http_route route = {.method = HTTP_GET,
                                     .pattern = path,
                                     .flags =
                                         HTTP_INLINE | HTTP_NO_KEY | HTTP_NO_RATE | HTTP_ANY_PAGE | HTTP_NOTE_QUERY,
                                     .summary = summary};
    return http_router_add(routes, &route, asset, err);
}

enum pl_errc http_publish(struct http_server *s, const char *path, const char *content_type, struct pl_slice body,
                          const char *summary, struct pl_error *err)
{
    struct http_document *document = NULL;
    PL_TRY(http_document_add(s->routes, path, content_type, summary, &document, err));
    return http_document_fill(document, body, err);
}
