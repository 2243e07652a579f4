// Patterns of routes.
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "http/route/router.h"
#include "unit.h"

static void patterns(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        const char *path;
        const char *values; // NULL: no match; else the values parted by '|'
    } rows[] = {
        {"/", "/", ""},
        {"/", "/a", NULL},
        {"/api/render/{format}", "/api/render/png", "png"},
        {"/api/render/{format}", "/api/render/", NULL},
        {"/api/render/{format}", "/api/render/png/", NULL},
        {"/api/render/{format}", "/api/render/a/b", NULL},
        {"/v1/{dpmm}dpmm/{w}x{h}/{index}/", "/v1/8dpmm/4x6/0/", "8|4|6|0"},
        {"/v1/{dpmm}dpmm/{w}x{h}/{index}/", "/v1/8dpmm/4x6/0", NULL},
        {"/v1/{dpmm}dpmm/{w}x{h}/{index}/", "/v1/8dpi/4x6/0/", NULL},
        {"/v1/{w}x{h}/{zpl*}", "/v1/4x6/^XA/^XZ", "4|6|^XA/^XZ"},
        {"/v1/{w}x{h}/{zpl*}", "/v1/4x6/", NULL},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct http_pair params[HTTP_MAX_PARAMS];
        size_t count;
        bool matched =
            http_pattern_match(rows[i].pattern, pl_slice_cstr(rows[i].path), params, HTTP_MAX_PARAMS, &count);
        assert_int_equal(matched, rows[i].values != NULL);
        if (!matched)
            continue;
        char joined[128] = "";
        for (size_t k = 0; k < count; k++) {
            if (k)
                strcat(joined, "|");
            strncat(joined, (const char *)params[k].value.ptr, params[k].value.len);
        }
        assert_string_equal(joined, rows[i].values);
    }
}

static int nothing(struct http_request *req, struct http_response *res)
{
    (void)req;
    (void)res;
    return 200;
}

static void methods(void **state)
{
    (void)state;
    struct http_routes *s = calloc(1, sizeof(*s));
    assert_non_null(s);
    s->slots = calloc(4, sizeof(*s->slots));
    assert_non_null(s->slots);
    s->slot_cap = 4;
    const struct http_route routes[] = {{HTTP_GET, "/a", nothing, 0, 0, "", HTTP_ANY_QUERY},
                                        {HTTP_POST, "/a", nothing, 0, 0, "", HTTP_ANY_QUERY},
                                        {HTTP_GET, "/{x}", nothing, 0, 0, "", HTTP_ANY_QUERY}};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(http_router_add(s, &routes[i], NULL, NULL), PL_OK);
    struct http_pair params[HTTP_MAX_PARAMS];
    size_t count;
    unsigned allow;
    assert_ptr_equal(http_router_find(s, HTTP_GET, pl_slice_cstr("/a"), params, &count, &allow), &s->slots[0]);
    assert_ptr_equal(http_router_find(s, HTTP_HEAD, pl_slice_cstr("/a"), params, &count, &allow), &s->slots[0]);
    assert_ptr_equal(http_router_find(s, HTTP_POST, pl_slice_cstr("/a"), params, &count, &allow), &s->slots[1]);
    assert_null(http_router_find(s, HTTP_DELETE, pl_slice_cstr("/a"), params, &count, &allow));
    assert_int_equal(allow, HTTP_GET | HTTP_POST);
    assert_ptr_equal(http_router_find(s, HTTP_GET, pl_slice_cstr("/b"), params, &count, &allow), &s->slots[2]);
    assert_int_equal(count, 1);
    assert_null(http_router_find(s, HTTP_GET, pl_slice_cstr("/b/c"), params, &count, &allow));
    assert_int_equal(allow, 0);
    const struct http_route bad = {HTTP_GET, "/{x*}/y", nothing, 0, 0, "", HTTP_ANY_QUERY};
    assert_int_equal(http_router_add(s, &bad, NULL, NULL), PL_E_BUG);
    // What changes, waits or takes long is never for pages of any origin.
    const struct http_route loose[] = {{HTTP_POST, "/b", nothing, HTTP_INLINE | HTTP_ANY_PAGE, 0, "", HTTP_ANY_QUERY},
                                       {HTTP_GET, "/b", nothing, HTTP_ANY_PAGE, 0, "", HTTP_ANY_QUERY}};
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(http_router_add(s, &loose[i], NULL, NULL), PL_E_BUG);
    free(s->slots);
    free(s);
}

