// Unit tests of the strict JSON reader; jansson is the second opinion on random texts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/json_reader.h"
#include "unit.h"

static bool accepts(struct pl_slice text)
{
    struct pl_json_reader reader;
    pl_json_reader_init(&reader, text);
    for (;;) {
        enum pl_json_event event = pl_json_next(&reader);
        if (event == PL_JSON_END)
            return true;
        if (event == PL_JSON_BAD) {
            assert_int_equal(reader.err.code, PL_E_INVALID);
            return false;
        }
    }
}

static void good_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {"{}",
                                        " [ ] ",
                                        "1",
                                        "-0.5e+10",
                                        "\"\"",
                                        "null",
                                        "[1,2,[3,{\"a\":[]}]]",
                                        "{\"a\":\"\\u00e9\\ud83d\\ude00\\n\",\"b\":true}",
                                        "\"\xC3\xA9\""};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_true(accepts(pl_slice_cstr(texts[i])));
}

static void bad_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "{",
                                        "}",
                                        "[1,]",
                                        "{\"a\":1,}",
                                        "{a:1}",
                                        "{\"a\" 1}",
                                        "01",
                                        "1.",
                                        ".5",
                                        "+1",
                                        "1e",
                                        "NaN",
                                        "tru",
                                        "\"",
                                        "\"\\x\"",
                                        "\"\\ud800\"",
                                        "\"\x01\"",
                                        "\"\xFF\"",
                                        "1 2",
                                        "[1}",
                                        "{\"a\":}",
                                        "\"\\udc00\"",
                                        "[,1]",
                                        "[1 2]",
                                        "\"\\ud800\\u0041\"",
                                        "{\"a\"}",
                                        "'a'"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (accepts(pl_slice_cstr(texts[i])))
            fail_msg("accepted: %s", texts[i]);
    }
    char deep[100];
    memset(deep, '[', sizeof deep);
    assert_false(accepts(pl_slice_make(deep, sizeof deep)));
}

static void events_come_in_order(void **state)
{
    (void)state;
    struct pl_json_reader r;
    pl_json_reader_init(&r, pl_slice_cstr("{\"zpl\":\"a\\\"b\",\"n\":-1.5,\"skip\":{\"x\":[1,{}]},\"t\":true}"));
    uint8_t text[16];
    assert_int_equal(pl_json_next(&r), PL_JSON_OBJECT);
    assert_int_equal(pl_json_next(&r), PL_JSON_KEY);
    assert_true(pl_slice_eq_cstr(r.token, "zpl"));
    assert_int_equal(pl_json_next(&r), PL_JSON_STRING);
    assert_true(r.escaped);
    assert_int_equal(pl_json_unescape(r.token, text), 3);
    assert_memory_equal(text, "a\"b", 3);
    assert_int_equal(pl_json_next(&r), PL_JSON_KEY);
    assert_int_equal(pl_json_next(&r), PL_JSON_NUMBER);
    assert_true(pl_slice_eq_cstr(r.token, "-1.5"));
    assert_int_equal(pl_json_next(&r), PL_JSON_KEY);
    assert_int_equal(pl_json_next(&r), PL_JSON_OBJECT);
    assert_true(pl_json_skip(&r));
    assert_int_equal(pl_json_next(&r), PL_JSON_KEY);
    assert_int_equal(pl_json_next(&r), PL_JSON_TRUE);
    assert_int_equal(pl_json_next(&r), PL_JSON_OBJECT_END);
    assert_int_equal(pl_json_next(&r), PL_JSON_END);
}

static void agrees_with_jansson_on_random_texts(void **state)
{
    (void)state;
    static const char *const pieces[] = {"{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         ":",
                                         "\"a\"",
                                         "\"b\"",
                                         "1",
                                         "-2.5",
                                         "true",
                                         "null",
                                         " ",
                                         "\"\\n\\u00e9\"",
                                         "0",
                                         "1e5",
                                         "\"\xC3\xA9\"",
                                         "\\",
                                         "\"",
                                         "x"};
    srand(11);
    unsigned accepted = 0;
    for (int round = 0; round < 200000; round++) {
        char text[128];
        size_t n = 0;
        unsigned count = 1 + (unsigned)rand() % 9;
        for (unsigned i = 0; i < count; i++) {
            const char *piece = pieces[(unsigned)rand() % (sizeof pieces / sizeof pieces[0])];
            memcpy(text + n, piece, strlen(piece));
            n += strlen(piece);
        }
        json_error_t error;
        json_t *tree = json_loadb(text, n, JSON_ALLOW_NUL | JSON_DECODE_ANY, &error);
        bool ours = accepts(pl_slice_make(text, n));
        // A number beyond a double is well-formed; whoever reads its value refuses it.
        if (ours != (tree != NULL) && !strstr(error.text, "overflow") && !strstr(error.text, "too big"))
            fail_msg("%.*s: ours %d, jansson %d (%s)", (int)n, text, ours, tree != NULL, error.text);
        accepted += ours;
        json_decref(tree);
    }
    assert_true(accepted > 1000);
}

static void strings_read_like_jansson(void **state)
{
    (void)state;
    srand(5);
    for (int round = 0; round < 20000; round++) {
        static const char *const pieces[] = {"abc",
                                             "\\\\",
                                             "\\\"",
                                             "\\/",
                                             "\\b",
                                             "\\f",
                                             "\\n",
                                             "\\r",
                                             "\\t",
                                             "\\u0041",
                                             "\\u20ac",
                                             "\\ud83d\\ude00",
                                             "\xE2\x82\xAC",
                                             "plain text here",
                                             "^",
                                             "~"};
        char text[512] = "\"";
        size_t n = 1;
        for (int i = rand() % 20; i > 0; i--) {
            const char *piece = pieces[(unsigned)rand() % (sizeof pieces / sizeof pieces[0])];
            memcpy(text + n, piece, strlen(piece));
            n += strlen(piece);
        }
        text[n++] = '"';
        struct pl_json_reader r;
        pl_json_reader_init(&r, pl_slice_make(text, n));
        assert_int_equal(pl_json_next(&r), PL_JSON_STRING);
        uint8_t ours[512];
        size_t len = pl_json_unescape(r.token, ours);
        json_t *value = json_loadb(text, n, JSON_DECODE_ANY, NULL);
        assert_non_null(value);
        assert_int_equal(len, json_string_length(value));
        assert_memory_equal(ours, json_string_value(value), len);
        json_decref(value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_texts),
        cmocka_unit_test(bad_texts),
        cmocka_unit_test(events_come_in_order),
        cmocka_unit_test(agrees_with_jansson_on_random_texts),
        cmocka_unit_test(strings_read_like_jansson),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
