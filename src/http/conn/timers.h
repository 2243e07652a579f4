// Deadlines of connections.
#ifndef HTTP_TIMERS_H
#define HTTP_TIMERS_H

#include "http/conn/connection.h"
#include "http/exchange/loop.h"

void http_timer_set(struct http_loop *l, struct http_conn *c, uint64_t deadline_ns); // 0: none
void http_timer_remove(struct http_loop *l, struct http_conn *c);
// Calls `timeout` for each whose deadline is over.
void http_timers_run(struct http_loop *l, void (*timeout)(struct http_loop *l, struct http_conn *c));
void http_conn_set_timer(struct http_loop *l, struct http_conn *c); // for the deadlines of both its sides
// The client has ended its side while conn->current is the pool's: it gets a moment to be answered.
void http_conn_grant_moment(struct http_loop *l, struct http_conn *c);

#endif
