// The workers and what waits for them.
//
// There are two queues: requests that no worker has had yet, and those that run again: answers in steps that want
// another step, and handlers that have waited. A worker takes the former first, so that a small request overtakes the
// labels of a large one, but after HTTP_POOL_STREAK of them in a row one of the latter has its turn.
//
// In the first queue clients take turns: one that sends many slow requests delays its own. A queue that is full refuses
// them, but not a client that has none in it, unless it is full twice.
#ifndef HTTP_POOL_H
#define HTTP_POOL_H

#include <pthread.h>
#include <semaphore.h>

#include "base/turns.h"
#include "http/exchange/exchange.h"

#define HTTP_POOL_STREAK 8u

struct http_server;

struct http_fan {
    struct http_fan *next;
    bool (*fn)(void *worker, size_t index, void *context);
    void *context;
    size_t count;
    atomic_size_t taken;
    unsigned helpers; // guarded by the pool's lock
    bool linked;
    pthread_cond_t done;
};

struct http_pool {
    struct http_server *server;
    // The loops' part, which is set before the first exchange comes: a worker gives an exchange back to its loop; and
    // whether a loop that wakes up takes its core from who has it at once (with the pool's lock held).
    void (*complete)(struct http_exchange *ex);
    void (*be_eager)(struct http_server *s, bool eager);
    pthread_mutex_t lock;
    sem_t work;             // a token for each worker that is to wake up
    sem_t started;          // a token from each worker whose init is over
    struct http_list fresh; // HTTP_AT_FRESH, in the order of turns; changed with the lock held
    struct turns turns;     // of clients, in `fresh`
    struct http_list again; // HTTP_AT_AGAIN; the same
    struct http_fan *fans;
    uint32_t streak; // taken from `fresh` in a row, while something was in `again`
    uint32_t max;
    uint32_t idle;   // workers that have nothing to do, or have not yet noticed that they have
    uint32_t asleep; // of them, those that nobody has woken
    uint32_t threads;
    uint32_t failed; // workers whose init failed
    bool stop;
    bool calm;             // nothing to do for a while: the loops take turns with other programs (loop.c)
    uint64_t last_push_ns; // when there was something
    pthread_t *ids;
    struct pl_error init_error;
};

enum pl_errc http_pool_init(struct http_pool *pool, struct http_server *s, struct pl_error *err) PL_MUST_USE;
enum pl_errc http_pool_start(struct http_pool *pool, struct pl_error *err) PL_MUST_USE; // its threads
// A request of the input becomes the pool's. False: the queue is full, and it is still the input's.
bool http_pool_push(struct http_pool *pool, struct http_exchange *ex, uint64_t now_ns);
// It runs again: the next step of its answer, or its handler after a wait.
void http_pool_push_again(struct http_pool *pool, struct http_exchange *ex, enum http_place from, uint64_t now_ns);
// The next one that a worker should run, or NULL.
struct http_exchange *http_pool_take(struct http_pool *pool);
// What a worker does with it: runs it and gives it back to its loop, or to the pool for its next step.
void http_pool_run(struct http_pool *pool, struct http_exchange *ex, void *worker);
// Out of its queue to the output. False: it is in none.
bool http_pool_remove(struct http_pool *pool, struct http_exchange *ex);
bool http_pool_remove_unbegun(struct http_pool *pool,
                              struct http_exchange *ex);            // the same, unless its answer has begun
void http_pool_check_calm(struct http_pool *pool, uint64_t now_ns); // now and then: whether all is calm
void http_pool_fini(struct http_pool *pool);

#endif
