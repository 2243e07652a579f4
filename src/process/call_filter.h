// Which system calls a process may make from now on (seccomp). There is no way back.
#ifndef PL_PROCESS_CALL_FILTER_H
#define PL_PROCESS_CALL_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

// Memory may always be had by mmap and mprotect, but never executable memory.
struct pl_call_filter {
    const int *allowed;
    size_t allowed_count;
    const int *fatal; // ends the process: no library makes such a call by itself
    size_t fatal_count;
    bool may_take_turns; // sched_setscheduler with SCHED_OTHER or SCHED_BATCH
};

// Confines all threads of the process for good. What is not allowed fails with EPERM. *active is false where it cannot
// be had, and *why_not then says why; it is NULL in builds that are never confined (sanitizers).
enum pl_errc pl_call_filter_enter(const struct pl_call_filter *filter, bool *active, const char **why_not,
                                  struct pl_error *err) PL_MUST_USE;

#endif
