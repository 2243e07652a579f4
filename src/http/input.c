// From bytes to requests: heads, bodies, and handing a whole request to its handler.
#include <stdlib.h>

#include "base/ckd.h"
#include "http/server.h"

#define ARENA_BODY 16384  // bodies up to this size live in the request's arena
#define FIRST_BODY 65536  // larger ones start with this much
#define DISCARD_MAX 65536 // a refused request's body up to this size is read past; a larger one ends the connection
#define FLUSH_AT (HTTP_SCRATCH_SIZE / 2)

static uint64_t slow_deadline(const struct http_loop *l, const struct http_conn *c, uint64_t timeout_ms)
{
    return c->since_ns + timeout_ms * 1000000u + c->moved * 1000000000u / l->server->config.min_rate;
}

// Answers and ends the connection: after this the framing is in doubt or the rest is not wanted.
static void respond_and_close(struct http_loop *l, struct http_conn *c, struct http_exchange *ex)
{
    ex->keep_alive = false;
    c->linger = true;
    http_conn_respond(l, c, ex);
}

void http_conn_fail(struct http_loop *l, struct http_conn *c, int status, const char *code, const char *message)
{
    struct http_exchange *ex = c->ex ? c->ex : http_exchange_get(l);
    c->ex = NULL;
    if (!ex) {
        http_conn_close(l, c);
        return;
    }
    if (ex->req.id.len == 0)
        ex->req.id = pl_slice_make("-", 1);
    http_problem(&ex->res, status, code, "%s", message);
    respond_and_close(l, c, ex);
}

// A request that is whole.
static void dispatch(struct http_loop *l, struct http_conn *c, struct http_exchange *ex)
{
    c->ex = NULL;
    if (ex->refused) {
        http_conn_respond(l, c, ex);
        return;
    }
    unsigned flags = ex->slot->route.flags;
    bool at_once = (flags & HTTP_INLINE) || ((flags & HTTP_SHORT_INLINE) && ex->body_len <= HTTP_SHORT_BODY);
    if (at_once && !ex->gzip) {
        http_exchange_run(ex, NULL);
        http_conn_respond(l, c, ex);
        return;
    }
    ex->conn = c;
    ex->queued_ns = l->now_ns;
    ex->deadline_ms = l->server->app->deadline_ms ? *l->server->app->deadline_ms : 0;
    c->state = HTTP_S_WAIT;
    c->ex = ex;
    http_timer_set(l, c, 0);
    if (http_pool_push(&l->server->pool, ex, l->now_ns))
        return;
    c->ex = NULL;
    ex->conn = NULL;
    http_counter_add(l->server->m.rejected_queue, 1);
    http_problem(&ex->res, 429, "queue_full", "All workers are busy and the queue is full.");
    http_set_header_cstr(&ex->res, "Retry-After", "1");
    http_conn_respond(l, c, ex);
}

static void body_done(struct http_loop *l, struct http_conn *c)
{
    http_counter_add(l->server->m.bytes_in, c->ex->body_len);
    c->state = HTTP_S_HEAD;
    dispatch(l, c, c->ex);
}

static void too_large(struct http_loop *l, struct http_conn *c)
{
    http_conn_fail(l, c, 413, "body_too_large", "The request body is larger than this service takes.");
}

// All loops share the memory for bodies.
static bool take_body_memory(struct http_server *s, size_t bytes)
{
    size_t before = atomic_fetch_add_explicit(&s->body_memory, bytes, memory_order_relaxed);
    if (before <= s->config.max_body_memory && bytes <= s->config.max_body_memory - before)
        return true;
    http_body_memory_release(s, bytes);
    return false;
}

void http_body_memory_release(struct http_server *s, size_t bytes)
{
    atomic_fetch_sub_explicit(&s->body_memory, bytes, memory_order_relaxed);
}

bool http_body_reserve(struct http_loop *l, struct http_conn *c, size_t more)
{
    struct http_exchange *ex = c->ex;
    size_t need;
    if (!PL_CKD_ADD(&need, ex->body_len, more) || need > ex->body_limit) {
        too_large(l, c);
        return false;
    }
    if (need <= ex->body_cap)
        return true;
    if (!ex->body && !c->is_chunked && c->body_left <= ARENA_BODY) {
        ex->body = pl_arena_alloc(&ex->arena, (size_t)c->body_left, 1);
        if (ex->body) {
            ex->body_cap = (size_t)c->body_left;
            return true;
        }
    }
    size_t cap = ex->body_cap ? ex->body_cap : FIRST_BODY;
    while (cap < need)
        cap = cap * 2;
    size_t most = c->is_chunked ? ex->body_limit : ex->body_len + (size_t)c->body_left;
    if (cap > most)
        cap = most;
    size_t growth = cap - (ex->body_malloced ? ex->body_cap : 0);
    uint8_t *body = NULL;
    if (take_body_memory(l->server, growth)) {
        body = realloc(ex->body_malloced ? ex->body : NULL, cap);
        if (!body)
            http_body_memory_release(l->server, growth);
    }
    if (!body) {
        http_conn_fail(l, c, 503, "overloaded", "There is no memory for this request at the moment.");
        return false;
    }
    ex->body = body;
    ex->body_cap = cap;
    ex->body_malloced = true;
    return true;
}

