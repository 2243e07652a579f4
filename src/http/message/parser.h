// The request line and the header fields: a strict parser that goes over each byte once and may be fed in pieces.
#ifndef HTTP_PARSER_H
#define HTTP_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

#define HTTP_MAX_HEADERS 100

// Offsets from the start of the request, so that its bytes may be moved.
struct http_span {
    uint32_t at;
    uint32_t len;
};

// Header fields that the core itself looks at.
enum http_field {
    HTTP_F_HOST,
    HTTP_F_CONNECTION,
    HTTP_F_CONTENT_LENGTH,
    HTTP_F_TRANSFER_ENCODING,
    HTTP_F_CONTENT_TYPE,
    HTTP_F_CONTENT_ENCODING,
    HTTP_F_EXPECT,
    HTTP_F_ACCEPT_ENCODING,
    HTTP_F_AUTHORIZATION,
    HTTP_F_API_KEY,
    HTTP_F_REQUEST_ID,
    HTTP_F_IF_NONE_MATCH,
    HTTP_F_ORIGIN,
    HTTP_F_FORWARDED_FOR,
    HTTP_F_TRACEPARENT,
    HTTP_F_COUNT
};

enum http_parse { HTTP_PARSE_MORE, HTTP_PARSE_DONE, HTTP_PARSE_BAD };

struct http_parse_limits {
    size_t uri;    // bytes of the request target
    size_t header; // bytes of all header fields
};

struct http_parser {
    size_t pos;          // start of the first line that is not parsed yet; after DONE: the length of the head
    size_t scanned;      // end of the bytes looked at
    size_t fields_start; // where the header fields begin; 0 before the request line is done
    unsigned method;     // enum http_method
    struct http_span method_text;
    struct http_span target;
    struct http_span path; // of the target, not decoded; empty for '*' and for an absolute target without a path
    struct http_span query;
    struct http_span authority; // of an absolute target: host and port; empty for others
    bool http10;
    bool keep_alive;
    bool chunked;
    bool has_length;
    bool expect_continue;
    bool asterisk; // OPTIONS *
    uint64_t content_length;
    unsigned count; // header fields
    // After HTTP_PARSE_BAD: what to answer.
    int status;
    const char *code;
    const char *message;
    int16_t known[HTTP_F_COUNT]; // index of the field (of several the first, of X-Forwarded-For the last), or -1
    struct {
        struct http_span name;
        struct http_span value;
    } fields[HTTP_MAX_HEADERS];
};

bool http_is_token(uint8_t byte); // may it stand in a token, such as the name of a field?
void http_parser_reset(struct http_parser *parser);
// `data` holds the request from its first byte, `len` bytes so far. After DONE parser->pos is the head's length; what
// follows is the body or the next request.
enum http_parse http_parser_feed(struct http_parser *parser, const uint8_t *data, size_t len,
                                 const struct http_parse_limits *limits);
// A field's value in `data`; false when the request has none.
bool http_parser_field(const struct http_parser *parser, const uint8_t *data, enum http_field field,
                       struct pl_slice *value);

#endif
