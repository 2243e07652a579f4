// Sockets of the printers: bound to the address that was asked for.
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "http/message/host.h"
#include "printer_io_parts.h"

#define BACKLOG 1024

enum pl_errc printer_open_socket(const char *address, int type, int *out, char *host_out, size_t host_size,
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
              (type != SOCK_STREAM || http_bound_buffers(fd)) && bind(fd, list->ai_addr, list->ai_addrlen) == 0 &&
              (type != SOCK_STREAM || listen(fd, BACKLOG) == 0);
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
