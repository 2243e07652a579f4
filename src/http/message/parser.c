// The strict request parser (RFC 9112 with its leniencies left out).
#include "http/message/parser.h"

#include "http/http.h"
#include "http/message/host.h"

// What a byte may be part of.
enum { TOKEN = 1, TARGET = 2, VALUE = 4 };

// clang-format off
#define X5 (TOKEN | TARGET | VALUE)
#define X3 (TARGET | VALUE)
static const uint8_t CLASS[256] = {
    ['\t'] = VALUE, [' '] = VALUE,
    ['!'] = X5, ['"'] = TARGET | VALUE, ['#'] = TOKEN | VALUE, ['$'] = X5, ['%'] = X5, ['&'] = X5, ['\''] = X5,
    ['('] = X3, [')'] = X3, ['*'] = X5, ['+'] = X5, [','] = X3, ['-'] = X5, ['.'] = X5, ['/'] = TARGET | VALUE,
    ['0'] = X5, X5, X5, X5, X5, X5, X5, X5, X5, X5,
    [':'] = X3, [';'] = X3, ['<'] = TARGET | VALUE, ['='] = X3, ['>'] = TARGET | VALUE, ['?'] = TARGET | VALUE,
    ['@'] = TARGET | VALUE,
    ['A'] = X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5,
    ['['] = X3, ['\\'] = TARGET | VALUE, [']'] = X3, ['^'] = TOKEN | TARGET | VALUE, ['_'] = X5,
    ['`'] = TOKEN | TARGET | VALUE,
    ['a'] = X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5, X5,
    ['{'] = TARGET | VALUE, ['|'] = TOKEN | TARGET | VALUE, ['}'] = TARGET | VALUE, ['~'] = X5,
    [0x80] = VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE,
    [0x90] = VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE,
    [0xA0] = VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE,
    [0xB0] = VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE,
    [0xC0] = VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE,
    [0xD0] = VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE,
    [0xE0] = VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE,
    [0xF0] = VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE,
};
// clang-format on

// Of fields with the same name: a second one is refused, or the first or the last one counts.
enum { ONCE, FIRST, LAST };

static const struct {
    const char *name; // lower case
    uint8_t len;
    uint8_t many; // what a second one is
} FIELDS[HTTP_F_COUNT] = {
    [HTTP_F_HOST] = {"host", 4, ONCE},
    [HTTP_F_CONNECTION] = {"connection", 10, FIRST},
    [HTTP_F_CONTENT_LENGTH] = {"content-length", 14, ONCE},
    [HTTP_F_TRANSFER_ENCODING] = {"transfer-encoding", 17, ONCE},
    [HTTP_F_CONTENT_TYPE] = {"content-type", 12, ONCE},
    [HTTP_F_CONTENT_ENCODING] = {"content-encoding", 16, ONCE},
    [HTTP_F_EXPECT] = {"expect", 6, ONCE},
    [HTTP_F_ACCEPT_ENCODING] = {"accept-encoding", 15, FIRST},
    [HTTP_F_AUTHORIZATION] = {"authorization", 13, ONCE},
    [HTTP_F_API_KEY] = {"x-api-key", 9, ONCE},
    [HTTP_F_REQUEST_ID] = {"x-request-id", 12, FIRST},
    [HTTP_F_IF_NONE_MATCH] = {"if-none-match", 13, FIRST},
    [HTTP_F_ORIGIN] = {"origin", 6, FIRST},
    [HTTP_F_FORWARDED_FOR] = {"x-forwarded-for", 15, LAST},
    [HTTP_F_TRACEPARENT] = {"traceparent", 11, FIRST},
};

bool http_is_token(uint8_t byte)
{
    return (CLASS[byte] & TOKEN) != 0;
}

void http_parser_reset(struct http_parser *p)
{
    // The array of fields stays as it is: only `count` of them mean something.
    memset(p, 0, offsetof(struct http_parser, known));
    memset(p->known, 0xFF, sizeof(p->known));
}

static enum http_parse bad(struct http_parser *p, int status, const char *code, const char *message)
{
    p->status = status;
    p->code = code;
    p->message = message;
    return HTTP_PARSE_BAD;
}

