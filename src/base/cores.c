// How many cores there are for this process: those it may run on, and no more than its container's share of time is
// worth.
#include "base/cores.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "base/ckd.h"

uint32_t pl_cores_of_quota(struct pl_slice text)
{
    uint64_t numbers[2] = {0, 0};
    size_t at = 0;
    for (unsigned i = 0; i < 2; i++) {
        size_t start = at;
        for (; at < text.len && text.ptr[at] >= '0' && text.ptr[at] <= '9'; at++) {
            if (numbers[i] > UINT32_MAX)
                return 0;
            numbers[i] = numbers[i] * 10 + (uint64_t)(text.ptr[at] - '0');
        }
        if (at == start)
            return 0;
        at++; // the space
    }
    if (numbers[0] == 0 || numbers[1] == 0)
        return 0;
    return (uint32_t)PL_MIN((numbers[0] + numbers[1] - 1) / numbers[1], UINT32_MAX);
}

static uint32_t container_cores(void)
{
    char text[64];
    int fd = open("/sys/fs/cgroup/cpu.max", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof(text));
    close(fd);
    return n > 0 ? pl_cores_of_quota(pl_slice_make(text, (size_t)n)) : 0;
}

uint32_t pl_core_count(void)
{
    cpu_set_t set;
    uint32_t cores = sched_getaffinity(0, sizeof(set), &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 1;
    uint32_t share = container_cores();
    return share > 0 && share < cores ? share : cores;
}
