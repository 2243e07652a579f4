// Stopping. The first signal: health says 503 and answers ask clients to go elsewhere, while requests are still taken
// (only after SIGTERM, for --drain-delay: who presses Ctrl-C does not want to wait). Then the listener closes and every
// loop finishes what it has, within --drain-timeout. A second signal ends the program at once; if the application has
// something to keep, it ends what it does at once, keeps that, and a third signal ends the program.
// SIGHUP does not stop it: it has the API keys read anew.
#include <signal.h>
#include <unistd.h>

#include "http/conn/conn.h"
#include "http/conn/drive.h"
#include "http/conn/events.h"
#include "http/exchange/server.h"
#include "http/guard/guard.h"
#include "http/io/io.h"

static void close_door(struct http_loop *first)
{
    struct http_server *s = first->server;
    s->io->door_closes_ns = 0;
    s->io->drain_end_ns = first->now_ns + (s->io->signals > 1 ? 0 : s->config.drain_timeout_ms * 1000000u);
    atomic_store_explicit(&s->draining, true, memory_order_release);
    http_accept_end(first);
    if (s->app->drain)
        s->app->drain(s->app->user, s->io->drain_end_ns);
    // From here on no loop gets another connection: one that has none left may end.
    atomic_store_explicit(&s->io->door_closed, true, memory_order_release);
    for (uint32_t i = 0; i < s->loop_count; i++)
        http_loop_wake(&s->loops[i]);
}

static void hurry_up(struct http_loop *first)
{
    struct http_server *s = first->server;
    if (s->io->signals > 2 || !s->app->hurry || !s->app->hurry(s->app->user))
        _exit(1); // the last lines of the log may be lost
    if (s->io->door_closes_ns != 0)
        s->io->door_closes_ns = first->now_ns;
    s->io->drain_end_ns = first->now_ns;
    for (uint32_t i = 0; i < s->loop_count; i++)
        http_loop_wake(&s->loops[i]);
}

void http_on_signal(struct http_loop *first)
{
    struct http_server *s = first->server;
    int signal;
    while ((signal = s->seam->next_signal(s->io->signal_fd)) != 0) {
        if (signal == SIGHUP) {
            http_key_reader_ask(s);
            continue;
        }
        if (s->io->signals++ > 0) {
            hurry_up(first);
            continue;
        }
        atomic_store_explicit(&s->leaving, true, memory_order_release);
        http_notify(s->io, "STOPPING=1");
        s->io->door_closes_ns = first->now_ns + (signal == SIGTERM ? s->config.drain_delay_ms * 1000000u : 0);
    }
}

// A request may be on its way on an idle connection: it gets a moment, then the connection is closed. Event streams end
// after what was sent to them before: its wake-up may be in the next turn only.
static void hurry(struct http_loop *l)
{
    http_events_take(l);
    l->drain_begun = true;
    for (struct http_conn *c = l->all; c;) {
        struct http_conn *next = c->all_next;
        http_conn_hurry(l, c);
        c = next;
    }
}

void http_drain_step(struct http_loop *l)
{
    struct http_server *s = l->server;
    if (!atomic_load_explicit(&s->leaving, memory_order_acquire))
        return;
    if (l->index == 0 && s->io->door_closes_ns != 0 && l->now_ns >= s->io->door_closes_ns)
        close_door(l);
    if (!atomic_load_explicit(&s->draining, memory_order_acquire))
        return;
    if (!l->drain_begun)
        hurry(l);
    if (!atomic_load_explicit(&s->io->door_closed, memory_order_acquire))
        return;
    if (l->now_ns >= s->io->drain_end_ns && l->all) {
        l->cut = true;
        while (l->all)
            http_conn_close(l, l->all, true);
    }
    if (atomic_load_explicit(&l->conn_count, memory_order_acquire) > 0)
        return;
    if (!l->drained) {
        l->drained = true;
        // The first loop ends last, since it hears the signals.
        atomic_fetch_sub_explicit(&s->io->loops_running, 1, memory_order_release);
        if (l->index > 0)
            http_loop_wake(&s->loops[0]);
    }
    l->finished = l->index > 0 || atomic_load_explicit(&s->io->loops_running, memory_order_acquire) == 0;
}
