// The keeper's two sides: what the program asks of it, and the process that forks.
#include "process/keeper.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ckd.h"
#include "os/clock.h"
#include "process/channel.h"
#include "process/child.h"
#include "process/pass.h"
#include "process/sanitized.h"

#define LEAVE_MS 300  // what processes get to end by themselves
#define LOOK_MS 30000 // and when they are to look for leaks
#define SILENCE_MS 10000

// The keeper's answer; the channel comes with it unless `error` is set.
struct answer {
    int32_t error; // errno
    int32_t old_status;
};

// ---- in the keeper

struct place {
    pid_t pid; // 0: none
    int status;
};

struct keeping {
    const struct pl_keeper *keeper; // `controls` are this side's
    const struct pl_kept_work *work;
    struct place *places;
    int nothing; // /dev/null
    int signals;
    sigset_t not_for_them; // signals that processes do not get
};

// Looking for leaks takes seconds of each process: a test asks for it.
static bool looks_for_leaks(void)
{
    return PL_SANITIZED && getenv("PL_LOOK_FOR_LEAKS");
}

// In the new process: only its channel and its page are left of what the keeper has.
static _Noreturn void be_process(const struct keeping *k, uint32_t place, int channel, pid_t parent)
{
    const struct pl_keeper *keeper = k->keeper;
    pl_child_end_with(parent);
    prctl(PR_SET_NAME, k->work->name, 0, 0, 0);
    size_t behind = keeper->count - place - 1;
    if (place > 0)
        munmap(keeper->shared, place * sizeof(struct pl_shared));
    if (behind > 0)
        munmap(&keeper->shared[place + 1], behind * sizeof(struct pl_shared));
    munmap(keeper->served, sizeof *keeper->served);
    // A process answers on its channel only: descriptors 0, 1 and 2 lead nowhere, but for sanitizers, which report
    // on 2. Both descriptors are moved first: they have such numbers where the program was started without standard
    // files.
    int own = fcntl(channel, F_DUPFD, 4), nothing = fcntl(k->nothing, F_DUPFD, 4);
    bool placed = own >= 0 && nothing >= 0;
    for (int fd = 0; placed && fd < (PL_SANITIZED ? 2 : 3); fd++)
        placed = dup2(nothing, fd) == fd;
    if (!placed || dup2(own, 3) != 3)
        _exit(1);
    pl_child_close_from(4);
    sigprocmask(SIG_SETMASK, &k->not_for_them, NULL);
    int status = k->work->run(k->work->user, 3, &keeper->shared[place]);
    if (looks_for_leaks())
        exit(status);
    _exit(status);
}

static void reap(struct keeping *k)
{
    struct signalfd_siginfo info;
    while (read(k->signals, &info, sizeof(info)) > 0)
        continue;
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid <= 0)
            return;
        for (uint32_t i = 0; i < k->keeper->count; i++) {
            if (k->places[i].pid == pid) {
                k->places[i] = (struct place){0, status};
                pl_turn_process_ended(&k->keeper->shared[i]);
            }
        }
    }
}

