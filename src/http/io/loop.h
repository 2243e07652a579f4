// The turns of loops, and their threads.
#ifndef HTTP_LOOP_H
#define HTTP_LOOP_H

#include "http/exchange/loop.h"

void http_loop_run(struct http_loop *l);
int http_loop_wait_ms(const struct http_loop *l); // how long it may wait for events; -1: for ever
// One turn: what the events say, what others have sent, what is due. With the lock held.
void http_loop_turn(struct http_loop *l, const struct http_ready_event *events, int count);
void http_loop_take_completed(struct http_loop *l); // what workers have given back
void http_loop_fini(struct http_loop *l);
enum pl_errc http_loops_init(struct http_server *s, struct pl_error *err) PL_MUST_USE;
// The threads of all but the first, which runs on this one.
enum pl_errc http_loops_start(struct http_server *s, struct pl_error *err) PL_MUST_USE;
void http_loops_join(struct http_server *s);

#endif
