// The end of the printers' sockets. What the system has acknowledged counts as accepted: it is taken before anything is
// closed, and from then on nothing more is acknowledged.
#include "printer_discovery.h"
#include "printer_io.h"
#include "printer_io_parts.h"

#define PAUSE_NS 50000000ull        // between two jobs of a connection: then it is over
#define UNFINISHED_NS 1000000000ull // in a job: then the rest does not come
#define FINISH_NS 2000000000ull     // for reading what the system has acknowledged when the time is over

// Whoever the system has already connected is served; nobody after that. False: there are no descriptors for all yet.
static bool close_doors(struct printer_io *io)
{
    bool closed = true;
    for (uint32_t i = 0; i < io->listener_count; i++) {
        struct io_listener *l = &io->listeners[i];
        if (l->kind == IO_MDNS && l->fd >= 0)
            printer_mdns_announce(io->hub, l->fd, true);
        if (l->fd < 0)
            continue;
        bool stream = l->kind != IO_MDNS && l->kind != IO_DISCOVERY;
        http_backoff_watch(&l->backoff, io->seam, io->poller, l->fd, l, false);
        io->seam->stop_input(l->fd);
        l->backoff.again_ns = 0;
        uint64_t before;
        do {
            before = io->generation;
            if (stream)
                io_accept(io, l);
        } while (io->generation != before);
        if (l->backoff.again_ns != 0) {
            closed = false; // starved
            continue;
        }
        io->seam->close(l->fd, false);
        l->fd = -1;
    }
    return closed;
}

// One connection. It is over when it has sent nothing for a moment and nothing is under way for it.
static void settle(struct printer_io *io, struct io_connection *c)
{
    bool stuck = printer_is_stuck(c->printer); // what it was sent is kept or named
    if (!c->leaves) {
        uint64_t silence = io_is_between(c) ? PAUSE_NS : UNFINISHED_NS;
        if (!stuck && (c->can_read || io->now_ns < c->last_ns + silence))
            return;
        io_leave(io, c);
    }
    if ((c->jobs > 0 && !stuck) || c->out.len > c->out_from) {
        io_run(io, c);
        return;
    }
    io_part(io, c);
}

void io_drain(struct printer_io *io)
{
    if (!io->doors_closed)
        io->doors_closed = close_doors(io);
    for (uint32_t i = 0; i < CONNECTIONS_MOST; i++) {
        if (io->slots[i])
            settle(io, io->slots[i]);
    }
    if (io->doors_closed && io->count == 0)
        atomic_store(&io->drained, true);
}

void printer_io_finish(struct printer_io *io)
{
    uint32_t ended;
    io->now_ns = io->seam->now_ns();
    io->finish_ns = io->now_ns + FINISH_NS;
    // Those that end leave their descriptors to those that still wait to be accepted.
    do {
        if (!io->doors_closed)
            io->doors_closed = close_doors(io);
        ended = 0;
        for (uint32_t i = 0; i < CONNECTIONS_MOST; i++) {
            if (!io->slots[i])
                continue;
            io_part(io, io->slots[i]);
            ended++;
        }
    } while (ended > 0);
}
