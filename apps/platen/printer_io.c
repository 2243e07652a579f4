// The printers' sockets.
#include "printer_io.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ckd.h"
#include "http/io/seam.h"
#include "http/server/server.h"
#include "printer_discovery.h"
#include "printer_hub.h"
#include "printer_io_parts.h"

#define READS_PER_TURN 8
#define EVENTS 128
#define ACCEPTS_PER_TURN 64

static const struct http_seam *const SEAM = &http_system_seam;

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
                KINDS[kind], host, port);
    return PL_OK;
}

enum pl_errc printer_io_open(struct printer_hub *hub, struct printer_io **out, struct pl_error *err)
{
    struct printer_io *io = *out = calloc(1, sizeof *io);
    if (!io)
        return pl_fail_memory(err);
    io->hub = hub;
    pthread_mutex_init(&io->lock, NULL);
    io->poller = SEAM->poller_new();
    io->waker = SEAM->waker_new();
    io->room = malloc(READ_BYTES);
    if (io->poller < 0 || io->waker < 0 || !io->room || !SEAM->watch_input(io->poller, io->waker, io))
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
        if (!SEAM->watch_input(io->poller, io->listeners[i].fd, &io->listeners[i]))
            return pl_fail(err, PL_E_IO, "cannot watch for connections");
    }
    return PL_OK;
}

// ---- connections

static struct io_connection *find(struct printer_io *io, uint64_t id)
{
    uint32_t slot = (uint32_t)(id & 0xFFFF);
    struct io_connection *c = slot >= 1 && slot <= CONNECTIONS_MOST ? io->slots[slot - 1] : NULL;
    return c && c->id == id ? c : NULL;
}

void io_drop(struct printer_io *io, struct io_connection *c, bool reset, bool close_it)
{
    if (close_it)
        SEAM->close(c->fd, reset);
    else
        SEAM->unwatch(io->poller, c->fd);
    c->splitter.in_format = false;
    io_note_partial(c);
    io->held -= io_held_by(c);
    io->slots[(c->id & 0xFFFF) - 1] = NULL;
    io->count--;
    atomic_fetch_sub(&io->by_printer[c->printer->index], 1);
    http_counter_add(io->hub->connections, UINT64_MAX); // minus one
    printer_splitter_fini(&c->splitter);
    pl_buf_fini(&c->file);
    pl_buf_fini(&c->out);
    free(c);
}

// How little is lost with it: most with the lowest. Jobs that are whole are printed without their connection.
static int spare(const struct io_connection *c)
{
    return c->jobs > 0 ? 1 : printer_splitter_is_idle(&c->splitter) ? 2 : 0;
}

// At the limit one makes room: of those with which least is lost the one that has been silent longest.
static void make_room(struct printer_io *io)
{
    struct io_connection *goes = NULL;
    for (uint32_t i = 0; io->count >= CONNECTIONS_MOST && i < CONNECTIONS_MOST; i++) {
        struct io_connection *c = io->slots[i];
        if (c && (!goes || spare(c) > spare(goes) || (spare(c) == spare(goes) && c->last_ns < goes->last_ns)))
            goes = c;
    }
    if (goes)
        io_drop(io, goes, false, true);
}