static void end_process(struct place *place)
{
    if (place->pid == 0)
        return;
    kill(place->pid, SIGKILL);
    int status = 0;
    while (waitpid(place->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    *place = (struct place){0, status};
}

static bool replace(struct keeping *k, uint32_t index)
{
    struct place *place = &k->places[index];
    end_process(place);
    struct answer answer = {.old_status = place->status};
    int pair[2] = {-1, -1};
    pid_t parent = getpid();
    pid_t pid = -1;
    pl_turn_reset(&k->keeper->shared[index]);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0)
        pid = fork();
    if (pid == 0)
        be_process(k, index, pair[1], parent);
    if (pid < 0)
        answer.error = errno;
    *place = (struct place){PL_MAX(pid, 0), 0};
    bool alive = pl_pass_send(k->keeper->controls[index], &answer, sizeof(answer), pid < 0 ? -1 : pair[0]);
    atomic_fetch_add_explicit(k->keeper->served, 1, memory_order_relaxed);
    for (int i = 0; i < 2; i++) {
        if (pair[i] >= 0)
            close(pair[i]);
    }
    return alive;
}

static bool any_left(const struct keeping *k)
{
    for (uint32_t i = 0; i < k->keeper->count; i++) {
        if (k->places[i].pid > 0)
            return true;
    }
    return false;
}

static void end_all(struct keeping *k)
{
    for (int ms = 0, most = looks_for_leaks() ? LOOK_MS : LEAVE_MS; ms < most && any_left(k); ms += 5) {
        struct pollfd signals = {.fd = k->signals, .events = POLLIN};
        poll(&signals, 1, 5);
        reap(k);
    }
    for (uint32_t i = 0; i < k->keeper->count; i++)
        end_process(&k->places[i]);
}

// Serves until the program has closed its side. Returns the exit status.
static int keep(struct keeping *k)
{
    uint32_t count = k->keeper->count;
    struct pollfd *ready = calloc(count + 1, sizeof(*ready));
    if (!ready)
        return 1;
    for (uint32_t i = 0; i < count; i++)
        ready[i] = (struct pollfd){.fd = k->keeper->controls[i], .events = POLLIN};
    ready[count] = (struct pollfd){.fd = k->signals, .events = POLLIN};
    for (bool alive = true; alive;) {
        if (poll(ready, count + 1, -1) < 0) {
            alive = errno == EINTR;
            continue;
        }
        if (ready[count].revents != 0)
            reap(k);
        for (uint32_t i = 0; alive && i < count; i++) {
            char request;
            if (ready[i].revents != 0)
                alive = recv(ready[i].fd, &request, 1, 0) == 1 && replace(k, i);
        }
    }
    free(ready);
    end_all(k);
    return 0;
}

// Sockets and files of the program are not the keeper's: it would keep a port busy that the program has closed.
static bool close_inherited(struct pl_keeper *keeper)
{
    const int first = 3, count = (int)keeper->count;
    bool good = true;
    for (int i = 0; good && i < count; i++)
        good = (keeper->controls[i] = fcntl(keeper->controls[i], F_DUPFD_CLOEXEC, first + count)) >= 0;
    for (int i = 0; good && i < count; i++) {
        good = dup3(keeper->controls[i], first + i, O_CLOEXEC) >= 0;
        keeper->controls[i] = first + i;
    }
    pl_child_close_from(first + count);
    return good;
}

static _Noreturn void be_keeper(struct pl_keeper *keeper, const struct pl_kept_work *work, pid_t parent)
{
    struct keeping k = {.keeper = keeper, .work = work};
    sigset_t all;
    pl_child_end_with(parent);
    prctl(PR_SET_NAME, work->keeper_name, 0, 0, 0);
    if (!close_inherited(keeper))
        _exit(1);
    // Signals that ask the program to end reach its processes too, from a terminal or a service manager; the program
    // decides.
    static const int asking[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigemptyset(&k.not_for_them);
    for (size_t i = 0; i < PL_COUNTOF(asking); i++)
        sigaddset(&k.not_for_them, asking[i]);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    k.signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    k.nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    k.places = calloc(keeper->count, sizeof(*k.places));
    bool ready = k.signals >= 0 && k.nothing >= 0 && k.places && work->prepare(work->user);
    struct iovec word = {&ready, sizeof(ready)};
    int status = pl_channel_write(keeper->controls[0], &word, 1) && ready ? keep(&k) : 1;
    free(k.places);
    _exit(status);
}

// ---- in the program

static void close_all(int *descriptors, uint32_t count)
{
    for (uint32_t i = 0; descriptors && i < count; i++) {
        if (descriptors[i] >= 0)
            close(descriptors[i]);
    }
}

static bool make_controls(uint32_t count, int *here, int *there)
{
    for (uint32_t i = 0; i < count; i++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
            return false;
        here[i] = pair[0];
        there[i] = pair[1];
    }
    return true;
}

static void *share(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

enum pl_errc pl_keeper_start(struct pl_keeper *keeper, const struct pl_kept_work *work, uint32_t count,
                             struct pl_error *err)
{
    *keeper = (struct pl_keeper){.count = count, .silence_ms = SILENCE_MS};
    keeper->controls = malloc(count * sizeof(int));
    keeper->asked = calloc(count, sizeof(bool));
    int *there = malloc(count * sizeof(int));
    if (!keeper->controls || !keeper->asked || !there) {
        free(there);
        free(keeper->controls);
        free(keeper->asked);
        *keeper = (struct pl_keeper){0};
        return pl_fail_memory(err);
    }
    memset(keeper->controls, 0xFF, count * sizeof(int));
    memset(there, 0xFF, count * sizeof(int));
    keeper->shared = share(count * sizeof(struct pl_shared));
    keeper->served = share(sizeof *keeper->served);
    pid_t parent = getpid();
    bool made = keeper->shared && keeper->served && make_controls(count, keeper->controls, there);
    keeper->pid = made ? fork() : -1;
    if (keeper->pid == 0) {
        close_all(keeper->controls, count);
        free(keeper->controls);
        keeper->controls = there;
        be_keeper(keeper, work, parent);
    }
    int error = errno;
    close_all(there, count);
    free(there);
    bool ready = false;
    if (keeper->pid > 0 && pl_channel_read(keeper->controls[0], &ready, sizeof(ready)) && ready)
        return PL_OK;
    enum pl_errc code =
        keeper->pid > 0
            ? pl_fail(err, PL_E_MEMORY,
                      "the process that keeps the others cannot work; most likely there is no memory or no /dev/null")
            : pl_fail(err, PL_E_IO, "cannot start the process that keeps the others: %s", strerror(error));
    pl_keeper_stop(keeper);
    return code;
}

// A slow one that many ask at once is waited for as long as it answers one after the other.
static bool answers_in_time(const struct pl_keeper *keeper, int control)
{
    struct pollfd answer = {.fd = control, .events = POLLIN};
    unsigned before;
    int ready;
    do {
        before = atomic_load_explicit(keeper->served, memory_order_relaxed);
        ready = poll(&answer, 1, keeper->silence_ms);
    } while ((ready < 0 && errno == EINTR) ||
             (ready == 0 && atomic_load_explicit(keeper->served, memory_order_relaxed) != before));
    return ready > 0;
}

enum pl_errc pl_keeper_replace(struct pl_keeper *keeper, uint32_t place, struct pl_replaced *out, struct pl_error *err)
{
    assert(place < keeper->count);
    struct answer answer;
    int control = keeper->controls[place];
    char request = 'R';
    struct iovec question = {&request, 1};
    *out = (struct pl_replaced){.channel = -1};
    // The answer to a second request would end the process that came with the first one.
    if (!keeper->asked[place] && !pl_channel_write(control, &question, 1))
        return pl_fail(err, PL_E_IO, "the process that keeps the others has gone");
    keeper->asked[place] = true;
    if (!answers_in_time(keeper, control))
        return pl_fail(err, PL_E_IO, "the process that keeps the others does not answer");
    keeper->asked[place] = false;
    if (!pl_pass_receive(control, &answer, sizeof(answer), &out->channel))
        return pl_fail(err, PL_E_IO, "the process that keeps the others has gone");
    out->old_status = answer.old_status;
    if (out->channel < 0)
        return pl_fail(err, PL_E_MEMORY, "cannot start a process: %s", strerror(answer.error));
    return PL_OK;
}

static void wait_for_end(pid_t pid, uint64_t most_ms)
{
    uint64_t began = pl_now_ns();
    while (waitpid(pid, NULL, WNOHANG) == 0 && pl_now_ns() - began < most_ms * 1000000)
        poll(NULL, 0, 1);
}

// Its processes end with it.
void pl_keeper_kill(const struct pl_keeper *keeper)
{
    kill(keeper->pid, SIGKILL);
    wait_for_end(keeper->pid, LEAVE_MS);
}

void pl_keeper_stop(struct pl_keeper *keeper)
{
    close_all(keeper->controls, keeper->count);
    free(keeper->controls);
    free(keeper->asked);
    // One that stands still ends with this process.
    if (keeper->pid > 0)
        wait_for_end(keeper->pid, SILENCE_MS + (looks_for_leaks() ? LOOK_MS : 0));
    if (keeper->shared)
        munmap(keeper->shared, keeper->count * sizeof(struct pl_shared));
    if (keeper->served)
        munmap(keeper->served, sizeof *keeper->served);
    *keeper = (struct pl_keeper){0};
}
