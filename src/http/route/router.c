// Routes: patterns with {parameters}, methods, and what a path allows.
#include "http/route/router.h"

#include <stdlib.h>
#include <string.h>

#define ROUTES_MAX 256

// With `written`, which has room for the path, letters have no case, and it gets them as the pattern has them.
static bool is_same(uint8_t have, char wanted, const char *written)
{
    return have == (uint8_t)wanted || (written && pl_lower(have) == pl_lower((uint8_t)wanted));
}

// Patterns come from the tables of the applications: short, and checked by http_router_add.
static bool match(const char *pattern, struct pl_slice path, struct http_pair *params, size_t max, size_t *count,
                  char *written)
{
    size_t at = 0;
    *count = 0;
    while (*pattern) {
        if (*pattern != '{') {
            if (at == path.len || !is_same(path.ptr[at], *pattern, written))
                return false;
            if (written)
                written[at] = *pattern;
            at++;
            pattern++;
            continue;
        }
        const char *name = pattern + 1;
        const char *close = strchr(name, '}');
        if (!close || *count == max)
            return false;
        bool tail = close[-1] == '*';
        char stop = close[1]; // the literal that ends the parameter; '\0' at the pattern's end
        size_t end = at;
        if (tail) {
            end = path.len;
        } else {
            while (end < path.len && path.ptr[end] != '/' && !is_same(path.ptr[end], stop, written))
                end++;
        }
        if (end == at)
            return false;
        params[*count].name = pl_slice_make(name, (size_t)(close - name) - (tail ? 1 : 0));
        params[*count].value = pl_slice_make(path.ptr + at, end - at);
        (*count)++;
        at = end;
        pattern = close + 1;
    }
    return at == path.len;
}

bool http_pattern_match(const char *pattern, struct pl_slice path, struct http_pair *params, size_t max, size_t *count)
{
    return match(pattern, path, params, max, count, NULL);
}

enum pl_errc http_routes_init(struct http_routes *routes, struct pl_error *err)
{
    routes->slots = calloc(ROUTES_MAX, sizeof(*routes->slots));
    if (!routes->slots)
        return pl_fail_memory(err);
    routes->slot_cap = ROUTES_MAX;
    return PL_OK;
}

void http_routes_fini(struct http_routes *routes)
{
    for (size_t i = 0; i < routes->document_count; i++) {
        struct http_asset *asset = routes->documents[i].asset;
        free((void *)(uintptr_t)asset->data);
        free((void *)(uintptr_t)asset->gzip);
        free((void *)(uintptr_t)asset->etag);
        free(asset);
    }
    free(routes->slots);
}

static int send_asset(struct http_request *req, struct http_response *res)
{
    return http_send_asset(req, res, http_exchange_of(req)->slot->asset);
}

enum pl_errc http_router_add(struct http_routes *routes, const struct http_route *route, const struct http_asset *asset,
                             struct pl_error *err)
{
    if (routes->slot_count == routes->slot_cap)
        return pl_fail(err, PL_E_BUG, "more routes than there is room for");
    struct http_slot *slot = &routes->slots[routes->slot_count++];
    *slot = (struct http_slot){.route = *route, .asset = asset};
    if (asset)
        slot->route.handler = send_asset;
    slot->pattern_len = strlen(route->pattern);
    slot->exact = asset || !strchr(route->pattern, '{');
    slot->has_tail = !slot->exact && strstr(route->pattern, "*}");
    if (route->pattern[0] != '/' || (slot->has_tail && strstr(route->pattern, "*}")[2] != '\0'))
        return pl_fail(err, PL_E_BUG, "the route %s is malformed", route->pattern);
    if ((route->flags & HTTP_ANY_PAGE) && (route->method != HTTP_GET || !(route->flags & HTTP_INLINE)))
        return pl_fail(err, PL_E_BUG, "the route %s is not for pages of any origin", route->pattern);
    return PL_OK;
}

