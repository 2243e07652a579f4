// The printers' sockets.
#include "printer_io.h"

#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ckd.h"
#include "http/system/seam.h"
#include "printer_discovery.h"
#include "printer_hub.h"
#include "printer_io_parts.h"

#define EVENTS 128
#define DRAIN_TICK_MS 10
#define WAITING_TICK_MS 50

// ---- listeners

static enum pl_errc add_listener(struct printer_io *io, struct printer *printer, enum io_kind kind, const char *address,
                                 struct pl_error *err)
{
    static const char *const KINDS[] = {"", " (JSON)", " (LPD)", "", ""};
    char host[64];
    uint16_t port = 0;
    struct io_listener *listener = &io->listeners[io->listener_count];
    *listener = (struct io_listener){.kind = kind, .printer = printer};
    PL_TRY(printer_open_socket(address, kind == IO_DISCOVERY ? SOCK_DGRAM : SOCK_STREAM, &listener->fd, host,
                               sizeof host, &port, err));
    io->listener_count++;
    if (kind == IO_DISCOVERY && !printer_discovery_prepare(listener->fd))
        return pl_fail(err, PL_E_IO, "--printer-discovery: cannot set up %s: %s", address, strerror(errno));
    if (kind == IO_RAW) {
        snprintf(printer->address, sizeof printer->address, "%s", host);
        printer->port = port;
    }
    if (kind == IO_LPD)
        printer->lpd_port = port;
    if (printer)
        fprintf(stderr, strchr(host, ':') ? "printer %s%s on [%s]:%u\n" : "printer %s%s on %s:%u\n", printer->spec.name,
                kind == IO_RAW && printer->spec.is_spare ? " (spare)" : KINDS[kind], host, port);
    return PL_OK;
}

// Half of the descriptors that are left for connections: the others are for HTTP, which can still say what is wrong.
static uint32_t most_connections(const struct http_server *server)
{
    return PL_MIN(http_server_most_connections(server) / 2, CONNECTIONS_MOST);
}

enum pl_errc printer_io_open(struct printer_hub *hub, struct printer_io **out, struct pl_error *err)
{
    struct printer_io *io = *out = calloc(1, sizeof *io);
    if (!io)
        return pl_fail_memory(err);
    io->hub = hub;
    pthread_mutex_init(&io->lock, NULL);
    io->seam = hub->seam;
    io->now_ns = io->seam->now_ns();
    io->silent_ns = UINT64_MAX;
    io->most = most_connections(hub->server);
    io->poller = io->seam->poller_new();
    io->waker = io->seam->waker_new();
    io->room = malloc(READ_BYTES);
    if (io->poller < 0 || io->waker < 0 || !io->room || !io->seam->watch_input(io->poller, io->waker, io))
        return pl_fail(err, PL_E_IO, "cannot set up the printers' event loop");
    for (uint32_t i = 0; i < hub->count; i++) {
        struct printer *p = &hub->printers[i];
        PL_TRY(add_listener(io, p, IO_RAW, p->spec.listen, err));
        if (p->spec.json[0])
            PL_TRY(add_listener(io, p, IO_JSON, p->spec.json, err));
        if (p->spec.lpd[0])
            PL_TRY(add_listener(io, p, IO_LPD, p->spec.lpd, err));
    }
    if (hub->count > 0 && hub->options.discovery && hub->options.discovery[0])
        PL_TRY(add_listener(io, NULL, IO_DISCOVERY, hub->options.discovery, err));
    if (hub->count > 0 && hub->options.mdns && hub->options.mdns[0]) {
        struct io_listener *mdns = &io->listeners[io->listener_count];
        *mdns = (struct io_listener){.kind = IO_MDNS};
        PL_TRY(printer_mdns_open(hub, &mdns->fd, err));
        io->listener_count++;
    }
    for (uint32_t i = 0; i < io->listener_count; i++) {
        struct io_listener *l = &io->listeners[i];
        http_backoff_watch(&l->backoff, io->seam, io->poller, l->fd, l, true);
        if (!l->backoff.watched)
            return pl_fail(err, PL_E_IO, "cannot watch for connections");
    }
    return PL_OK;
}

// ---- running

static struct io_connection *find(struct printer_io *io, uint64_t id)
{
    uint32_t slot = (uint32_t)(id & 0xFFFF);
    struct io_connection *c = slot >= 1 && slot <= CONNECTIONS_MOST ? io->slots[slot - 1] : NULL;
    return c && c->id == id ? c : NULL;
}

