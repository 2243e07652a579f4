// What is noted of a finished exchange: its counters, and its line in the access log. Lines are gathered by each loop
// for some milliseconds, since waking another thread costs more than a request.
#include "http/exchange/note.h"

#include <stdio.h>

#include "base/date.h"
#include "http/exchange/loop.h"
#include "http/exchange/server.h"

#define HAND_OVER_AT 16384u
#define HAND_OVER_NS 10000000ull
#define PATH_MAX_LOGGED 256

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
        if (!(pl_is_letter(c) || pl_is_digit(c) || c == '/' || c == '-' || c == '_' || c == '.'))
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

static void log_request(struct http_loop *l, const struct http_exchange *ex, uint64_t bytes, uint64_t micros)
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
    struct http_server *s = l->server;
    if (s->log.fd < 0 || l->log_lines.len == 0)
        return;
    uint64_t dropped = http_log_add(&s->log, &l->log_lines);
    if (dropped > 0)
        http_counter_add(s->m.log_dropped, dropped);
}

const char *http_method_name(unsigned method)
{
    switch (method) {
    case HTTP_GET:
        return "GET";
    case HTTP_POST:
        return "POST";
    case HTTP_PUT:
        return "PUT";
    case HTTP_PATCH:
        return "PATCH";
    case HTTP_DELETE:
        return "DELETE";
    default:
        return "any";
    }
}

void http_exchange_note(struct http_loop *l, struct http_exchange *ex, uint64_t bytes)
{
    struct http_server *s = l->server;
    struct http_slot *slot = ex->slot ? ex->slot : &s->unrouted;
    int status = ex->res.status;
    uint64_t took = s->seam->now_ns() - ex->start_ns;
    if (status >= 100 && status < 600) {
        _Atomic(struct http_counter *) *place = &slot->by_status[status - 100];
        struct http_counter *counter = atomic_load_explicit(place, memory_order_acquire);
        if (!counter) {
            char labels[256];
            if (snprintf(labels, sizeof(labels), "route=\"%s\",method=\"%s\",status=\"%d\"", slot->route.pattern,
                         http_method_name(slot->route.method), status) > 0)
                counter = http_metric_counter_at(s->metrics, place, "http_requests_total",
                                                 "Requests by route, method and status.", labels);
        }
        http_counter_add(counter, 1);
    }
    http_histogram_observe(slot->duration, took);
    http_counter_add(s->m.bytes_out, bytes);
    if (s->log.fd >= 0)
        log_request(l, ex, bytes, took / 1000);
}
