// Names of hosts: the one that a request is addressed to (its Host field, or the authority of an absolute target), and
// addresses of options.
#ifndef HTTP_HOST_H
#define HTTP_HOST_H

#include <stdbool.h>

#include "base/slice.h"

// Splits "name", "name:port", "1.2.3.4:port" or "[::1]:port"; the port may be left out or empty. The name comes without
// brackets and without a dot at its end. False for anything else: user names, escapes, blanks, empty labels.
bool http_host_split(struct pl_slice authority, struct pl_slice *name);
// localhost and names below it, 127.0.0.0/8, ::1 and 127.0.0.0/8 in the form of IPv6.
bool http_host_is_loopback(struct pl_slice name);
bool http_host_is_ipv6(struct pl_slice name); // without brackets

// "host:port", "[v6]:port" or ":port".
bool http_address_split(const char *text, char *host, size_t host_size, const char **port);

#endif
