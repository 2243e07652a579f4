// The workers: two queues, and sub-jobs that idle workers take over.
#include "http/exchange/pool.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "http/exchange/server.h"

#define CALM_NS 100000000ull

// Runs items of a fan-out until none is left to take. A helper leaves when a request waits: those come first.
static void run_items(struct http_pool *pool, struct http_fan *fan, void *worker, bool helper)
{
    while (!helper || http_list_count(&pool->fresh) == 0) {
        size_t index = atomic_fetch_add_explicit(&fan->taken, 1, memory_order_relaxed);
        if (index >= fan->count)
            return;
        if (!fan->fn(worker, index, fan->context))
            atomic_store_explicit(&fan->taken, fan->count, memory_order_relaxed);
    }
}

// With the lock held.
static void unlink_fan(struct http_pool *pool, struct http_fan *fan)
{
    if (!fan->linked)
        return;
    for (struct http_fan **link = &pool->fans; *link; link = &(*link)->next) {
        if (*link == fan) {
            *link = fan->next;
            break;
        }
    }
    fan->linked = false;
}

// With the lock held; gives it up while helping.
static void help(struct http_pool *pool, struct http_fan *fan, void *worker)
{
    fan->helpers++;
    pthread_mutex_unlock(&pool->lock);
    run_items(pool, fan, worker, true);
    pthread_mutex_lock(&pool->lock);
    // Others may help on if this one left for a request; who finds nothing to take unlinks it.
    if (atomic_load_explicit(&fan->taken, memory_order_relaxed) >= fan->count)
        unlink_fan(pool, fan);
    assert(fan->helpers > 0);
    if (--fan->helpers == 0)
        pthread_cond_signal(&fan->done);
}

// ---- the queues; with the lock held

// In the order of rounds, equal ones in the order of their arrival. Looked for from the nearer end: others may have
// filled the queue.
static void add_to_fresh(struct http_pool *pool, struct http_exchange *ex)
{
    const struct http_list *list = &pool->fresh;
    ex->round = turns_join(&pool->turns, ex->turn_key, 0, TURN_OF_CLIENT);
    struct http_exchange *after = list->last;
    if (after && ex->round < list->first->round + (after->round - list->first->round) / 2) {
        after = NULL;
        for (struct http_exchange *next = list->first; next && next->round <= ex->round; next = next->next)
            after = next;
    }
    while (after && after->round > ex->round)
        after = after->prev;
    http_list_insert(&pool->fresh, after, ex, HTTP_AT_INPUT, HTTP_AT_FRESH);
}

static bool remove_from_queue(struct http_pool *pool, struct http_exchange *ex, enum http_place to)
{
    enum http_place at = http_exchange_place(ex);
    if (at != HTTP_AT_FRESH && at != HTTP_AT_AGAIN)
        return false;
    http_list_remove(at == HTTP_AT_FRESH ? &pool->fresh : &pool->again, ex, at, to);
    if (at == HTTP_AT_FRESH && to == HTTP_AT_WORKER)
        turns_leave(&pool->turns, ex->turn_key, 0, ex->round);
    else if (at == HTTP_AT_FRESH)
        turns_withdraw(&pool->turns, ex->turn_key, 0);
    return true;
}

static struct http_exchange *take(struct http_pool *pool)
{
    bool turn_of_again = pool->again.first && (!pool->fresh.first || pool->streak >= HTTP_POOL_STREAK);
    struct http_exchange *ex = turn_of_again ? pool->again.first : pool->fresh.first;
    if (!ex)
        return NULL;
    remove_from_queue(pool, ex, HTTP_AT_WORKER);
    pool->streak = turn_of_again || !pool->again.first ? 0 : pool->streak + 1;
    return ex;
}

struct http_exchange *http_pool_take(struct http_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    struct http_exchange *ex = take(pool);
    pthread_mutex_unlock(&pool->lock);
    return ex;
}

// ---- workers

static void wait_for(sem_t *tokens)
{
    while (sem_wait(tokens) != 0)
        continue; // a signal
}

// With the lock held: how many workers are to be woken, each by a token of its own.
static size_t call_up(struct http_pool *pool, size_t wanted)
{
    size_t called = PL_MIN(wanted, (size_t)pool->asleep);
    pool->asleep -= (uint32_t)called;
    return called;
}

