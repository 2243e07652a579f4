// Seccomp: a list of the system calls that serving needs; every other one is refused.
#include "http/sandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/ckd.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#if !defined(SANITIZED) && defined(MACHINE)

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
    // memory; mmap and mprotect are looked at more closely below
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
    SYS_exit,
    SYS_exit_group,
};

#define ALLOWED_COUNT PL_COUNTOF(ALLOWED)
// Head: load architecture, check, load number. Per call: one comparison. Then the calls whose arguments count (10
// lines) and the ends.
#define PROGRAM_MAX (ALLOWED_COUNT + 32)

static void add(struct sock_fprog *program, struct sock_filter line)
{
    program->filter[program->len++] = line;
}

static void build(struct sock_fprog *program)
{
    const unsigned short load = BPF_LD | BPF_W | BPF_ABS, equal = BPF_JMP | BPF_JEQ | BPF_K, give = BPF_RET | BPF_K;
    const struct sock_filter allow = BPF_STMT(give, SECCOMP_RET_ALLOW);
    const struct sock_filter refuse = BPF_STMT(give, SECCOMP_RET_ERRNO | EPERM);
    add(program, (struct sock_filter)BPF_STMT(load, offsetof(struct seccomp_data, arch)));
    add(program, (struct sock_filter)BPF_JUMP(equal, MACHINE, 1, 0));
    add(program, (struct sock_filter)BPF_STMT(give, SECCOMP_RET_KILL_PROCESS));
    add(program, (struct sock_filter)BPF_STMT(load, offsetof(struct seccomp_data, nr)));
    for (size_t i = 0; i < ALLOWED_COUNT; i++) {
        add(program, (struct sock_filter)BPF_JUMP(equal, (unsigned)ALLOWED[i], 0, 1));
        add(program, allow);
    }
    // A loop may take turns with other programs or not; nothing may be given precedence: the second argument is the
    // policy.
    add(program, (struct sock_filter)BPF_JUMP(equal, SYS_sched_setscheduler, 0, 5));
    add(program, (struct sock_filter)BPF_STMT(load, offsetof(struct seccomp_data, args) + sizeof(uint64_t)));
    add(program, (struct sock_filter)BPF_JUMP(equal, SCHED_OTHER, 1, 0));
    add(program, (struct sock_filter)BPF_JUMP(equal, SCHED_BATCH, 0, 1));
    add(program, allow);
    add(program, refuse);
    // Memory may be had, but not executable memory: the third argument holds the protection.
    add(program, (struct sock_filter)BPF_JUMP(equal, SYS_mmap, 1, 0));
    add(program, (struct sock_filter)BPF_JUMP(equal, SYS_mprotect, 0, 3));
    add(program, (struct sock_filter)BPF_STMT(load, offsetof(struct seccomp_data, args) + 2 * sizeof(uint64_t)));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0));
    add(program, allow);
    add(program, refuse);
}

enum pl_errc http_sandbox_enter(bool *active, const char **why_not, struct pl_error *err)
{
    struct sock_filter lines[2 * PROGRAM_MAX];
    struct sock_fprog program = {.len = 0, .filter = lines};
    *active = false;
    *why_not = NULL;
    build(&program);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        *why_not = strerror(errno); // an old kernel or a strange container: served without
        return PL_OK;
    }
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    if (result > 0)
        return pl_fail(err, PL_E_IO, "the sandbox could not be set on all threads");
    *active = result == 0;
    if (!*active)
        *why_not = strerror(errno);
    return PL_OK;
}

#else

enum pl_errc http_sandbox_enter(bool *active, const char **why_not, struct pl_error *err)
{
    (void)err;
    *active = false;
#ifdef SANITIZED
    *why_not = NULL; // the sanitizers need files and memory of their own
#else
    *why_not = "it is not known for this kind of processor";
#endif
    return PL_OK;
}

#endif
