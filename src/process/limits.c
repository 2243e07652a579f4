// Bounds of a process: rlimits, core files, the order in which the system ends processes.
#include "process/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/ckd.h"
#include "process/sanitized.h"

static bool set(int resource, size_t most)
{
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit) != 0)
        return false;
    limit.rlim_max = PL_MIN(limit.rlim_max, (rlim_t)most);
    limit.rlim_cur = PL_MIN(limit.rlim_cur, limit.rlim_max);
    return setrlimit((__rlimit_resource_t)resource, &limit) == 0;
}

// Bytes of address space in use.
static size_t address_space(void)
{
    char text[64];
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return 0;
    text[n] = '\0';
    return (size_t)strtoull(text, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

static void be_first_to_go(void)
{
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, "1000", 4) != 4)
        errno = 0; // where it may not, the system chooses
    if (fd >= 0)
        close(fd);
}

bool pl_process_can_limit(void)
{
    struct rlimit limit;
    return PL_SANITIZED ||
           (address_space() > 0 && getrlimit(RLIMIT_AS, &limit) == 0 && setrlimit(RLIMIT_AS, &limit) == 0);
}

bool pl_process_limit(const struct pl_process_limits *limits)
{
    be_first_to_go();
    bool done = set(RLIMIT_CORE, 0) && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
    done = set(RLIMIT_STACK, limits->stack) && done;
    if (limits->cpu_seconds > 0)
        done = set(RLIMIT_CPU, limits->cpu_seconds) && done;
    if (limits->memory > 0 && !PL_SANITIZED) {
        size_t now = address_space(), most;
        done = now > 0 && PL_CKD_ADD(&most, now, limits->memory) && set(RLIMIT_AS, most) && done;
    }
    return done;
}