// Best without the lock, which those who wake up want. Tokens, since a condition variable of glibc before 2.41 may lose
// a signal when many threads wait (its bug 25847): a request would wait although workers are idle.
static void wake(struct http_pool *pool, size_t called)
{
    for (; called > 0; called--)
        sem_post(&pool->work);
}

void http_pool_run(struct http_pool *pool, struct http_exchange *ex, void *worker)
{
    struct http_server *s = pool->server;
    const struct http_response *res = &ex->res;
    http_counter_add(s->m.busy, 1);
    http_exchange_run(ex, worker);
    http_counter_add(s->m.busy, UINT64_MAX); // minus one
    // A step that has nothing to send yet needs no way over the loop.
    bool more = res->result == HTTP_RESULT_STEPS && !res->ended;
    if (more && !ex->wants_body && !(res->started && (res->written.len > 0 || !ex->head_sent)))
        http_pool_push_again(pool, ex, HTTP_AT_WORKER, s->seam->now_ns());
    else
        pool->complete(ex);
}

static void *worker_main(void *argument)
{
    struct http_pool *pool = argument;
    struct http_server *s = pool->server;
    const struct http_app *app = s->app;
    void *worker = NULL;
    struct pl_error err = {0};
    enum pl_errc code = PL_OK;
    // Batch scheduling: a worker that wakes up does not push a loop off its core.
    struct sched_param none = {0};
    if (pthread_setschedparam(pthread_self(), SCHED_BATCH, &none) != 0)
        errno = 0;
    if (app->worker_init)
        code = app->worker_init(app->user, &worker, &err);
    pthread_mutex_lock(&pool->lock);
    if (code != PL_OK) {
        pool->failed++;
        pool->init_error = err;
    }
    sem_post(&pool->started);
    while (code == PL_OK) {
        if (pool->fans && !pool->fresh.first) {
            help(pool, pool->fans, worker);
            continue;
        }
        struct http_exchange *ex = take(pool);
        if (ex) {
            pthread_mutex_unlock(&pool->lock);
            http_pool_run(pool, ex, worker);
            pthread_mutex_lock(&pool->lock);
            continue;
        }
        if (pool->stop)
            break;
        pool->idle++;
        pool->asleep++;
        pthread_mutex_unlock(&pool->lock);
        wait_for(&pool->work);
        pthread_mutex_lock(&pool->lock);
        pool->idle--;
    }
    pthread_mutex_unlock(&pool->lock);
    if (code == PL_OK && app->worker_fini)
        app->worker_fini(app->user, worker);
    return NULL;
}

enum pl_errc http_pool_init(struct http_pool *pool, struct http_server *s, struct pl_error *err)
{
    pool->server = s;
    pool->max = s->config.max_queue;
    pthread_mutex_init(&pool->lock, NULL);
    if (sem_init(&pool->work, 0, 0) != 0 || sem_init(&pool->started, 0, 0) != 0)
        return pl_fail(err, PL_E_IO, "cannot make semaphores");
    return PL_OK;
}

enum pl_errc http_pool_start(struct http_pool *pool, struct pl_error *err)
{
    struct http_server *s = pool->server;
    uint32_t wanted = s->config.workers;
    pool->ids = calloc(wanted, sizeof(*pool->ids));
    if (!pool->ids)
        return pl_fail_memory(err);
    for (uint32_t i = 0; i < wanted; i++) {
        if (pthread_create(&pool->ids[i], NULL, worker_main, pool) != 0)
            return pl_fail(err, PL_E_IO, "cannot start worker thread %u", i + 1);
        pool->threads++;
    }
    for (uint32_t i = 0; i < pool->threads; i++)
        wait_for(&pool->started);
    pthread_mutex_lock(&pool->lock);
    bool failed = pool->failed > 0;
    pthread_mutex_unlock(&pool->lock);
    if (failed) {
        if (err)
            *err = pool->init_error;
        return pool->init_error.code;
    }
    return PL_OK;
}

// With the lock held; gives it up. There is something to do.
static void announce(struct http_pool *pool, uint64_t now_ns)
{
    pool->last_push_ns = now_ns;
    if (pool->calm) {
        pool->calm = false;
        pool->be_eager(pool->server, true);
    }
    size_t called = call_up(pool, 1);
    pthread_mutex_unlock(&pool->lock);
    wake(pool, called);
}

