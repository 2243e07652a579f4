// How many cores there are for this process.
#ifndef PL_OS_CORES_H
#define PL_OS_CORES_H

#include <stdint.h>

// Those that it may run on, and no more than its container's share of time is worth; at least 1.
uint32_t pl_core_count(void);
// What cgroup's cpu.max is worth: "QUOTA PERIOD" or "max PERIOD", both in microseconds. 0: no bound.
uint32_t pl_cores_of_quota(const char *text);

#endif
