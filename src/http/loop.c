// A loop: one thread of input and output, with an epoll set for its connections and what other threads have for it. The
// first loop runs on the main thread and has the listener and the signals too.
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/cores.h"
#include "base/date.h"
#include "http/server.h"

#define EVENTS 512
#define LOOPS_BY_DEFAULT 4u // more are of use only where requests cost next to nothing

static bool watch(struct http_loop *l, int fd, void *tag)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = tag};
    return epoll_ctl(l->epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

enum pl_errc http_loop_init(struct http_loop *l, struct http_server *s, uint32_t index, struct pl_error *err)
{
    *l = (struct http_loop){.server = s, .index = index};
    l->id_count = (uint64_t)index << 48; // no two loops make the same id
    pthread_mutex_init(&l->lock, NULL);
    pl_buf_init(&l->log_lines, HTTP_LOG_LINES_MAX);
    l->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    l->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    l->read_buf = malloc(HTTP_READ_SIZE);
    l->scratch = malloc(HTTP_SCRATCH_SIZE);
    if (l->epoll_fd < 0 || l->wake_fd < 0 || !l->read_buf || !l->scratch || !watch(l, l->wake_fd, l))
        return pl_fail(err, PL_E_IO, "cannot set up the event loop");
    return PL_OK;
}

void http_loop_wake(struct http_loop *l)
{
    uint64_t one = 1;
    while (write(l->wake_fd, &one, sizeof(one)) < 0 && errno == EINTR)
        continue;
}

static void update_clock(struct http_loop *l)
{
    l->now_ns = pl_now_ns();
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME_COARSE, &wall);
    if (wall.tv_sec == l->date_at && l->date_len > 0)
        return;
    static const char DAYS[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char MONTHS[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct pl_date utc;
    l->date_at = wall.tv_sec;
    pl_date_from_seconds(wall.tv_sec, &utc);
    int n = snprintf(l->date, sizeof(l->date), "Date: %s, %02d %s %04d %02d:%02d:%02d GMT\r\n", DAYS[utc.weekday],
                     utc.day, MONTHS[utc.month - 1], utc.year, utc.hour, utc.minute, utc.second);
    l->date_len = n > 0 && (size_t)n < sizeof(l->date) ? (size_t)n : 0;
}

void http_loop_complete(struct http_exchange *ex)
{
    struct http_loop *l = ex->loop;
    struct http_exchange *old = atomic_load_explicit(&l->done, memory_order_relaxed);
    do {
        ex->next = old;
    } while (!atomic_compare_exchange_weak_explicit(&l->done, &old, ex, memory_order_release, memory_order_relaxed));
    if (!old)
        http_loop_wake(l); // else it has been woken already
}

// What workers have finished since the last time, the oldest first.
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

static void on_wake(struct http_loop *l)
{
    uint64_t count;
    while (read(l->wake_fd, &count, sizeof(count)) < 0 && errno == EINTR)
        continue;
    http_arrivals_take(l);
    for (struct http_exchange *ex = completed(l); ex;) {
        struct http_exchange *next = ex->next;
        ex->next = NULL;
        http_conn_completed(l, ex);
        ex = next;
    }
}

static void run_ready(struct http_loop *l)
{
    struct http_conn *c = l->ready;
    l->ready = NULL;
    while (c) {
        struct http_conn *next = c->ready_next;
        c->in_ready = false;
        if (c->state == HTTP_S_HEAD || c->state == HTTP_S_BODY || c->state == HTTP_S_LINGER)
            http_conn_run(l, c);
        c = next;
    }
}

static void free_dead(struct http_loop *l)
{
    struct http_conn *c = l->dead;
    l->dead = NULL;
    while (c) {
        struct http_conn *next = c->all_next;
        if (c->in_ready) {
            c->all_next = l->dead;
            l->dead = c;
        } else {
            free(c->in);
            free(c->pend);
            c->in = NULL;
            c->pend = NULL;
            c->all_next = l->free_conns;
            l->free_conns = c;
        }
        c = next;
    }
}

static int wait_ms(const struct http_loop *l)
{
    const struct http_server *s = l->server;
    if (l->ready)
        return 0;
    if (l->log_lines.len > 0)
        return l->log_due_ns > l->now_ns ? (int)((l->log_due_ns - l->now_ns) / 1000000u) + 1 : 0;
    if (l->all || (l->index == 0 && s->accept_again_ns != 0) ||
        atomic_load_explicit(&s->draining, memory_order_relaxed))
        return (int)(HTTP_TICK_NS / 1000000u);
    return -1;
}

void http_loop_run(struct http_loop *l)
{
    struct http_server *s = l->server;
    struct epoll_event events[EVENTS];
    // The lock is given up while waiting: then the first loop may close an idle connection here.
    pthread_mutex_lock(&l->lock);
    update_clock(l);
    l->tick = l->now_ns / HTTP_TICK_NS;
    while (!l->finished && !atomic_load_explicit(&s->abandoned, memory_order_relaxed)) {
        int wait = wait_ms(l);
        pthread_mutex_unlock(&l->lock);
        int n = epoll_wait(l->epoll_fd, events, EVENTS, wait);
        pthread_mutex_lock(&l->lock);
        update_clock(l);
        for (int i = 0; i < n; i++) {
            void *tag = events[i].data.ptr;
            if (tag == l)
                on_wake(l);
            else if (tag == &s->listen_fd)
                http_accept(l);
            else if (tag == &s->signal_fd)
                http_on_signal(l);
            else
                http_conn_event(l, tag, events[i].events);
        }
        run_ready(l);
        http_timers_run(l);
        if (l->index == 0)
            http_accept_resume(l);
        if (l->now_ns >= l->rest_at_ns) {
            l->rest_at_ns = l->now_ns + HTTP_TICK_NS;
            http_pool_rest(&s->pool, l->now_ns);
        }
        http_log_hand_over(l);
        http_drain_step(l);
        free_dead(l);
    }
    pthread_mutex_unlock(&l->lock);
}

static void *loop_main(void *argument)
{
    http_loop_run(argument);
    return NULL;
}

enum pl_errc http_loops_start(struct http_server *s, struct pl_error *err)
{
    if (s->config.io_threads == 0)
        s->config.io_threads = PL_MIN(pl_core_count(), LOOPS_BY_DEFAULT);
    s->loops = calloc(s->config.io_threads, sizeof(*s->loops));
    if (!s->loops)
        return pl_fail_memory(err);
    while (s->loop_count < s->config.io_threads) {
        uint32_t index = s->loop_count++;
        PL_TRY(http_loop_init(&s->loops[index], s, index, err));
    }
    atomic_store_explicit(&s->loops_running, s->loop_count, memory_order_relaxed);
    s->loops[0].thread = pthread_self();
    for (uint32_t i = 1; i < s->loop_count; i++) {
        if (pthread_create(&s->loops[i].thread, NULL, loop_main, &s->loops[i]) != 0)
            return pl_fail(err, PL_E_IO, "cannot start input and output thread %u", i + 1);
        s->loops[i].started = true;
    }
    return watch(&s->loops[0], s->signal_fd, &s->signal_fd) ? PL_OK : pl_fail(err, PL_E_IO, "cannot wait for signals");
}

// While workers compute, a loop that wakes up must have its core at once, or health would wait for a worker's turn to
// end. While none does, what runs is other programs, often those that ask us: a loop that lets them go on finds several
// requests when its turn comes, instead of one for each change of threads.
void http_loops_eager(struct http_server *s, bool eager)
{
    const struct sched_param none = {0};
    for (uint32_t i = 0; i < s->loop_count; i++) {
        if ((i == 0 || s->loops[i].started) &&
            pthread_setschedparam(s->loops[i].thread, eager ? SCHED_OTHER : SCHED_BATCH, &none) != 0)
            errno = 0; // slower, not wrong
    }
}

void http_loops_join(struct http_server *s)
{
    atomic_store_explicit(&s->abandoned, true, memory_order_relaxed);
    for (uint32_t i = 1; i < s->loop_count; i++) {
        struct http_loop *l = &s->loops[i];
        if (!l->started)
            continue;
        http_loop_wake(l);
        pthread_join(l->thread, NULL);
        l->started = false;
    }
}

static void free_exchanges(struct http_loop *l)
{
    for (struct http_exchange *ex = completed(l); ex;) {
        struct http_exchange *next = ex->next;
        http_exchange_put(l, ex);
        ex = next;
    }
    for (struct http_exchange *ex = l->free_exchanges; ex;) {
        struct http_exchange *next = ex->next;
        pl_arena_fini(&ex->arena);
        pl_buf_fini(&ex->res.json);
        free(ex);
        ex = next;
    }
}

void http_loop_fini(struct http_loop *l)
{
    free_exchanges(l);
    for (struct http_conn *c = l->ready; c; c = c->ready_next)
        c->in_ready = false;
    free_dead(l);
    for (struct http_conn *c = l->free_conns; c;) {
        struct http_conn *next = c->all_next;
        free(c);
        c = next;
    }
    free(l->read_buf);
    free(l->scratch);
    pl_buf_fini(&l->log_lines);
    pthread_mutex_destroy(&l->lock);
    if (l->wake_fd >= 0)
        close(l->wake_fd);
    if (l->epoll_fd >= 0)
        close(l->epoll_fd);
}
