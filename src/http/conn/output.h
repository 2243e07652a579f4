// The output side of a connection: a queue of pieces that leave in order.
#ifndef HTTP_OUTPUT_H
#define HTTP_OUTPUT_H

#include "http/conn/connection.h"

// Room for `bytes` (at most HTTP_BLOCK_SIZE) at the end of the queue, or NULL without memory; http_output_fill says how
// many were used.
uint8_t *http_output_room(struct http_loop *l, struct http_conn *c, size_t bytes);
void http_output_fill(struct http_conn *c, size_t used);
// A copy of small bytes. False: there is no memory.
bool http_output_copy(struct http_loop *l, struct http_conn *c, const void *data, size_t len);
// The body of an answer that ends here, and with it the exchange. False: there is no memory, and the exchange is
// still the caller's.
bool http_output_body(struct http_loop *l, struct http_conn *c, struct http_exchange *ex, struct pl_slice body);
// Takes over malloc'ed bytes that `charged` bytes of the budget were taken for. False: it is still the caller's.
bool http_output_take(struct http_loop *l, struct http_conn *c, struct pl_buf *bytes, size_t charged);
// An exchange of which all is queued: it is counted when that is out. False: there is no memory.
bool http_output_finish(struct http_loop *l, struct http_conn *c, struct http_exchange *ex);
void http_output_last(struct http_conn *c); // OPEN -> LAST
void http_output_shut(struct http_conn *c); // LAST -> SHUT

enum http_flush { HTTP_FLUSH_EMPTY, HTTP_FLUSH_BLOCKED, HTTP_FLUSH_BROKEN };
enum http_flush http_output_flush(struct http_loop *l, struct http_conn *c);
// Bytes behind the last answer that is queued whole.
size_t http_output_unsent(const struct http_output *out);
// All pieces and what they own.
void http_output_drop(struct http_loop *l, struct http_conn *c);

#endif
