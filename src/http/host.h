// The name that a request is addressed to: its Host field, or the authority of an absolute target.
//
// A page of another origin can reach a service on this machine under a name of its own that is made to lead here (DNS
// rebinding), and then is of the service's origin. So a service on a loopback address answers only to names that always
// mean this machine, and to those that --allow-host lists.
#ifndef HTTP_HOST_H
#define HTTP_HOST_H

#include <stdbool.h>

#include "base/err.h"
#include "base/slice.h"

struct http_server;

// Splits "name", "name:port", "1.2.3.4:port" or "[::1]:port"; the port may be left out or empty. The name comes without
// brackets and without a dot at its end. False for anything else: user names, escapes, blanks, empty labels.
bool http_host_split(struct pl_slice authority, struct pl_slice *name);
// localhost and names below it, 127.0.0.0/8, ::1 and 127.0.0.0/8 in the form of IPv6.
bool http_host_is_loopback(struct pl_slice name);
// Is the name in a list such as "a.example, b.example", or the list "*"?
bool http_host_in_list(const char *list, struct pl_slice name);
// PL_E_INVALID with a sentence when --allow-host has an entry that no name can match.
enum pl_errc http_host_check_list(const char *list, struct pl_error *err) PL_MUST_USE;
// Does the server answer requests for this authority?
bool http_host_allowed(const struct http_server *s, struct pl_slice authority);

#endif
