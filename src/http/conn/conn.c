// The life of a connection: opened, noted as ready, closed.
#include "http/conn/conn.h"

#include <stdlib.h>

#include "base/ckd.h"
#include "http/conn/input.h"
#include "http/conn/output.h"
#include "http/conn/timers.h"
#include "http/conn/waiting.h"
#include "http/exchange/note.h"
#include "http/exchange/pool.h"
#include "http/exchange/server.h"

static void uncount(struct http_loop *l, uint64_t client_key)
{
    http_clients_give(&l->server->clients, client_key);
    atomic_fetch_sub_explicit(&l->conn_count, 1, memory_order_release);
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
        if (!http_pool_remove(l->server->pool, ex)) {
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

// The answers before it still go out.
void http_conn_drop_request(struct http_loop *l, struct http_conn *c)
{
    // Without a length and without chunks, only a reset tells that something is missing.
    c->out.reset = c->current && c->current->head_sent && c->current->http10;
    abandon_current(l, c);
    http_input_end(c);
    http_output_last(c);
}
