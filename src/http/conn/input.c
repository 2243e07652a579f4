// The input side of a connection. Its states and what leads from one to the next:
//
//   HEAD     a head is whole: BODY, STREAM, HELD  the client ends, or the request is refused for good: DISCARD
//   BODY     the body is whole: HELD              the same
//   STREAM   the body is whole: HELD              the same, or the answer ends before the body
//   HELD     the request is answered: HEAD        the answer was the last one: DISCARD
//   DISCARD  stays
#include "http/conn/input.h"

#include <errno.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "http/mutation.h"
#include "http/server/server.h"

#define READS_PER_TURN 8
#define FIRST_STASH 2048
#define ARENA_BODY 16384                  // bodies up to this size live in the request's arena
#define FIRST_BODY 65536                  // larger ones start with this much
#define STREAM_WINDOW ((size_t)256 << 10) // of a streamed body, what is read ahead of its steps
#define DISCARD_MAX 65536 // a refused request's body up to this size is read past; a larger one ends the connection

static const char NO_MEMORY[] = "There is no memory for this request at the moment.";

static void enter(struct http_input *in, enum http_input_state to)
{
    static const uint8_t FROM[] = {
        [HTTP_IN_HEAD] = 1 << HTTP_IN_HELD,
        [HTTP_IN_BODY] = 1 << HTTP_IN_HEAD,
        [HTTP_IN_STREAM] = 1 << HTTP_IN_HEAD,
        [HTTP_IN_HELD] = 1 << HTTP_IN_HEAD | 1 << HTTP_IN_BODY | 1 << HTTP_IN_STREAM,
        [HTTP_IN_DISCARD] =
            1 << HTTP_IN_HEAD | 1 << HTTP_IN_BODY | 1 << HTTP_IN_STREAM | 1 << HTTP_IN_HELD | 1 << HTTP_IN_DISCARD,
    };
    if (!(FROM[to] >> in->state & 1))
        abort();
    in->state = (uint8_t)to;
    in->deadline_ns = 0;
}

void http_input_hold(struct http_conn *c)
{
    enter(&c->in, HTTP_IN_HELD);
}

void http_input_release(struct http_conn *c)
{
    enter(&c->in, HTTP_IN_HEAD);
}

void http_input_end(struct http_conn *c)
{
    enter(&c->in, HTTP_IN_DISCARD);
    c->in.stalled = false;
    if (c->in.stash) {
        c->in.unread = c->in.unread || c->in.stash->len > 0;
        http_input_drop(c);
    }
}

void http_input_drop(struct http_conn *c)
{
    free(c->in.stash);
    c->in.stash = NULL;
}

bool http_input_idle(const struct http_conn *c)
{
    return c->in.state == HTTP_IN_HEAD && !c->in.stash && !c->can_read && !c->out.first;
}

// How much more of a streamed body may be read now.
static size_t stream_room(const struct http_conn *c)
{
    const struct http_exchange *ex = c->current;
    if (ex->owner == HTTP_OWNER_POOL && !HTTP_MUTATION(25))
        return 0;
    size_t waiting = ex->body_len - ex->body_used;
    // More than a step can use at once is read only where something waits for it: a document that is not whole, or a
    // client that sends everything before it reads.
    bool needed = ex->wants_body || c->out.queued > HTTP_OUTPUT_LOW;
    size_t most = needed ? ex->body_limit : PL_MIN(ex->body_limit, STREAM_WINDOW);
    return waiting < most ? most - waiting : 0;
}

// Does it want bytes, and is there room for answers?
static bool takes(struct http_conn *c)
{
    if (c->in.state == HTTP_IN_STREAM)
        return stream_room(c) > 0;
    if (c->in.state != HTTP_IN_HEAD && c->in.state != HTTP_IN_BODY &&
        !(HTTP_MUTATION(6) && c->in.state == HTTP_IN_HELD))
        return false;
    c->in.stalled = c->out.queued >= HTTP_OUTPUT_HIGH;
    return !c->in.stalled;
}

// ---- bodies

static void request_is_whole(struct http_loop *l, struct http_conn *c)
{
    http_input_hold(c);
    http_conn_dispatch(l, c);
}

static void set_body_deadline(const struct http_loop *l, struct http_input *in)
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
    if (ex->owner == HTTP_OWNER_INPUT)
        request_is_whole(l, c);
    else
        http_input_hold(c); // its steps go on
}

static void too_large(struct http_loop *l, struct http_conn *c)
{
    http_conn_fail(l, c, 413, "body_too_large", "The request body is larger than this service takes.");
}

// Room for more of the body; false when the answer to that is already given.
static bool reserve(struct http_loop *l, struct http_conn *c, size_t more)
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
        http_conn_fail(l, c, 503, "overloaded", NO_MEMORY);
        return false;
    }
    ex->body = body;
    ex->body_cap = cap;
    ex->body_malloced = true;
    return true;
}

static void body_arrived(struct http_loop *l, struct http_conn *c, size_t len)
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
        set_body_deadline(l, in);
}

