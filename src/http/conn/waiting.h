// The lists of a loop: exchanges that are streams of events, and those that wait for a topic.
#ifndef HTTP_WAITING_H
#define HTTP_WAITING_H

#include "http/conn/connection.h"

void http_events_subscribe(struct http_loop *l, struct http_exchange *ex);
void http_events_leave(struct http_loop *l, struct http_exchange *ex); // neither listens nor waits any more, if it did
// conn->current, whose handler has returned http_wait, waits for its topic.
void http_wait_begin(struct http_loop *l, struct http_conn *c);
// It waits no longer: its handler runs again. `over`: and must answer.
void http_wait_end(struct http_loop *l, struct http_conn *c, bool over);

#endif