static void the_path_that_is_meant(void **state)
{
    (void)state;
    struct http_slot slots[] = {
        {.route = {HTTP_POST, "/api/render", nothing, 0, 0, "", HTTP_ANY_QUERY}},
        {.route = {HTTP_POST, "/v1/{d}dpmm/{w}x{h}", nothing, 0, 0, "", HTTP_ANY_QUERY}},
        {.route = {HTTP_GET, "/v1/{d}dpmm/{zpl*}", nothing, 0, 0, "", HTTP_ANY_QUERY}},
        {.route = {HTTP_GET, "/write", nothing, HTTP_AT_DOOR | HTTP_ONLY_DOOR, 0, "", HTTP_ANY_QUERY}},
        {.route = {HTTP_POST, "/api/render/{format}", nothing, 0, 0, "", HTTP_ANY_QUERY}},
    };
    static const struct http_alias aliases[] = {
        {"/v1/203dpi/", "/v1/8dpmm/"}, {"/api/render.", "/api/render/"}, {"/", "/api/"}, {NULL, NULL}};
    const struct http_routes routes = {.slots = slots, .slot_count = 5, .aliases = aliases};
    static const struct {
        const char *path, *meant; // NULL: none
        unsigned methods;
    } rows[] = {
        {"/API/Render", "/api/render", ~0u},
        {"//api///render/", "/api/render", ~0u},
        {"/api/render", NULL, ~0u}, // it is that itself
        {"/v1/8DPMM/4X6", "/v1/8dpmm/4x6", HTTP_POST},
        // Parameters stay as they are, but encoded as in an address.
        {"/V1/8dpmm/^XA^FDAb %\xC3\xBC^XZ", "/v1/8dpmm/%5EXA%5EFDAb%20%25%C3%BC%5EXZ", HTTP_GET},
        {"/v1/203dpi/4x6", "/v1/8dpmm/4x6", HTTP_POST},
        {"//V1/203DPI/4X6/", "/v1/8dpmm/4x6", HTTP_POST}, // at once, not by way of another address that is none
        {"/v1/203dpi/^XA^FDhttps://a//b^XZ", "/v1/8dpmm/%5EXA%5EFDhttps://a//b%5EXZ", HTTP_GET},
        {"/V1/8dpmm/^XA^FDhttps://a^XZ", "/v1/8dpmm/%5EXA%5EFDhttps://a%5EXZ", HTTP_GET},
        {"/v1/204dpi/4x6", NULL, HTTP_POST},
        {"/Render", "/api/render", HTTP_POST},
        {"/api/render.PNG", "/api/render/PNG", HTTP_POST},
        {"/render/png", "/api/render/png", HTTP_POST},
        {"/api/write", NULL, ~0u},
        {"/API/RENDER", NULL, HTTP_GET},
        {"/WRITE", NULL, ~0u},
        {"/nothing", NULL, ~0u},
        {"/", NULL, ~0u},
        {"", NULL, ~0u},
    };
    for (size_t i = 0; i < PL_COUNTOF(rows); i++) {
        char out[HTTP_MEANT_MAX];
        size_t len = http_router_meant(&routes, rows[i].methods, pl_slice_cstr(rows[i].path), out);
        assert_int_equal(len, rows[i].meant ? strlen(rows[i].meant) : 0);
        assert_memory_equal(out, rows[i].meant ? rows[i].meant : out, len);
    }
    char longest[HTTP_MEANT_MAX + 2], out[HTTP_MEANT_MAX];
    memset(longest, 'A', sizeof longest);
    memcpy(longest, "/V1/8dpmm/", 10);
    assert_int_equal(http_router_meant(&routes, ~0u, pl_slice_make(longest, HTTP_MEANT_MAX), out), HTTP_MEANT_MAX);
    assert_int_equal(http_router_meant(&routes, ~0u, pl_slice_make(longest, HTTP_MEANT_MAX + 1), out), 0);
    longest[HTTP_MEANT_MAX - 1] = '^'; // has no room when it is encoded
    assert_int_equal(http_router_meant(&routes, ~0u, pl_slice_make(longest, HTTP_MEANT_MAX), out), 0);
    memcpy(longest, "/v1/203dpi/", 11); // an alias that is shorter than what stands for it
    assert_int_equal(http_router_meant(&routes, ~0u, pl_slice_make(longest, HTTP_MEANT_MAX), out), 0);
    memcpy(longest, "/AAAAAAAAAA", 11);
    assert_int_equal(http_router_meant(&routes, ~0u, pl_slice_make(longest, HTTP_MEANT_MAX), out), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(patterns), cmocka_unit_test(methods),
                                       cmocka_unit_test(the_path_that_is_meant)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
