// The body of the request that arrives: what is decided before it is read, room for it, and its bytes as they come.
#include "http/conn/body.h"

#include <stdlib.h>

#include "base/ckd.h"
#include "http/conn/answer.h"
#include "http/conn/conn.h"
#include "http/conn/input.h"
#include "http/conn/output.h"
#include "http/exchange/loop.h"
#include "http/exchange/server.h"

#define ARENA_BODY 16384                  // bodies up to this size live in the request's arena
#define FIRST_BODY 65536                  // larger ones start with this much
#define STREAM_WINDOW ((size_t)256 << 10) // of a streamed body, what is read ahead of its steps
#define DISCARD_MAX 65536 // a refused request's body up to this size is read past; a larger one ends the connection

size_t http_body_room(const struct http_conn *c)
{
    const struct http_exchange *ex = c->current;
    if (http_exchange_with_pool(ex))
        return 0;
    size_t waiting = ex->body_len - ex->body_used;
    // More than a step can use at once is read only where something waits for it: a document that is not whole, or a
    // client that sends everything before it reads.
    bool needed = ex->wants_body || c->out.queued > HTTP_OUTPUT_LOW;
    size_t most = needed ? ex->body_limit : PL_MIN(ex->body_limit, STREAM_WINDOW);
    return waiting < most ? most - waiting : 0;
}

void http_body_set_deadline(const struct http_loop *l, struct http_input *in)
{
    const struct http_config *config = &l->server->config;
    uint64_t timeout = config->body_timeout_ms * 1000000u;
    uint64_t granted = in->since_ns + timeout + in->moved * 1000000000u / config->min_rate;
    in->deadline_ns = PL_MIN(granted, l->now_ns + 2 * timeout); // as output.c does
}

static void body_is_whole(struct http_loop *l, struct http_conn *c)
{
    struct http_exchange *ex = c->current;
    http_counter_add(l->server->m.bytes_in, ex->streams ? c->in.streamed : ex->body_len);
    ex->body_ended = true;
    http_input_hold(c);
    if (http_exchange_place(ex) == HTTP_AT_INPUT) // otherwise its steps go on
        http_conn_dispatch(l, c);
}

static void too_large(struct http_loop *l, struct http_conn *c)
{
    http_conn_fail(l, c, 413, "body_too_large", "The request body is larger than this service takes.");
}

bool http_body_reserve(struct http_loop *l, struct http_conn *c, size_t more)
{
    struct http_exchange *ex = c->current;
    struct http_input *in = &c->in;
    size_t need;
    if (ex->body_used > 0) {
        ex->body_len -= ex->body_used;
        memmove(ex->body, ex->body + ex->body_used, ex->body_len);
        ex->body_used = 0;
    }
    if (!PL_CKD_ADD(&need, ex->body_len, more) || need > ex->body_limit) {
        too_large(l, c);
        return false;
    }
    if (need <= ex->body_cap)
        return true;
    if (!ex->body && !in->is_chunked && in->body_left <= ARENA_BODY) {
        ex->body = pl_arena_alloc(&ex->arena, (size_t)in->body_left, 1);
        if (ex->body) {
            ex->body_cap = (size_t)in->body_left;
            return true;
        }
    }
    size_t cap = ex->body_cap ? ex->body_cap : FIRST_BODY;
    while (cap < need)
        cap = cap * 2;
    size_t most = in->is_chunked ? ex->body_limit : ex->body_len + (size_t)in->body_left;
    if (cap > most)
        cap = most;
    size_t growth = cap - (ex->body_malloced ? ex->body_cap : 0);
    uint8_t *body = NULL;
    if (http_exchange_charge(ex, growth)) {
        body = realloc(ex->body_malloced ? ex->body : NULL, cap);
        if (!body)
            http_exchange_discharge(ex, growth);
    }
    if (!body) {
        http_counter_add(l->server->m.rejected_memory, 1);
        http_conn_fail_memory(l, c);
        return false;
    }
    ex->body = body;
    ex->body_cap = cap;
    ex->body_malloced = true;
    return true;
}