static size_t feed_plain(struct http_loop *l, struct http_conn *c, const uint8_t *data, size_t len)
{
    struct http_exchange *ex = c->current;
    size_t n = len < c->in.body_left ? len : (size_t)c->in.body_left;
    if (ex->streams)
        n = PL_MIN(n, stream_room(c));
    if (!ex->discard) {
        if (!reserve(l, c, n))
            return len;
        memcpy(ex->body + ex->body_len, data, n);
    }
    body_arrived(l, c, n);
    return n;
}

static size_t feed_chunked(struct http_loop *l, struct http_conn *c, const uint8_t *data, size_t len)
{
    struct http_exchange *ex = c->current;
    struct http_input *in = &c->in;
    size_t used = 0;
    if (ex->streams)
        len = PL_MIN(len, stream_room(c));
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
            if (!reserve(l, c, count))
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
            set_body_deadline(l, in);
            return used;
        }
    }
}

// A request with a body: what is decided before the body is read. `waiting` is what of it is here already.
static void start_body(struct http_loop *l, struct http_conn *c, const struct http_parser *p, size_t waiting)
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
    ex->streams = !ex->refused && !ex->gzip && (ex->slot->route.flags & HTTP_STREAM_BODY);
    if (!ex->refused && !ex->streams && !p->chunked && p->content_length > ex->body_limit) {
        http_problem(&ex->res, 413, "body_too_large", "The request body is larger than the %zu bytes taken here.",
                     ex->body_limit);
        http_conn_answer_last(l, c);
        return;
    }
    enter(in, ex->streams ? HTTP_IN_STREAM : HTTP_IN_BODY);
    in->is_chunked = p->chunked;
    in->streamed = in->paused_ns = 0;
    in->body_left = p->content_length;
    in->since_ns = l->now_ns;
    in->moved = 0;
    http_chunked_init(&in->chunked);
    set_body_deadline(l, in);
    static const char GO_ON[] = "HTTP/1.1 100 Continue\r\n\r\n";
    if ((p->expect_continue || HTTP_MUTATION(15)) && (p->chunked || waiting < p->content_length) &&
        !http_output_copy(l, c, GO_ON, sizeof(GO_ON) - 1))
        http_conn_close(l, c, true);
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
            http_conn_fail(l, c, 503, "overloaded", NO_MEMORY);
            return;
        }
        http_exchange_rebase(ex, data, p->pos, copy);
    }
    if (has_body)
        start_body(l, c, p, len - p->pos);
    else
        request_is_whole(l, c);
}

// Returns how many bytes were used; the rest waits.
static size_t consume(struct http_loop *l, struct http_conn *c, struct http_parser *p, const uint8_t *data, size_t len)
{
    size_t at = 0;
    while (at < len && c->open && takes(c)) {
        if (c->in.state == HTTP_IN_BODY || c->in.state == HTTP_IN_STREAM) {
            at += c->in.is_chunked ? feed_chunked(l, c, data + at, len - at) : feed_plain(l, c, data + at, len - at);
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
    if (c->current && c->current->owner == HTTP_OWNER_OUTPUT) {
        http_conn_drop_request(l, c); // a body in the middle of which its client has ended
        return;
    }
    if (c->current) {
        struct http_exchange *ex = c->current;
        c->current = NULL;
        ex->res.status = 499;
        http_exchange_note(l, ex, 0);
        http_exchange_put(l, ex, HTTP_OWNER_INPUT);
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
        if ((size_t)n < size && (!c->peer_ended || HTTP_MUTATION(17)))
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
        size_t most = streams ? stream_room(c) : SIZE_MAX, want = PL_MIN(most, (size_t)HTTP_READ_SIZE);
        if (!reserve(l, c, in->body_left < want ? (size_t)in->body_left : want))
            return;
        // As much as fits: the buffer has room up to its capacity.
        size_t room = PL_MIN(ex->body_cap - ex->body_len, most);
        size_t n = receive(l, c, ex->body + ex->body_len, room < in->body_left ? room : (size_t)in->body_left);
        if (n > 0)
            body_arrived(l, c, n);
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
    if (c->open && c->in.state == HTTP_IN_STREAM && c->current->owner == HTTP_OWNER_INPUT && c->current->body_len > 0)
        http_conn_dispatch(l, c);
}

// ---- deadlines

void http_input_set_deadline(struct http_loop *l, struct http_conn *c)
{
    struct http_input *in = &c->in;
    const struct http_config *config = &l->server->config;
    if (in->state == HTTP_IN_STREAM) {
        // Only time in which the client could send is the client's.
        if (stream_room(c) == 0) {
            in->paused_ns = in->paused_ns ? in->paused_ns : l->now_ns;
            in->deadline_ns = 0;
        } else if (in->paused_ns != 0) {
            in->since_ns += l->now_ns - in->paused_ns;
            in->paused_ns = 0;
            set_body_deadline(l, in);
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
