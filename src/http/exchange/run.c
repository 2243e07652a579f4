// Running an exchange: the body made plain, the handler or the next step, and what the core adds to the answer.
#include <stdio.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "http/exchange/pool.h"
#include "http/exchange/server.h"
#include "http/message/gzip.h"

#define ARENA_FREE 65536
#define ANSWER_FREE 4096   // answers up to this size are not counted: they are copied at once
#define INLINE_FREE 131072 // the same of an I/O thread's own: metrics are there when the budget is used up
#define STEP_BYTES 65536u  // enough for one step
#define STEP_NS 2000000ull // what a step has at least while others wait

static int internal(struct http_response *res)
{
    return http_problem(res, 500, "internal", "Something went wrong here; the request is not at fault.");
}

// 0: go on.
static int inflate_body(struct http_exchange *ex)
{
    struct pl_error err = {0};
    uint8_t *plain;
    size_t len;
    enum pl_errc code = http_gunzip(ex->req.body, ex->body_limit, &plain, &len, &err);
    if (code == PL_E_LIMIT)
        return http_problem(&ex->res, 413, "body_too_large", "%s", err.message);
    if (code != PL_OK)
        return code == PL_E_MEMORY ? http_problem_overloaded(&ex->res)
                                   : http_problem(&ex->res, 400, "bad_gzip", "%s", err.message);
    if (!http_exchange_charge(ex, len)) {
        free(plain);
        return http_problem_overloaded(&ex->res);
    }
    // From here on the plain body is the request's: when its handler runs again, nothing is inflated.
    if (ex->body_malloced) {
        free(ex->body);
        http_exchange_discharge(ex, ex->body_cap);
    }
    ex->body = plain;
    ex->body_len = ex->body_cap = len;
    ex->body_malloced = true;
    ex->gzip = false;
    ex->req.body = pl_slice_make(plain, len);
    return 0;
}

static int run_handler(struct http_exchange *ex)
{
    struct http_server *s = ex->req.server;
    if (http_exchange_place(ex) == HTTP_AT_WORKER)
        http_histogram_observe(s->m.queue_wait, ex->step_ns - ex->queued_ns);
    ex->req.job.cancelled = &ex->cancelled;
    ex->req.body = pl_slice_make(ex->body ? (const void *)ex->body : (const void *)"", ex->body_len);
    if (atomic_load_explicit(&ex->cancelled, memory_order_relaxed))
        return http_problem(&ex->res, 503, "cancelled", "The client closed the connection.");
    if (ex->req.job.deadline_ns != 0 && ex->step_ns > ex->req.job.deadline_ns)
        return http_problem_deadline(&ex->res);
    int status = ex->gzip ? inflate_body(ex) : 0;
    if (status != 0)
        return status;
    if (!ex->req.waited) {
        ex->request_end = pl_arena_mark(&ex->arena);
        ex->request_charged = ex->charged;
    }
    return ex->slot->route.handler(&ex->req, &ex->res);
}

// Counts the growth of the request's arena, which lives as long as the answer is read. The first part is free: each
// request has it.
static bool charge_arena(struct http_exchange *ex)
{
    size_t more = ex->arena.reserved > ARENA_FREE ? ex->arena.reserved - ARENA_FREE : 0;
    if (more <= ex->arena_charged)
        return true;
    if (!http_exchange_charge(ex, more - ex->arena_charged))
        return false;
    ex->arena_charged = more;
    return true;
}

// The next step. False: there is one more.
static bool run_step(struct http_exchange *ex)
{
    struct http_response *res = &ex->res;
    if (atomic_load_explicit(&ex->cancelled, memory_order_relaxed)) {
        res->ended = true; // nobody will see the rest
        return true;
    }
    enum http_step result = res->steps->step(&ex->req, res, res->state);
    res->starved = res->starved || !charge_arena(ex);
    if (res->starved) {
        result = HTTP_STEP_FAILED;
        res->started = res->started && ex->head_sent; // as long as nothing is out, it can be a 503
    }
    if (result == HTTP_STEP_MORE)
        return false;
    ex->wants_body = false;
    res->ended = true;
    res->cut = result == HTTP_STEP_FAILED && res->started;
    if (result == HTTP_STEP_FAILED && !res->started && !res->is_problem && !res->starved)
        internal(res); // what was written is not the answer
    return true;
}

// A body that stays in memory until the client has read it counts.
static bool charge_answer(struct http_exchange *ex)
{
    const struct http_response *res = &ex->res;
    bool ours = res->owned || (res->json.data && res->body.ptr == res->json.data);
    size_t uncounted = ex->slot && (ex->slot->route.flags & HTTP_INLINE) ? INLINE_FREE : ANSWER_FREE;
    return !ours || res->body.len <= uncounted || http_exchange_charge(ex, res->body.len);
}

