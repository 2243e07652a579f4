// After start a service needs neither files nor programs nor new connections of its own: the sandbox takes them away.
#ifndef HTTP_SANDBOX_H
#define HTTP_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

// Confines all threads of the process for good: no new files, programs, processes or outgoing connections, no
// executable memory. Results as of pl_call_filter_enter.
enum pl_errc http_sandbox_enter(const int *more, size_t more_count, bool *active, const char **why_not,
                                struct pl_error *err) PL_MUST_USE;

#endif
