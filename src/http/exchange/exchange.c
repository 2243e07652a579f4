// An exchange, a request with its answer: its owner, its memory, counting it.
#include "http/exchange/exchange.h"

#include <stdio.h>
#include <stdlib.h>

#include "http/server/server.h"

#define KEEP_ARENA 65536
#define KEEP_JSON 65536
#define KEEP_EXCHANGES 64

void http_exchange_pass(struct http_exchange *ex, enum http_owner from, enum http_owner to)
{
    if (ex->owner != from)
        abort();
    ex->owner = to;
}

bool http_exchange_charge(struct http_exchange *ex, size_t bytes)
{
    struct http_server *s = ex->req.server;
    if (!http_budget_take(&s->budget, bytes))
        return false;
    if (!http_clients_take_bytes(&s->clients, ex->client_key, bytes)) {
        http_budget_give(&s->budget, bytes);
        return false;
    }
    ex->charged += bytes;
    return true;
}

void http_exchange_discharge(struct http_exchange *ex, size_t bytes)
{
    struct http_server *s = ex->req.server;
    http_budget_give(&s->budget, bytes);
    http_clients_give_bytes(&s->clients, ex->client_key, bytes);
    ex->charged -= bytes;
}

struct http_exchange *http_exchange_get(struct http_loop *l)
{
    struct http_server *s = l->server;
    struct http_exchange *ex = l->free_exchanges;
    if (ex) {
        l->free_exchanges = ex->next;
        l->free_exchange_count--;
    } else {
        ex = calloc(1, sizeof(*ex));
        if (!ex)
            return NULL;
        pl_arena_init(&ex->arena, s->arena_limit);
        pl_buf_init(&ex->res.json, (size_t)1 << 30);
        pl_buf_init(&ex->res.written, (size_t)1 << 40);
    }
    http_exchange_pass(ex, HTTP_OWNER_FREE_LIST, HTTP_OWNER_INPUT);
    ex->res.ex = ex;
    ex->req = (struct http_request){.arena = &ex->arena,
                                    .app = s->app->user,
                                    .server = s,
                                    .headers = ex->headers,
                                    .query = ex->query,
                                    .params = ex->params};
    ex->loop = l;
    ex->next = ex->prev = NULL;
    ex->conn = NULL;
    ex->slot = NULL;
    ex->json = NULL;
    ex->body = NULL;
    ex->body_len = ex->body_cap = ex->body_limit = ex->arena_charged = ex->body_used = ex->body_missed = 0;
    ex->streams = ex->body_ended = ex->wants_body = false;
    ex->body_malloced = ex->discard = ex->gzip = ex->head_only = ex->queued = ex->refused = false;
    ex->keep_alive = ex->http10 = ex->run_once = ex->head_sent = ex->subscribed = ex->closes = ex->is_private = false;
    atomic_store_explicit(&ex->cancelled, false, memory_order_relaxed);
    ex->queued_ns = ex->step_ns = ex->paused_ns = ex->wait_end_ns = ex->answer_bytes = ex->client_key = 0;
    ex->method_text = ex->origin = ex->accept_encoding = ex->if_none_match = pl_slice_make("", 0);
    ex->log_count = 0;
    ex->start_ns = l->now_ns;
    http_response_reset(&ex->res);
    return ex;
}

void http_exchange_free(struct http_exchange *ex)
{
    pl_arena_fini(&ex->arena);
    pl_buf_fini(&ex->res.json);
    pl_buf_fini(&ex->res.written);
    free(ex);
}

void http_exchange_put(struct http_loop *l, struct http_exchange *ex, enum http_owner from)
{
    http_exchange_pass(ex, from, HTTP_OWNER_FREE_LIST);
    if (ex->res.steps)
        ex->res.steps->end(ex->res.state);
    ex->res.steps = NULL;
    http_json_free(ex->json);
    ex->json = NULL;
    if (ex->body_malloced)
        free(ex->body);
    ex->body_malloced = false;
    free(ex->inflated);
    ex->inflated = NULL;
    free(ex->res.owned);
    ex->res.owned = NULL;
    if (ex->charged > 0) // most hold nothing, and all loops share the counter
        http_exchange_discharge(ex, ex->charged);
    http_loop_kept(l);
    if (l->free_exchange_count >= KEEP_EXCHANGES) {
        http_exchange_free(ex);
        return;
    }
    pl_arena_reset(&ex->arena, KEEP_ARENA);
    if (ex->res.json.cap > KEEP_JSON)
        pl_buf_fini(&ex->res.json);
    if (ex->res.written.cap > KEEP_JSON)
        pl_buf_fini(&ex->res.written);
    ex->next = l->free_exchanges;
    l->free_exchanges = ex;
    l->free_exchange_count++;
}

static void rebase(struct pl_slice *slice, const uint8_t *from, size_t len, const uint8_t *to)
{
    if (slice->len > 0 && slice->ptr >= from && slice->ptr < from + len)
        slice->ptr = to + (slice->ptr - from);
}

void http_exchange_rebase(struct http_exchange *ex, const uint8_t *from, size_t len, const uint8_t *to)
{
    struct http_request *req = &ex->req;
    struct pl_slice *const slices[] = {&req->path,       &req->target, &req->content_param,  &req->id,
                                       &ex->method_text, &ex->origin,  &ex->accept_encoding, &ex->if_none_match};
    for (size_t i = 0; i < sizeof(slices) / sizeof(slices[0]); i++)
        rebase(slices[i], from, len, to);
    for (size_t i = 0; i < req->header_count; i++) {
        rebase(&ex->headers[i].name, from, len, to);
        rebase(&ex->headers[i].value, from, len, to);
    }
    for (size_t i = 0; i < req->query_count; i++) {
        rebase(&ex->query[i].name, from, len, to);
        rebase(&ex->query[i].value, from, len, to);
    }
    for (size_t i = 0; i < req->param_count; i++)
        rebase(&ex->params[i].value, from, len, to);
}

static const char *method_name(unsigned method)
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
                         method_name(slot->route.method), status) > 0)
                counter = http_metric_counter_at(s->metrics, place, "http_requests_total",
                                                 "Requests by route, method and status.", labels);
        }
        http_counter_add(counter, 1);
    }
    http_histogram_observe(slot->duration, took);
    http_counter_add(s->m.bytes_out, bytes);
    if (s->log.fd >= 0)
        http_log_request(l, ex, bytes, took / 1000);
}
