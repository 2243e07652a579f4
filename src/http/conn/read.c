// Reading: from the bytes of a connection to whole requests, and the deadlines for what is waited for.
#include "http/conn/read.h"

#include <errno.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "http/conn/admit.h"
#include "http/conn/answer.h"
#include "http/conn/body.h"
#include "http/conn/conn.h"
#include "http/conn/input.h"
#include "http/conn/output.h"
#include "http/exchange/loop.h"
#include "http/exchange/note.h"
#include "http/exchange/server.h"

#define READS_PER_TURN 8
#define FIRST_STASH 2048

// Does it want bytes, and is there room for answers?
static bool takes(struct http_conn *c)
{
    if (c->in.state == HTTP_IN_STREAM)
        return http_body_room(c) > 0;
    if (c->in.state != HTTP_IN_HEAD && c->in.state != HTTP_IN_BODY)
        return false;
    c->in.stalled = c->out.queued >= HTTP_OUTPUT_HIGH;
    return !c->in.stalled;
}

// ---- heads

static void start_request(struct http_loop *l, struct http_conn *c, const struct http_parser *p, const uint8_t *data,
                          size_t len)
{
    struct http_exchange *ex = http_exchange_get(l);
    if (!ex) {
        http_conn_close(l, c, true);
        return;
    }
    c->current = ex;
    ex->client_key = c->client_key;
    c->fresh = false;
    c->in.head_timing = false;
    http_exchange_fill(l, ex, p, data, c);
    bool has_body = p->chunked || p->content_length > 0;
    bool at_once = !has_body && (ex->refused || (ex->slot->route.flags & HTTP_INLINE));
    if (!at_once) {
        // The request outlives the buffer it was read into.
        const uint8_t *copy = pl_arena_copy(&ex->arena, data, p->pos);
        if (!copy) {
            http_conn_fail_memory(l, c);
            return;
        }
        http_exchange_rebase(ex, data, p->pos, copy);
    }
    if (has_body) {
        http_body_start(l, c, p, len - p->pos);
    } else {
        http_input_hold(c);
        http_conn_dispatch(l, c);
    }
}

// Returns how many bytes were used; the rest waits.
static size_t consume(struct http_loop *l, struct http_conn *c, struct http_parser *p, const uint8_t *data, size_t len)
{
    size_t at = 0;
    while (at < len && c->open && takes(c)) {
        if (c->in.state == HTTP_IN_BODY || c->in.state == HTTP_IN_STREAM) {
            at += http_body_feed(l, c, data + at, len - at);
            continue;
        }
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
    }
    if (c->in.state == HTTP_IN_DISCARD && at < len) {
        c->in.unread = true; // what follows the last request is not read as one
        return len;
    }
    return at;
}

// ---- reading

// Puts the unused input from `data` into the connection's own buffer; `p` is the state of its parsing.
static bool stash(struct http_conn *c, const struct http_parser *p, const uint8_t *data, size_t len)
{
    size_t cap = len + FIRST_STASH;
    struct http_stash *kept = malloc(sizeof(*kept) + cap);
    if (!kept)
        return false;
    kept->parser = *p;
    kept->len = len;
    kept->cap = cap;
    memcpy(kept->data, data, len);
    c->in.stash = kept;
    return true;
}

static void use_stash(struct http_loop *l, struct http_conn *c)
{
    // While it is used it is not the connection's: whatever ends the connection's input cannot free it.
    struct http_stash *kept = c->in.stash;
    c->in.stash = NULL;
    size_t used = consume(l, c, &kept->parser, kept->data, kept->len);
    kept->len -= used;
    if (kept->len == 0 || !c->open) {
        free(kept);
        return;
    }
    if (used > 0)
        memmove(kept->data, kept->data + used, kept->len);
    c->in.stash = kept;
}

static bool grow_stash(struct http_conn *c)
{
    struct http_stash *kept = c->in.stash;
    if (kept->cap - kept->len >= 1024)
        return true;
    size_t cap = kept->cap * 2;
    kept = realloc(kept, sizeof(*kept) + cap);
    if (!kept)
        return false;
    kept->cap = cap;
    c->in.stash = kept;
    return true;
}

// The client sends no more. What it asked for is answered; half a request is not.
static void peer_ended(struct http_loop *l, struct http_conn *c)
{
    c->peer_ended = true;
    if (c->current && http_exchange_place(c->current) != HTTP_AT_INPUT) {
        http_conn_drop_request(l, c); // a body in the middle of which its client has ended
        return;
    }
    if (c->current) {
        struct http_exchange *ex = c->current;
        c->current = NULL;
        ex->res.status = 499;
        http_exchange_note(l, ex, 0);
        http_exchange_put(l, ex);
    }
    http_input_end(c);
    http_output_last(c);
}

// Returns the bytes read, 0 when there is nothing more now or the connection was closed.
static size_t receive(struct http_loop *l, struct http_conn *c, void *room, size_t size)
{
    ssize_t n = l->seam->receive(c->fd, room, size);
    if (n > 0) {
        // A short read has emptied the socket; the next bytes bring a new event.
        if ((size_t)n < size && !c->peer_ended)
            c->can_read = false;
        return (size_t)n;
    }
    c->can_read = false;
    if (n == 0)
        peer_ended(l, c);
    else if (errno != EAGAIN && errno != EWOULDBLOCK)
        http_conn_close(l, c, false);
    return 0;
}

