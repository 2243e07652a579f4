// The system's two clocks.
#ifndef PL_OS_CLOCK_H
#define PL_OS_CLOCK_H

#include <stdint.h>

// Nanoseconds of a clock that never goes back; for deadlines and durations. 0: the system has none.
uint64_t pl_now_ns(void);
// Seconds since 1970, UTC.
int64_t pl_os_seconds(void);

#endif
