// The access log: one JSON line per request, written by a thread of its own.
#ifndef HTTP_LOG_H
#define HTTP_LOG_H

#include <pthread.h>

#include "http/exchange/exchange.h"

struct http_log {
    int fd; // -1: off
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct pl_buf filling; // guarded
    bool stop;
};

enum pl_errc http_log_start(struct http_log *log, const char *kind, const char *to, struct pl_error *err) PL_MUST_USE;
void http_log_request(struct http_loop *l, const struct http_exchange *ex, uint64_t bytes, uint64_t micros);
void http_log_hand_over(struct http_loop *l); // when it is time
void http_log_flush(struct http_loop *l);
void http_log_stop(struct http_log *log);

#endif
