// Seccomp: a list of the system calls that serving needs; every other one is refused.
#include "http/guard/sandbox.h"

#include <string.h>
#include <sys/syscall.h>

#include "base/ckd.h"
#include "process/call_filter.h"

#define MORE_MAX 48u

static const int ALLOWED[] = {
    // connections that come in
    SYS_accept4,
    SYS_accept,
    SYS_read,
    SYS_readv,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_write,
    SYS_writev,
    SYS_sendto,
    SYS_sendmsg,
    SYS_close,
    SYS_shutdown,
    SYS_getsockopt,
    SYS_setsockopt,
    SYS_getpeername,
    SYS_getsockname,
    SYS_fcntl,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_ppoll,
    SYS_eventfd2,
    SYS_timerfd_settime,
    SYS_lseek,
    SYS_fstat,
    SYS_newfstatat,
    SYS_pread64,
#ifdef SYS_epoll_wait
    SYS_epoll_wait,
#endif
#ifdef SYS_poll
    SYS_poll,
#endif
    // memory; call_filter.c adds mmap and mprotect
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    // threads and time
    SYS_futex,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
#ifdef SYS_time // x86-64: time() without a vDSO
    SYS_time,
#endif
    SYS_set_robust_list,
    SYS_membarrier,
    SYS_getrandom,
#ifdef SYS_rseq
    SYS_rseq,
#endif
    // signals and the end
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_tgkill,
    SYS_getpid,
    SYS_gettid,
    SYS_getrusage,
    SYS_wait4, // for the processes of its own that end
    SYS_exit,
    SYS_exit_group,
};

enum pl_errc http_sandbox_enter(const int *more, size_t more_count, bool *active, const char **why_not,
                                struct pl_error *err)
{
    int allowed[PL_COUNTOF(ALLOWED) + MORE_MAX];
    if (more_count > MORE_MAX)
        return pl_fail(err, PL_E_BUG, "more system calls than there is room for");
    memcpy(allowed, ALLOWED, sizeof ALLOWED);
    if (more_count > 0)
        memcpy(allowed + PL_COUNTOF(ALLOWED), more, more_count * sizeof *more);
    const struct pl_call_filter filter = {
        .allowed = allowed, .allowed_count = PL_COUNTOF(ALLOWED) + more_count, .may_take_turns = true};
    return pl_call_filter_enter(&filter, active, why_not, err);
}
