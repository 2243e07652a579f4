// Decoder of chunked bodies, fed in pieces. Extensions and trailers are read, bounded and ignored.
#ifndef HTTP_CHUNKED_H
#define HTTP_CHUNKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct http_chunked {
    uint8_t state;
    uint8_t digits;    // hexadecimal digits of the size so far
    uint64_t left;     // bytes of the current chunk still to come
    uint32_t overhead; // bytes of extensions and trailers so far, held against a limit
};

enum http_chunk {
    HTTP_CHUNK_MORE, // all input used, the body goes on
    HTTP_CHUNK_DATA, // *data and *data_len are body bytes; call again with the rest
    HTTP_CHUNK_DONE, // the body is whole
    HTTP_CHUNK_BAD   // malformed, or more extensions and trailers than are put up with
};

void http_chunked_init(struct http_chunked *chunked);
// Uses input from in[*used]; moves *used.
enum http_chunk http_chunked_feed(struct http_chunked *chunked, const uint8_t *in, size_t len, size_t *used,
                                  const uint8_t **data, size_t *data_len);

#endif
