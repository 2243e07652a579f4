// How many cores there are for this process: those it may run on, and no more than its container's share of time is
// worth.
#include "os/cores.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

uint32_t pl_cores_of_quota(const char *text)
{
    uint64_t numbers[2] = {0, 0};
    const char *at = text;
    for (unsigned i = 0; i < 2; i++) {
        const char *start = at;
        for (; *at >= '0' && *at <= '9'; at++) {
            if (numbers[i] > UINT32_MAX)
                return 0;
            numbers[i] = numbers[i] * 10 + (uint64_t)(*at - '0');
        }
        if (at == start)
            return 0;
        at += *at != '\0'; // the space
    }
    if (numbers[0] == 0 || numbers[1] == 0)
        return 0;
    uint64_t cores = (numbers[0] + numbers[1] - 1) / numbers[1];
    return cores < UINT32_MAX ? (uint32_t)cores : UINT32_MAX;
}

static uint32_t container_cores(void)
{
    char text[64];
    int fd = open("/sys/fs/cgroup/cpu.max", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof(text) - 1);
    close(fd);
    if (n <= 0)
        return 0;
    text[n] = '\0';
    return pl_cores_of_quota(text);
}

uint32_t pl_core_count(void)
{
    cpu_set_t set;
    uint32_t cores = sched_getaffinity(0, sizeof(set), &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 1;
    uint32_t share = container_cores();
    return share > 0 && share < cores ? share : cores;
}
