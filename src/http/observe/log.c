// The access log: one JSON line per request. Lines are gathered by each loop for some milliseconds, since waking
// another thread costs more than a request, and written by a thread of their own, so that a slow terminal or pipe holds
// up nobody; when it cannot keep up, lines are dropped and counted.
#include "http/observe/log.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/date.h"
#include "http/server/server.h"

#define WAITING_MAX (4u << 20)
#define HAND_OVER_AT 16384u
#define HAND_OVER_NS 10000000ull
#define PATH_MAX_LOGGED 256
#define STOP_SECONDS 2 // for the last lines to be written

static void write_all(int fd, const uint8_t *data, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, data, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        data += n;
        len -= (size_t)n;
    }
}

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
        write_all(log->fd, full.data, full.len);
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

// Time of the day as RFC 3339 in UTC; the second is formatted once.
static void append_time(struct pl_buf *out, uint64_t wall_ms)
{
    static _Thread_local uint64_t cached_at;
    static _Thread_local char cached[32];
    static _Thread_local int cached_len;
    if (wall_ms / 1000u != cached_at || cached_len <= 0) {
        struct pl_date utc;
        cached_at = wall_ms / 1000u;
        pl_date_from_seconds((int64_t)cached_at, &utc);
        cached_len = snprintf(cached, sizeof(cached), "%04d-%02d-%02dT%02d:%02d:%02d.", utc.year, utc.month, utc.day,
                              utc.hour, utc.minute, utc.second);
    }
    unsigned ms = (unsigned)(wall_ms % 1000u);
    const uint8_t tail[4] = {(uint8_t)('0' + ms / 100 % 10), (uint8_t)('0' + ms / 10 % 10), (uint8_t)('0' + ms % 10),
                             'Z'};
    pl_buf_append(out, cached, (size_t)cached_len);
    pl_buf_append(out, tail, 4);
}

// Never the query, and never what may be label code: not of a route that takes it in the path, and nowhere from the
// first character on that paths of ours do not have.
static struct pl_slice logged_path(const struct http_exchange *ex)
{
    if (ex->slot && ex->slot->has_tail)
        return pl_slice_cstr(ex->slot->route.pattern);
    struct pl_slice path = pl_slice_sub(ex->req.path, 0, PATH_MAX_LOGGED);
    for (size_t i = 0; i < path.len; i++) {
        uint8_t c = path.ptr[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '-' ||
              c == '_' || c == '.'))
            return pl_slice_sub(path, 0, i);
    }
    return path;
}

#define LITERAL(out, text) pl_buf_append((out), (text), sizeof(text) - 1)

// Why it failed, whose key it had, and the trace that it belongs to, by OpenTelemetry's names.
static void append_who(struct pl_buf *out, const struct http_exchange *ex)
{
    if (ex->res.code[0] && (ex->res.status >= 400 || ex->res.cut)) {
        LITERAL(out, ",\"code\":");
        pl_buf_append_json_string(out, pl_slice_cstr(ex->res.code));
    }
    if (ex->key_name[0]) {
        LITERAL(out, ",\"key\":");
        pl_buf_append_json_string(out, pl_slice_cstr(ex->key_name));
    }
    if (ex->trace[0]) {
        LITERAL(out, ",\"trace_id\":\"");
        pl_buf_append(out, ex->trace + 3, 32);
        LITERAL(out, "\",\"span_id\":\"");
        pl_buf_append(out, ex->trace + 36, 16);
        LITERAL(out, "\"");
    }
}

void http_log_request(struct http_loop *l, const struct http_exchange *ex, uint64_t bytes, uint64_t micros)
{
    struct pl_buf *out = &l->log_lines;
    size_t start = out->len;
    if (start == 0)
        l->log_due_ns = l->now_ns + HAND_OVER_NS;
    LITERAL(out, "{\"time\":\"");
    append_time(out, l->seam->wall_ms());
    LITERAL(out, "\",\"id\":");
    pl_buf_append_json_string(out, ex->req.id);
    LITERAL(out, ",\"client\":");
    pl_buf_append_json_string(out, ex->req.client.ptr ? ex->req.client : pl_slice_make("", 0));
    LITERAL(out, ",\"method\":");
    pl_buf_append_json_string(out, ex->method_text);
    LITERAL(out, ",\"path\":");
    pl_buf_append_json_string(out, logged_path(ex));
    LITERAL(out, ",\"status\":");
    pl_buf_append_u64(out, (uint64_t)ex->res.status);
    LITERAL(out, ",\"bytes\":");
    pl_buf_append_u64(out, bytes);
    LITERAL(out, ",\"us\":");
    pl_buf_append_u64(out, micros);
    append_who(out, ex);
    for (unsigned i = 0; i < ex->log_count; i++) {
        pl_buf_append_byte(out, ',');
        pl_buf_append_json_string(out, pl_slice_cstr(ex->log[i].key));
        pl_buf_append_byte(out, ':');
        if (ex->log[i].text)
            pl_buf_append_json_string(out, pl_slice_cstr(ex->log[i].text));
        else
            pl_buf_append_u64(out, ex->log[i].number);
    }
    LITERAL(out, "}\n");
    if (out->failed) {
        out->len = start;
        out->failed = false;
        http_counter_add(l->server->m.log_dropped, 1);
    } else if (out->len > HTTP_LOG_LINES_MAX / 2) {
        http_log_flush(l);
    }
}

void http_log_hand_over(struct http_loop *l)
{
    if (l->log_lines.len >= HAND_OVER_AT || l->now_ns >= l->log_due_ns)
        http_log_flush(l);
}

void http_log_flush(struct http_loop *l)
{
    struct http_log *log = &l->server->log;
    struct pl_buf *lines = &l->log_lines;
    if (log->fd < 0 || lines->len == 0)
        return;
    pthread_mutex_lock(&log->lock);
    if (log->filling.len == 0) {
        // Usually the other side has taken everything: the buffers change places.
        struct pl_buf full = *lines;
        *lines = log->filling;
        log->filling = full;
        log->filling.max = WAITING_MAX;
        lines->max = HTTP_LOG_LINES_MAX;
        pthread_cond_signal(&log->wake);
    } else if (log->filling.len + lines->len <= WAITING_MAX) {
        pl_buf_append(&log->filling, lines->data, lines->len);
        if (log->filling.failed) {
            log->filling.failed = false;
            http_counter_add(l->server->m.log_dropped, 1);
        }
    } else {
        uint64_t count = 0;
        for (size_t i = 0; i < lines->len; i++)
            count += lines->data[i] == '\n';
        http_counter_add(l->server->m.log_dropped, count);
    }
    pl_buf_clear(lines);
    pthread_mutex_unlock(&log->lock);
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