static void open_connection(struct printer_io *io, const struct io_listener *listener, int fd,
                            const struct sockaddr_storage *peer)
{
    make_room(io);
    struct io_connection *c = calloc(1, sizeof *c);
    uint32_t slot = 0;
    while (c && io->slots[slot])
        slot++;
    if (!c) {
        SEAM->close(fd, false);
        return;
    }
    c->kind = listener->kind;
    c->fd = fd;
    c->printer = listener->printer;
    c->peer = *peer;
    c->id = ++io->generation << 16 | (slot + 1);
    c->decided = listener->kind == IO_LPD; // whose first byte is never that of HTTP
    c->last_ns = pl_now_ns();
    c->source.connection = c->id;
    char host[48] = "?", number[8] = "0";
    socklen_t size = peer->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    getnameinfo((const struct sockaddr *)peer, size, host, sizeof host, number, sizeof number,
                NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(c->source.text, sizeof c->source.text, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, number);
    printer_splitter_init(&c->splitter, io->hub->unit_bytes);
    pl_buf_init(&c->file, LPD_HELD);
    pl_buf_init(&c->out, OUT_BYTES);
    io->slots[slot] = c;
    io->count++;
    atomic_fetch_add(&io->by_printer[c->printer->index], 1);
    http_counter_add(io->hub->connections, 1);
    if (!SEAM->watch_connection(io->poller, fd, c))
        io_drop(io, c, false, true);
}

static void accept_some(struct printer_io *io, const struct io_listener *listener)
{
    for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
        struct sockaddr_storage peer;
        int fd = SEAM->accept(listener->fd, &peer);
        if (fd < 0)
            return;
        pthread_mutex_lock(&listener->printer->lock);
        bool refuses = listener->printer->faults.refuses;
        pthread_mutex_unlock(&listener->printer->lock);
        if (refuses)
            SEAM->close(fd, true);
        else
            open_connection(io, listener, fd, &peer);
    }
}

// ---- running

// What was sent goes, once it is half of what there is: the limit is for what is not read.
static void forget_sent(struct printer_io *io, struct io_connection *c)
{
    if (c->out_from == 0 || c->out_from < c->out.len / 2)
        return;
    io->held -= c->out_from;
    memmove(c->out.data, c->out.data + c->out_from, c->out.len - c->out_from);
    c->out.len -= c->out_from;
    c->out_from = 0;
}

static bool flush(struct printer_io *io, struct io_connection *c)
{
    bool goes_on = true;
    while (goes_on && c->out_from < c->out.len) {
        ssize_t n = SEAM->send(c->fd, &(struct iovec){c->out.data + c->out_from, c->out.len - c->out_from}, 1);
        if (n < 0) {
            goes_on = errno == EAGAIN || errno == EWOULDBLOCK;
            break;
        }
        c->out_from += (size_t)n;
    }
    forget_sent(io, c);
    if (c->out.len == 0 && c->out.cap > OUT_PAUSE) {
        pl_buf_fini(&c->out);
        pl_buf_init(&c->out, OUT_BYTES);
    }
    return goes_on;
}

// Can it be read now? What it does not read stops it; then its socket brings an event when it has read.
static bool wants_input(const struct io_connection *c)
{
    return c->can_read && c->decided && c->out.len - c->out_from <= OUT_PAUSE && printer_has_room(c->printer);
}

// False: it is gone.
static bool run(struct printer_io *io, struct io_connection *c)
{
    bool goes_on = true;
    if (c->can_read && !c->decided && !io_decide(io, c))
        return false;
    for (int reads = 0; goes_on && wants_input(c) && reads < READS_PER_TURN; reads++) {
        ssize_t n = SEAM->receive(c->fd, io->room, READ_BYTES);
        if (n > 0) {
            goes_on = io_take_bytes(io, c, pl_slice_make(io->room, (size_t)n));
            continue;
        }
        c->can_read = false;
        if (n == 0) {
            c->ended = true;
            io_end_input(io, c);
        } else if (errno != EAGAIN && errno != EWOULDBLOCK) {
            goes_on = false;
        }
    }
    printer_tell_changes(c->printer);
    if (!flush(io, c) || c->out.failed) {
        io_drop(io, c, true, true);
        return false;
    }
    if (!goes_on || (c->ended && c->jobs == 0 && c->out.len == 0)) {
        io_drop(io, c, false, true);
        return false;
    }
    return true;
}

static void on_event(struct printer_io *io, struct io_connection *c, unsigned readiness)
{
    if (readiness & (HTTP_READABLE | HTTP_PEER_ENDED | HTTP_BROKEN))
        c->can_read = true;
    if (readiness & (HTTP_PEER_ENDED | HTTP_BROKEN))
        c->said_all = true;
    if ((readiness & HTTP_BROKEN) && c->ended) {
        io_drop(io, c, false, true);
        return;
    }
    run(io, c);
}