static bool is_word(const uint8_t *text, size_t len, const char *lower, size_t lower_len)
{
    if (len != lower_len)
        return false;
    for (size_t i = 0; i < len; i++) {
        uint8_t c = text[i];
        if (pl_is_upper(c))
            c = (uint8_t)(c | 0x20);
        if (c != (uint8_t)lower[i])
            return false;
    }
    return true;
}

static unsigned method_of(const uint8_t *text, size_t len)
{
    static const struct {
        const char *name;
        size_t len;
        unsigned method;
    } METHODS[] = {{"GET", 3, HTTP_GET},         {"POST", 4, HTTP_POST}, {"HEAD", 4, HTTP_HEAD},
                   {"OPTIONS", 7, HTTP_OPTIONS}, {"PUT", 3, HTTP_PUT},   {"DELETE", 6, HTTP_DELETE},
                   {"PATCH", 5, HTTP_PATCH}};
    for (size_t i = 0; i < sizeof(METHODS) / sizeof(METHODS[0]); i++) {
        if (METHODS[i].len == len && memcmp(METHODS[i].name, text, len) == 0)
            return METHODS[i].method;
    }
    return HTTP_OTHER;
}

static struct http_span span(size_t at, size_t end)
{
    return (struct http_span){(uint32_t)at, (uint32_t)(end - at)};
}

// Splits the target into path and query; knows origin-form, absolute-form and '*'.
static enum http_parse parse_target(struct http_parser *p, const uint8_t *data)
{
    size_t at = p->target.at;
    size_t end = at + p->target.len;
    if (data[at] == '*' && p->target.len == 1 && p->method == HTTP_OPTIONS) {
        p->asterisk = true;
        return HTTP_PARSE_DONE;
    }
    if (data[at] != '/') {
        size_t scheme = 0;
        if (p->target.len > 7 && is_word(data + at, 7, "http://", 7))
            scheme = 7;
        else if (p->target.len > 8 && is_word(data + at, 8, "https://", 8))
            scheme = 8;
        if (scheme == 0)
            return bad(p, 400, "bad_target", "The request target must be a path or an http address.");
        at += scheme;
        size_t host = at;
        while (at < end && data[at] != '/' && data[at] != '?')
            at++;
        if (at == host)
            return bad(p, 400, "bad_target", "The request target has no host.");
        struct pl_slice name;
        p->authority = span(host, at);
        if (!http_host_split(pl_slice_make(data + host, at - host), &name))
            return bad(p, 400, "bad_target", "The host in the request target is malformed.");
    }
    const uint8_t *mark = memchr(data + at, '?', end - at);
    size_t path_end = mark ? (size_t)(mark - data) : end;
    p->path = span(at, path_end);
    if (mark)
        p->query = span(path_end + 1, end);
    return HTTP_PARSE_DONE;
}

// [pos, end) is the line without CR LF.
static enum http_parse parse_request_line(struct http_parser *p, const uint8_t *data, size_t end, size_t uri_limit)
{
    size_t at = p->pos;
    while (at < end && (CLASS[data[at]] & TOKEN))
        at++;
    if (at == p->pos || at == end || data[at] != ' ' || at - p->pos > 32)
        return bad(p, 400, "bad_request_line", "The request line is malformed.");
    p->method_text = span(p->pos, at);
    p->method = method_of(data + p->pos, at - p->pos);
    size_t target = ++at;
    while (at < end && (CLASS[data[at]] & TARGET))
        at++;
    if (at - target > uri_limit)
        return bad(p, 414, "uri_too_long", "The request target is too long.");
    if (at == target || at == end || data[at] != ' ')
        return bad(p, 400, "bad_request_line", "The request line is malformed.");
    p->target = span(target, at);
    at++;
    if (end - at != 8 || memcmp(data + at, "HTTP/", 5) != 0 || data[at + 6] != '.')
        return bad(p, 400, "bad_request_line", "The request line does not end with an HTTP version.");
    if (data[at + 5] != '1' || (data[at + 7] != '1' && data[at + 7] != '0')) {
        if (data[at + 5] < '0' || data[at + 5] > '9' || data[at + 7] < '0' || data[at + 7] > '9')
            return bad(p, 400, "bad_request_line", "The request line does not end with an HTTP version.");
        return bad(p, 505, "version_not_supported", "Only HTTP/1.1 and HTTP/1.0 are spoken here.");
    }
    p->http10 = data[at + 7] == '0';
    p->keep_alive = !p->http10;
    return parse_target(p, data);
}

