// The lists of a loop: exchanges that are streams of events, and those that wait for a topic.
#include "http/conn/waiting.h"

#include "http/conn/timers.h"
#include "http/exchange/pool.h"
#include "http/exchange/server.h"

void http_events_subscribe(struct http_loop *l, struct http_exchange *ex)
{
    if (!l->subscribers.first)
        l->beat_ns = l->now_ns + l->server->config.heartbeat_ms * 1000000u;
    http_list_add(&l->subscribers, ex, HTTP_AT_OUTPUT, HTTP_AT_EVENTS);
    http_counter_add(l->server->m.subscribers, 1);
}

void http_events_leave(struct http_loop *l, struct http_exchange *ex)
{
    if (http_exchange_place(ex) == HTTP_AT_WAITING)
        http_list_remove(&l->waiters, ex, HTTP_AT_WAITING, HTTP_AT_OUTPUT);
    if (http_exchange_place(ex) != HTTP_AT_EVENTS)
        return;
    http_list_remove(&l->subscribers, ex, HTTP_AT_EVENTS, HTTP_AT_OUTPUT);
    http_counter_add(l->server->m.subscribers, UINT64_MAX); // minus one
}

uint64_t http_topic_count(const struct http_server *server, uint32_t topic)
{
    return atomic_load_explicit(&server->topic_counts[topic % HTTP_TOPICS], memory_order_acquire);
}

void http_wait_end(struct http_loop *l, struct http_conn *c, bool over)
{
    struct http_exchange *ex = c->current;
    const uint64_t *deadline_ms = l->server->app->deadline_ms;
    http_events_leave(l, ex);
    ex->req.waited = true;
    ex->req.wait_ended = over || l->drain_begun || l->now_ns >= ex->wait_end_ns;
    // Waiting was neither the handler's own time nor time in the queue.
    ex->queued_ns = l->now_ns;
    c->in.deadline_ns = 0;
    if (deadline_ms && *deadline_ms > 0)
        ex->req.job.deadline_ns = c->in.deadline_ns = l->now_ns + *deadline_ms * 1000000u;
    if (c->peer_ended)
        http_conn_grant_moment(l, c);
    http_conn_set_timer(l, c);
    http_pool_push_again(l->server->pool, ex, HTTP_AT_OUTPUT, l->now_ns);
}

void http_wait_begin(struct http_loop *l, struct http_conn *c)
{
    struct http_exchange *ex = c->current;
    if (ex->wait_end_ns == 0)
        ex->wait_end_ns = l->now_ns + ex->res.wait_ms * 1000000u;
    http_exchange_rewind(ex);
    http_list_add(&l->waiters, ex, HTTP_AT_OUTPUT, HTTP_AT_WAITING);
    c->in.deadline_ns = ex->wait_end_ns;
    // What was sent since the handler looked did not find it here. A client that has ended its side may have gone: it
    // is not waited for.
    if (http_topic_count(l->server, ex->res.topic) != ex->res.seen || l->drain_begun || c->peer_ended ||
        l->now_ns >= ex->wait_end_ns)
        http_wait_end(l, c, c->peer_ended);
}
