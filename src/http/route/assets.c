// Serving embedded files and documents: ETag, 304, and the gzip form for those who take it.
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "http/message/gzip.h"
#include "http/server/server.h"

static const char DEFAULT_POLICY[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

// If-None-Match: '*', or a list of tags, weak or strong. Both forms of an asset have tags with the same stem.
static bool tag_matches(struct pl_slice list, const char *etag, const char *gzip_etag)
{
    size_t at = 0;
    while (at < list.len) {
        const uint8_t *comma = memchr(list.ptr + at, ',', list.len - at);
        size_t end = comma ? (size_t)(comma - list.ptr) : list.len;
        struct pl_slice tag = pl_slice_trim(pl_slice_sub(list, at, end - at));
        at = end + 1;
        if (pl_slice_eq_cstr(tag, "*"))
            return true;
        if (tag.len > 2 && tag.ptr[0] == 'W' && tag.ptr[1] == '/')
            tag = pl_slice_sub(tag, 2, tag.len);
        if (pl_slice_eq_cstr(tag, etag) || pl_slice_eq_cstr(tag, gzip_etag))
            return true;
    }
    return false;
}

static bool takes_gzip(struct pl_slice accept_encoding)
{
    double gzip = http_list_weight(accept_encoding, "gzip");
    return gzip > 0 || (gzip < 0 && http_list_weight(accept_encoding, "*") > 0);
}

int http_send_asset(struct http_request *req, struct http_response *res, const struct http_asset *asset)
{
    const struct http_exchange *ex = http_exchange_of(req);
    char gzip_etag[64];
    size_t len = strlen(asset->etag);
    int n = snprintf(gzip_etag, sizeof(gzip_etag), "%.*s-gz\"", (int)(len > 0 ? len - 1 : 0), asset->etag);
    bool gzip = asset->gzip && n > 0 && takes_gzip(ex->accept_encoding);
    http_set_header_cstr(res, "ETag", gzip ? gzip_etag : asset->etag);
    if (asset->gzip)
        http_set_header_cstr(res, "Vary", "Accept-Encoding");
    http_set_cache(res, "no-cache");
    if (tag_matches(ex->if_none_match, asset->etag, gzip_etag)) {
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
    if (gzip)
        http_set_header_cstr(res, "Content-Encoding", "gzip");
    http_body_borrow(res,
                     gzip ? pl_slice_make(asset->gzip, asset->gzip_size) : pl_slice_make(asset->data, asset->size));
    return 200;
}

enum pl_errc http_document_fill(struct http_document *document, struct pl_slice body, struct pl_error *err)
{
    struct http_asset *asset = document->asset;
    uint8_t *copy = malloc(body.len + 1);
    char *etag = malloc(24);
    asset->data = copy;
    asset->etag = etag;
    if (!copy || !etag)
        return pl_fail_memory(err);
    memcpy(copy, body.ptr, body.len);
    asset->size = body.len;
    if (snprintf(etag, 24, "\"%016llx\"", (unsigned long long)pl_hash_fnv1a(body)) < 0)
        return pl_fail(err, PL_E_BUG, "cannot write an ETag");
    uint8_t *gzip;
    PL_TRY(http_gzip(body, &gzip, &asset->gzip_size, err));
    asset->gzip = gzip;
    return PL_OK;
}

enum pl_errc http_document_add(struct http_server *s, const char *path, const char *content_type, const char *summary,
                               struct http_document **out, struct pl_error *err)
{
    if (s->owned_asset_count == sizeof(s->owned_assets) / sizeof(s->owned_assets[0]))
        return pl_fail(err, PL_E_BUG, "more documents are published than there is room for");
    struct http_asset *asset = calloc(1, sizeof(*asset));
    if (!asset)
        return pl_fail_memory(err);
    asset->path = path;
    asset->content_type = content_type;
    *out = &s->owned_assets[s->owned_asset_count++];
    **out = (struct http_document){.asset = asset};
    const struct http_route route = {
        .method = HTTP_GET, .pattern = path, .flags = HTTP_INLINE | HTTP_NO_KEY | HTTP_NO_RATE, .summary = summary};
    return http_router_add(s, &route, asset, err);
}

enum pl_errc http_publish(struct http_server *s, const char *path, const char *content_type, struct pl_slice body,
                          const char *summary, struct pl_error *err)
{
    struct http_document *document = NULL;
    PL_TRY(http_document_add(s, path, content_type, summary, &document, err));
    return http_document_fill(document, body, err);
}
