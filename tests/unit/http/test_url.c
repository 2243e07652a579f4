// Percent-decoding and query strings.
#include <stdlib.h>
#include <string.h>

#include "http/http.h"
#include "http/message/url.h"
#include "unit.h"

static void decoding(void **state)
{
    (void)state;
    static const struct {
        const char *in;
        bool plus;
        const char *out; // NULL: refused
    } rows[] = {
        {"", true, ""},
        {"abc", true, "abc"},
        {"a+b", true, "a b"},
        {"a+b", false, "a+b"},
        {"%41%62", false, "Ab"},
        {"%", false, NULL},
        {"%4", false, NULL},
        {"a%4", false, NULL},
        {"%4g", false, NULL},
        {"%00", false, NULL},
        {"%e2%82%ac", true, "\xe2\x82\xac"},
        {"%2B+", true, "+ "},
        {"%25", true, "%"},
        {"100%", true, NULL},
    };
    struct pl_arena arena;
    pl_arena_init(&arena, 1 << 20);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct pl_slice out;
        struct pl_error err = {0};
        enum pl_errc code = http_url_decode(&arena, pl_slice_cstr(rows[i].in), rows[i].plus, &out, &err);
        assert_int_equal(code, rows[i].out ? PL_OK : PL_E_INVALID);
        if (rows[i].out)
            assert_true(pl_slice_eq_cstr(out, rows[i].out));
    }
    pl_arena_fini(&arena);
}

static void queries(void **state)
{
    (void)state;
    struct pl_arena arena;
    pl_arena_init(&arena, 1 << 20);
    struct http_pair pairs[4];
    size_t count;
    assert_int_equal(http_query_split(&arena, pl_slice_cstr("a=1&&b=x%26y&flag&=v"), pairs, 4, &count, NULL), PL_OK);
    assert_int_equal(count, 4);
    assert_true(pl_slice_eq_cstr(pairs[1].name, "b") && pl_slice_eq_cstr(pairs[1].value, "x&y"));
    assert_true(pl_slice_eq_cstr(pairs[2].name, "flag") && pairs[2].value.len == 0);
    assert_true(pairs[3].name.len == 0 && pl_slice_eq_cstr(pairs[3].value, "v"));
    assert_int_equal(http_query_split(&arena, pl_slice_cstr("a&b&c&d&e"), pairs, 4, &count, NULL), PL_E_LIMIT);
    assert_int_equal(http_query_split(&arena, pl_slice_cstr("a=%zz"), pairs, 4, &count, NULL), PL_E_INVALID);
    assert_int_equal(http_query_split(&arena, pl_slice_cstr("a=b=c"), pairs, 4, &count, NULL), PL_OK);
    assert_true(pl_slice_eq_cstr(pairs[0].value, "b=c"));
    pl_arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(decoding), cmocka_unit_test(queries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
