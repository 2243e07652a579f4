// Reading a connection of a printer, and its end: what was acknowledged is taken before it is closed.
#include <errno.h>
#include <stdlib.h>

#include "printer_io_parts.h"
#include "process/say.h"

void io_drop(struct printer_io *io, struct io_connection *c, bool reset, bool close_it)
{
    if (c->file_whole) { // it was accepted: its jobs are printed without their connection, too
        c->leaves = true;
        io_take_file(io, c);
    }
    if (close_it)
        io->seam->close(c->fd, reset);
    else
        io->seam->unwatch(io->poller, c->fd);
    c->splitter.in_format = false;
    io_note_partial(c);
    printer_splitter_fini(&c->splitter);
    pl_buf_fini(&c->file);
    pl_buf_fini(&c->out);
    io_count_held(io, c);
    io->slots[(c->id & 0xFFFF) - 1] = NULL;
    io->count--;
    atomic_fetch_sub(&c->printer->connections, 1);
    http_counter_add(io->hub->connections, UINT64_MAX); // minus one
    free(c);
}

// What was taken leaves the system's buffer; the rest stays there, so that its client notices that it has to wait.
static bool leave_taken(struct printer_io *io, struct io_connection *c, size_t taken)
{
    while (taken > 0) {
        ssize_t n = io->seam->receive(c->fd, io->room, taken);
        if (n <= 0)
            return false;
        taken -= (size_t)n;
    }
    return true;
}

bool io_read_once(struct printer_io *io, struct io_connection *c)
{
    if (c->file_whole) {
        io_take_file(io, c);
        return true;
    }
    ssize_t n = io->seam->peek(c->fd, io->room, READ_BYTES);
    if (n > 0) {
        struct pl_slice rest = pl_slice_make(io->room, (size_t)n);
        bool goes_on = io_take_bytes(io, c, &rest);
        // Where it ends here, nothing is left unread, or closing would take its last answer along.
        size_t taken = goes_on ? (size_t)n - rest.len : (size_t)n;
        c->work += taken;
        return leave_taken(io, c, taken) && goes_on;
    }
    c->can_read = false;
    if (n == 0) {
        c->ended = true;
        io_end_input(io, c);
        return true;
    }
    return errno == EAGAIN || errno == EWOULDBLOCK;
}

// All that there is, whether there is room or not.
static void read_out(struct printer_io *io, struct io_connection *c)
{
    uint8_t byte;
    c->can_read = !c->ended;
    // A file that is here whole is taken, whatever the time.
    while (c->file_whole || (c->can_read && (io->finish_ns == 0 || io->seam->now_ns() < io->finish_ns))) {
        if (!io_read_once(io, c))
            return;
    }
    if (c->can_read && io->seam->peek(c->fd, &byte, 1) > 0) {
        atomic_fetch_add(&io->hub->lost, 1);
        pl_say("platen: printer %s: not all that %s has sent was read: the service ended first", c->printer->spec.name,
               c->source.text);
    }
}

// No more will be read of it. What is there of a download is whole; a format without its end is not.
void io_leave(struct printer_io *io, struct io_connection *c)
{
    io->seam->stop_input(c->fd);
    c->leaves = c->decided = true;
    read_out(io, c);
    if (c->ended)
        return;
    if (c->splitter.in_format || c->file.len > 0)
        pl_say("platen: printer %s: %s has sent %zu bytes of a job whose end did not come: not printed",
               c->printer->spec.name, c->source.text, c->held - c->out.len);
    c->ended = true;
    io_end_input(io, c);
}

// Who reads sees an ordinary end; who writes sees an error.
void io_part(struct printer_io *io, struct io_connection *c)
{
    if (!c->leaves)
        io_leave(io, c);
    io->seam->end_sending(c->fd);
    io_drop(io, c, true, true);
}
