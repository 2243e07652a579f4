// The request parser and the chunked decoder: what comes in pieces is understood as what comes whole, nothing is read
// outside, a head that is accepted has one clear length and one clear host, and a body that is accepted is one by the
// grammar.
#include <stdlib.h>
#include <string.h>

#include "http/http.h"
#include "http/message/chunked.h"
#include "http/message/host.h"
#include "http/message/parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct http_parse_limits LIMITS = {256, 1024};

static void check_span(struct http_span span, size_t len)
{
    if (span.at > len || span.len > len - span.at)
        abort();
}

// A host that is taken has nothing in it that another program could split elsewhere.
static void check_host(struct pl_slice authority)
{
    struct pl_slice name;
    if (!http_host_split(authority, &name) || name.len == 0 || name.ptr < authority.ptr ||
        name.ptr + name.len > authority.ptr + authority.len)
        abort();
    for (size_t i = 0; i < authority.len; i++) {
        if (authority.ptr[i] <= ' ' || authority.ptr[i] >= 0x7F || strchr("@/\\?#,;%\"<>", authority.ptr[i]))
            abort();
    }
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
    check_span(p->authority, p->pos);
    if (p->authority.len > 0)
        check_host(pl_slice_make(data + p->authority.at, p->authority.len));
    struct pl_slice host;
    if (http_parser_field(p, data, HTTP_F_HOST, &host))
        check_host(host);
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

// ---- a chunked body by the grammar of RFC 9112, 7.1, read from its whole text

struct text {
    const uint8_t *at, *end;
};

static bool take(struct text *t, uint8_t byte)
{
    if (t->at == t->end || *t->at != byte)
        return false;
    t->at++;
    return true;
}

static bool is_alnum(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool take_token(struct text *t)
{
    const uint8_t *start = t->at;
    while (t->at < t->end && *t->at && (is_alnum(*t->at) || strchr("!#$%&'*+-.^_`|~", *t->at)))
        t->at++;
    return t->at > start;
}

static void skip_blanks(struct text *t)
{
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\t'))
        t->at++;
}

// The next byte, if it may stand in text.
static bool take_text(struct text *t)
{
    if (t->at == t->end || (*t->at < ' ' && *t->at != '\t') || *t->at == 0x7F)
        return false;
    t->at++;
    return true;
}

static bool take_value(struct text *t)
{
    if (!take(t, '"'))
        return take_token(t);
    while (!take(t, '"')) {
        bool escaped = take(t, '\\');
        (void)escaped;
        if (!take_text(t))
            return false;
    }
    return true;
}

static bool take_line_end(struct text *t)
{
    if (t->end - t->at < 2 || memcmp(t->at, "\r\n", 2) != 0)
        return false;
    t->at += 2;
    return true;
}

static bool take_size_line(struct text *t, uint64_t *size)
{
    unsigned digits = 0;
    for (*size = 0; t->at < t->end && strchr("0123456789abcdefABCDEF", *t->at) && *t->at; t->at++, digits++) {
        const unsigned digit = *t->at <= '9' ? *t->at - '0' : (*t->at | 32u) - 'a' + 10u;
        *size = *size * 16 + digit;
    }
    if (digits == 0 || digits > 15)
        return false;
    for (skip_blanks(t); take(t, ';'); skip_blanks(t)) {
        skip_blanks(t);
        if (!take_token(t))
            return false;
        skip_blanks(t);
        if (take(t, '=')) {
            skip_blanks(t);
            if (!take_value(t))
                return false;
        }
    }
    return take_line_end(t);
}

static bool is_chunked_body(const uint8_t *data, size_t len, size_t *used)
{
    struct text t = {data, data + len};
    uint64_t size;
    do {
        if (!take_size_line(&t, &size) || size > (uint64_t)(t.end - t.at))
            return false;
        t.at += size;
        if (size > 0 && !take_line_end(&t))
            return false;
    } while (size > 0);
    while (!take_line_end(&t)) {
        if (!take_token(&t) || !take(&t, ':'))
            return false;
        while (take_text(&t))
            continue;
        if (!take_line_end(&t))
            return false;
    }
    *used = (size_t)(t.at - data);
    return true;
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
    // Longer ones may have more extensions than are put up with.
    size_t end;
    if (size <= 16384 && is_chunked_body(data, size, &end) != (chunk == HTTP_CHUNK_DONE))
        abort();
    if (chunk == HTTP_CHUNK_DONE && (!is_chunked_body(data, size, &end) || end != used))
        abort();
    return 0;
}