void http_body_arrived(struct http_loop *l, struct http_conn *c, size_t len)
{
    struct http_input *in = &c->in;
    in->moved += len;
    in->streamed += len;
    in->body_left -= len;
    if (!c->current->discard)
        c->current->body_len += len;
    if (in->body_left == 0)
        body_is_whole(l, c);
    else
        http_body_set_deadline(l, in);
}

static size_t feed_plain(struct http_loop *l, struct http_conn *c, const uint8_t *data, size_t len)
{
    struct http_exchange *ex = c->current;
    size_t n = len < c->in.body_left ? len : (size_t)c->in.body_left;
    if (ex->streams)
        n = PL_MIN(n, http_body_room(c));
    if (!ex->discard) {
        if (!http_body_reserve(l, c, n))
            return len;
        memcpy(ex->body + ex->body_len, data, n);
    }
    http_body_arrived(l, c, n);
    return n;
}

static size_t feed_chunked(struct http_loop *l, struct http_conn *c, const uint8_t *data, size_t len)
{
    struct http_exchange *ex = c->current;
    struct http_input *in = &c->in;
    size_t used = 0;
    if (ex->streams)
        len = PL_MIN(len, http_body_room(c));
    for (;;) {
        const uint8_t *bytes;
        size_t count;
        switch (http_chunked_feed(&in->chunked, data, len, &used, &bytes, &count)) {
        case HTTP_CHUNK_DATA:
            in->moved += count;
            in->streamed += count;
            if (ex->discard) {
                if (in->moved > ex->body_limit) {
                    too_large(l, c);
                    return len;
                }
                break;
            }
            if (!http_body_reserve(l, c, count))
                return len;
            memcpy(ex->body + ex->body_len, bytes, count);
            ex->body_len += count;
            break;
        case HTTP_CHUNK_DONE:
            body_is_whole(l, c);
            return used;
        case HTTP_CHUNK_BAD:
            http_conn_fail(l, c, 400, "bad_chunk", "The chunked body is malformed.");
            return len;
        case HTTP_CHUNK_MORE:
            http_body_set_deadline(l, in);
            return used;
        }
    }
}

size_t http_body_feed(struct http_loop *l, struct http_conn *c, const uint8_t *data, size_t len)
{
    return c->in.is_chunked ? feed_chunked(l, c, data, len) : feed_plain(l, c, data, len);
}

void http_body_start(struct http_loop *l, struct http_conn *c, const struct http_parser *p, size_t waiting)
{
    struct http_exchange *ex = c->current;
    struct http_input *in = &c->in;
    if (ex->refused) {
        if (p->chunked || p->expect_continue || p->content_length > DISCARD_MAX) {
            http_conn_answer_last(l, c);
            return;
        }
        ex->discard = true;
    }
    // A proxy may stop sending a body when its answer begins (nginx does): one that fits is taken whole.
    bool is_taken_whole =
        ex->gzip || (l->server->config.trust_proxy && !p->chunked && p->content_length <= ex->body_limit);
    ex->streams = !ex->refused && !is_taken_whole && (ex->slot->route.flags & HTTP_STREAM_BODY);
    if (!ex->refused && !ex->streams && !p->chunked && p->content_length > ex->body_limit) {
        http_problem(&ex->res, 413, "body_too_large", "The request body is larger than the %zu bytes taken here.",
                     ex->body_limit);
        http_conn_answer_last(l, c);
        return;
    }
    http_input_await_body(c, ex->streams);
    in->is_chunked = p->chunked;
    in->streamed = in->paused_ns = 0;
    in->body_left = p->content_length;
    in->since_ns = l->now_ns;
    in->moved = 0;
    http_chunked_init(&in->chunked);
    http_body_set_deadline(l, in);
    static const char GO_ON[] = "HTTP/1.1 100 Continue\r\n\r\n";
    if (p->expect_continue && (p->chunked || waiting < p->content_length) &&
        !http_output_copy(l, c, GO_ON, sizeof(GO_ON) - 1))
        http_conn_close(l, c, true);
}
