// Bounds that the system sets to a process which works on strangers' input.
#ifndef PL_PROCESS_LIMITS_H
#define PL_PROCESS_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct pl_process_limits {
    size_t memory;        // address space beyond what it has now; 0: no bound
    size_t stack;         // bytes
    uint32_t cpu_seconds; // of its whole life; 0: no bound
};

// No core files, no debugger, the first to go when the machine runs out of memory, and the bounds. False: a bound could
// not be set. Builds with sanitizers have no bound of memory.
bool pl_process_limit(const struct pl_process_limits *limits) PL_MUST_USE;
// Would it be able to?
bool pl_process_can_limit(void);

#endif
