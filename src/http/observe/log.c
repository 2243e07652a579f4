// The access log: lines are written by a thread of their own, so that a slow terminal or pipe holds up nobody; when it
// cannot keep up, lines are dropped.
#include "http/observe/log.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "os/write.h"

#define WAITING_MAX (4u << 20)
#define STOP_SECONDS 2 // for the last lines to be written

static void *log_main(void *argument)
{
    struct http_log *log = argument;
    struct pl_buf writing;
    pl_buf_init(&writing, WAITING_MAX);
    pthread_mutex_lock(&log->lock);
    for (;;) {
        while (log->filling.len == 0 && !log->stop)
            pthread_cond_wait(&log->wake, &log->lock);
        if (log->filling.len == 0)
            break;
        struct pl_buf full = log->filling;
        log->filling = writing;
        pthread_mutex_unlock(&log->lock);
        (void)pl_os_write(log->fd, full.data, full.len);
        pl_buf_clear(&full);
        writing = full;
        pthread_mutex_lock(&log->lock);
    }
    pthread_mutex_unlock(&log->lock);
    pl_buf_fini(&writing);
    return NULL;
}

enum pl_errc http_log_start(struct http_log *log, const char *kind, const char *to, struct pl_error *err)
{
    log->fd = -1;
    if (strcmp(kind, "off") == 0)
        return PL_OK;
    pl_buf_init(&log->filling, WAITING_MAX);
    pthread_mutex_init(&log->lock, NULL);
    pthread_cond_init(&log->wake, NULL);
    log->fd = strcmp(to, "stderr") == 0 ? STDERR_FILENO : STDOUT_FILENO;
    if (pthread_create(&log->thread, NULL, log_main, log) != 0) {
        log->fd = -1;
        return pl_fail(err, PL_E_IO, "cannot start the thread of the access log");
    }
    log->started = true;
    return PL_OK;
}

uint64_t http_log_add(struct http_log *log, struct pl_buf *lines)
{
    uint64_t dropped = 0;
    pthread_mutex_lock(&log->lock);
    if (log->filling.len == 0) {
        // Usually the other side has taken everything: the buffers change places.
        struct pl_buf full = *lines;
        size_t most = lines->max;
        *lines = log->filling;
        log->filling = full;
        log->filling.max = WAITING_MAX;
        lines->max = most;
        pthread_cond_signal(&log->wake);
    } else if (log->filling.len + lines->len <= WAITING_MAX) {
        pl_buf_append(&log->filling, lines->data, lines->len);
        if (log->filling.failed) {
            log->filling.failed = false;
            dropped = 1;
        }
    } else {
        for (size_t i = 0; i < lines->len; i++)
            dropped += lines->data[i] == '\n';
    }
    pl_buf_clear(lines);
    pthread_mutex_unlock(&log->lock);
    return dropped;
}

void http_log_stop(struct http_log *log)
{
    if (!log->started)
        return;
    pthread_mutex_lock(&log->lock);
    log->stop = true;
    pthread_cond_signal(&log->wake);
    pthread_mutex_unlock(&log->lock);
    log->started = false;
    // Nobody may read the other end any more: then the thread, its lines and its lock are left behind.
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += STOP_SECONDS;
    if (pthread_timedjoin_np(log->thread, NULL, &end) != 0)
        return;
    pl_buf_fini(&log->filling);
    pthread_cond_destroy(&log->wake);
    pthread_mutex_destroy(&log->lock);
}