// With the lock held.
static bool has_room(const struct http_pool *pool, uint64_t client)
{
    uint64_t waiting = http_list_count(&pool->fresh);
    uint64_t most = turns_share_of(&pool->turns, client)->jobs == 0 ? 2 * (uint64_t)pool->max : pool->max;
    // A worker that is waiting takes its request without counting as a queue.
    return waiting < most || waiting < pool->idle;
}

bool http_pool_push(struct http_pool *pool, struct http_exchange *ex, uint64_t now_ns)
{
    ex->turn_key = pool->server->config.trust_proxy ? http_client_of(&ex->req) : ex->client_key;
    pthread_mutex_lock(&pool->lock);
    if (!has_room(pool, ex->turn_key)) {
        pthread_mutex_unlock(&pool->lock);
        return false;
    }
    add_to_fresh(pool, ex);
    announce(pool, now_ns);
    return true;
}

void http_pool_push_again(struct http_pool *pool, struct http_exchange *ex, enum http_place from, uint64_t now_ns)
{
    pthread_mutex_lock(&pool->lock);
    http_list_add(&pool->again, ex, from, HTTP_AT_AGAIN);
    announce(pool, now_ns);
}

void http_pool_check_calm(struct http_pool *pool, uint64_t now_ns)
{
    pthread_mutex_lock(&pool->lock);
    if (!pool->calm && !pool->fresh.first && !pool->again.first && pool->idle == pool->threads &&
        now_ns > pool->last_push_ns + CALM_NS) {
        pool->calm = true;
        pool->be_eager(pool->server, false);
    }
    pthread_mutex_unlock(&pool->lock);
}

bool http_pool_remove(struct http_pool *pool, struct http_exchange *ex)
{
    pthread_mutex_lock(&pool->lock);
    bool queued = remove_from_queue(pool, ex, HTTP_AT_OUTPUT);
    pthread_mutex_unlock(&pool->lock);
    return queued;
}

bool http_pool_remove_unbegun(struct http_pool *pool, struct http_exchange *ex)
{
    pthread_mutex_lock(&pool->lock);
    bool begun = http_exchange_place(ex) == HTTP_AT_AGAIN && ex->res.result == HTTP_RESULT_STEPS;
    bool queued = !begun && remove_from_queue(pool, ex, HTTP_AT_OUTPUT);
    pthread_mutex_unlock(&pool->lock);
    return queued;
}

static void stop_threads(struct http_pool *pool)
{
    if (!pool->ids)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    size_t called = call_up(pool, pool->asleep);
    pthread_mutex_unlock(&pool->lock);
    wake(pool, called);
    for (uint32_t i = 0; i < pool->threads; i++)
        pthread_join(pool->ids[i], NULL);
    free(pool->ids);
    pool->ids = NULL;
}

void http_pool_fini(struct http_pool *pool)
{
    if (!pool->server)
        return;
    stop_threads(pool);
    sem_destroy(&pool->work);
    sem_destroy(&pool->started);
    pthread_mutex_destroy(&pool->lock);
}

void http_fan_out(struct http_request *req, size_t count, bool (*fn)(void *worker, size_t index, void *context),
                  void *context)
{
    struct http_pool *pool = req->server->pool;
    struct http_fan fan = {.fn = fn, .context = context, .count = count};
    if (count > 1 && pool->threads > 1) {
        pthread_cond_init(&fan.done, NULL);
        pthread_mutex_lock(&pool->lock);
        fan.next = pool->fans;
        fan.linked = true;
        pool->fans = &fan;
        size_t called = call_up(pool, count - 1);
        pthread_mutex_unlock(&pool->lock);
        wake(pool, called);
        run_items(pool, &fan, req->worker, false);
        pthread_mutex_lock(&pool->lock);
        unlink_fan(pool, &fan);
        while (fan.helpers > 0)
            pthread_cond_wait(&fan.done, &pool->lock);
        pthread_mutex_unlock(&pool->lock);
        pthread_cond_destroy(&fan.done);
        return;
    }
    run_items(pool, &fan, req->worker, false);
}
