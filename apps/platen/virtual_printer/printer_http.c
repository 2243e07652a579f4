// HTTP on a port for label code or JSON: handed to the HTTP core for Browser Print, otherwise refused.
#include <errno.h>
#include <string.h>

#include "base/ckd.h"
#include "http/http.h"
#include "printer_io_parts.h"

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

bool io_decide(struct printer_io *io, struct io_connection *c)
{
    static const char NO[] =
        "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: 64\r\n"
        "Connection: close\r\n\r\nThis port takes label code. It is not a door of Browser Print.\r\n";
    uint8_t bytes[8];
    ssize_t n = io->seam->peek(c->fd, bytes, sizeof bytes);
    if (n <= 0) {
        c->decided = n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
        return true;
    }
    enum first_bytes first = look(bytes, (size_t)n);
    if (first == FIRST_UNKNOWN && !c->said_all) {
        c->can_read = false; // more bytes bring another event
        c->begun = true;
        c->last_ns = io->now_ns;
        return true;
    }
    c->decided = true;
    c->begun = false;
    if (first != FIRST_HTTP)
        return true;
    uint32_t door = c->printer->index + 1;
    struct printer_hub *hub = io->hub;
    if (hub->options.browser_print && c->kind == IO_RAW) {
        int fd = c->fd;
        struct sockaddr_storage peer = c->peer;
        io_drop(io, c, false, false);
        if (!http_adopt(hub->server, fd, &peer, door))
            io->seam->close(fd, true);
        return false;
    }
    if (io->seam->send(c->fd, &(struct iovec){(void *)(uintptr_t)NO, sizeof NO - 1}, 1) < 0)
        errno = 0;
    // What the client still sends is read, or closing would take the answer along.
    c->refused = io->seam->end_sending(c->fd) == 0;
    if (c->refused)
        return true;
    io_drop(io, c, false, true);
    return false;
}
