// The system call filter of a renderer.
#include "renderer/renderer_calls.h"

#include <sys/syscall.h>

#include "base/ckd.h"
#include "process/call_filter.h"

static const int ALLOWED[] = {
    // its channel: there is no other descriptor
    SYS_read,
    SYS_recvmsg,
    SYS_sendmsg,
    SYS_write,
    SYS_close,
    // memory; call_filter.c adds mmap and mprotect
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    SYS_futex,
    // time
    SYS_clock_gettime,
    SYS_gettimeofday,
#ifdef SYS_time // x86-64: time() without a vDSO
    SYS_time,
#endif
    SYS_getrandom,
    // the end
    SYS_rt_sigreturn,
    SYS_rt_sigprocmask,
    SYS_restart_syscall,
    SYS_getpid,
    SYS_gettid,
    SYS_exit,
    SYS_exit_group,
};

// No library that a renderer uses makes one of these: who does has taken it over.
static const int FATAL[] = {
    SYS_execve, SYS_execveat, SYS_clone,
#ifdef SYS_clone3
    SYS_clone3,
#endif
#ifdef SYS_fork
    SYS_fork,   SYS_vfork,
#endif
    SYS_socket, SYS_connect,  SYS_bind,  SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kill, SYS_tkill,
};

bool renderer_confine(void)
{
    static const struct pl_call_filter filter = {
        .allowed = ALLOWED, .allowed_count = PL_COUNTOF(ALLOWED), .fatal = FATAL, .fatal_count = PL_COUNTOF(FATAL)};
    bool active;
    const char *why_not;
    return pl_call_filter_enter(&filter, &active, &why_not, NULL) == PL_OK;
}