static void connection_options(struct http_parser *p, const uint8_t *value, size_t len)
{
    size_t at = 0;
    while (at < len) {
        size_t start = at;
        while (at < len && value[at] != ',')
            at++;
        size_t stop = at;
        while (start < stop && (value[start] == ' ' || value[start] == '\t'))
            start++;
        while (stop > start && (value[stop - 1] == ' ' || value[stop - 1] == '\t'))
            stop--;
        if (is_word(value + start, stop - start, "close", 5))
            p->keep_alive = false;
        else if (p->http10 && is_word(value + start, stop - start, "keep-alive", 10))
            p->keep_alive = true;
        at++;
    }
}

static enum http_parse framing_field(struct http_parser *p, enum http_field id, const uint8_t *value, size_t len)
{
    struct pl_slice host;
    switch (id) {
    case HTTP_F_HOST:
        if (len == 0)
            return bad(p, 400, "bad_host", "The Host field is empty.");
        if (!http_host_split(pl_slice_make(value, len), &host))
            return bad(p, 400, "bad_host", "The Host field is malformed.");
        return HTTP_PARSE_DONE;
    case HTTP_F_CONTENT_LENGTH:
        if (len == 0 || len > 18)
            return bad(p, 400, "bad_content_length", "Content-Length must be a decimal number.");
        for (size_t i = 0; i < len; i++) {
            if (value[i] < '0' || value[i] > '9')
                return bad(p, 400, "bad_content_length", "Content-Length must be a decimal number.");
            p->content_length = p->content_length * 10 + (uint64_t)(value[i] - '0');
        }
        p->has_length = true;
        return HTTP_PARSE_DONE;
    case HTTP_F_TRANSFER_ENCODING:
        if (!is_word(value, len, "chunked", 7))
            return bad(p, 501, "transfer_encoding", "The only transfer coding spoken here is 'chunked'.");
        p->chunked = true;
        return HTTP_PARSE_DONE;
    case HTTP_F_CONNECTION:
        connection_options(p, value, len);
        return HTTP_PARSE_DONE;
    case HTTP_F_EXPECT:
        if (!is_word(value, len, "100-continue", 12))
            return bad(p, 417, "expectation_failed", "The only expectation met here is '100-continue'.");
        p->expect_continue = !p->http10;
        return HTTP_PARSE_DONE;
    default:
        return HTTP_PARSE_DONE;
    }
}

static int known_field(const uint8_t *name, size_t len)
{
    if (len < 4 || len > 17)
        return -1;
    for (int i = 0; i < HTTP_F_COUNT; i++) {
        if (FIELDS[i].len == len && (name[0] | 0x20) == FIELDS[i].name[0] && is_word(name, len, FIELDS[i].name, len))
            return i;
    }
    return -1;
}

