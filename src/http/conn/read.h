// Reading: from the bytes of a connection to whole requests.
#ifndef HTTP_READ_H
#define HTTP_READ_H

#include "http/conn/connection.h"

// Reads and parses as long as there is something to read, requests are taken and the output has room; for one turn.
void http_input_run(struct http_loop *l, struct http_conn *c);
void http_input_timeout(struct http_loop *l, struct http_conn *c);
void http_input_set_deadline(struct http_loop *l, struct http_conn *c); // the deadline for what is waited for now

#endif
