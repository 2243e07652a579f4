// Connections of the printers: opened, read, answered, closed.
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "http/guard/guard.h"
#include "printer_io_parts.h"

#define ACCEPTS_PER_TURN 64

// ---- new ones

static void name_source(struct io_connection *c)
{
    char host[48] = "?", number[8] = "0";
    socklen_t size = c->peer.ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    getnameinfo((const struct sockaddr *)&c->peer, size, host, sizeof host, number, sizeof number,
                NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(c->source.text, sizeof c->source.text, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, number);
}

static void open_connection(struct printer_io *io, const struct io_listener *listener, int fd,
                            const struct sockaddr_storage *peer)
{
    uint64_t client = http_client_key(io->hub->server, peer);
    io_share_connections(io, listener->printer, client);
    struct io_connection *c = calloc(1, sizeof *c);
    uint32_t slot = 0;
    while (c && io->slots[slot])
        slot++;
    if (!c) {
        io->seam->close(fd, true);
        return;
    }
    c->kind = listener->kind;
    c->fd = fd;
    c->printer = listener->printer;
    c->client = c->source.client = client;
    c->peer = *peer;
    c->id = ++io->generation << 16 | (slot + 1);
    c->decided = listener->kind == IO_LPD; // whose first byte is never that of HTTP
    c->last_ns = io->now_ns;
    c->source.connection = c->id;
    name_source(c);
    printer_splitter_init(&c->splitter, io->hub->unit_bytes);
    if (c->kind != IO_JSON)
        printer_reads(c->printer, &c->splitter);
    pl_buf_init(&c->file, LPD_HELD);
    pl_buf_init(&c->out, OUT_BYTES);
    io->slots[slot] = c;
    io->count++;
    atomic_fetch_add(&c->printer->connections, 1);
    http_counter_add(io->hub->connections, 1);
    if (!io->seam->watch_connection(io->poller, fd, c))
        io_drop(io, c, true, true);
}

void io_accept(struct printer_io *io, struct io_listener *l)
{
    for (int i = 0; l->fd >= 0 && i < ACCEPTS_PER_TURN; i++) {
        struct sockaddr_storage peer;
        int fd = io->seam->accept(l->fd, &peer);
        if (fd < 0) {
            // No descriptors or memory: a connection that does nothing gives up its own, else try again in a moment.
            if (!http_backoff_starved(errno))
                return;
            if (io_give_up_silent(io))
                continue;
            http_backoff_pause(&l->backoff, io->seam, io->poller, l->fd, io->now_ns);
            return;
        }
        pthread_mutex_lock(&l->printer->lock);
        bool refuses = l->printer->faults.refuses;
        pthread_mutex_unlock(&l->printer->lock);
        if (refuses)
            io->seam->close(fd, true);
        else
            open_connection(io, l, fd, &peer);
    }
}

// ---- running

// What was sent goes, once it is half of what there is: the limit is for what is not read.
static void forget_sent(struct printer_io *io, struct io_connection *c)
{
    if (c->out_from == 0 || c->out_from < c->out.len / 2)
        return;
    memmove(c->out.data, c->out.data + c->out_from, c->out.len - c->out_from);
    c->out.len -= c->out_from;
    c->out_from = 0;
    if (c->out.len == 0 && c->out.cap > OUT_PAUSE) {
        pl_buf_fini(&c->out);
        pl_buf_init(&c->out, OUT_BYTES);
    }
    io_count_held(io, c);
}

static bool flush(struct printer_io *io, struct io_connection *c)
{
    bool goes_on = true;
    while (goes_on && c->out_from < c->out.len) {
        ssize_t n = io->seam->send(c->fd, &(struct iovec){c->out.data + c->out_from, c->out.len - c->out_from}, 1);
        if (n < 0) {
            goes_on = errno == EAGAIN || errno == EWOULDBLOCK;
            break;
        }
        c->out_from += (size_t)n;
        c->last_ns = io->now_ns;
    }
    forget_sent(io, c);
    return goes_on;
}

static void discard_answers(struct printer_io *io, struct io_connection *c)
{
    pl_buf_clear(&c->out);
    c->out_from = 0;
    io_count_held(io, c);
}

// What it does not read stops it; then its socket brings an event when it has read.
bool io_wants_input(const struct io_connection *c)
{
    return (c->can_read || c->file_whole) && c->decided && c->out.len - c->out_from <= OUT_PAUSE &&
           printer_takes_input(c->printer, c->client);
}

bool io_run(struct printer_io *io, struct io_connection *c)
{
    bool goes_on = true;
    if (c->can_read && !c->decided && !io_decide(io, c))
        return false;
    if (c->turn != io->turn)
        c->work = 0;
    c->turn = io->turn;
    while (goes_on && c->work < WORK_OF_TURN && io_wants_input(c) && !atomic_load(&io->stopping))
        goes_on = io_read_once(io, c);
    printer_tell_changes(c->printer);
    // Who has closed takes no answers; what it sent before is taken all the same. After one that is lost none is sent:
    // it would be taken for that one.
    if (!c->deaf && !c->starved && !flush(io, c))
        c->deaf = true;
    if (c->deaf)
        discard_answers(io, c);
    if (c->out.failed || c->starved) {
        io_drop(io, c, true, true);
        return false;
    }
    if (!goes_on || (c->ended && !c->file_whole && c->jobs == 0 && c->out.len == 0)) {
        io_drop(io, c, false, true);
        return false;
    }
    return true;
}