void http_body_arrived(struct http_loop *l, struct http_conn *c, size_t len)
{
    c->moved += len;
    c->body_left -= len;
    if (!c->ex->discard)
        c->ex->body_len += len;
    if (c->body_left == 0)
        body_done(l, c);
    else
        http_timer_set(l, c, slow_deadline(l, c, l->server->config.body_timeout_ms));
}

static size_t feed_plain(struct http_loop *l, struct http_conn *c, const uint8_t *data, size_t len)
{
    size_t n = len < c->body_left ? len : (size_t)c->body_left;
    if (!c->ex->discard) {
        if (!http_body_reserve(l, c, n))
            return len;
        memcpy(c->ex->body + c->ex->body_len, data, n);
    }
    http_body_arrived(l, c, n);
    return n;
}

static size_t feed_chunked(struct http_loop *l, struct http_conn *c, const uint8_t *data, size_t len)
{
    size_t used = 0;
    for (;;) {
        const uint8_t *bytes;
        size_t count;
        switch (http_chunked_feed(&c->chunked, data, len, &used, &bytes, &count)) {
        case HTTP_CHUNK_DATA:
            c->moved += count;
            if (c->ex->discard) {
                if (c->moved > c->ex->body_limit) {
                    too_large(l, c);
                    return len;
                }
                break;
            }
            if (!http_body_reserve(l, c, count))
                return len;
            memcpy(c->ex->body + c->ex->body_len, bytes, count);
            c->ex->body_len += count;
            break;
        case HTTP_CHUNK_DONE:
            body_done(l, c);
            return used;
        case HTTP_CHUNK_BAD:
            http_conn_fail(l, c, 400, "bad_chunk", "The chunked body is malformed.");
            return len;
        case HTTP_CHUNK_MORE:
            http_timer_set(l, c, slow_deadline(l, c, l->server->config.body_timeout_ms));
            return used;
        }
    }
}

// A request with a body: what is decided before the body is read. `waiting` is what of it is here already.
static void start_body(struct http_loop *l, struct http_conn *c, struct http_exchange *ex, const struct http_parser *p,
                       size_t waiting)
{
    if (ex->refused) {
        if (p->chunked || p->expect_continue || p->content_length > DISCARD_MAX) {
            respond_and_close(l, c, ex);
            return;
        }
        ex->discard = true;
    } else if (!p->chunked && p->content_length > ex->body_limit) {
        http_problem(&ex->res, 413, "body_too_large", "The request body is larger than the %zu bytes taken here.",
                     ex->body_limit);
        respond_and_close(l, c, ex);
        return;
    }
    c->state = HTTP_S_BODY;
    c->ex = ex;
    c->is_chunked = p->chunked;
    c->body_left = p->content_length;
    c->since_ns = l->now_ns;
    c->moved = 0;
    http_chunked_init(&c->chunked);
    http_timer_set(l, c, slow_deadline(l, c, l->server->config.body_timeout_ms));
    if (p->expect_continue && (p->chunked || waiting < p->content_length)) {
        static const char GO_ON[] = "HTTP/1.1 100 Continue\r\n\r\n";
        memcpy(l->scratch + l->scratch_len, GO_ON, sizeof(GO_ON) - 1);
        l->scratch_len += sizeof(GO_ON) - 1;
    }
}

static void start_request(struct http_loop *l, struct http_conn *c, const struct http_parser *p, const uint8_t *data,
                          size_t len)
{
    struct http_exchange *ex = http_exchange_get(l);
    if (!ex) {
        http_conn_close(l, c);
        return;
    }
    c->fresh = false;
    c->head_timing = false;
    http_exchange_fill(l, ex, p, data, c);
    bool has_body = p->chunked || p->content_length > 0;
    bool at_once = !has_body && (ex->refused || (ex->slot->route.flags & HTTP_INLINE));
    if (!at_once) {
        // The request outlives the buffer it was read into.
        const uint8_t *copy = pl_arena_copy(&ex->arena, data, p->pos);
        if (!copy) {
            c->ex = ex;
            http_conn_fail(l, c, 503, "overloaded", "There is no memory for this request at the moment.");
            return;
        }
        http_exchange_rebase(ex, data, p->pos, copy);
    }
    if (has_body)
        start_body(l, c, ex, p, len - p->pos);
    else
        dispatch(l, c, ex);
}

size_t http_conn_input(struct http_loop *l, struct http_conn *c, struct http_parser *p, const uint8_t *data, size_t len)
{
    size_t at = 0;
    while (at < len) {
        if (c->close_after) {
            c->linger = true; // what follows the last request is not read as one
            return len;
        }
        if (c->state == HTTP_S_BODY) {
            at += c->is_chunked ? feed_chunked(l, c, data + at, len - at) : feed_plain(l, c, data + at, len - at);
        } else if (c->state == HTTP_S_HEAD) {
            enum http_parse result = http_parser_feed(p, data + at, len - at, &l->server->parse_limits);
            if (result == HTTP_PARSE_MORE)
                return at;
            if (result == HTTP_PARSE_BAD) {
                http_counter_add(l->server->m.bad_requests, 1);
                http_conn_fail(l, c, p->status, p->code, p->message);
                return len;
            }
            size_t head = p->pos;
            start_request(l, c, p, data + at, len - at);
            at += head;
            http_parser_reset(p);
        } else {
            return at;
        }
        if (l->scratch_len > FLUSH_AT && !http_conn_flush(l, c))
            return at;
    }
    return at;
}
