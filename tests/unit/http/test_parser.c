// The request parser: what it takes, what it refuses, and that pieces make no difference.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/http.h"
#include "http/message/parser.h"
#include "unit.h"

static const struct http_parse_limits LIMITS = {64, 256};

static enum http_parse feed(struct http_parser *p, const char *text, size_t len)
{
    http_parser_reset(p);
    return http_parser_feed(p, (const uint8_t *)text, len, &LIMITS);
}

static enum http_parse feed_text(struct http_parser *p, const char *text)
{
    return feed(p, text, strlen(text));
}

static void assert_span(const char *text, struct http_span span, const char *expected)
{
    assert_int_equal(span.len, strlen(expected));
    assert_memory_equal(text + span.at, expected, span.len);
}

static void whole_request(void **state)
{
    (void)state;
    struct http_parser p;
    const char *text =
        "POST /a/b?c=d HTTP/1.1\r\nHost: h:80\r\nContent-Length: 12\r\nContent-Type:\t text/plain \r\n\r\nrest";
    assert_int_equal(feed_text(&p, text), HTTP_PARSE_DONE);
    assert_int_equal(p.pos, strlen(text) - 4);
    assert_int_equal(p.method, HTTP_POST);
    assert_span(text, p.path, "/a/b");
    assert_span(text, p.query, "c=d");
    assert_true(p.has_length);
    assert_true(p.keep_alive);
    assert_int_equal(p.content_length, 12);
    assert_int_equal(p.count, 3);
    struct pl_slice type;
    assert_true(http_parser_field(&p, (const uint8_t *)text, HTTP_F_CONTENT_TYPE, &type));
    assert_true(pl_slice_eq_cstr(type, "text/plain"));
    assert_false(http_parser_field(&p, (const uint8_t *)text, HTTP_F_EXPECT, &type));
}

