// What happens to a connection, and what it does then. Here its two sides meet.
#include "http/conn/drive.h"

#include <stdlib.h>

#include "http/conn/answer.h"
#include "http/conn/conn.h"
#include "http/conn/input.h"
#include "http/conn/output.h"
#include "http/conn/read.h"
#include "http/conn/timers.h"
#include "http/conn/waiting.h"
#include "http/exchange/note.h"
#include "http/exchange/server.h"

#define LINGER_NS 2000000000ull

// All answers are out and no more are to come.
static void finish(struct http_loop *l, struct http_conn *c)
{
    if (c->out.state == HTTP_OUT_SHUT) {
        if (c->peer_ended && !c->can_read)
            http_conn_close(l, c, false);
        return;
    }
    if (c->out.open_end && !c->out.reset)
        l->seam->reset_at_exit(c->fd, false);
    // Closing with unread input resets the connection, and the client might not see the answer.
    bool unread = c->in.unread || c->can_read;
    if (c->out.reset || !unread || (c->peer_ended && !c->can_read) || l->seam->end_sending(c->fd) != 0) {
        http_conn_close(l, c, c->out.reset);
        return;
    }
    http_output_shut(c);
    c->in.deadline_ns = l->now_ns + LINGER_NS;
    if (c->can_read)
        http_conn_ready(l, c);
}

void http_conn_run(struct http_loop *l, struct http_conn *c)
{
    http_input_run(l, c);
    if (!c->open)
        return;
    if (http_output_flush(l, c) == HTTP_FLUSH_BROKEN) {
        http_conn_close(l, c, false);
        return;
    }
    if (c->current && http_exchange_place(c->current) == HTTP_AT_OUTPUT)
        http_conn_continue(l, c);
    if (c->in.stalled && c->out.queued <= HTTP_OUTPUT_LOW) {
        c->in.stalled = false;
        http_conn_ready(l, c);
    }
    if (c->out.state != HTTP_OUT_OPEN && !c->out.first)
        finish(l, c);
    if (!c->open)
        return;
    http_input_set_deadline(l, c);
    http_conn_set_timer(l, c);
}

static void end_events(struct http_loop *l, struct http_conn *c)
{
    c->current->res.ended = true;
    http_conn_answer(l, c);
}

// The client sends no more: gone, or only done with sending; both look alike. Its request gets a moment to be answered;
// nobody reads events.
static bool leaves(struct http_loop *l, struct http_conn *c)
{
    struct http_exchange *ex = c->current;
    if (!ex || ex->head_sent) {
        // Answers before the events may still be on their way.
        if (ex && http_exchange_place(ex) == HTTP_AT_EVENTS)
            end_events(l, c);
        return !c->open;
    }
    if (http_exchange_place(ex) == HTTP_AT_WAITING)
        http_wait_end(l, c, true); // it answers now
    // Of a streamed body more may be in the socket.
    if (!http_exchange_with_pool(ex) || c->in.state == HTTP_IN_STREAM)
        return false;
    http_conn_grant_moment(l, c);
    http_conn_set_timer(l, c);
    return false;
}

void http_conn_event(struct http_loop *l, struct http_conn *c, unsigned readiness)
{
    if (!c->open)
        return;
    // Both sides have ended: what is still unread is read past, or closing would take the last answer along.
    if ((readiness & HTTP_BROKEN) && c->out.state != HTTP_OUT_SHUT) {
        http_conn_close(l, c, false);
        return;
    }
    if (readiness & HTTP_READABLE)
        c->can_read = true;
    if (readiness & HTTP_WRITABLE)
        c->out.blocked = false;
    if (readiness & (HTTP_PEER_ENDED | HTTP_BROKEN)) {
        c->peer_ended = c->can_read = true;
        if (leaves(l, c))
            return;
    }
    if (c->can_read || c->out.first)
        http_conn_run(l, c); // not for the writable event that comes with every new connection
}

void http_conn_completed(struct http_loop *l, struct http_exchange *ex)
{
    struct http_conn *c = ex->conn;
    if (!c) {
        http_counter_add(l->server->m.cancelled, 1);
        if (!ex->head_sent)
            ex->res.status = 499;
        http_exchange_note(l, ex, ex->answer_bytes);
        http_exchange_put(l, ex);
        return;
    }
    if (c->current != ex)
        abort();
    http_exchange_move(ex, HTTP_AT_DONE, HTTP_AT_OUTPUT);
    c->leave_ns = 0;
    if (ex->res.started || !ex->wants_body) // otherwise nothing is settled yet
        http_conn_answer(l, c);
    if (c->open)
        http_conn_run(l, c);
}

static bool out_of_time(const struct http_loop *l, const struct http_conn *c)
{
    return c->out.deadline_ns != 0 && c->out.deadline_ns <= l->now_ns;
}

void http_conn_timeout(struct http_loop *l, struct http_conn *c)
{
    if (out_of_time(l, c)) {
        // The system tells room only when a good part of its buffer is free: whether the peer reads shows in trying.
        c->out.blocked = false;
        if (http_output_flush(l, c) == HTTP_FLUSH_BROKEN || out_of_time(l, c)) {
            // Nobody reads this answer: what the kernel holds of it is dropped too.
            http_counter_add(l->server->m.timeouts, 1);
            http_conn_close(l, c, true);
            return;
        }
    }
    if (c->in.deadline_ns != 0 && c->in.deadline_ns <= l->now_ns)
        http_input_timeout(l, c);
    if (!c->open)
        return;
    http_conn_run(l, c);
}

void http_conn_hurry(struct http_loop *l, struct http_conn *c)
{
    if (c->current && http_exchange_place(c->current) == HTTP_AT_EVENTS) {
        // One that does not read what it has not got yet would hold up the stop. Answers before the events have their
        // own time.
        if (http_output_unsent(&c->out) == c->out.queued) {
            c->out.latest_ns = l->now_ns + HTTP_DRAIN_IDLE_NS;
            if (c->out.deadline_ns > c->out.latest_ns)
                c->out.deadline_ns = c->out.latest_ns;
        }
        end_events(l, c);
        if (c->open)
            http_conn_run(l, c);
    } else if (c->current && http_exchange_place(c->current) == HTTP_AT_WAITING) {
        http_wait_end(l, c, true);
    } else if (http_input_idle(c) && c->in.deadline_ns > l->now_ns + HTTP_DRAIN_IDLE_NS) {
        c->in.deadline_ns = l->now_ns + HTTP_DRAIN_IDLE_NS;
        http_conn_set_timer(l, c);
    }
}