struct http_slot *http_router_find(struct http_routes *routes, unsigned method, struct pl_slice path,
                                   struct http_pair *params, size_t *count, unsigned *allow)
{
    *allow = 0;
    *count = 0;
    unsigned wanted = method == HTTP_HEAD ? HTTP_GET : method;
    for (size_t i = 0; i < routes->slot_count; i++) {
        struct http_slot *slot = &routes->slots[i];
        if (slot->exact) {
            if (slot->pattern_len != path.len || memcmp(slot->route.pattern, path.ptr, path.len) != 0)
                continue;
            if (slot->route.method == wanted)
                return slot;
        } else {
            struct http_pair scratch[HTTP_MAX_PARAMS];
            size_t n;
            if (!http_pattern_match(slot->route.pattern, path, scratch, HTTP_MAX_PARAMS, &n))
                continue;
            if (slot->route.method == wanted) {
                memcpy(params, scratch, n * sizeof(scratch[0]));
                *count = n;
                return slot;
            }
        }
        *allow |= slot->route.method;
    }
    return NULL;
}

// One slash for several, none at the end.
static size_t clean_slashes(struct pl_slice path, char *out)
{
    size_t len = 0;
    for (size_t i = 0; i < path.len; i++) {
        if (path.ptr[i] != '/' || len == 0 || out[len - 1] != '/')
            out[len++] = (char)path.ptr[i];
    }
    return len > 1 && out[len - 1] == '/' ? len - 1 : len;
}

// Is there such a route? Then its letters are as the pattern has them.
static bool has_route(const struct http_routes *routes, unsigned methods, char *path, size_t len)
{
    for (size_t i = 0; i < routes->slot_count; i++) {
        const struct http_route *route = &routes->slots[i].route;
        struct http_pair params[HTTP_MAX_PARAMS];
        char written[HTTP_MEANT_MAX];
        size_t count;
        if (!(route->method & methods) || (route->flags & HTTP_ONLY_DOOR))
            continue;
        memcpy(written, path, len);
        if (match(route->pattern, pl_slice_make(path, len), params, HTTP_MAX_PARAMS, &count, written)) {
            memcpy(path, written, len);
            return true;
        }
    }
    return false;
}

// As a path stands in an address. 0: it is too long.
static size_t encode(const char *path, size_t len, char out[HTTP_MEANT_MAX])
{
    static const char PLAIN[] = "-._~!$&'()*+,;=:@/", HEX[] = "0123456789ABCDEF";
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        uint8_t c = (uint8_t)path[i];
        bool plain = pl_is_letter(c) || pl_is_digit(c) || memchr(PLAIN, c, sizeof PLAIN - 1);
        if (HTTP_MEANT_MAX - n < (plain ? 1 : 3))
            return 0;
        out[n++] = plain ? (char)c : '%';
        if (!plain) {
            out[n++] = HEX[c >> 4];
            out[n++] = HEX[c & 15];
        }
    }
    return n;
}

// The path with what is written instead of an alias. 0: there is no such route.
static size_t replace_alias(const struct http_routes *routes, unsigned methods, const char *path, size_t len,
                            char out[HTTP_MEANT_MAX])
{
    char other[HTTP_MEANT_MAX];
    for (const struct http_alias *a = routes->aliases; a && a->tried; a++) {
        size_t tried = strlen(a->tried), instead = strlen(a->instead);
        if (len < tried || len - tried + instead > sizeof other ||
            !pl_slice_eq_nocase(pl_slice_make(path, tried), pl_slice_cstr(a->tried)))
            continue;
        memcpy(other, a->instead, instead);
        memcpy(other + instead, path + tried, len - tried);
        if (has_route(routes, methods, other, len - tried + instead))
            return encode(other, len - tried + instead, out);
    }
    return 0;
}

size_t http_router_meant(const struct http_routes *routes, unsigned methods, struct pl_slice path,
                         char out[HTTP_MEANT_MAX])
{
    char written[HTTP_MEANT_MAX];
    size_t found = 0;
    if (path.len > sizeof written)
        return 0;
    // First with its slashes: two may be meant, where label code in a path holds an address.
    for (int cleaned = 0; cleaned < 2 && found == 0; cleaned++) {
        size_t len = path.len;
        if (cleaned)
            len = clean_slashes(path, written);
        else
            memcpy(written, path.ptr, len);
        if (has_route(routes, methods, written, len))
            return pl_slice_eq(pl_slice_make(written, len), path) ? 0 : encode(written, len, out);
        found = replace_alias(routes, methods, written, len, out);
    }
    return found;
}
