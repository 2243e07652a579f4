// Which pages of other origins may ask, and read answers.
#include <stdlib.h>
#include <string.h>

#include "http/guard/cors.h"
#include "http/server/server.h"
#include "unit.h"

static const struct http_app APP = {.name = "test", .exposed_headers = "X-Count"};

static struct http_server *prepared(const char *list, enum pl_errc expected)
{
    struct http_server *s = http_server_new(NULL);
    struct pl_error err = {0};
    assert_non_null(s);
    s->app = &APP;
    s->config.cors = list;
    enum pl_errc code = http_cors_prepare(s, &err);
    if (code != expected || (code != PL_OK && !strstr(err.message, "--cors")))
        fail_msg("'%s': %s", list, err.message);
    return s;
}

static void drop(struct http_server *s)
{
    pl_buf_fini(&s->guard->cors);
    free(s);
}

static bool reads(const char *list, const char *origin, bool is_private)
{
    struct http_server *s = prepared(list, PL_OK);
    struct http_exchange *ex = calloc(1, sizeof(*ex));
    assert_non_null(ex);
    ex->origin = pl_slice_cstr(origin);
    ex->is_private = is_private;
    bool open = http_cors_open(s, ex);
    free(ex);
    drop(s);
    return open;
}

static void pages(void **state)
{
    (void)state;
    const char *list = "https://a.example, http://b.example:8080";
    assert_false(reads("off", "https://a.example", false));
    assert_false(reads("", "https://a.example", false));
    assert_false(reads("", "", false));
    assert_true(reads("*", "https://a.example", false));
    assert_true(reads("*", "", false));
    assert_false(reads("*", "https://a.example", true));
    assert_true(reads(list, "https://a.example", false));
    assert_true(reads(list, "http://b.example:8080", false));
    assert_false(reads(list, "http://b.example:8080", true));
    assert_false(reads(list, "", false));
    assert_false(reads(list, "http://a.example", false));
    assert_false(reads(list, "https://a.example:8443", false));
    assert_false(reads(list, "https://a.example.evil", false));
    assert_false(reads(list, "https://a.example, http://b.example:8080", false));
    assert_false(reads(list, "null", false));
}

// Is a request with these headers ("Name: value", up to three) for any route?
static bool admits(const char *list, bool is_private, const char *const *headers)
{
    struct http_server *s = prepared(list, PL_OK);
    struct http_exchange *ex = calloc(1, sizeof(*ex));
    assert_non_null(ex);
    ex->is_private = is_private;
    struct http_pair pairs[4] = {{pl_slice_cstr("Host"), pl_slice_cstr("Labels.example:8080")}};
    size_t count = 1;
    for (; *headers; headers++, count++) {
        const char *colon = strchr(*headers, ':');
        pairs[count] =
            (struct http_pair){pl_slice_make(*headers, (size_t)(colon - *headers)), pl_slice_cstr(colon + 2)};
        if (strncmp(*headers, "Origin", 6) == 0)
            ex->origin = pairs[count].value;
    }
    ex->req.headers = pairs;
    ex->req.header_count = count;
    bool admitted = http_cors_admits(s, ex);
    free(ex);
    drop(s);
    return admitted;
}

