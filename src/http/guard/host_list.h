// Which of the names that requests are addressed to are answered.
//
// A page of another origin can reach a service on this machine under a name of its own that is made to lead here (DNS
// rebinding), and then is of the service's origin. So a service on a loopback address answers only to names that always
// mean this machine, and to those that --allow-host lists.
#ifndef HTTP_HOST_LIST_H
#define HTTP_HOST_LIST_H

#include <stdbool.h>

#include "base/err.h"
#include "base/slice.h"

// PL_E_INVALID with a sentence when --allow-host has an entry that no name can match.
enum pl_errc http_host_check_list(const char *list, struct pl_error *err) PL_MUST_USE;
// May a request be for this authority? `list` is that of --allow-host.
bool http_host_allowed(const char *list, struct pl_slice authority);

#endif
