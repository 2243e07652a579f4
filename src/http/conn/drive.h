// What happens to a connection, and what it does then. Here its two sides meet.
#ifndef HTTP_DRIVE_H
#define HTTP_DRIVE_H

#include "http/conn/connection.h"

void http_conn_event(struct http_loop *l, struct http_conn *c, unsigned readiness);
void http_conn_run(struct http_loop *l, struct http_conn *c);
void http_conn_completed(struct http_loop *l, struct http_exchange *ex); // comes back from the pool
void http_conn_timeout(struct http_loop *l, struct http_conn *c);
void http_conn_hurry(struct http_loop *l, struct http_conn *c); // the server stops: idle ones end soon, events at once

#endif