// Who may ask what is neither HTTP_ANY_PAGE nor, in `whole`, private: with --cors off, a list and '*'.
static void askers(void **state)
{
    (void)state;
    static const char LIST[] = "https://a.example, http://b.example:8080";
    static const struct {
        bool off, list, all, whole;
        const char *headers[3];
    } rows[] = {
        {true, true, true, true, {NULL}},
        {true, true, true, true, {"Referer: https://evil.example/"}},
        {true, true, true, true, {"Origin: http://labels.example:8080"}},
        {true, true, true, true, {"Origin: https://labels.example:8080"}},
        {true, true, true, true, {"Sec-Fetch-Site: none"}},
        {true, true, true, true, {"Sec-Fetch-Site: same-origin"}},
        // A proxy has changed Host.
        {true, true, true, true, {"Origin: https://public.example", "Sec-Fetch-Site: same-origin"}},
        {false, false, true, false, {"Origin: https://evil.example"}},
        {false, false, true, false, {"Origin: null"}},
        {false, false, true, false, {"Origin: "}},
        {false, false, true, false, {"Origin: Labels.example:8080"}},
        {false, false, true, false, {"Origin: http://labels.example"}},
        {false, false, true, false, {"Origin: http://labels.example:80801"}},
        {false, false, true, false, {"Origin: http://evil.example/://labels.example:8080"}},
        {false, false, true, false, {"Origin: http://labels.example:8080", "Sec-Fetch-Site: cross-site"}},
        {false, false, true, false, {"Origin: https://evil.example", "Sec-Fetch-Site: none"}},
        {false, false, true, false, {"Sec-Fetch-Site: cross-site"}},
        {false, false, true, false, {"Sec-Fetch-Site: same-site"}},
        {false, false, true, false, {"Sec-Fetch-Site: unheard-of"}},
        {false, false, true, false, {"Sec-Fetch-Site: "}},
        {false, false, true, false, {"Sec-Fetch-Site: cross-site", "Referer: https://evil.example/https://a.example/"}},
        {false, false, true, false, {"Sec-Fetch-Site: cross-site", "Referer: https://a.example.evil/"}},
        {false, false, true, false, {"Origin: null", "Sec-Fetch-Site: cross-site", "Referer: https://a.example/"}},
        {false, true, true, false, {"Sec-Fetch-Site: cross-site", "Referer: https://a.example/a?b"}},
        {false, true, true, false, {"Sec-Fetch-Site: cross-site", "Referer: http://b.example:8080"}},
        {false, true, true, false, {"Origin: https://a.example"}},
        {false, true, true, false, {"Origin: https://a.example", "Sec-Fetch-Site: cross-site"}},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *headers[4] = {rows[i].headers[0], rows[i].headers[1], rows[i].headers[2], NULL};
        if (admits("off", false, headers) != rows[i].off || admits(LIST, false, headers) != rows[i].list ||
            admits("*", false, headers) != rows[i].all || admits("*", true, headers) != rows[i].whole ||
            admits(LIST, true, headers) != rows[i].whole)
            fail_msg("row %zu: %s", i, headers[0] ? headers[0] : "no header");
    }
}

static void values(void **state)
{
    (void)state;
    static const char *const good[] = {"off",
                                       "*",
                                       "",
                                       "https://a.example",
                                       "http://localhost:3000,https://b.example",
                                       "http://[::1]:80",
                                       "moz-extension://0a-1b"};
    static const char *const bad[] = {
        "a.example",     "https://a.example/", "https://a.example:", "null",        "*,https://a.example",
        "off, *",        "https://*.example",  "https://",           "://a",        "https://u@a",
        "https://a, ,b", "https:/a",           "h ttp://a",          "https://a?b", "on"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        drop(prepared(good[i], PL_OK));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        drop(prepared(bad[i], PL_E_INVALID));
}

static void open_to_all(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        bool all, allow;
    } rows[] = {{"*", true, true}, {"off", false, false}, {"https://a.example", false, false}};
    for (size_t i = 0; i < 3; i++) {
        struct http_server *s = prepared(rows[i].list, PL_OK);
        pl_buf_append_byte(&s->guard->cors, '\0');
        assert_int_equal(http_server_open_to_all_pages(s), rows[i].all);
        assert_int_equal(strstr((const char *)s->guard->cors.data, "Access-Control-Allow-Origin: *\r\n") != NULL,
                         rows[i].allow);
        assert_int_equal(strstr((const char *)s->guard->cors.data, ", X-Count\r\n") != NULL,
                         strcmp(rows[i].list, "off") != 0);
        drop(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pages), cmocka_unit_test(askers), cmocka_unit_test(values),
                                       cmocka_unit_test(open_to_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
