// Event streams (the text/event-stream of HTML) and requests that wait: what is sent to a topic goes to its subscribers
// and wakes its waiters, loop by loop.
#include "http/conn/events.h"

#include <stdlib.h>

#include "base/fmt.h"
#include "http/conn/answer.h"
#include "http/conn/conn.h"
#include "http/conn/drive.h"
#include "http/conn/waiting.h"
#include "http/exchange/loop.h"
#include "http/exchange/server.h"

#define BACKLOG_MAX 65536u // bytes that a subscriber may be behind

// One event on its way to one loop.
struct http_event {
    struct http_event *next;
    uint32_t topic;
    size_t len;
    uint8_t text[];
};

int http_events_open(struct http_response *res, uint32_t topic)
{
    res->result = HTTP_RESULT_EVENTS;
    res->topic = topic;
    http_set_type(res, "text/event-stream");
    http_set_header_cstr(res, "X-Accel-Buffering", "no"); // nginx would keep events back until its buffer is full
    http_start(res, 200);
    return 200;
}

// ---- sending

static size_t put(uint8_t *out, const char *text, size_t len)
{
    if (out)
        memcpy(out, text, len);
    return len;
}

// Writes the event, or counts its bytes when `out` is NULL.
static size_t write_event(uint8_t *out, uint64_t id, const char *name, struct pl_slice data)
{
    size_t at = 0;
#define PUT(text, length) at += put(out ? out + at : NULL, (text), (length))
    if (id != 0) {
        char digits[PL_FMT_DOUBLE_MAX];
        size_t n = pl_format_u64(id, digits);
        PUT("id: ", 4);
        PUT(digits, n);
        PUT("\n", 1);
    }
    if (name && name[0]) {
        PUT("event: ", 7);
        PUT(name, strlen(name));
        PUT("\n", 1);
    }
    // A line end of either kind starts the next field.
    for (size_t start = 0; start <= data.len;) {
        size_t end = start;
        while (end < data.len && data.ptr[end] != '\n' && data.ptr[end] != '\r')
            end++;
        PUT("data: ", 6);
        PUT((const char *)data.ptr + start, end - start);
        PUT("\n", 1);
        start = end + 1;
        if (end + 1 < data.len && data.ptr[end] == '\r' && data.ptr[end + 1] == '\n')
            start++;
    }
    PUT("\n", 1);
#undef PUT
    return at;
}

void http_events_send(struct http_server *server, uint32_t topic, uint64_t id, const char *name, struct pl_slice data)
{
    size_t len = write_event(NULL, id, name, data);
    atomic_fetch_add_explicit(&server->topic_counts[topic % HTTP_TOPICS], 1, memory_order_release);
    for (uint32_t i = 0; i < server->loop_count; i++) {
        struct http_loop *l = &server->loops[i];
        struct http_event *event = malloc(sizeof(*event) + len);
        if (!event) {
            http_counter_add(server->m.events_dropped, 1);
            continue;
        }
        *event = (struct http_event){.topic = topic, .len = len};
        write_event(event->text, id, name, data);
        struct http_event *before = atomic_load_explicit(&l->published, memory_order_relaxed);
        do {
            event->next = before;
        } while (!atomic_compare_exchange_weak_explicit(&l->published, &before, event, memory_order_release,
                                                        memory_order_relaxed));
        if (!before)
            http_loop_wake(l);
    }
}

// ---- on the loop

// One that does not keep up is closed; its client may come again and ask for what it missed.
static void deliver(struct http_loop *l, struct http_exchange *ex, const void *text, size_t len)
{
    struct http_conn *c = ex->conn;
    bool behind = c->out.queued > 0 && c->out.queued + len > BACKLOG_MAX;
    if (behind || !http_exchange_charge(ex, len)) {
        http_counter_add(l->server->m.events_dropped, 1);
        http_conn_close(l, c, true);
        return;
    }
    pl_buf_append(&ex->res.written, text, len);
    if (ex->res.written.failed) {
        http_counter_add(l->server->m.events_dropped, 1);
        http_conn_close(l, c, true);
        return;
    }
    http_conn_answer(l, c);
    if (c->open)
        http_conn_run(l, c);
}

static struct http_event *published(struct http_loop *l)
{
    struct http_event *event = atomic_exchange_explicit(&l->published, NULL, memory_order_acquire);
    struct http_event *oldest = NULL;
    while (event) {
        struct http_event *next = event->next;
        event->next = oldest;
        oldest = event;
        event = next;
    }
    return oldest;
}

void http_events_take(struct http_loop *l)
{
    for (struct http_event *event = published(l); event;) {
        struct http_event *next = event->next;
        for (struct http_exchange *ex = l->waiters.first; ex;) {
            struct http_exchange *after = ex->next;
            // Its handler may have looked after this was sent.
            if (ex->res.topic == event->topic && http_topic_count(l->server, event->topic) != ex->res.seen)
                http_wait_end(l, ex->conn, false);
            ex = after;
        }
        for (struct http_exchange *ex = l->subscribers.first; ex;) {
            struct http_exchange *after = ex->next; // closing one takes only itself off the list
            if (ex->res.topic == event->topic)
                deliver(l, ex, event->text, event->len);
            ex = after;
        }
        free(event);
        event = next;
    }
}

void http_events_beat(struct http_loop *l)
{
    if (!l->subscribers.first || l->now_ns < l->beat_ns)
        return;
    l->beat_ns = l->now_ns + l->server->config.heartbeat_ms * 1000000u;
    for (struct http_exchange *ex = l->subscribers.first; ex;) {
        struct http_exchange *after = ex->next;
        if (!ex->conn->out.first)
            deliver(l, ex, ":\n\n", 3);
        ex = after;
    }
}

void http_events_drop(struct http_loop *l)
{
    for (struct http_event *event = published(l); event;) {
        struct http_event *next = event->next;
        free(event);
        event = next;
    }
}
