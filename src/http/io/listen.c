// The address that --listen names, the socket on it, and the names that it answers to.
#include "http/io/listen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "http/exchange/server.h"
#include "http/guard/host_list.h"
#include "http/io/io.h"
#include "http/message/host.h"

#define BACKLOG 4096
// Smaller ones hold no two packets of the loopback (64 KiB), and stall.
#define SOCKET_BUFFER (128 * 1024)

static bool is_loopback(const struct sockaddr_storage *address)
{
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)(const void *)address;
        return ntohl(four->sin_addr.s_addr) >> 24 == 127;
    }
    const struct in6_addr *six = &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
    return address->ss_family == AF_INET6 &&
           (IN6_IS_ADDR_LOOPBACK(six) || (IN6_IS_ADDR_V4MAPPED(six) && six->s6_addr[12] == 127));
}

enum pl_errc http_listen_check(const struct http_server *s, char host[HTTP_LISTEN_HOST], const char **port,
                               struct pl_error *err)
{
    if (!http_address_split(s->config.listen, host, HTTP_LISTEN_HOST, port) || strlen(*port) > 5 ||
        strtoul(*port, NULL, 10) > 65535)
        return pl_fail(err, PL_E_INVALID, "--listen: '%s' is not HOST:PORT", s->config.listen);
    return http_host_check_list(s->config.allow_host, err);
}

bool http_bind(const struct addrinfo *at, int backlog, struct http_bound *out)
{
    const int on = 1, room = SOCKET_BUFFER;
    const bool is_stream = at->ai_socktype == SOCK_STREAM;
    struct sockaddr *address = (struct sockaddr *)&out->address;
    socklen_t size = sizeof(out->address);
    int fd = socket(at->ai_family, at->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    bool ok = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
              (!is_stream || (setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room)) == 0 &&
                              setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room)) == 0)) &&
              bind(fd, at->ai_addr, at->ai_addrlen) == 0 && (!is_stream || listen(fd, backlog) == 0) &&
              getsockname(fd, address, &size) == 0 &&
              getnameinfo(address, size, out->host, sizeof(out->host), out->port, sizeof(out->port),
                          NI_NUMERICHOST | NI_NUMERICSERV) == 0;
    int reason = errno;
    if (!ok && fd >= 0)
        close(fd);
    errno = reason;
    out->fd = ok ? fd : -1;
    return ok;
}

enum pl_errc http_listen(struct http_server *s, char *address, size_t address_size, struct pl_error *err)
{
    char host[HTTP_LISTEN_HOST];
    const char *port;
    PL_TRY(http_listen_check(s, host, &port, err));
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *list;
    int failed = getaddrinfo(host[0] ? host : NULL, port, &hints, &list);
    if (failed) {
        bool ours = failed == EAI_MEMORY || failed == EAI_SYSTEM || failed == EAI_AGAIN; // not the address's fault
        return pl_fail(err, ours ? PL_E_IO : PL_E_INVALID, "--listen: '%s': %s", s->config.listen,
                       gai_strerror(failed));
    }
    struct http_bound bound;
    bool ok = http_bind(list, BACKLOG, &bound);
    int reason = errno;
    freeaddrinfo(list);
    if (!ok)
        return pl_fail(err, PL_E_IO, "cannot listen on %s: %s", s->config.listen, strerror(reason));
    s->io->listen_fd = bound.fd;
    s->on_loopback = is_loopback(&bound.address);
    const char *form = bound.address.ss_family == AF_INET6 ? "http://[%s]:%s" : "http://%s:%s";
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int n = snprintf(address, address_size, form, bound.host, bound.port);
#pragma GCC diagnostic pop
    return n > 0 && (size_t)n < address_size ? PL_OK : pl_fail(err, PL_E_BUG, "the address is too long");
}
