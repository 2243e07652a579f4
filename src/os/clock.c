// The system's two clocks.
#include "os/clock.h"

#include <time.h>

uint64_t pl_now_ns(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int64_t pl_os_seconds(void)
{
    return (int64_t)time(NULL);
}