static void read_once(struct http_loop *l, struct http_conn *c)
{
    struct http_input *in = &c->in;
    bool streams = in->state == HTTP_IN_STREAM;
    if ((in->state == HTTP_IN_BODY || streams) && !in->stash && !in->is_chunked && !c->current->discard) {
        struct http_exchange *ex = c->current;
        size_t most = streams ? http_body_room(c) : SIZE_MAX, want = PL_MIN(most, (size_t)HTTP_READ_SIZE);
        if (!http_body_reserve(l, c, in->body_left < want ? (size_t)in->body_left : want))
            return;
        // As much as fits: the buffer has room up to its capacity.
        size_t room = PL_MIN(ex->body_cap - ex->body_len, most);
        size_t n = receive(l, c, ex->body + ex->body_len, room < in->body_left ? room : (size_t)in->body_left);
        if (n > 0)
            http_body_arrived(l, c, n);
        return;
    }
    if (in->stash) {
        if (!grow_stash(c)) {
            http_conn_close(l, c, true);
            return;
        }
        size_t n = receive(l, c, in->stash->data + in->stash->len, in->stash->cap - in->stash->len);
        if (n > 0) {
            in->stash->len += n;
            use_stash(l, c);
        }
        return;
    }
    size_t n = receive(l, c, l->read_buf, HTTP_READ_SIZE);
    if (n == 0)
        return;
    http_parser_reset(&l->parser);
    size_t used = consume(l, c, &l->parser, l->read_buf, n);
    if (c->open && used < n && !stash(c, &l->parser, l->read_buf + used, n - used))
        http_conn_close(l, c, true);
}

static void discard(struct http_loop *l, struct http_conn *c)
{
    ssize_t n = l->seam->receive(c->fd, l->read_buf, HTTP_READ_SIZE);
    if (n > 0) {
        c->in.unread = true;
        return;
    }
    c->can_read = false;
    if (n == 0)
        c->peer_ended = true;
    else if (errno != EAGAIN && errno != EWOULDBLOCK)
        http_conn_close(l, c, false);
}

void http_input_run(struct http_loop *l, struct http_conn *c)
{
    if (c->in.stash && takes(c))
        use_stash(l, c);
    for (int reads = 0; c->open && c->can_read && (takes(c) || c->in.state == HTTP_IN_DISCARD);) {
        if (reads++ == READS_PER_TURN) {
            http_conn_ready(l, c);
            break;
        }
        if (c->in.state == HTTP_IN_DISCARD)
            discard(l, c);
        else
            read_once(l, c);
    }
    // The first of a streamed body is here.
    if (c->open && c->in.state == HTTP_IN_STREAM && http_exchange_place(c->current) == HTTP_AT_INPUT &&
        c->current->body_len > 0)
        http_conn_dispatch(l, c);
}

// ---- deadlines

void http_input_set_deadline(struct http_loop *l, struct http_conn *c)
{
    struct http_input *in = &c->in;
    const struct http_config *config = &l->server->config;
    if (in->state == HTTP_IN_STREAM) {
        // Only time in which the client could send is the client's.
        if (http_body_room(c) == 0) {
            in->paused_ns = in->paused_ns ? in->paused_ns : l->now_ns;
            in->deadline_ns = 0;
        } else if (in->paused_ns != 0) {
            in->since_ns += l->now_ns - in->paused_ns;
            in->paused_ns = 0;
            http_body_set_deadline(l, in);
        }
        return;
    }
    if (in->state != HTTP_IN_HEAD)
        return;
    if (in->stalled || (c->out.first && !in->stash)) {
        in->deadline_ns = 0; // the client is busy reading, and the output watches over that
        in->head_timing = false;
    } else if (in->stash) {
        if (!in->head_timing) {
            in->head_timing = true;
            in->deadline_ns = l->now_ns + config->header_timeout_ms * 1000000u;
        }
    } else if (!c->fresh) {
        in->head_timing = false;
        in->idle_since_ns = l->now_ns;
        in->deadline_ns = l->now_ns + (l->drain_begun ? HTTP_DRAIN_IDLE_NS : config->idle_timeout_ms * 1000000u);
    }
}

void http_input_timeout(struct http_loop *l, struct http_conn *c)
{
    struct http_input *in = &c->in;
    in->deadline_ns = 0;
    switch ((enum http_input_state)in->state) {
    case HTTP_IN_BODY:
    case HTTP_IN_STREAM:
        http_conn_fail(l, c, 408, "body_timeout", "The request body did not arrive in time.");
        break;
    case HTTP_IN_HEAD:
        if (in->stash) {
            http_conn_fail(l, c, 408, "header_timeout", "The request did not arrive in time.");
        } else if (c->fresh) {
            http_conn_close(l, c, false);
        } else {
            // In stages: its next request may be on its way, and a reset would take along what it has not read yet.
            in->unread = true;
            http_input_end(c);
            http_output_last(c);
        }
        break;
    case HTTP_IN_HELD:
        http_conn_overdue(l, c);
        return;
    case HTTP_IN_DISCARD:
        http_conn_close(l, c, false);
        break;
    }
    http_counter_add(l->server->m.timeouts, 1);
}
