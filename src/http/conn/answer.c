// From a whole request to its handler or the pool, and from its answer to the output.
#include "http/conn/answer.h"

#include <stdio.h>
#include <stdlib.h>

#include "http/conn/admit.h"
#include "http/conn/conn.h"
#include "http/conn/head.h"
#include "http/conn/input.h"
#include "http/conn/output.h"
#include "http/conn/timers.h"
#include "http/conn/waiting.h"
#include "http/exchange/note.h"
#include "http/exchange/pool.h"
#include "http/exchange/server.h"

#define COPY_MAX 4096 // bodies and pieces up to this size are copied behind what is queued

static void keep(struct pl_arena *arena, struct pl_slice *slice)
{
    const void *copy = pl_arena_copy(arena, slice->ptr, slice->len);
    *slice = copy ? pl_slice_make(copy, slice->len) : pl_slice_make("", 0);
}

// The exchange outlives this turn, and with it the buffer that the request was read into.
static void keep_for_log(struct http_exchange *ex)
{
    keep(&ex->arena, &ex->method_text);
    keep(&ex->arena, &ex->req.path);
    keep(&ex->arena, &ex->req.id);
}

// There is no memory to answer with.
static void give_up(struct http_loop *l, struct http_conn *c)
{
    http_conn_close(l, c, true);
}

// What the connection does after an answer.
static void next_request(struct http_conn *c, bool close, bool expected)
{
    c->current = NULL;
    c->leave_ns = 0;
    if (close) {
        // A client that wanted to go on may have sent more: closing at once could take this answer along.
        if (!expected || c->in.state == HTTP_IN_STREAM)
            c->in.unread = true;
        http_input_end(c);
        http_output_last(c);
    } else {
        http_input_release(c);
    }
}

static bool put_head(struct http_loop *l, struct http_conn *c, struct http_exchange *ex, enum http_framing framing,
                     struct pl_slice body)
{
    // What is left of a streamed body when its answer ends is not read.
    ex->closes = !ex->keep_alive || framing == HTTP_FRAMING_CLOSE || c->in.state == HTTP_IN_STREAM ||
                 atomic_load_explicit(&l->server->leaving, memory_order_relaxed);
    size_t extra = HTTP_HEAD_MAX - HTTP_EXTRA_MAX + ex->res.extra_len + body.len;
    uint8_t *room = http_output_room(l, c, extra);
    if (!room)
        return false;
    size_t len = http_head_write(l, ex, framing, ex->closes, room);
    if (body.len > 0)
        memcpy(room + len, body.ptr, body.len);
    len += body.len;
    http_output_fill(c, len);
    ex->head_sent = true;
    ex->answer_bytes += len;
    return true;
}

static void answer_whole(struct http_loop *l, struct http_conn *c, struct http_exchange *ex)
{
    const struct http_response *res = &ex->res;
    struct pl_slice none = pl_slice_make("", 0);
    struct pl_slice body = ex->head_only || res->no_body || res->status == 204 || res->status == 304 ? none : res->body;
    if (!put_head(l, c, ex, HTTP_FRAMING_LENGTH, body.len <= COPY_MAX ? body : none)) {
        give_up(l, c);
        return;
    }
    bool close = ex->closes, expected = !ex->keep_alive;
    if (body.len <= COPY_MAX) {
        http_exchange_note(l, ex, ex->answer_bytes);
        http_exchange_put(l, ex);
    } else {
        keep_for_log(ex);
        ex->answer_bytes += body.len;
        if (!http_output_body(l, c, ex, body)) {
            give_up(l, c);
            return;
        }
    }
    next_request(c, close, expected);
}

