// Stopping: the first signal ends accepting and lets every loop finish what it has; the second ends the program.
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "http/server.h"

enum pl_errc http_signals_block(struct http_server *s, struct pl_error *err)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    if (pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0)
        return pl_fail(err, PL_E_IO, "cannot block signals");
    signal(SIGPIPE, SIG_IGN);
    s->signal_fd = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    return s->signal_fd >= 0 ? PL_OK : pl_fail(err, PL_E_IO, "cannot wait for signals");
}

static void begin(struct http_loop *first)
{
    struct http_server *s = first->server;
    s->drain_end_ns = first->now_ns + s->config.drain_timeout_ms * 1000000u;
    atomic_store_explicit(&s->draining, true, memory_order_release);
    http_accept_end(first);
    // From here on no loop gets another connection: one that has none left may end.
    atomic_store_explicit(&s->door_closed, true, memory_order_release);
    for (uint32_t i = 0; i < s->loop_count; i++)
        http_loop_wake(&s->loops[i]);
}

void http_on_signal(struct http_loop *first)
{
    struct http_server *s = first->server;
    struct signalfd_siginfo info;
    while (read(s->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
        if (s->signals++ > 0) {
            http_log_flush(first);
            _exit(1); // the second signal ends at once
        }
        begin(first);
    }
}

// A request may be on its way on an idle connection: it gets a moment, then the connection is closed.
static void hurry_idle(struct http_loop *l)
{
    l->drain_begun = true;
    for (struct http_conn *c = l->all; c; c = c->all_next) {
        if (c->state == HTTP_S_HEAD && !c->in)
            http_timer_set(l, c, l->now_ns + HTTP_DRAIN_IDLE_NS);
    }
}

void http_drain_step(struct http_loop *l)
{
    struct http_server *s = l->server;
    if (!atomic_load_explicit(&s->draining, memory_order_acquire))
        return;
    if (!l->drain_begun)
        hurry_idle(l);
    if (!atomic_load_explicit(&s->door_closed, memory_order_acquire))
        return;
    if (l->now_ns >= s->drain_end_ns && l->all) {
        l->cut = true;
        while (l->all)
            http_conn_close(l, l->all);
    }
    if (atomic_load_explicit(&l->conn_count, memory_order_acquire) > 0)
        return;
    if (!l->drained) {
        l->drained = true;
        // The first loop ends last, since it hears the signals.
        atomic_fetch_sub_explicit(&s->loops_running, 1, memory_order_release);
        if (l->index > 0)
            http_loop_wake(&s->loops[0]);
    }
    l->finished = l->index > 0 || atomic_load_explicit(&s->loops_running, memory_order_acquire) == 0;
}