static void take_messages(struct printer_io *io)
{
    pthread_mutex_lock(&io->lock);
    struct io_message *message = io->first;
    uint32_t cuts = io->cuts;
    io->first = io->last = NULL;
    io->cuts = 0;
    pthread_mutex_unlock(&io->lock);
    while (message) {
        struct io_message *next = message->next;
        struct io_connection *c = find(io, message->connection);
        if (c && message->done)
            c->jobs -= c->jobs > 0;
        else if (c && c->kind != IO_LPD)
            io_put_answer(io, c, pl_slice_make(message->data, message->size));
        if (c)
            run(io, c);
        free(message);
        message = next;
    }
    for (uint32_t i = 0; cuts && i < CONNECTIONS_MOST; i++) {
        struct io_connection *c = io->slots[i];
        if (c && (cuts >> c->printer->index & 1))
            io_drop(io, c, true, true);
    }
}

// Those that have more to read and could not, or did not, read it.
static bool run_rest(struct printer_io *io)
{
    bool more = false;
    for (uint32_t i = 0; i < CONNECTIONS_MOST; i++) {
        struct io_connection *c = io->slots[i];
        if (c && wants_input(c) && run(io, c))
            more = more || wants_input(c);
    }
    return more;
}

static void on_listener(struct printer_io *io, const struct io_listener *listener)
{
    if (listener->kind == IO_DISCOVERY)
        printer_answer_probes(io->hub, listener->fd);
    else if (listener->kind == IO_MDNS)
        printer_mdns_answer(io->hub, listener->fd);
    else
        accept_some(io, listener);
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

static void announce(struct printer_io *io, bool leaves)
{
    for (uint32_t i = 0; i < io->listener_count; i++) {
        if (io->listeners[i].kind == IO_MDNS)
            printer_mdns_announce(io->hub, io->listeners[i].fd, leaves);
    }
}

static void *io_main(void *argument)
{
    struct printer_io *io = argument;
    struct http_ready_event events[EVENTS];
    bool more = false;
    announce(io, false);
    while (!atomic_load(&io->stopping)) {
        int n = SEAM->wait(io->poller, events, EVENTS, more ? 0 : -1);
        for (int i = 0; i < n; i++) {
            void *tag = events[i].tag;
            if (tag == io) {
                SEAM->woken(io->waker);
                atomic_store(&io->woken, false);
                take_messages(io);
                continue;
            }
            if (is_listener(io, tag))
                on_listener(io, tag);
            else if (is_open(io, tag))
                on_event(io, tag, events[i].readiness);
        }
        more = run_rest(io);
    }
    announce(io, true);
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
    SEAM->wake(io->waker);
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
    for (uint32_t i = 0; i < io->listener_count; i++)
        close(io->listeners[i].fd);
    while (io->first) {
        struct io_message *next = io->first->next;
        free(io->first);
        io->first = next;
    }
    if (io->waker >= 0)
        close(io->waker);
    if (io->poller >= 0)
        close(io->poller);
    pthread_mutex_destroy(&io->lock);
    free(io->room);
    free(io);
}

static void send_message(struct printer_io *io, uint64_t connection, bool done, struct pl_slice text)
{
    struct io_message *message = malloc(sizeof *message + text.len);
    if (!message)
        return;
    *message = (struct io_message){.connection = connection, .done = done, .size = text.len};
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
}

void printer_io_wake(struct printer_io *io)
{
    if (io && !atomic_exchange(&io->woken, true))
        SEAM->wake(io->waker);
}

void printer_io_reply(struct printer_io *io, uint64_t connection, struct pl_slice text)
{
    if (io)
        send_message(io, connection, false, text);
}

void printer_io_job_done(struct printer_io *io, uint64_t connection)
{
    if (io)
        send_message(io, connection, true, pl_slice_make("", 0));
}

void printer_io_cut(struct printer_io *io, uint32_t index)
{
    pthread_mutex_lock(&io->lock);
    io->cuts |= 1u << index;
    pthread_mutex_unlock(&io->lock);
    printer_io_wake(io);
}

uint32_t printer_io_count(struct printer_io *io, uint32_t index)
{
    return atomic_load(&io->by_printer[index]);
}
