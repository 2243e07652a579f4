// The head of an answer.
#ifndef HTTP_HEAD_H
#define HTTP_HEAD_H

#include "http/exchange/exchange.h"

enum http_framing { HTTP_FRAMING_LENGTH, HTTP_FRAMING_CHUNKED, HTTP_FRAMING_CLOSE };
#define HTTP_HEAD_MAX (HTTP_EXTRA_MAX + 4096)
// Writes at most HTTP_HEAD_MAX bytes.
size_t http_head_write(const struct http_loop *l, const struct http_exchange *ex, enum http_framing framing, bool close,
                       uint8_t *out);

#endif
