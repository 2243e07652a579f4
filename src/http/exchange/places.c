// An exchange, a request with its answer: where it is, and its memory.
//
// The places and the moves between them:
//
//   FREE -> INPUT                     a request arrives
//   INPUT -> FRESH -> WORKER          it is whole, or its body begins to stream: a worker runs its handler
//   INPUT -> OUTPUT                   its handler ran on the loop, or it is refused
//   WORKER -> DONE -> OUTPUT          a worker has an answer, a part of one, or asks to wait
//   WORKER -> AGAIN -> WORKER         the next step, when the one before has nothing to send
//   OUTPUT -> AGAIN                   the next step, when there is room for what it writes; the handler after a wait
//   OUTPUT -> WAITING -> OUTPUT       waiting, and waking
//   OUTPUT -> EVENTS -> OUTPUT        a stream of events, and its end
//   OUTPUT -> PIECE                   all of the answer is queued
//   FRESH, AGAIN -> OUTPUT            overdue in a queue: answered with 503; or its client leaves
//   INPUT, DONE, OUTPUT, PIECE -> FREE   the end: the answer is out, or nobody waits for it any more
//
// A client that leaves while a worker has its exchange only cancels it: the exchange ends when it is DONE.
#include "http/exchange/exchange.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "http/exchange/loop.h"
#include "http/exchange/server.h"

#define KEEP_ARENA 65536
#define KEEP_JSON 65536
#define KEEP_EXCHANGES 64

#define FROM(place) (1u << HTTP_AT_##place)

static const uint16_t MOVES[HTTP_PLACES] = {
    [HTTP_AT_FREE] = FROM(INPUT) | FROM(DONE) | FROM(OUTPUT) | FROM(PIECE),
    [HTTP_AT_INPUT] = FROM(FREE),
    [HTTP_AT_FRESH] = FROM(INPUT),
    [HTTP_AT_AGAIN] = FROM(WORKER) | FROM(OUTPUT),
    [HTTP_AT_WORKER] = FROM(FRESH) | FROM(AGAIN),
    [HTTP_AT_DONE] = FROM(WORKER),
    [HTTP_AT_OUTPUT] = FROM(INPUT) | FROM(DONE) | FROM(FRESH) | FROM(AGAIN) | FROM(EVENTS) | FROM(WAITING),
    [HTTP_AT_EVENTS] = FROM(OUTPUT),
    [HTTP_AT_WAITING] = FROM(OUTPUT),
    [HTTP_AT_PIECE] = FROM(OUTPUT),
};

static _Noreturn void wrong_move(enum http_place at, enum http_place from, enum http_place to)
{
    static const char *const NAMES[HTTP_PLACES] = {"FREE", "INPUT",  "FRESH",  "AGAIN",   "WORKER",
                                                   "DONE", "OUTPUT", "EVENTS", "WAITING", "PIECE"};
    fprintf(stderr, "http: an exchange at %s is to go from %s to %s: this is a bug, the program ends\n",
            at < HTTP_PLACES ? NAMES[at] : "?", NAMES[from], NAMES[to]);
    abort();
}

void http_exchange_move(struct http_exchange *ex, enum http_place from, enum http_place to)
{
    enum http_place at = http_exchange_place(ex);
    if (at != from || !(MOVES[to] >> from & 1u))
        wrong_move(at, from, to);
    atomic_store_explicit(&ex->place, (uint8_t)to, memory_order_relaxed);
}

void http_list_add(struct http_list *list, struct http_exchange *ex, enum http_place from, enum http_place to)
{
    http_list_insert(list, list->last, ex, from, to);
}

void http_list_insert(struct http_list *list, struct http_exchange *after, struct http_exchange *ex,
                      enum http_place from, enum http_place to)
{
    http_exchange_move(ex, from, to);
    ex->prev = after;
    ex->next = after ? after->next : list->first;
    if (after)
        after->next = ex;
    else
        list->first = ex;
    if (ex->next)
        ex->next->prev = ex;
    else
        list->last = ex;
    atomic_store_explicit(&list->count, http_list_count(list) + 1, memory_order_relaxed);
}

void http_list_remove(struct http_list *list, struct http_exchange *ex, enum http_place from, enum http_place to)
{
    if ((ex->prev ? ex->prev->next : list->first) != ex || (ex->next ? ex->next->prev : list->last) != ex)
        wrong_move(http_exchange_place(ex), from, to); // it is in another list, or in none
    http_exchange_move(ex, from, to);
    if (ex->prev)
        ex->prev->next = ex->next;
    else
        list->first = ex->next;
    if (ex->next)
        ex->next->prev = ex->prev;
    else
        list->last = ex->prev;
    ex->next = ex->prev = NULL;
    atomic_store_explicit(&list->count, http_list_count(list) - 1, memory_order_relaxed);
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
    assert(ex->charged >= bytes);
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
    http_exchange_move(ex, HTTP_AT_FREE, HTTP_AT_INPUT);
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
    ex->body_malloced = ex->discard = ex->gzip = ex->head_only = ex->refused = false;
    ex->keep_alive = ex->http10 = ex->head_sent = ex->closes = ex->is_private = false;
    atomic_store_explicit(&ex->cancelled, false, memory_order_relaxed);
    ex->queued_ns = ex->step_ns = ex->paused_ns = ex->wait_end_ns = ex->answer_bytes = ex->client_key = 0;
    ex->method_text = ex->origin = ex->accept_encoding = ex->if_none_match = pl_slice_make("", 0);
    ex->log_count = 0;
    ex->key_name[0] = ex->trace[0] = '\0';
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

// What the handler and its steps have made.
static void release_answer(struct http_response *res)
{
    if (res->steps)
        res->steps->end(res->state);
    res->steps = NULL;
    free(res->owned);
    res->owned = NULL;
    if (res->json.cap > KEEP_JSON)
        pl_buf_fini(&res->json);
    if (res->written.cap > KEEP_JSON)
        pl_buf_fini(&res->written);
}

void http_exchange_rewind(struct http_exchange *ex)
{
    release_answer(&ex->res);
    http_response_reset(&ex->res);
    pl_arena_release(&ex->arena, ex->request_end);
    pl_arena_trim(&ex->arena);
    ex->log_count = 0;
    ex->arena_charged = 0;
    if (ex->charged > ex->request_charged)
        http_exchange_discharge(ex, ex->charged - ex->request_charged);
}

void http_exchange_put(struct http_loop *l, struct http_exchange *ex)
{
    http_exchange_move(ex, http_exchange_place(ex), HTTP_AT_FREE);
    release_answer(&ex->res);
    http_json_free(ex->json);
    ex->json = NULL;
    if (ex->body_malloced)
        free(ex->body);
    ex->body_malloced = false;
    if (ex->charged > 0) // most hold nothing, and all loops share the counter
        http_exchange_discharge(ex, ex->charged);
    http_loop_kept(l);
    if (l->free_exchange_count >= KEEP_EXCHANGES) {
        http_exchange_free(ex);
        return;
    }
    pl_arena_reset(&ex->arena, KEEP_ARENA);
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
