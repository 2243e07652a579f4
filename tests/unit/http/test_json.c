// The JSON reader and writer.
#include <stdlib.h>
#include <string.h>

#include "http/message/json.h"
#include "unit.h"

static void reading(void **state)
{
    (void)state;
    struct http_json *doc;
    struct pl_error err = {0};
    const char *text = "{\"s\":\"a\\u0000b\",\"i\":7,\"r\":4.0,\"f\":2.5,\"b\":true,\"n\":null,\"l\":[1,2]}";
    assert_int_equal(http_json_parse(pl_slice_cstr(text), 0, &doc, &err), PL_OK);
    struct pl_slice s;
    int64_t i;
    bool b;
    assert_true(http_json_string(http_json_get(doc, "s"), &s));
    assert_int_equal(s.len, 3);
    assert_true(http_json_integer(http_json_get(doc, "i"), &i) && i == 7);
    assert_true(http_json_integer(http_json_get(doc, "r"), &i) && i == 4);
    assert_false(http_json_integer(http_json_get(doc, "f"), &i));
    assert_int_equal(http_json_type(http_json_get(doc, "f")), HTTP_JSON_REAL);
    assert_true(http_json_boolean(http_json_get(doc, "b"), &b) && b);
    assert_int_equal(http_json_type(http_json_get(doc, "n")), HTTP_JSON_NULL);
    assert_null(http_json_get(doc, "missing"));
    assert_false(http_json_string(http_json_get(doc, "i"), &s));
    void *iter = NULL;
    char order[16] = "";
    const struct http_json *value;
    while (http_json_next(doc, &iter, &s, &value))
        strncat(order, (const char *)s.ptr, s.len);
    assert_string_equal(order, "sirfbnl");
    int64_t sum = 0;
    for (iter = NULL; http_json_next(http_json_get(doc, "l"), &iter, &s, &value) && http_json_integer(value, &i);)
        sum = sum * 10 + i;
    assert_int_equal(sum, 12);
    http_json_free(doc);
}

static void faults(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      " ",
                                      "{",
                                      "{}}",
                                      "[1,]",
                                      "{\"a\":1,\"a\":2}",
                                      "\"\xff\"",
                                      "\"\\ud800\"",
                                      "1e400",
                                      "nul",
                                      "92233720368547758080",
                                      "-1e400",
                                      "{\"a\":1,\"b\":{\"c\":1,\"\\u0063\":2}}",
                                      "{a:1}",
                                      "[1 2]",
                                      "\"\x01\"",
                                      "+1",
                                      "{}\xef\xbb\xbf"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct http_json *doc;
        struct pl_error err = {0};
        assert_int_equal(http_json_parse(pl_slice_cstr(bad[i]), 0, &doc, &err), PL_E_INVALID);
        assert_null(doc);
        assert_null(strstr(err.message, "near"));
    }
}

static void bounds(void **state)
{
    (void)state;
    struct http_json *doc;
    struct pl_error err = {0};
    char text[256];
    memset(text, '[', 33);
    memset(text + 33, ']', 33);
    assert_int_equal(http_json_parse(pl_slice_make(text, 66), 0, &doc, &err), PL_E_INVALID);
    assert_int_equal(http_json_parse(pl_slice_make(text + 1, 64), 0, &doc, &err), PL_OK);
    http_json_free(doc);
    assert_int_equal(http_json_parse(pl_slice_cstr("[1,2,3,4]"), 4, &doc, &err), PL_E_LIMIT);
    assert_int_equal(http_json_parse(pl_slice_cstr("[\"a,b,c,d,[[[[\"]"), 2, &doc, &err), PL_OK);
    http_json_free(doc);
}

static void writing(void **state)
{
    (void)state;
    struct pl_buf buf;
    struct pl_json_writer out;
    pl_buf_init(&buf, 4096);
    pl_json_writer_init(&out, &buf);
    pl_json_object(&out);
    pl_json_kv_bool(&out, "ok", true);
    pl_json_kv_cstr(&out, "text", "a\"b\n");
    pl_json_key(&out, "list");
    pl_json_array(&out);
    pl_json_u64(&out, 1);
    pl_json_double(&out, 101.6);
    pl_json_fixed(&out, 14.65, 1);
    pl_json_object(&out);
    pl_json_end(&out);
    pl_json_null(&out);
    pl_json_base64(&out, pl_slice_cstr("abcd"));
    pl_json_raw(&out, pl_slice_cstr("{}"));
    pl_json_end(&out);
    pl_json_kv_i64(&out, "n", -5);
    pl_json_end(&out);
    assert_false(buf.failed);
    assert_true(pl_slice_eq_cstr(
        pl_buf_slice(&buf),
        "{\"ok\":true,\"text\":\"a\\\"b\\n\",\"list\":[1,101.6,14.7,{},null,\"YWJjZA==\",{}],\"n\":-5}"));
    pl_json_end(&out);
    assert_true(buf.failed);
    pl_buf_fini(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reading), cmocka_unit_test(faults), cmocka_unit_test(bounds),
                                       cmocka_unit_test(writing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