// The answer is whole.
static void settle(struct http_exchange *ex, int status)
{
    struct http_response *res = &ex->res;
    if (res->steps && !res->is_problem && res->body.len == 0 && res->written.len > 0)
        res->body = pl_buf_slice(&res->written);
    // An answer that lacks a header would be taken for whole.
    if (res->starved || !charge_answer(ex) || !charge_arena(ex))
        status = http_problem_overloaded(res);
    if (status < 200 || status > 599)
        status = internal(res);
    res->status = status;
    if (status == 200 && ex->slot && (ex->slot->route.flags & HTTP_CACHEABLE))
        http_set_cache(res, ex->req.server->config.api_key_file[0] ? "private, max-age=3600" : "max-age=3600");
}

void http_exchange_run(struct http_exchange *ex, void *worker)
{
    struct http_response *res = &ex->res;
    bool on_worker = http_exchange_place(ex) == HTTP_AT_WORKER;
    ex->step_ns = on_worker ? ex->req.server->seam->now_ns() : 0;
    ex->req.worker = worker;
    ex->wants_body = false;
    if (res->result != HTTP_RESULT_STEPS) {
        int status = run_handler(ex);
        if (res->result == HTTP_RESULT_EVENTS && res->starved) {
            res->result = HTTP_RESULT_WHOLE; // its head would lack a field
            res->started = false;
        }
        if (res->result == HTTP_RESULT_WHOLE)
            settle(ex, status);
        if (res->result != HTTP_RESULT_STEPS)
            return;
    } else if (ex->streams) {
        ex->req.body = pl_slice_make(ex->body + ex->body_used, ex->body_len - ex->body_used);
    }
    bool over = run_step(ex);
    while (!over && !on_worker) // on an I/O thread there is no later
        over = run_step(ex);
    if (over && !res->started)
        settle(ex, res->status != 0 ? res->status : 200);
}

// ---- what handlers and steps may call

int http_steps(struct http_response *res, const struct http_steps *steps, void *state)
{
    res->result = HTTP_RESULT_STEPS;
    res->steps = steps;
    res->state = state;
    return 0;
}

int http_wait(struct http_response *res, uint32_t topic, uint64_t seen, uint64_t most_ms)
{
    res->result = HTTP_RESULT_WAIT;
    res->topic = topic;
    res->seen = seen;
    res->wait_ms = most_ms;
    return 0;
}

void http_start(struct http_response *res, int status)
{
    if (!res->started) {
        res->started = true;
        res->status = status;
    }
}

bool http_started(const struct http_response *res)
{
    return res->started;
}

void http_cut_as(struct http_response *res, int status, const char *code)
{
    res->cut_status = status;
    snprintf(res->code, sizeof(res->code), "%s", code);
}

bool http_write(struct http_response *res, const void *data, size_t len)
{
    if (len == 0)
        return true;
    if (!http_exchange_charge(res->ex, len)) {
        res->starved = true;
        return false;
    }
    pl_buf_append(&res->written, data, len);
    if (!res->written.failed)
        return true;
    http_exchange_discharge(res->ex, len);
    res->starved = true;
    return false;
}

size_t http_written(const struct http_response *res)
{
    return res->written.len;
}

bool http_step_should_end(struct http_request *req, uint64_t least_ns)
{
    struct http_exchange *ex = http_exchange_of(req);
    if (ex->res.started && ex->res.written.len >= STEP_BYTES)
        return true;
    // Requests wait for a worker, or the next steps of other answers do.
    struct http_pool *pool = req->server->pool;
    bool others = http_list_count(&pool->fresh) > 0 || http_list_count(&pool->again) > 0;
    return others && req->server->seam->now_ns() - ex->step_ns > PL_MAX(STEP_NS, least_ns);
}

void http_body_use(struct http_request *req, size_t len)
{
    struct http_exchange *ex = http_exchange_of(req);
    len = PL_MIN(len, req->body.len);
    req->body = pl_slice_sub(req->body, len, req->body.len);
    if (ex->streams)
        ex->body_used += len;
}

bool http_body_ended(struct http_request *req)
{
    const struct http_exchange *ex = http_exchange_of(req);
    return !ex->streams || ex->body_ended;
}

bool http_body_wait(struct http_request *req)
{
    struct http_exchange *ex = http_exchange_of(req);
    if (http_body_ended(req) || req->body.len >= ex->body_limit)
        return false;
    ex->wants_body = true;
    ex->body_missed = req->body.len;
    return true;
}

bool http_hold(struct http_request *req, size_t bytes)
{
    return http_exchange_charge(http_exchange_of(req), bytes);
}
