// Sockets of the printers: bound to the address that was asked for.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/io/listen.h"
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
    struct http_bound bound;
    bool ok = http_bind(list, BACKLOG, &bound);
    int reason = errno;
    freeaddrinfo(list);
    if (!ok)
        return pl_fail(err, PL_E_IO, "cannot listen on %s: %s", address, strerror(reason));
    snprintf(host_out, host_size, "%s", bound.host);
    *port_out = (uint16_t)strtoul(bound.port, NULL, 10);
    *out = bound.fd;
    return PL_OK;
}
