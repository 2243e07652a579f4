// The request parser and the chunked decoder: what comes in pieces is understood as what comes whole, nothing is read
// outside, and a head that is accepted has one clear length.
#include <stdlib.h>
#include <string.h>

#include "http/chunked.h"
#include "http/http.h"
#include "http/parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct http_parse_limits LIMITS = {256, 1024};

static void check_span(struct http_span span, size_t len)
{
    if (span.at > len || span.len > len - span.at)
        abort();
}

static void check_head(const struct http_parser *p, const uint8_t *data, size_t len)
{
    if (p->pos > len || p->pos < 4 || memcmp(data + p->pos - 4, "\r\n\r\n", 4) != 0)
        abort();
    if (p->chunked && p->has_length)
        abort();
    if (p->count > HTTP_MAX_HEADERS || (!p->http10 && p->known[HTTP_F_HOST] < 0))
        abort();
    check_span(p->target, p->pos);
    check_span(p->path, p->pos);
    check_span(p->query, p->pos);
    for (unsigned i = 0; i < p->count; i++) {
        check_span(p->fields[i].name, p->pos);
        check_span(p->fields[i].value, p->pos);
        const uint8_t *value = data + p->fields[i].value.at;
        for (size_t k = 0; k < p->fields[i].value.len; k++) {
            if (value[k] == '\r' || value[k] == '\n' || value[k] == 0)
                abort();
        }
    }
}

// Feeds a growing prefix: `step` bytes more each time.
static enum http_parse feed_in_steps(struct http_parser *p, const uint8_t *data, size_t size, size_t step)
{
    http_parser_reset(p);
    size_t len = 0;
    for (;;) {
        len = size - len < step ? size : len + step;
        // A copy of just this length, so that reading past it is seen.
        uint8_t *copy = malloc(len + 1);
        if (!copy)
            abort();
        memcpy(copy, data, len);
        enum http_parse result = http_parser_feed(p, copy, len, &LIMITS);
        free(copy);
        if (result != HTTP_PARSE_MORE || len == size)
            return result;
    }
}

static enum http_chunk decode(const uint8_t *data, size_t size, size_t step, uint64_t *sum, size_t *used)
{
    struct http_chunked c;
    enum http_chunk result = HTTP_CHUNK_MORE;
    size_t len = 0;
    http_chunked_init(&c);
    *sum = 0;
    *used = 0;
    while (len < size) {
        len = size - len < step ? size : len + step;
        do {
            const uint8_t *bytes;
            size_t count;
            result = http_chunked_feed(&c, data, len, used, &bytes, &count);
            for (size_t i = 0; result == HTTP_CHUNK_DATA && i < count; i++)
                *sum = *sum * 31 + bytes[i] + 1;
        } while (result == HTTP_CHUNK_DATA);
        if (result != HTTP_CHUNK_MORE)
            break;
    }
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    size_t step = 1 + data[0] % 64;
    data++;
    size--;
    struct http_parser whole, pieces;
    http_parser_reset(&whole);
    enum http_parse expected = http_parser_feed(&whole, data, size, &LIMITS);
    enum http_parse got = feed_in_steps(&pieces, data, size, step);
    if (got != expected && !(expected == HTTP_PARSE_BAD && got == HTTP_PARSE_BAD))
        abort();
    if (expected == HTTP_PARSE_BAD && (whole.status < 400 || whole.status > 599 || pieces.status < 400))
        abort();
    if (expected == HTTP_PARSE_DONE) {
        check_head(&whole, data, size);
        check_head(&pieces, data, size);
        if (whole.pos != pieces.pos || whole.content_length != pieces.content_length ||
            whole.chunked != pieces.chunked || whole.keep_alive != pieces.keep_alive || whole.count != pieces.count)
            abort();
        data += whole.pos;
        size -= whole.pos;
    }
    uint64_t sum, sum2;
    size_t used, used2;
    enum http_chunk chunk = decode(data, size, size + 1, &sum, &used);
    enum http_chunk chunk2 = decode(data, size, step, &sum2, &used2);
    if (chunk != chunk2 || (chunk == HTTP_CHUNK_DONE && (sum != sum2 || used != used2)))
        abort();
    return 0;
}