static void on_event(struct printer_io *io, struct io_connection *c, unsigned readiness)
{
    if (readiness & (HTTP_READABLE | HTTP_PEER_ENDED | HTTP_BROKEN))
        c->can_read = true;
    if (readiness & (HTTP_PEER_ENDED | HTTP_BROKEN))
        c->said_all = true;
    if ((readiness & HTTP_BROKEN) && c->ended)
        io_drop(io, c, false, true);
    else
        io_run(io, c);
}

static void take_done(struct printer_io *io, struct printer_job *job)
{
    while (job) {
        struct printer_job *next = job->next;
        struct io_connection *c = find(io, job->source.connection);
        if (c) {
            c->jobs--;
            c->starved = c->starved || job->unanswered;
            io_run(io, c);
        }
        printer_job_free(job);
        job = next;
    }
}

static void take_messages(struct printer_io *io)
{
    pthread_mutex_lock(&io->lock);
    struct io_message *message = io->first;
    struct printer_job *done = io->done;
    uint32_t cuts = io->cuts;
    io->first = io->last = NULL;
    io->done = NULL;
    io->cuts = 0;
    pthread_mutex_unlock(&io->lock);
    // Answers of a job come before its end.
    while (message) {
        struct io_message *next = message->next;
        struct io_connection *c = find(io, message->connection);
        if (c && c->kind != IO_LPD) {
            io_put_answer(io, c, pl_slice_make(message->data, message->size));
            io_run(io, c);
        }
        free(message);
        message = next;
    }
    take_done(io, done);
    for (uint32_t i = 0; cuts && i < CONNECTIONS_MOST; i++) {
        struct io_connection *c = io->slots[i];
        if (c && (cuts >> c->printer->index & 1))
            io_drop(io, c, true, true);
    }
}

// Those that have more to read and could not, or did not, read it. They take turns in being the first.
static bool run_rest(struct printer_io *io)
{
    bool more = false;
    uint32_t first = io->first_slot, last_read = first;
    for (uint32_t i = 0; i < CONNECTIONS_MOST; i++) {
        uint32_t slot = (first + i) % CONNECTIONS_MOST;
        struct io_connection *c = io->slots[slot];
        if (!c || !io_wants_input(c))
            continue;
        last_read = (slot + 1) % CONNECTIONS_MOST;
        if (io_run(io, c))
            more = more || io_wants_input(c);
    }
    io->first_slot = last_read;
    return more;
}

static void on_listener(struct printer_io *io, struct io_listener *listener)
{
    if (listener->kind == IO_DISCOVERY)
        printer_answer_probes(io->hub, listener->fd);
    else if (listener->kind == IO_MDNS)
        printer_mdns_answer(io->hub, listener->fd);
    else
        io_accept(io, listener);
}

static bool is_listener(const struct printer_io *io, const void *tag)
{
    const struct io_listener *listener = tag;
    return listener >= io->listeners && listener < io->listeners + io->listener_count;
}

// An event of this turn may be for a connection that another event has ended.
static bool is_open(const struct printer_io *io, const void *tag)
{
    for (uint32_t i = 0; i < CONNECTIONS_MOST; i++) {
        if (io->slots[i] == tag)
            return true;
    }
    return false;
}

static bool is_waiting(const struct printer_io *io)
{
    for (uint32_t i = 0; i < io->listener_count; i++) {
        if (io->listeners[i].backoff.again_ns != 0)
            return true;
    }
    return false;
}

int printer_io_wait_ms(const struct printer_io *io)
{
    if (io->more)
        return 0;
    if (atomic_load(&io->draining))
        return atomic_load(&io->drained) ? -1 : DRAIN_TICK_MS;
    if (is_waiting(io))
        return WAITING_TICK_MS;
    uint64_t next = io->unsaid > 0 ? PL_MIN(io->silent_ns, io->say_ns) : io->silent_ns;
    if (next == UINT64_MAX)
        return -1;
    return next <= io->now_ns ? 0 : (int)PL_MIN((next - io->now_ns) / 1000000 + 1, (uint64_t)INT_MAX);
}

