// A socket of a service or of a printer, bound to the address that was asked for.
#ifndef HTTP_IO_LISTEN_H
#define HTTP_IO_LISTEN_H

#include <netdb.h>
#include <stdbool.h>
#include <sys/socket.h>

struct http_bound {
    int fd;
    struct sockaddr_storage address; // that it got; `host` and `port` say it in numbers
    char host[128], port[16];
};
// A socket at an address; a stream listens. What the kernel keeps for each connection, in each direction, is bounded at
// twice SOCKET_BUFFER: by default it grows to megabytes, and a client that reads nothing would have that beside
// --max-body-memory. False: errno says why.
bool http_bind(const struct addrinfo *at, int backlog, struct http_bound *out);

#endif