// The bytes that steps have written, as a chunk where the length is not told. False: no memory.
static bool put_written(struct http_loop *l, struct http_conn *c, struct http_exchange *ex)
{
    struct pl_buf *written = &ex->res.written;
    bool chunked = !ex->http10;
    size_t len = written->len;
    char size[24];
    int digits = chunked ? snprintf(size, sizeof(size), "%zx\r\n", len) : 0;
    if (len == 0)
        return true;
    if (!http_output_copy(l, c, size, (size_t)digits))
        return false;
    if (len <= COPY_MAX) {
        if (!http_output_copy(l, c, written->data, len))
            return false;
        http_exchange_discharge(ex, len);
        pl_buf_clear(written);
    } else {
        if (!http_output_take(l, c, written, len))
            return false;
        ex->charged -= len; // the piece gives it back
    }
    ex->answer_bytes += (size_t)digits + len + (chunked ? 2 : 0);
    return !chunked || http_output_copy(l, c, "\r\n", 2);
}

// What tells that the answer ends here, whole or cut off. False: no memory.
static bool put_end(struct http_loop *l, struct http_conn *c, struct http_exchange *ex)
{
    if (ex->http10 || ex->head_only)
        return true;
    struct pl_slice end = pl_slice_cstr(ex->res.cut ? HTTP_CUT_OFF : "0\r\n\r\n");
    ex->answer_bytes += end.len;
    return http_output_copy(l, c, end.ptr, end.len);
}

// An answer in steps or a stream of events: what there is of it.
static void answer_on(struct http_loop *l, struct http_conn *c, struct http_exchange *ex)
{
    struct http_response *res = &ex->res;
    bool first = !ex->head_sent;
    if (first) {
        keep_for_log(ex);
        if (!put_head(l, c, ex, ex->http10 ? HTTP_FRAMING_CLOSE : HTTP_FRAMING_CHUNKED, pl_slice_make("", 0))) {
            give_up(l, c);
            return;
        }
        // Many clients take what came before the end of this connection for the whole answer, also without the last
        // chunk. A process that is killed cannot cut the answer off, so the system does.
        c->out.open_end = ex->closes;
        if (c->out.open_end)
            l->seam->reset_at_exit(c->fd, true);
    }
    if (ex->head_only || (res->result == HTTP_RESULT_EVENTS && (l->drain_begun || c->peer_ended)))
        res->ended = true;
    if (!ex->head_only && !put_written(l, c, ex)) {
        give_up(l, c);
        return;
    }
    if (!res->ended) {
        if (res->result == HTTP_RESULT_EVENTS && first)
            http_events_subscribe(l, ex);
        return;
    }
    http_events_leave(l, ex);
    if (ex->head_only)
        res->cut = false; // a head is whole
    if (!put_end(l, c, ex) || !http_output_finish(l, c, ex)) {
        give_up(l, c);
        return;
    }
    // Without chunks only a reset tells it; elsewhere it could take answers before this one with it.
    c->out.reset = res->cut && ex->http10;
    if (res->cut) {
        res->status = res->cut_status; // what the log and the counters say
        http_counter_add(l->server->m.cut, 1);
    }
    next_request(c, ex->closes || res->cut, !ex->keep_alive);
}

void http_conn_answer(struct http_loop *l, struct http_conn *c)
{
    struct http_exchange *ex = c->current;
    if (ex->res.result == HTTP_RESULT_WAIT)
        http_wait_begin(l, c);
    else if (ex->res.started)
        answer_on(l, c, ex);
    else
        answer_whole(l, c, ex);
}

void http_conn_answer_last(struct http_loop *l, struct http_conn *c)
{
    struct http_exchange *ex = c->current;
    ex->keep_alive = false;
    c->in.unread = true;
    http_input_hold(c);
    http_exchange_move(ex, HTTP_AT_INPUT, HTTP_AT_OUTPUT);
    http_conn_answer(l, c);
}