// Every split of a request into two pieces, and byte by byte, gives what the whole gives.
static void pieces_make_no_difference(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
        "\r\nGET http://h/p?q HTTP/1.1\r\nHost: h\r\nConnection: close\r\nA: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nA: b\rc\r\n\r\n",
        "GET / HTTP/1.1\nHost: h\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\n fold\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct http_parser whole, p;
        size_t len = strlen(texts[i]);
        enum http_parse expected = feed(&whole, texts[i], len);
        for (size_t cut = 0; cut <= len; cut++) {
            http_parser_reset(&p);
            enum http_parse got = http_parser_feed(&p, (const uint8_t *)texts[i], cut, &LIMITS);
            if (got == HTTP_PARSE_MORE)
                got = http_parser_feed(&p, (const uint8_t *)texts[i], len, &LIMITS);
            assert_int_equal(got, expected);
            if (expected == HTTP_PARSE_DONE)
                assert_int_equal(p.pos, whole.pos);
            else
                assert_int_equal(p.status, whole.status);
        }
        http_parser_reset(&p);
        enum http_parse got = HTTP_PARSE_MORE;
        for (size_t n = 1; n <= len && got == HTTP_PARSE_MORE; n++)
            got = http_parser_feed(&p, (const uint8_t *)texts[i], n, &LIMITS);
        assert_int_equal(got, expected);
    }
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int status;
    } rows[] = {
        {"GET / HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1,1\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
        {"GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
        {"GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n", 417},
        {"GET / HTTP/1.2\r\nHost: a\r\n\r\n", 505},
        {"GET / HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n", 400},
        {"GET /\x7f HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 0},
        {"GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", 0},
        {"GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a:b\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a,b\r\n\r\n", 400},
        {"GET / HTTP/1.0\r\nHost: a b\r\n\r\n", 400},
        {"GET / HTTP/1.0\r\n\r\n", 0},
        {"GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET http:///a HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET http://a:b/ HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET http://a\\b/ HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"GET /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa HTTP/1.1\r\nHost: a\r\n\r\n",
         414},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct http_parser p;
        enum http_parse result = feed_text(&p, rows[i].text);
        assert_int_equal(result, rows[i].status ? HTTP_PARSE_BAD : HTTP_PARSE_DONE);
        assert_int_equal(p.status, rows[i].status);
    }
}

static void absolute_targets(void **state)
{
    (void)state;
    static const struct {
        const char *target, *authority, *path, *query;
    } rows[] = {
        {"/p?q", "", "/p", "q"},
        {"//a.example/p", "", "//a.example/p", ""},
        {"/?http://a", "", "/", "http://a"},
        {"http://a", "a", "", ""},
        {"HTTP://a.example:80/p?q", "a.example:80", "/p", "q"},
        {"https://[::1]:443?q", "[::1]:443", "", "q"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct http_parser p;
        char text[128];
        snprintf(text, sizeof(text), "GET %s HTTP/1.1\r\nHost: h\r\n\r\n", rows[i].target);
        assert_int_equal(feed_text(&p, text), HTTP_PARSE_DONE);
        assert_span(text, p.authority, rows[i].authority);
        assert_span(text, p.path, rows[i].path);
        assert_span(text, p.query, rows[i].query);
    }
}

// Of several fields with one name the first counts, but of X-Forwarded-For the last.
static void several_fields_of_one_name(void **state)
{
    (void)state;
    struct http_parser p;
    const char *text = "GET / HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 1\r\nOrigin: 1\r\nX-Forwarded-For: 2\r\n"
                       "Origin: 2\r\nX-Forwarded-For: 3\r\n\r\n";
    struct pl_slice value;
    assert_int_equal(feed_text(&p, text), HTTP_PARSE_DONE);
    assert_int_equal(p.count, 6);
    assert_true(http_parser_field(&p, (const uint8_t *)text, HTTP_F_FORWARDED_FOR, &value));
    assert_true(pl_slice_eq_cstr(value, "3"));
    assert_true(http_parser_field(&p, (const uint8_t *)text, HTTP_F_ORIGIN, &value));
    assert_true(pl_slice_eq_cstr(value, "1"));
}

static void limits_hold_without_an_end_of_line(void **state)
{
    (void)state;
    struct http_parser p;
    char text[1024];
    memset(text, 'a', sizeof(text));
    memcpy(text, "GET /", 5);
    assert_int_equal(feed(&p, text, 100), HTTP_PARSE_MORE);
    assert_int_equal(feed(&p, text, 200), HTTP_PARSE_BAD);
    assert_int_equal(p.status, 414);
    memset(text, 'a', sizeof(text));
    memcpy(text, "GET / HTTP/1.1\r\nA: ", 19);
    assert_int_equal(feed(&p, text, 250), HTTP_PARSE_MORE);
    assert_int_equal(feed(&p, text, 600), HTTP_PARSE_BAD);
    assert_int_equal(p.status, 431);
    // A CR at the end, whose LF is still to come, does not hide the length.
    char line[400] = "GET / HTTP/1.1\r\nA: ";
    size_t len = strlen(line);
    memset(line + len, 'b', 300);
    line[len + 300] = '\r';
    assert_int_equal(feed(&p, line, len + 301), HTTP_PARSE_BAD);
    assert_int_equal(p.status, 431);
}

static void connection_options(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        const char *value;
        bool kept;
    } rows[] = {
        {"1.1", "close", false}, {"1.1", "CLOSE", false},         {"1.1", "x, close", false},
        {"1.1", "closed", true}, {"1.1", "keep-alive", true},     {"1.0", "keep-alive", true},
        {"1.0", "x", false},     {"1.0", "Keep-Alive , x", true}, {"1.1", ",,close,,", false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct http_parser p;
        char text[128];
        snprintf(text, sizeof(text), "GET / HTTP/%s\r\nHost: h\r\nConnection: %s\r\n\r\n", rows[i].version,
                 rows[i].value);
        assert_int_equal(feed_text(&p, text), HTTP_PARSE_DONE);
        assert_int_equal(p.keep_alive, rows[i].kept);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_request),
        cmocka_unit_test(pieces_make_no_difference),
        cmocka_unit_test(refusals),
        cmocka_unit_test(limits_hold_without_an_end_of_line),
        cmocka_unit_test(connection_options),
        cmocka_unit_test(absolute_targets),
        cmocka_unit_test(several_fields_of_one_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
