// What every process that the program forks for itself does first.
#include "process/child.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/ckd.h"

void pl_child_close_from(int first)
{
    if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0)
        return;
    int most = (int)sysconf(_SC_OPEN_MAX); // a kernel before 5.9
    for (int fd = first; fd < (most > 0 ? PL_MIN(most, 65536) : 65536); fd++)
        close(fd);
}

void pl_child_end_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (getppid() != parent)
        _exit(1);
}
