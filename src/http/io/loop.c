// A loop: one thread of input and output, with a poller for its connections and what other threads have for it. The
// first loop runs on the main thread and has the listener and the signals too.
#include "http/io/loop.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "base/date.h"
#include "http/conn/conn.h"
#include "http/conn/drive.h"
#include "http/conn/events.h"
#include "http/conn/timers.h"
#include "http/exchange/note.h"
#include "http/exchange/pool.h"
#include "http/exchange/server.h"
#include "http/io/io.h"
#include "os/cores.h"

#define EVENTS 512
#define SPARES_NS 2000000000ull // how long memory is kept for the next request
#define SPARES_FEW 64u          // answers and connections in that time which need no memory at hand
#define LOOPS_BY_DEFAULT 4u     // more help only where a request costs microseconds

static enum pl_errc init_loop(struct http_loop *l, struct http_server *s, uint32_t index, struct pl_error *err)
{
    *l = (struct http_loop){.server = s, .seam = s->seam, .index = index};
    l->id_count = (uint64_t)index << 48; // no two loops make the same id
    pthread_mutex_init(&l->lock, NULL);
    pl_buf_init(&l->log_lines, HTTP_LOG_LINES_MAX);
    l->poller = s->seam->poller_new();
    l->waker = s->seam->waker_new();
    l->read_buf = malloc(HTTP_READ_SIZE);
    if (l->poller < 0 || l->waker < 0 || !l->read_buf || !s->seam->watch_input(l->poller, l->waker, l))
        return pl_fail(err, PL_E_IO, "cannot set up the event loop");
    l->now_ns = s->seam->now_ns();
    l->tick = l->now_ns / HTTP_TICK_NS;
    return PL_OK;
}

