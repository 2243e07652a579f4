// The access log: one JSON line per request, written by a thread of its own.
#ifndef HTTP_LOG_H
#define HTTP_LOG_H

#include <pthread.h>

#include "base/buf.h"
#include "base/err.h"

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
// Takes over the lines of the buffer, which is empty afterwards. Not 0: lines were dropped.
uint64_t http_log_add(struct http_log *log, struct pl_buf *lines);
void http_log_stop(struct http_log *log);

#endif
