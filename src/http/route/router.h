// Routes: patterns with {parameters}, methods, and what a path allows; and the documents that are made at start.
#ifndef HTTP_ROUTER_H
#define HTTP_ROUTER_H

#include "http/exchange/exchange.h"
#include "http/route/docs.h"

// A document made at start. Templates are filled when all routes are known.
struct http_document {
    struct http_asset *asset;
    struct pl_slice text;
    const struct http_doc_var *vars;
    size_t count;
    void *user;
};

struct http_routes {
    struct http_slot *slots;
    size_t slot_count, slot_cap;
    const struct http_alias *aliases; // as in struct http_app
    struct http_document documents[16];
    size_t document_count;
};

enum pl_errc http_routes_init(struct http_routes *routes, struct pl_error *err) PL_MUST_USE;
void http_routes_fini(struct http_routes *routes);
// A route with an asset sends that.
enum pl_errc http_router_add(struct http_routes *routes, const struct http_route *route, const struct http_asset *asset,
                             struct pl_error *err) PL_MUST_USE;
bool http_pattern_match(const char *pattern, struct pl_slice path, struct http_pair *params, size_t max, size_t *count);
// The slot for method and path, or NULL with *allow telling the methods that the path has (0: no such path).
struct http_slot *http_router_find(struct http_routes *routes, unsigned method, struct pl_slice path,
                                   struct http_pair *params, size_t *count, unsigned *allow);
// The path that is meant, of a route with one of the methods, where slashes or the case of letters are wrong, or it
// begins as an alias; percent-encoded. Returns its length; 0: there is none.
#define HTTP_MEANT_MAX 400
size_t http_router_meant(const struct http_routes *routes, unsigned methods, struct pl_slice path,
                         char out[HTTP_MEANT_MAX]);
// query.c: may the request have its query? False: the problem (400) is in res.
bool http_route_takes_query(const struct http_request *req, struct http_response *res);
// assets.c
#define HTTP_ADDRESS_MARK "{{address}}" // in a document: where the address that was asked goes
enum pl_errc http_document_add(struct http_routes *routes, const char *path, const char *content_type,
                               const char *summary, struct http_document **out, struct pl_error *err) PL_MUST_USE;
enum pl_errc http_document_fill(struct http_document *document, struct pl_slice body, struct pl_error *err) PL_MUST_USE;
// docs.c
enum pl_errc http_docs_finish(struct http_server *s, struct pl_error *err) PL_MUST_USE;

#endif
