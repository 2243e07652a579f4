// The body of the request that arrives (conn->current, owned by the input, or streamed to its steps).
#ifndef HTTP_BODY_H
#define HTTP_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct http_conn;
struct http_input;
struct http_loop;
struct http_parser;

// A request with a body: what is decided before the body is read. `waiting` is what of it is here already.
void http_body_start(struct http_loop *l, struct http_conn *c, const struct http_parser *p, size_t waiting);
// Bytes of the body; returns how many were used.
size_t http_body_feed(struct http_loop *l, struct http_conn *c, const uint8_t *data, size_t len);
// Makes room for `more` bytes at the end of the body. False: there is none, and the request is answered already.
bool http_body_reserve(struct http_loop *l, struct http_conn *c, size_t more);
// `len` bytes of a body that is not chunked were read straight into that room.
void http_body_arrived(struct http_loop *l, struct http_conn *c, size_t len);
size_t http_body_room(const struct http_conn *c); // how much more of a streamed body may be read now
void http_body_set_deadline(const struct http_loop *l, struct http_input *in);

#endif