static void update_clock(struct http_loop *l)
{
    l->now_ns = l->seam->now_ns();
    uint64_t second = l->seam->wall_ms() / 1000u;
    if (second == l->date_at && l->date_len > 0)
        return;
    static const char DAYS[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char MONTHS[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct pl_date utc;
    l->date_at = second;
    pl_date_from_seconds((int64_t)second, &utc);
    int n = snprintf(l->date, sizeof(l->date), "Date: %s, %02d %s %04d %02d:%02d:%02d GMT\r\n", DAYS[utc.weekday],
                     utc.day, MONTHS[utc.month - 1], utc.year, utc.hour, utc.minute, utc.second);
    l->date_len = n > 0 && (size_t)n < sizeof(l->date) ? (size_t)n : 0;
}

// Gives an exchange back to its loop; any thread.
static void complete(struct http_exchange *ex)
{
    struct http_loop *l = ex->loop;
    struct http_exchange *old = atomic_load_explicit(&l->done, memory_order_relaxed);
    http_exchange_move(ex, HTTP_AT_WORKER, HTTP_AT_DONE);
    do {
        ex->next = old;
    } while (!atomic_compare_exchange_weak_explicit(&l->done, &old, ex, memory_order_release, memory_order_relaxed));
    if (!old)
        http_loop_wake(l); // else it has been woken already
}

// Takes the exchanges that workers have finished since the last call, the oldest first.
static struct http_exchange *completed(struct http_loop *l)
{
    struct http_exchange *ex = atomic_exchange_explicit(&l->done, NULL, memory_order_acquire);
    struct http_exchange *oldest = NULL;
    while (ex) {
        struct http_exchange *next = ex->next;
        ex->next = oldest;
        oldest = ex;
        ex = next;
    }
    return oldest;
}

void http_loop_take_completed(struct http_loop *l)
{
    for (struct http_exchange *ex = completed(l); ex;) {
        struct http_exchange *next = ex->next;
        ex->next = NULL;
        http_conn_completed(l, ex);
        ex = next;
    }
}

static void on_wake(struct http_loop *l)
{
    l->seam->woken(l->waker);
    http_arrivals_take(l);
    http_loop_take_completed(l);
    http_events_take(l);
}

static void run_ready(struct http_loop *l)
{
    struct http_conn *c = l->ready;
    l->ready = NULL;
    while (c) {
        struct http_conn *next = c->ready_next;
        c->in_ready = false;
        if (c->open)
            http_conn_run(l, c);
        c = next;
    }
}

// ---- memory that is kept for the next request

static void free_spares(struct http_loop *l)
{
    while (l->free_exchanges) {
        struct http_exchange *ex = l->free_exchanges;
        l->free_exchanges = ex->next;
        http_exchange_free(ex);
    }
    l->free_exchange_count = 0;
    while (l->free_conns) {
        struct http_conn *c = l->free_conns;
        l->free_conns = c->all_next;
        free(c);
    }
    while (l->free_blocks) {
        struct http_piece *block = l->free_blocks;
        l->free_blocks = block->next;
        free(block);
    }
    l->free_block_count = 0;
    l->kept = 0;
}

// Frees cached memory after SPARES_NS with few requests; a balancer's probes do not reset that time.
static void give_back_spares(struct http_loop *l)
{
    if (l->kept == 0 || l->now_ns < l->kept_since_ns + SPARES_NS)
        return;
    if (l->kept > SPARES_FEW) {
        l->kept = 1;
        l->kept_since_ns = l->now_ns;
        return;
    }
    free_spares(l);
    l->seam->trim_memory();
}

int http_loop_wait_ms(const struct http_loop *l)
{
    const struct http_server *s = l->server;
    if (l->ready)
        return 0;
    if (l->log_lines.len > 0)
        return l->log_due_ns > l->now_ns ? (int)((l->log_due_ns - l->now_ns) / 1000000u) + 1 : 0;
    if (l->all || l->kept > 0 || (l->index == 0 && s->io->accepting.again_ns != 0) ||
        atomic_load_explicit(&s->leaving, memory_order_relaxed))
        return (int)(HTTP_TICK_NS / 1000000u);
    return -1;
}

void http_loop_turn(struct http_loop *l, const struct http_ready_event *events, int count)
{
    struct http_server *s = l->server;
    update_clock(l);
    for (int i = 0; i < count; i++) {
        void *tag = events[i].tag;
        if (tag == l)
            on_wake(l);
        else if (tag == &s->io->listen_fd)
            http_accept(l);
        else if (tag == &s->io->signal_fd)
            http_on_signal(l);
        else
            http_conn_event(l, tag, events[i].readiness);
    }
    run_ready(l);
    http_timers_run(l, http_conn_timeout);
    http_events_beat(l);
    if (l->index == 0)
        http_accept_resume(l);
    if (l->now_ns >= l->calm_check_ns) {
        l->calm_check_ns = l->now_ns + HTTP_TICK_NS;
        http_pool_check_calm(s->pool, l->now_ns);
    }
    http_log_hand_over(l);
    http_drain_step(l);
    http_conn_free_dead(l);
    give_back_spares(l);
}

void http_loop_run(struct http_loop *l)
{
    struct http_ready_event events[EVENTS];
    // The lock is given up while waiting: then the first loop may close an idle connection here.
    pthread_mutex_lock(&l->lock);
    while (!l->finished && !atomic_load_explicit(&l->server->io->abandoned, memory_order_relaxed)) {
        int wait = http_loop_wait_ms(l);
        pthread_mutex_unlock(&l->lock);
        int n = l->seam->wait(l->poller, events, EVENTS, wait);
        pthread_mutex_lock(&l->lock);
        http_loop_turn(l, events, n);
    }
    pthread_mutex_unlock(&l->lock);
}

static void *loop_main(void *argument)
{
    http_loop_run(argument);
    return NULL;
}

// Workers busy: normal scheduling, so that health checks are answered at once. Idle: SCHED_BATCH, so that clients on
// this machine run on and requests arrive in groups, instead of one for each change of threads.
static void be_eager(struct http_server *s, bool eager)
{
    for (uint32_t i = 0; i < s->loop_count; i++) {
        if (i == 0 || s->loops[i].started)
            s->seam->set_eager(s->loops[i].thread, eager);
    }
}

enum pl_errc http_loops_init(struct http_server *s, struct pl_error *err)
{
    if (s->config.io_threads == 0)
        s->config.io_threads = PL_MIN(pl_core_count(), LOOPS_BY_DEFAULT);
    s->loops = calloc(s->config.io_threads, sizeof(*s->loops));
    if (!s->loops)
        return pl_fail_memory(err);
    s->pool->complete = complete;
    s->pool->be_eager = be_eager;
    while (s->loop_count < s->config.io_threads) {
        uint32_t index = s->loop_count++;
        PL_TRY(init_loop(&s->loops[index], s, index, err));
    }
    atomic_store_explicit(&s->io->loops_running, s->loop_count, memory_order_relaxed);
    return PL_OK;
}

enum pl_errc http_loops_start(struct http_server *s, struct pl_error *err)
{
    bool started = true;
    // With the lock that be_eager is called with: a loop that runs already may have it called for the others.
    pthread_mutex_lock(&s->pool->lock);
    s->loops[0].thread = pthread_self();
    for (uint32_t i = 1; i < s->loop_count && started; i++) {
        started = pthread_create(&s->loops[i].thread, NULL, loop_main, &s->loops[i]) == 0;
        s->loops[i].started = started;
    }
    pthread_mutex_unlock(&s->pool->lock);
    if (!started)
        return pl_fail(err, PL_E_IO, "cannot start all threads for input and output");
    return s->seam->watch_input(s->loops[0].poller, s->io->signal_fd, &s->io->signal_fd)
               ? PL_OK
               : pl_fail(err, PL_E_IO, "cannot wait for signals");
}

void http_loops_join(struct http_server *s)
{
    atomic_store_explicit(&s->io->abandoned, true, memory_order_relaxed);
    for (uint32_t i = 1; i < s->loop_count; i++) {
        struct http_loop *l = &s->loops[i];
        if (!l->started)
            continue;
        http_loop_wake(l);
        pthread_mutex_lock(&s->pool->lock);
        l->started = false; // before the thread's name is no longer valid
        pthread_mutex_unlock(&s->pool->lock);
        pthread_join(l->thread, NULL);
    }
}

// The workers have ended.
void http_loop_fini(struct http_loop *l)
{
    while (l->all)
        http_conn_close(l, l->all, true);
    http_arrivals_drop(l);
    http_events_drop(l);
    for (struct http_conn *c = l->ready; c; c = c->ready_next)
        c->in_ready = false;
    http_conn_free_dead(l);
    free_spares(l);
    free(l->read_buf);
    pl_buf_fini(&l->log_lines);
    pthread_mutex_destroy(&l->lock);
    if (l->waker >= 0)
        l->seam->close(l->waker, false);
    if (l->poller >= 0)
        l->seam->close(l->poller, false);
}