static enum http_parse parse_field(struct http_parser *p, const uint8_t *data, size_t end)
{
    size_t at = p->pos;
    if (data[at] == ' ' || data[at] == '\t')
        return bad(p, 400, "folded_header", "Header fields may not be folded over several lines.");
    while (at < end && (CLASS[data[at]] & TOKEN))
        at++;
    if (at == p->pos || at == end || data[at] != ':')
        return bad(p, 400, "bad_header", "A header field is malformed.");
    if (p->count == HTTP_MAX_HEADERS)
        return bad(p, 431, "too_many_headers", "The request has too many header fields.");
    struct http_span name = span(p->pos, at);
    at++;
    while (at < end && (data[at] == ' ' || data[at] == '\t'))
        at++;
    size_t stop = end;
    while (stop > at && (data[stop - 1] == ' ' || data[stop - 1] == '\t'))
        stop--;
    for (size_t i = at; i < stop; i++) {
        if (!(CLASS[data[i]] & VALUE))
            return bad(p, 400, "bad_header", "A header field holds a control character.");
    }
    p->fields[p->count].name = name;
    p->fields[p->count].value = span(at, stop);
    int id = known_field(data + name.at, name.len);
    if (id >= 0) {
        if (p->known[id] >= 0 && FIELDS[id].many == ONCE)
            return bad(p, 400, "repeated_header", "A header field that may occur only once occurs twice.");
        if (p->known[id] < 0 || FIELDS[id].many == LAST)
            p->known[id] = (int16_t)p->count;
        enum http_parse result = framing_field(p, (enum http_field)id, data + at, stop - at);
        if (result == HTTP_PARSE_BAD)
            return result;
    }
    p->count++;
    return HTTP_PARSE_DONE;
}

// The head is whole: what only shows when all fields are known.
static enum http_parse finish(struct http_parser *p)
{
    if (p->known[HTTP_F_HOST] < 0 && !p->http10)
        return bad(p, 400, "missing_host", "The request has no Host field.");
    if (p->chunked && p->has_length)
        return bad(p, 400, "ambiguous_length", "Content-Length and Transfer-Encoding may not occur together.");
    if (p->chunked && p->http10)
        return bad(p, 400, "ambiguous_length", "HTTP/1.0 has no chunked bodies.");
    return HTTP_PARSE_DONE;
}

// An unfinished line: faults in it are told at once, not when its end arrives.
static enum http_parse look_at_rest(struct http_parser *p, const uint8_t *data, size_t len,
                                    const struct http_parse_limits *limits)
{
    // The LF that must follow a CR is checked when it is there.
    size_t end = len > p->scanned && data[len - 1] == '\r' ? len - 1 : len;
    for (size_t i = p->scanned; i < end; i++) {
        if (!(CLASS[data[i]] & VALUE))
            return bad(p, 400, "bad_bytes", "The request holds a control character or a line end that is not CR LF.");
    }
    p->scanned = end;
    if (p->fields_start == 0 && end - p->pos > limits->uri + 64)
        return bad(p, 414, "uri_too_long", "The request line is too long.");
    if (p->fields_start != 0 && end - p->fields_start > limits->header)
        return bad(p, 431, "headers_too_large", "The header fields are too large.");
    return HTTP_PARSE_MORE;
}

enum http_parse http_parser_feed(struct http_parser *p, const uint8_t *data, size_t len,
                                 const struct http_parse_limits *limits)
{
    for (;;) {
        const uint8_t *newline = p->scanned < len ? memchr(data + p->scanned, '\n', len - p->scanned) : NULL;
        if (!newline)
            return look_at_rest(p, data, len, limits);
        size_t end = (size_t)(newline - data);
        if (end == p->pos || data[end - 1] != '\r')
            return bad(p, 400, "bad_bytes", "The request holds a line end that is not CR LF.");
        size_t next = end + 1;
        end--;
        enum http_parse result;
        if (p->fields_start == 0) {
            // One empty line before the request line is passed over (RFC 9112, 2.2).
            if (end == 0) {
                p->pos = p->scanned = next;
                continue;
            }
            result = parse_request_line(p, data, end, limits->uri);
            p->fields_start = next;
        } else if (end == p->pos) {
            p->pos = p->scanned = next;
            return finish(p);
        } else {
            result = parse_field(p, data, end);
            if (result != HTTP_PARSE_BAD && next - p->fields_start > limits->header)
                return bad(p, 431, "headers_too_large", "The header fields are too large.");
        }
        if (result == HTTP_PARSE_BAD)
            return result;
        p->pos = p->scanned = next;
    }
}

bool http_parser_field(const struct http_parser *p, const uint8_t *data, enum http_field field, struct pl_slice *value)
{
    int index = p->known[field];
    if (index < 0)
        return false;
    struct http_span v = p->fields[index].value;
    *value = pl_slice_make(data + v.at, v.len);
    return true;
}
