// Which of the names that requests are addressed to are answered.
#include "http/guard/host_list.h"

#include <string.h>

#include "http/message/host.h"
#include "http/options/options.h"

// A name as --allow-host has it: with or without brackets, never with a port.
static bool listed_name(struct pl_slice entry, struct pl_slice *name)
{
    *name = entry;
    return http_host_is_ipv6(entry) ||
           (http_host_split(entry, name) &&
            (entry.ptr[0] == '[' ? entry.ptr[entry.len - 1] == ']' : !memchr(entry.ptr, ':', entry.len)));
}

// Is the name in a list such as "a.example, b.example", or the list "*"?
static bool is_in_list(const char *list, struct pl_slice name)
{
    struct pl_slice entry, listed;
    while (http_option_entry(&list, &entry)) {
        if (pl_slice_eq_cstr(entry, "*") || (listed_name(entry, &listed) && pl_slice_eq_nocase(listed, name)))
            return true;
    }
    return false;
}

enum pl_errc http_host_check_list(const char *list, struct pl_error *err)
{
    struct pl_slice entry, name;
    while (http_option_entry(&list, &entry)) {
        if (!pl_slice_eq_cstr(entry, "*") && !listed_name(entry, &name))
            return pl_fail(err, PL_E_INVALID, "--allow-host: '%.*s' is not a host name without a port", (int)entry.len,
                           (const char *)entry.ptr);
    }
    return PL_OK;
}

bool http_host_allowed(const char *list, struct pl_slice authority)
{
    struct pl_slice name;
    return http_host_split(authority, &name) && (http_host_is_loopback(name) || is_in_list(list, name));
}
