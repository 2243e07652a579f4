// What is noted of a finished exchange: its counters, and its line in the access log.
#ifndef HTTP_NOTE_H
#define HTTP_NOTE_H

#include <stdint.h>

struct http_exchange;
struct http_loop;

// Counts and logs a finished exchange.
void http_exchange_note(struct http_loop *l, struct http_exchange *ex, uint64_t bytes);
void http_log_hand_over(struct http_loop *l); // lines that wait, when it is time
void http_log_flush(struct http_loop *l);     // at once

#endif
