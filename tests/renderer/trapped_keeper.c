// platen, but at its end it waits for a keeper that is stopped for as long as that takes, and not some seconds: a test
// of an end that does not wait for it then needs no clock.
#include <sys/wait.h>
#include <unistd.h>

#include "process/keeper.h"

// Names that the linker's --wrap gives.
void __real_pl_keeper_stop(struct pl_keeper *keeper);
void __wrap_pl_keeper_stop(struct pl_keeper *keeper);

void __wrap_pl_keeper_stop(struct pl_keeper *keeper)
{
    siginfo_t state = {0};
    while (waitid(P_PID, (id_t)keeper->pid, &state, WSTOPPED | WNOHANG | WNOWAIT) == 0 && state.si_pid != 0)
        sleep(1);
    __real_pl_keeper_stop(keeper);
}
