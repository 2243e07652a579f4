// The life of a connection: opened, run when something happens to it, closed. Here its two sides meet.
#include "http/conn/conn.h"

#include <errno.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "http/server/server.h"

#define LINGER_NS 2000000000ull
#define LEAVE_NS 1000000000ull

static void uncount(struct http_loop *l, uint64_t client_key)
{
    http_clients_give(&l->server->clients, client_key);
    atomic_fetch_sub_explicit(&l->conn_count, 1, memory_order_release);
}

// One timer for the deadlines of both sides.
void http_conn_set_timer(struct http_loop *l, struct http_conn *c)
{
    uint64_t deadline = c->in.deadline_ns;
    if (c->out.deadline_ns != 0 && (deadline == 0 || c->out.deadline_ns < deadline))
        deadline = c->out.deadline_ns;
    http_timer_set(l, c, deadline);
}

void http_conn_open(struct http_loop *l, int fd, const struct sockaddr_storage *peer, uint64_t client_key,
                    uint32_t door)
{
    struct http_conn *c = l->free_conns;
    if (c)
        l->free_conns = c->all_next;
    else
        c = malloc(sizeof(*c));
    if (!c) {
        l->seam->close(fd, false);
        uncount(l, client_key);
        return;
    }
    *c = (struct http_conn){
        .fd = fd, .open = true, .fresh = true, .peer = *peer, .client_key = client_key, .door = door};
    if (!l->seam->watch_connection(l->poller, fd, c)) {
        l->seam->close(fd, false);
        uncount(l, client_key);
        http_loop_kept(l);
        c->all_next = l->free_conns;
        l->free_conns = c;
        return;
    }
    c->all_next = l->all;
    if (l->all)
        l->all->all_prev = c;
    l->all = c;
    c->in.head_timing = true;
    c->in.idle_since_ns = l->now_ns;
    // While the server stops, only a request that is on its way already is waited for.
    c->in.deadline_ns =
        l->now_ns + (l->drain_begun ? HTTP_DRAIN_IDLE_NS : l->server->config.header_timeout_ms * 1000000u);
    http_conn_set_timer(l, c);
    http_counter_add(l->server->m.accepted, 1);
}

// What becomes of the request that the connection is about.
static void abandon_current(struct http_loop *l, struct http_conn *c)
{
    struct http_exchange *ex = c->current;
    if (!ex)
        return;
    c->current = NULL;
    if (http_exchange_with_pool(ex)) {
        if (!http_pool_remove(&l->server->pool, ex)) {
            // A worker has it: the flag ends it soon, and its completion cleans up.
            ex->conn = NULL;
            ex->answer_bytes -= PL_MIN(http_output_unsent(&c->out), ex->answer_bytes);
            atomic_store_explicit(&ex->cancelled, true, memory_order_relaxed);
            return;
        }
        http_counter_add(l->server->m.cancelled, 1);
    }
    if (!ex->head_sent)
        ex->res.status = 499;
    http_events_leave(l, ex);
    http_exchange_note(l, ex, ex->answer_bytes - PL_MIN(http_output_unsent(&c->out), ex->answer_bytes));
    http_exchange_put(l, ex);
}

void http_conn_close(struct http_loop *l, struct http_conn *c, bool reset)
{
    if (!c->open)
        return;
    c->open = false;
    abandon_current(l, c);
    http_output_drop(l, c);
    http_input_drop(c);
    http_timer_remove(l, c);
    l->seam->close(c->fd, reset);
    c->fd = -1;
    if (c->all_prev)
        c->all_prev->all_next = c->all_next;
    else
        l->all = c->all_next;
    if (c->all_next)
        c->all_next->all_prev = c->all_prev;
    uncount(l, c->client_key);
    // Others may still hold the pointer in this turn; its memory goes back at the turn's end.
    c->all_prev = NULL;
    c->all_next = l->dead;
    l->dead = c;
}

void http_conn_free_dead(struct http_loop *l)
{
    struct http_conn *c = l->dead;
    l->dead = NULL;
    if (c)
        http_loop_kept(l);
    while (c) {
        struct http_conn *next = c->all_next;
        struct http_conn **list = c->in_ready ? &l->dead : &l->free_conns;
        c->all_next = *list;
        *list = c;
        c = next;
    }
}

void http_conn_ready(struct http_loop *l, struct http_conn *c)
{
    if (c->in_ready)
        return;
    c->in_ready = true;
    c->ready_next = l->ready;
    l->ready = c;
}

// All answers are out and no more are to come.
static void finish(struct http_loop *l, struct http_conn *c)
{
    if (c->out.state == HTTP_OUT_SHUT) {
        if (c->peer_ended && !c->can_read)
            http_conn_close(l, c, false);
        return;
    }
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

// The answers before it still go out.
void http_conn_drop_request(struct http_loop *l, struct http_conn *c)
{
    // Without a length and without chunks, only a reset tells that something is missing.
    c->out.reset = c->current && c->current->head_sent && c->current->http10;
    abandon_current(l, c);
    http_input_end(c);
    http_output_last(c);
}

static void end_events(struct http_loop *l, struct http_conn *c)
{
    c->current->res.ended = true;
    http_conn_answer(l, c);
}

void http_conn_grant_moment(struct http_loop *l, struct http_conn *c)
{
    if (c->leave_ns != 0)
        return;
    c->leave_ns = l->now_ns + LEAVE_NS;
    if (c->in.deadline_ns == 0 || c->in.deadline_ns > c->leave_ns)
        c->in.deadline_ns = c->leave_ns;
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
    if (!http_pool_remove_unbegun(&l->server->pool, ex)) {
        c->in.deadline_ns = c->leave_ns; // a worker has it, and looks at the clock
        return;
    }
    http_problem_deadline(&ex->res);
    http_conn_answer(l, c);
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
