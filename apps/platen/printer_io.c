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
#include "printer/lpd.h"
#include "printer_discovery.h"
#include "printer_hub.h"

#define CONNECTIONS_MOST 1024u
#define READ_BYTES 65536u
#define READS_PER_TURN 8
#define OUT_BYTES ((size_t)8 << 20)   // that a client does not read; then its connection ends
#define OUT_PAUSE ((size_t)256 << 10) // that a client has not read: it is not read either
#define HELD_MOST ((size_t)256 << 20) // of all connections: units that have not ended, and answers that are not read
#define EVENTS 128
#define DISCARD_MOST ((size_t)1 << 20)
#define ACCEPTS_PER_TURN 64
#define BACKLOG 1024

enum io_kind { IO_RAW, IO_JSON, IO_LPD, IO_DISCOVERY, IO_MDNS };

struct io_listener {
    enum io_kind kind;
    struct printer *printer;
    int fd;
};

struct io_connection {
    enum io_kind kind;
    uint64_t id;
    int fd;
    struct printer *printer;
    struct printer_source source;
    struct sockaddr_storage peer;
    struct printer_splitter splitter;
    struct lpd lpd;
    struct pl_buf out;
    size_t out_from;
    bool decided;  // that it is no HTTP
    bool can_read; // the socket may hold bytes
    bool said_all; // the client sends no more; bytes may still be there
    bool ended;    // and all was read
    bool partial;  // counted in printer->partial
    bool refused;  // it was told so: what still comes is thrown away
    size_t discarded;
    bool dead;
    uint32_t jobs; // that are not done yet
    uint64_t last_ns;
};

struct io_message {
    struct io_message *next;
    uint64_t connection;
    bool done; // a job is; otherwise a reply
    size_t size;
    uint8_t data[];
};

struct printer_io {
    struct printer_hub *hub;
    int poller, waker;
    pthread_t thread;
    bool started;
    struct io_listener listeners[PRINTERS_MAX * 3 + 2];
    uint32_t listener_count;
    struct io_connection *slots[CONNECTIONS_MOST];
    uint32_t count;
    uint64_t generation;
    uint64_t held; // bytes of units that have not ended, and of answers that are not read
    uint8_t *room;
    atomic_bool stopping, woken;
    atomic_uint by_printer[PRINTERS_MAX];
    pthread_mutex_t lock; // of the messages
    struct io_message *first, *last;
    uint32_t cuts; // bits of printers
};

static const struct http_seam *const SEAM = &http_system_seam;

// ---- listeners

