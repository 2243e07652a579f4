// From a parsed head to a request with a route.
#ifndef HTTP_ADMIT_H
#define HTTP_ADMIT_H

#include "http/conn/connection.h"

// Fills the request from a parsed head, finds its route and decides whether it is refused (ex->refused).
void http_exchange_fill(struct http_loop *l, struct http_exchange *ex, const struct http_parser *p, const uint8_t *data,
                        struct http_conn *c);
// An id and the client's address for a request whose head cannot be read.
void http_exchange_identify(struct http_loop *l, struct http_exchange *ex, struct http_conn *c);

#endif
