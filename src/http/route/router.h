// Routes: patterns with {parameters}, methods, and what a path allows.
#ifndef HTTP_ROUTER_H
#define HTTP_ROUTER_H

#include "http/http.h"

struct http_slot {
    struct http_route route;
    const struct http_asset *asset; // served as it is
    bool exact;                     // no parameters
    bool has_tail;                  // ends in {name*}: the path may hold data and is not logged
    size_t pattern_len;
    _Atomic(struct http_counter *) by_status[600 - 100];
    struct http_histogram *duration;
};

enum pl_errc http_router_add(struct http_server *s, const struct http_route *route, const struct http_asset *asset,
                             struct pl_error *err) PL_MUST_USE;
bool http_pattern_match(const char *pattern, struct pl_slice path, struct http_pair *params, size_t max, size_t *count);
// The slot for method and path, or NULL with *allow telling the methods that the path has (0: no such path).
struct http_slot *http_router_find(struct http_server *s, unsigned method, struct pl_slice path,
                                   struct http_pair *params, size_t *count, unsigned *allow);
// core_routes.c
enum pl_errc http_core_routes(struct http_server *s, struct pl_error *err) PL_MUST_USE;

#endif