static enum pl_errc open_socket(const char *address, int type, int *out, char *host_out, size_t host_size,
                                uint16_t *port_out, struct pl_error *err)
{
    char host[256];
    const char *port;
    if (!http_address_split(address, host, sizeof host, &port) || strlen(port) > 5 || strtoul(port, NULL, 10) > 65535)
        return pl_fail(err, PL_E_INVALID, "--printer: '%s' is not HOST:PORT", address);
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = type, .ai_flags = AI_PASSIVE};
    struct addrinfo *list;
    int failed = getaddrinfo(host[0] ? host : NULL, port, &hints, &list);
    if (failed)
        return pl_fail(err, PL_E_INVALID, "--printer: '%s': %s", address, gai_strerror(failed));
    int fd = socket(list->ai_family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int on = 1;
    bool ok = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
              bind(fd, list->ai_addr, list->ai_addrlen) == 0 && (type != SOCK_STREAM || listen(fd, BACKLOG) == 0);
    int reason = errno;
    freeaddrinfo(list);
    struct sockaddr_storage bound;
    socklen_t size = sizeof bound;
    char number[16];
    if (!ok || getsockname(fd, (struct sockaddr *)&bound, &size) != 0 ||
        getnameinfo((struct sockaddr *)&bound, size, host_out, (socklen_t)host_size, number, sizeof number,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
        if (fd >= 0)
            close(fd);
        return pl_fail(err, PL_E_IO, "cannot listen on %s: %s", address, strerror(reason));
    }
    *port_out = (uint16_t)strtoul(number, NULL, 10);
    *out = fd;
    return PL_OK;
}

static enum pl_errc add_listener(struct printer_io *io, struct printer *printer, enum io_kind kind, const char *address,
                                 struct pl_error *err)
{
    static const char *const KINDS[] = {"", " (JSON)", " (LPD)", "", ""};
    char host[64];
    uint16_t port = 0;
    struct io_listener *listener = &io->listeners[io->listener_count];
    *listener = (struct io_listener){.kind = kind, .printer = printer};
    PL_TRY(open_socket(address, kind == IO_DISCOVERY ? SOCK_DGRAM : SOCK_STREAM, &listener->fd, host, sizeof host,
                       &port, err));
    io->listener_count++;
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

static void note_partial(struct io_connection *c)
{
    bool partial = c->splitter.in_format;
    if (partial == c->partial)
        return;
    c->partial = partial;
    pthread_mutex_lock(&c->printer->lock);
    c->printer->partial += partial ? 1 : UINT32_MAX;
    pthread_mutex_unlock(&c->printer->lock);
}

static uint64_t held_by(const struct io_connection *c)
{
    return c->splitter.unit.len + c->out.len;
}

// Forgets it; the descriptor is closed unless somebody else has it now.
static void drop(struct printer_io *io, struct io_connection *c, bool reset, bool close_it)
{
    if (close_it)
        SEAM->close(c->fd, reset);
    else
        SEAM->unwatch(io->poller, c->fd);
    c->splitter.in_format = false;
    note_partial(c);
    io->held -= held_by(c);
    io->slots[(c->id & 0xFFFF) - 1] = NULL;
    io->count--;
    atomic_fetch_sub(&io->by_printer[c->printer->index], 1);
    http_counter_add(io->hub->connections, UINT64_MAX); // minus one
    printer_splitter_fini(&c->splitter);
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
        drop(io, goes, false, true);
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
    c->decided = listener->kind != IO_RAW;
    c->last_ns = pl_now_ns();
    c->source.connection = c->id;
    char host[48] = "?", number[8] = "0";
    socklen_t size = peer->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    getnameinfo((const struct sockaddr *)peer, size, host, sizeof host, number, sizeof number,
                NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(c->source.text, sizeof c->source.text, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, number);
    printer_splitter_init(&c->splitter, io->hub->unit_bytes);
    pl_buf_init(&c->out, OUT_BYTES);
    io->slots[slot] = c;
    io->count++;
    atomic_fetch_add(&io->by_printer[c->printer->index], 1);
    http_counter_add(io->hub->connections, 1);
    if (!SEAM->watch_connection(io->poller, fd, c))
        drop(io, c, false, true);
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

// ---- input

struct feed {
    struct printer_io *io;
    struct io_connection *c;
};

static void submit(struct io_connection *c, struct pl_buf *code, const char *refused)
{
    struct printer_job *job = printer_job_new(c->printer, pl_slice_make("", 0), &c->source);
    if (!job)
        return;
    pl_buf_fini(&job->code);
    job->code = *code; // moved
    *code = (struct pl_buf){0};
    job->refused = refused;
    c->jobs++;
    printer_submit(c->printer, job);
}

static void on_unit(void *user, enum printer_unit unit, struct pl_buf *bytes)
{
    struct feed *f = user;
    struct io_connection *c = f->c;
    struct pl_buf nowhere, *out = c->kind == IO_LPD ? &nowhere : &c->out; // LPD has room for its own answers only
    pl_buf_init(&nowhere, OUT_PAUSE);
    switch (unit) {
    case PRINTER_UNIT_CODE:
        if (c->kind != IO_JSON)
            submit(c, bytes, NULL);
        break;
    case PRINTER_UNIT_TOO_LARGE:
        submit(c, bytes, "the format or download is over the limit of --max-body");
        break;
    case PRINTER_UNIT_UNFINISHED:
        submit(c, bytes, "the connection ended before the format's ^XZ");
        break;
    case PRINTER_UNIT_CONTROL:
        if (pl_slice_eq_cstr(pl_buf_slice(bytes), "JA") || pl_slice_eq_cstr(pl_buf_slice(bytes), "JR"))
            printer_splitter_cancel(&c->splitter);
        printer_control(c->printer, pl_buf_slice(bytes), &c->source, out);
        if (pl_slice_eq_cstr(pl_buf_slice(bytes), "JR"))
            c->splitter.prefixes = PRINTER_PREFIXES;
        break;
    case PRINTER_UNIT_SGD:
        printer_sgd(c->printer, pl_buf_slice(bytes), &c->source, out);
        break;
    case PRINTER_UNIT_JSON:
        printer_json(c->printer, pl_buf_slice(bytes), &c->source, out);
        break;
    }
    pl_buf_fini(&nowhere);
}

// Prefixes are the printer's: what one connection changes counts for the next format of another.
static void feed(struct printer_io *io, struct io_connection *c, struct pl_slice bytes)
{
    struct feed f = {io, c};
    struct printer *p = c->printer;
    if (printer_splitter_is_idle(&c->splitter)) {
        pthread_mutex_lock(&p->lock);
        c->splitter.prefixes = p->prefixes;
        pthread_mutex_unlock(&p->lock);
    }
    struct printer_prefixes before = c->splitter.prefixes;
    io->held -= held_by(c);
    printer_splitter_feed(&c->splitter, bytes, on_unit, &f);
    io->held += held_by(c);
    if (memcmp(&before, &c->splitter.prefixes, sizeof before) != 0) {
        pthread_mutex_lock(&p->lock);
        p->prefixes = c->splitter.prefixes;
        pthread_mutex_unlock(&p->lock);
    }
    note_partial(c);
}

static void end_input(struct printer_io *io, struct io_connection *c)
{
    struct feed f = {io, c};
    io->held -= held_by(c);
    printer_splitter_end(&c->splitter, on_unit, &f);
    io->held += held_by(c);
    note_partial(c);
}

static void put_answer(struct printer_io *io, struct io_connection *c, struct pl_slice text)
{
    io->held -= held_by(c);
    pl_buf_append_slice(&c->out, text);
    io->held += held_by(c);
}

static void lpd_data(void *user, struct pl_slice bytes)
{
    struct feed *f = user;
    feed(f->io, f->c, bytes);
}

static void lpd_file_end(void *user)
{
    struct feed *f = user;
    end_input(f->io, f->c);
}

// True: it may go on.
static bool take_bytes(struct printer_io *io, struct io_connection *c, struct pl_slice bytes)
{
    struct feed f = {io, c};
    const struct lpd_sink sink = {lpd_data, lpd_file_end, &f};
    c->last_ns = pl_now_ns();
    if (c->refused)
        return (c->discarded += bytes.len) < DISCARD_MOST;
    if (io->held + bytes.len > io->hub->unit_bytes + HELD_MOST) {
        struct pl_buf none;
        pl_buf_init(&none, 64);
        submit(c, &none, "too much was on its way to the printers at once");
        return false;
    }
    if (c->kind == IO_LPD) {
        struct pl_buf answer;
        pl_buf_init(&answer, READ_BYTES * 2); // at most one byte for each
        bool goes_on = lpd_feed(&c->lpd, bytes, &sink, &answer);
        put_answer(io, c, pl_buf_slice(&answer));
        pl_buf_fini(&answer);
        return goes_on;
    }
    feed(io, c, bytes);
    return true;
}

// ---- HTTP on a raw port

enum first_bytes { FIRST_RAW, FIRST_HTTP, FIRST_UNKNOWN };

static enum first_bytes look(const uint8_t *bytes, size_t len)
{
    static const char *const METHODS[] = {"GET ", "POST ", "OPTIONS ", "HEAD ", "PUT ", "DELETE ", "PATCH "};
    for (size_t i = 0; i < PL_COUNTOF(METHODS); i++) {
        size_t n = strlen(METHODS[i]);
        if (memcmp(bytes, METHODS[i], PL_MIN(n, len)) == 0)
            return len >= n ? FIRST_HTTP : FIRST_UNKNOWN;
    }
    return FIRST_RAW;
}

// False: the connection is no longer here.
static bool decide(struct printer_io *io, struct io_connection *c)
{
    static const char NO[] =
        "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: 64\r\n"
        "Connection: close\r\n\r\nThis port takes label code. It is not a door of Browser Print.\r\n";
    uint8_t bytes[8];
    ssize_t n = recv(c->fd, bytes, sizeof bytes, MSG_PEEK | MSG_DONTWAIT);
    if (n <= 0) {
        c->decided = n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
        return true;
    }
    enum first_bytes first = look(bytes, (size_t)n);
    if (first == FIRST_UNKNOWN && !c->said_all) {
        c->can_read = false; // more bytes bring another event
        return true;
    }
    c->decided = true;
    if (first != FIRST_HTTP)
        return true;
    uint32_t door = c->printer->index + 1;
    struct printer_hub *hub = io->hub;
    if (hub->options.browser_print) {
        int fd = c->fd;
        struct sockaddr_storage peer = c->peer;
        drop(io, c, false, false);
        if (!http_adopt(hub->server, fd, &peer, door))
            SEAM->close(fd, true);
        return false;
    }
    if (SEAM->send(c->fd, &(struct iovec){(void *)(uintptr_t)NO, sizeof NO - 1}, 1) < 0)
        errno = 0;
    // What the client still sends is read, or closing would take the answer along.
    c->refused = SEAM->end_sending(c->fd) == 0;
    if (c->refused)
        return true;
    drop(io, c, false, true);
    return false;
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
    if (c->can_read && !c->decided && !decide(io, c))
        return false;
    for (int reads = 0; goes_on && wants_input(c) && reads < READS_PER_TURN; reads++) {
        ssize_t n = SEAM->receive(c->fd, io->room, READ_BYTES);
        if (n > 0) {
            goes_on = take_bytes(io, c, pl_slice_make(io->room, (size_t)n));
            continue;
        }
        c->can_read = false;
        if (n == 0) {
            struct feed f = {io, c};
            const struct lpd_sink sink = {lpd_data, lpd_file_end, &f};
            c->ended = true;
            if (c->kind == IO_LPD)
                lpd_end(&c->lpd, &sink);
            end_input(io, c);
        } else if (errno != EAGAIN && errno != EWOULDBLOCK) {
            goes_on = false;
        }
    }
    printer_tell_changes(c->printer);
    if (!flush(io, c) || c->out.failed) {
        drop(io, c, true, true);
        return false;
    }
    if (!goes_on || (c->ended && c->jobs == 0 && c->out.len == 0)) {
        drop(io, c, false, true);
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
        drop(io, c, false, true);
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
            put_answer(io, c, pl_slice_make(message->data, message->size));
        if (c)
            run(io, c);
        free(message);
        message = next;
    }
    for (uint32_t i = 0; cuts && i < CONNECTIONS_MOST; i++) {
        struct io_connection *c = io->slots[i];
        if (c && (cuts >> c->printer->index & 1))
            drop(io, c, true, true);
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
            drop(io, io->slots[i], false, true);
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
