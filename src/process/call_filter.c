// Seccomp: the list of allowed system calls as a filter program of the kernel.
#include "process/call_filter.h"

#include "process/sanitized.h"

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#if !PL_SANITIZED && defined(MACHINE)

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALLS_MAX 160u
// Two lines a call; head, calls whose arguments count, and end are less than the rest.
#define PROGRAM_MAX (2 * CALLS_MAX + 32)

static void add(struct sock_fprog *program, struct sock_filter line)
{
    program->filter[program->len++] = line;
}

static void add_calls(struct sock_fprog *program, const int *calls, size_t count, unsigned result)
{
    for (size_t i = 0; i < count; i++) {
        add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i], 0, 1));
        add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, result));
    }
}

static void build(const struct pl_call_filter *filter, struct sock_fprog *program)
{
    const unsigned short load = BPF_LD | BPF_W | BPF_ABS, equal = BPF_JMP | BPF_JEQ | BPF_K, give = BPF_RET | BPF_K;
    const struct sock_filter allow = BPF_STMT(give, SECCOMP_RET_ALLOW);
    const struct sock_filter refuse = BPF_STMT(give, SECCOMP_RET_ERRNO | EPERM);
    add(program, (struct sock_filter)BPF_STMT(load, offsetof(struct seccomp_data, arch)));
    add(program, (struct sock_filter)BPF_JUMP(equal, MACHINE, 1, 0));
    add(program, (struct sock_filter)BPF_STMT(give, SECCOMP_RET_KILL_PROCESS));
    add(program, (struct sock_filter)BPF_STMT(load, offsetof(struct seccomp_data, nr)));
    add_calls(program, filter->allowed, filter->allowed_count, SECCOMP_RET_ALLOW);
    add_calls(program, filter->fatal, filter->fatal_count, SECCOMP_RET_KILL_PROCESS);
    if (filter->may_take_turns) {
        // Nothing may be given precedence: the second argument is the policy.
        add(program, (struct sock_filter)BPF_JUMP(equal, SYS_sched_setscheduler, 0, 5));
        add(program, (struct sock_filter)BPF_STMT(load, offsetof(struct seccomp_data, args) + sizeof(uint64_t)));
        add(program, (struct sock_filter)BPF_JUMP(equal, SCHED_OTHER, 1, 0));
        add(program, (struct sock_filter)BPF_JUMP(equal, SCHED_BATCH, 0, 1));
        add(program, allow);
        add(program, refuse);
    }
    // The third argument of both holds the protection.
    add(program, (struct sock_filter)BPF_JUMP(equal, SYS_mmap, 1, 0));
    add(program, (struct sock_filter)BPF_JUMP(equal, SYS_mprotect, 0, 3));
    add(program, (struct sock_filter)BPF_STMT(load, offsetof(struct seccomp_data, args) + 2 * sizeof(uint64_t)));
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0));
    add(program, allow);
    add(program, refuse);
}

enum pl_errc pl_call_filter_enter(const struct pl_call_filter *filter, bool *active, const char **why_not,
                                  struct pl_error *err)
{
    struct sock_filter lines[PROGRAM_MAX];
    struct sock_fprog program = {.len = 0, .filter = lines};
    *active = false;
    *why_not = NULL;
    if (filter->allowed_count + filter->fatal_count > CALLS_MAX)
        return pl_fail(err, PL_E_BUG, "the list of system calls is too long");
    build(filter, &program);
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

enum pl_errc pl_call_filter_enter(const struct pl_call_filter *filter, bool *active, const char **why_not,
                                  struct pl_error *err)
{
    (void)filter;
    (void)err;
    *active = false;
    *why_not = PL_SANITIZED ? NULL : "it is not known for this kind of processor";
    return PL_OK;
}

#endif