void http_conn_fail(struct http_loop *l, struct http_conn *c, int status, const char *code, const char *message)
{
    if (!c->current)
        c->current = http_exchange_get(l);
    if (!c->current) {
        give_up(l, c);
        return;
    }
    struct http_exchange *ex = c->current;
    if (http_exchange_place(ex) != HTTP_AT_INPUT) { // its steps wait for more of the body
        if (http_exchange_place(ex) == HTTP_AT_WAITING)
            http_events_leave(l, ex);
        ex->keep_alive = false;
        c->in.unread = true;
        http_input_hold(c);
        if (ex->res.started)
            ex->res.ended = ex->res.cut = true;
        else
            http_problem(&ex->res, status, code, "%s", message);
        http_conn_answer(l, c);
        return;
    }
    if (c->current->req.id.len == 0)
        http_exchange_identify(l, c->current, c);
    http_problem(&c->current->res, status, code, "%s", message);
    http_conn_answer_last(l, c);
}

void http_conn_fail_memory(struct http_loop *l, struct http_conn *c)
{
    http_conn_fail(l, c, 503, "overloaded", "There is no memory for this request at the moment.");
}

void http_conn_dispatch(struct http_loop *l, struct http_conn *c)
{
    struct http_exchange *ex = c->current;
    struct http_server *s = l->server;
    unsigned flags = ex->refused ? HTTP_INLINE : ex->slot->route.flags;
    bool at_once = (flags & HTTP_INLINE) || ((flags & HTTP_SHORT_INLINE) && ex->body_len <= HTTP_SHORT_BODY);
    ex->conn = c;
    if (!at_once || ex->gzip) {
        ex->queued_ns = l->now_ns;
        if (s->app->deadline_ms && *s->app->deadline_ms > 0 && !(flags & HTTP_STREAM_BODY))
            ex->req.job.deadline_ns = c->in.deadline_ns = l->now_ns + *s->app->deadline_ms * 1000000u;
        // The end of its side may have come together with the request.
        if (c->peer_ended && c->in.state != HTTP_IN_STREAM)
            http_conn_grant_moment(l, c);
        if (http_pool_push(s->pool, ex, l->now_ns))
            return;
        http_counter_add(s->m.rejected_queue, 1);
        http_problem(&ex->res, 429, "queue_full", "All workers are busy and the queue is full.");
        http_set_header_cstr(&ex->res, "Retry-After", "1");
    } else if (!ex->refused) {
        http_exchange_run(ex, NULL);
    }
    http_exchange_move(ex, HTTP_AT_INPUT, HTTP_AT_OUTPUT);
    http_conn_answer(l, c);
}

void http_conn_continue(struct http_loop *l, struct http_conn *c)
{
    struct http_exchange *ex = c->current;
    if (ex->wants_body && !ex->body_ended && ex->body_len - ex->body_used <= ex->body_missed)
        return;
    if (c->out.queued > HTTP_OUTPUT_LOW) {
        if (ex->paused_ns == 0)
            ex->paused_ns = l->now_ns;
        return;
    }
    // Time in which the client reads is not the answer's.
    if (ex->paused_ns != 0 && ex->req.job.deadline_ns != 0)
        ex->req.job.deadline_ns += l->now_ns - ex->paused_ns;
    ex->paused_ns = 0;
    http_pool_push_again(l->server->pool, ex, HTTP_AT_OUTPUT, l->now_ns);
}

// The time of conn->current is over, or its client has left for good.
void http_conn_overdue(struct http_loop *l, struct http_conn *c)
{
    struct http_exchange *ex = c->current;
    if (http_exchange_place(ex) == HTTP_AT_WAITING) {
        http_wait_end(l, c, true);
        return;
    }
    if (c->leave_ns != 0 && l->now_ns >= c->leave_ns) {
        http_conn_drop_request(l, c);
        return;
    }
    if (!http_pool_remove_unbegun(l->server->pool, ex)) {
        c->in.deadline_ns = c->leave_ns; // a worker has it, and looks at the clock
        return;
    }
    http_problem_deadline(&ex->res);
    http_conn_answer(l, c);
}