void printer_io_turn(struct printer_io *io, const struct http_ready_event *events, int count)
{
    io->now_ns = io->seam->now_ns();
    io->turn++;
    for (int i = 0; i < count; i++) {
        void *tag = events[i].tag;
        if (tag == io) {
            io->seam->woken(io->waker);
            atomic_store(&io->woken, false);
            take_messages(io);
        } else if (is_listener(io, tag)) {
            on_listener(io, tag);
        } else if (is_open(io, tag)) {
            on_event(io, tag, events[i].readiness);
        }
    }
    io->more = run_rest(io);
    const bool announces = atomic_exchange(&io->announces, false);
    for (uint32_t i = 0; i < io->listener_count; i++) {
        struct io_listener *l = &io->listeners[i];
        if (announces && l->kind == IO_MDNS)
            printer_mdns_announce(io->hub, l->fd, false);
        http_backoff_resume(&l->backoff, io->seam, io->poller, l->fd, l, io->now_ns);
    }
    io_end_silent(io);
    if (io->now_ns >= io->say_ns)
        io_say_rest(io);
    if (atomic_load(&io->draining))
        io_drain(io);
}

static void *io_main(void *argument)
{
    struct printer_io *io = argument;
    struct http_ready_event events[EVENTS];
    printer_io_announce(io);
    while (!atomic_load(&io->stopping)) {
        int n = io->seam->wait(io->poller, events, EVENTS, printer_io_wait_ms(io));
        printer_io_turn(io, events, n);
    }
    printer_io_finish(io);
    return NULL;
}

// ---- from other threads

bool printer_io_start(struct printer_io *io)
{
    io->started = pthread_create(&io->thread, NULL, io_main, io) == 0;
    return io->started;
}

void printer_io_stop(struct printer_io *io)
{
    if (!io || !io->started)
        return;
    atomic_store(&io->stopping, true);
    io->seam->wake(io->waker);
    pthread_join(io->thread, NULL);
    io->started = false;
}

void printer_io_close(struct printer_io *io)
{
    if (!io)
        return;
    for (uint32_t i = 0; i < CONNECTIONS_MOST; i++) {
        if (io->slots[i])
            io_drop(io, io->slots[i], false, true);
    }
    io_say_rest(io);
    for (uint32_t i = 0; i < io->listener_count; i++) {
        if (io->listeners[i].fd >= 0)
            io->seam->close(io->listeners[i].fd, false);
    }
    while (io->done) {
        struct printer_job *next = io->done->next;
        printer_job_free(io->done);
        io->done = next;
    }
    while (io->first) {
        struct io_message *next = io->first->next;
        free(io->first);
        io->first = next;
    }
    if (io->waker >= 0)
        io->seam->close(io->waker, false);
    if (io->poller >= 0)
        io->seam->close(io->poller, false);
    pthread_mutex_destroy(&io->lock);
    free(io->room);
    free(io);
}

// A connection that has gone takes nothing.
static bool send_reply(void *user, uint64_t connection, struct pl_slice text)
{
    struct printer_io *io = user;
    struct io_message *message = malloc(sizeof *message + text.len);
    if (!message)
        return false;
    *message = (struct io_message){.connection = connection, .size = text.len};
    if (text.len > 0)
        memcpy(message->data, text.ptr, text.len);
    pthread_mutex_lock(&io->lock);
    if (io->last)
        io->last->next = message;
    else
        io->first = message;
    io->last = message;
    pthread_mutex_unlock(&io->lock);
    printer_io_wake(io);
    return true;
}

static void send_done(void *user, struct printer_job *job)
{
    struct printer_io *io = user;
    pthread_mutex_lock(&io->lock);
    job->next = io->done;
    io->done = job;
    pthread_mutex_unlock(&io->lock);
    printer_io_wake(io);
}

static void tell_room(void *user)
{
    printer_io_wake(user);
}

struct printer_ports printer_io_ports(struct printer_io *io)
{
    return (struct printer_ports){.user = io, .reply = send_reply, .done = send_done, .room = tell_room};
}

void printer_io_wake(struct printer_io *io)
{
    if (io && !atomic_exchange(&io->woken, true))
        io->seam->wake(io->waker);
}

void printer_io_announce(struct printer_io *io)
{
    atomic_store(&io->announces, true);
    printer_io_wake(io);
}

void printer_io_cut(struct printer_io *io, uint32_t index)
{
    pthread_mutex_lock(&io->lock);
    io->cuts |= 1u << index;
    pthread_mutex_unlock(&io->lock);
    printer_io_wake(io);
}

void printer_io_drain(struct printer_io *io)
{
    atomic_store(&io->draining, true);
    io->seam->wake(io->waker);
}

bool printer_io_is_drained(struct printer_io *io)
{
    return atomic_load(&io->drained);
}
