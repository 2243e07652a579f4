// Starting and ending the processes that write files and speak to other machines.
#include "printer_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "os/clock.h"
#include "process/child.h"
#include "process/say.h"

#define ROOM_MS 50 // between two looks whether the pipe has room

static void be_helper(struct printer_process *process, const char *name, const struct printer_options *options,
                      int from, pid_t parent)
{
    pl_child_end_with(parent);
    prctl(PR_SET_NAME, name, 0, 0, 0);
    for (const int *number = printer_helper_ignores; *number != 0; number++)
        signal(*number, SIG_IGN);
    int pipe = dup2(from, 3);
    pl_child_close_from(4);
    pl_say_begin();
    if (pipe == 3)
        printer_helper_main(options, 3, process->progress);
    _exit(1);
}

enum pl_errc printer_process_start(struct printer_process *process, const char *name,
                                   const struct printer_options *options, struct pl_error *err)
{
    int ends[2];
    process->progress =
        mmap(NULL, sizeof *process->progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (process->progress == MAP_FAILED) {
        process->progress = NULL;
        return pl_fail_memory(err);
    }
    if (pipe2(ends, O_CLOEXEC) != 0)
        return pl_fail(err, PL_E_IO, "cannot make a pipe: %s", strerror(errno));
    fflush(stdout);
    pid_t parent = getpid();
    process->pid = fork();
    if (process->pid == 0)
        be_helper(process, name, options, ends[0], parent);
    close(ends[0]);
    process->pipe = ends[1];
    if (process->pid < 0) {
        process->pid = 0;
        return pl_fail(err, PL_E_IO, "cannot start a process: %s", strerror(errno));
    }
    if (fcntl(process->pipe, F_SETFL, O_NONBLOCK) != 0)
        return pl_fail(err, PL_E_IO, "cannot set up a pipe: %s", strerror(errno));
    return PL_OK;
}

ssize_t printer_process_write(struct printer_process *process, const void *bytes, size_t size)
{
    ssize_t n;
    do
        n = write(process->pipe, bytes, size);
    while (n < 0 && errno == EINTR);
    return n < 0 && errno == EAGAIN ? 0 : n;
}

void printer_process_wait_for_room(struct printer_process *process)
{
    struct pollfd room = {.fd = process->pipe, .events = POLLOUT};
    poll(&room, 1, ROOM_MS);
}

void printer_process_end(struct printer_process *process, uint64_t until_ns, const atomic_bool *given_up)
{
    const struct timespec moment = {.tv_nsec = 5000000};
    if (process->pipe >= 0)
        close(process->pipe);
    process->pipe = -1;
    while (process->pid > 0 && waitpid(process->pid, NULL, WNOHANG) == 0 && pl_now_ns() < until_ns &&
           !(given_up && atomic_load(given_up)))
        nanosleep(&moment, NULL);
    process->pid = 0;
}

void printer_process_free(struct printer_process *process)
{
    if (process->progress)
        munmap(process->progress, sizeof *process->progress);
    process->progress = NULL;
}
