// The keeper: a process that makes others and replaces them. It is forked early, while the program has one thread and
// has opened all that those processes need; they are forked from it, so starting one takes about a millisecond, and
// their memory is shared until they write to it. The keeper never reads what they work on.
//
// Each of the processes has a place (0 to count - 1). The program talks to the one in a place over a channel
// (channel.h). When the program ends, however it ends, the keeper and all processes end too.
#ifndef PL_PROCESS_KEEPER_H
#define PL_PROCESS_KEEPER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "process/turns.h"

struct pl_kept_work {
    const char *keeper_name, *name; // as they are shown by ps; at most 15 bytes
    // Once in the keeper, before the first fork. False: it cannot work.
    bool (*prepare)(void *user);
    // The work of a process, until it shall end (turns.h). Returns its exit status.
    int (*run)(void *user, int channel, struct pl_shared *shared);
    void *user;
};

struct pl_keeper {
    pid_t pid;
    uint32_t count;
    int *controls;            // one for each place: where a process is asked for
    struct pl_shared *shared; // one for each place
    atomic_uint *served;      // requests that it has answered, in memory that both share
    bool *asked;              // of each place: its answer is still to come
    int silence_ms;           // one that answers nobody for so long (stopped, stuck in the kernel) will not
};

// Forks the keeper. The process that calls must have no other threads. `work` must live as long as the program.
enum pl_errc pl_keeper_start(struct pl_keeper *keeper, const struct pl_kept_work *work, uint32_t count,
                             struct pl_error *err) PL_MUST_USE;

struct pl_replaced {
    int channel;    // to the new process
    int old_status; // how the old one ended, as of waitpid; 0 also where there was none
};

// Ends the process in a place, if there is one, and starts another. For one thread at a time in each place. Waits as
// long as the keeper answers anybody. PL_E_IO: it has gone, or is silent; who asks again then waits for the same
// answer. PL_E_MEMORY: the system makes no process now.
enum pl_errc pl_keeper_replace(struct pl_keeper *keeper, uint32_t place, struct pl_replaced *out,
                               struct pl_error *err) PL_MUST_USE;
// Ends it with all its processes: those that were asked to leave before get a moment to end by themselves.
void pl_keeper_stop(struct pl_keeper *keeper);
// Ends all of them at once, for a program that then ends itself; other threads may still ask the keeper. Waits a moment
// at most.
void pl_keeper_kill(const struct pl_keeper *keeper);

#endif
