// The decoder of chunked bodies.
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "http/chunked.h"
#include "unit.h"

// Feeds in pieces of `step` bytes; returns the last result and gathers the body.
static enum http_chunk decode(const char *text, size_t step, struct pl_buf *body, size_t *used_in_all)
{
    struct http_chunked c;
    size_t len = strlen(text), at = 0;
    http_chunked_init(&c);
    pl_buf_clear(body);
    while (at < len) {
        size_t end = at + step < len ? at + step : len;
        for (;;) {
            const uint8_t *data;
            size_t data_len;
            enum http_chunk result = http_chunked_feed(&c, (const uint8_t *)text, end, &at, &data, &data_len);
            *used_in_all = at;
            if (result == HTTP_CHUNK_DATA) {
                pl_buf_append(body, data, data_len);
                continue;
            }
            if (result == HTTP_CHUNK_MORE)
                break;
            return result;
        }
    }
    return HTTP_CHUNK_MORE;
}

static void bodies(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum http_chunk result;
        const char *body;
    } rows[] = {
        {"0\r\n\r\n", HTTP_CHUNK_DONE, ""},
        {"3\r\nabc\r\n0\r\n\r\nnext", HTTP_CHUNK_DONE, "abc"},
        {"A\r\n0123456789\r\n00a;x=y\r\n0123456789\r\n0;z\r\nT: u\r\n\r\n", HTTP_CHUNK_DONE, "01234567890123456789"},
        {"3\r\nab", HTTP_CHUNK_MORE, "ab"},
        {"3\r\nabcd", HTTP_CHUNK_BAD, "abc"},
        {"g\r\n", HTTP_CHUNK_BAD, ""},
        {"\r\n", HTTP_CHUNK_BAD, ""},
        {"1\nx", HTTP_CHUNK_BAD, ""},
        {"0\r\n\n", HTTP_CHUNK_BAD, ""},
        {"0\r\n folded\r\n\r\n", HTTP_CHUNK_BAD, ""},
        {"ffffffffffffffff\r\n", HTTP_CHUNK_BAD, ""},
        {"1;\x01\r\nx", HTTP_CHUNK_BAD, ""},
    };
    struct pl_buf body;
    pl_buf_init(&body, 1024);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (size_t step = 1; step < 8; step++) {
            size_t used = 0;
            assert_int_equal(decode(rows[i].text, step, &body, &used), rows[i].result);
            assert_int_equal(body.len, strlen(rows[i].body));
            if (body.len)
                assert_memory_equal(body.data, rows[i].body, body.len);
            if (strstr(rows[i].text, "next"))
                assert_string_equal(rows[i].text + used, "next");
        }
    }
    pl_buf_fini(&body);
}

static void extensions_and_trailers_are_bounded(void **state)
{
    (void)state;
    struct pl_buf body;
    pl_buf_init(&body, 1024);
    char *text = malloc(40000);
    assert_non_null(text);
    memset(text, 'a', 39999);
    text[39999] = '\0';
    memcpy(text, "1;", 2);
    size_t used;
    assert_int_equal(decode(text, 1000, &body, &used), HTTP_CHUNK_BAD);
    memcpy(text, "0\r\nT:", 5);
    assert_int_equal(decode(text, 1000, &body, &used), HTTP_CHUNK_BAD);
    free(text);
    pl_buf_fini(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies), cmocka_unit_test(extensions_and_trailers_are_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
