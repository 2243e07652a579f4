// The decoder of chunked bodies.
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "http/message/chunked.h"
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
        // Extensions in all their forms.
        {"1 \t;\t a = b ; c=\"d;\\\"\\\\\" ;e\t\r\nx\r\n0 \r\n\r\n", HTTP_CHUNK_DONE, "x"},
        {"1;a=\"\";b=\"\xff\t\"\r\nx\r\n0\r\n\r\n", HTTP_CHUNK_DONE, "x"},
        // And what is none.
        {"15 junk=1\r\n", HTTP_CHUNK_BAD, ""},
        {"1 1\r\n", HTTP_CHUNK_BAD, ""},
        {"1 x\r\n", HTTP_CHUNK_BAD, ""},
        {"1x\r\n", HTTP_CHUNK_BAD, ""},
        {"1=a\r\n", HTTP_CHUNK_BAD, ""},
        {"1 =a\r\n", HTTP_CHUNK_BAD, ""},
        {" 1\r\n", HTTP_CHUNK_BAD, ""},
        {"1;\r\n", HTTP_CHUNK_BAD, ""},
        {"1; \r\n", HTTP_CHUNK_BAD, ""},
        {"1;;a\r\n", HTTP_CHUNK_BAD, ""},
        {"1;=a\r\n", HTTP_CHUNK_BAD, ""},
        {"1;a=\r\n", HTTP_CHUNK_BAD, ""},
        {"1;a= ;b\r\n", HTTP_CHUNK_BAD, ""},
        {"1;a b\r\n", HTTP_CHUNK_BAD, ""},
        {"1;a=b=c\r\n", HTTP_CHUNK_BAD, ""},
        {"1;a=b c\r\n", HTTP_CHUNK_BAD, ""},
        {"1;a=b\"c\"\r\n", HTTP_CHUNK_BAD, ""},
        {"1;a=\"b\"c\r\n", HTTP_CHUNK_BAD, ""},
        {"1;a=\"b\"=c\r\n", HTTP_CHUNK_BAD, ""},
        {"1;a=\"b\r\n\"\r\n", HTTP_CHUNK_BAD, ""},
        {"1;a=\"b\\\r\n\"\r\n", HTTP_CHUNK_BAD, ""},
        {"1;\"a\"\r\n", HTTP_CHUNK_BAD, ""},
        {"1;a@b\r\n", HTTP_CHUNK_BAD, ""},
        {"1;\xff\r\n", HTTP_CHUNK_BAD, ""},
        // Trailers are fields.
        {"0\r\nA:\r\nB: c d\r\n\r\n", HTTP_CHUNK_DONE, ""},
        {"0\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", HTTP_CHUNK_BAD, ""},
        {"0\r\nA : b\r\n\r\n", HTTP_CHUNK_BAD, ""},
        {"0\r\nA\r\n\r\n", HTTP_CHUNK_BAD, ""},
        {"0\r\n: b\r\n\r\n", HTTP_CHUNK_BAD, ""},
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
    memcpy(text, "0\r\nTT", 5);
    assert_int_equal(decode(text, 1000, &body, &used), HTTP_CHUNK_BAD);
    memset(text, ' ', 39999);
    memcpy(text, "1", 1);
    assert_int_equal(decode(text, 1000, &body, &used), HTTP_CHUNK_BAD);
    free(text);
    pl_buf_fini(&body);
}

// Only extensions and trailers are counted: the number of chunks is not bounded.
static void any_number_of_chunks(void **state)
{
    (void)state;
    enum { CHUNKS = 50000 };
    struct pl_buf body, text;
    pl_buf_init(&body, CHUNKS);
    pl_buf_init(&text, 16 * CHUNKS);
    for (int i = 0; i < CHUNKS; i++)
        pl_buf_append_cstr(&text, "1\r\nx\r\n");
    pl_buf_append_cstr(&text, "0\r\n\r\n");
    pl_buf_append_byte(&text, '\0');
    size_t used;
    assert_int_equal(decode((const char *)text.data, 4096, &body, &used), HTTP_CHUNK_DONE);
    assert_int_equal(body.len, CHUNKS);
    pl_buf_fini(&text);
    pl_buf_fini(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies), cmocka_unit_test(extensions_and_trailers_are_bounded),
                                       cmocka_unit_test(any_number_of_chunks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
