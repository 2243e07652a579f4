// A place of a confined run: a process and the task that it has. Made for confined.c.
#ifndef PLATEN_CONFINED_PLACE_H
#define PLATEN_CONFINED_PLACE_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/buf.h"
#include "process/keeper.h"
#include "runner/confined.h"

#define CONFINED_SAID_MAX ((size_t)1 << 20)  // kept of a task's lines before they are passed on
#define CONFINED_PATH_MAX ((size_t)64 << 10) // bytes of a file's name

// From the program: a task (an open file comes along, or `size` bytes behind it), or the answer to an output.
struct confined_order {
    uint64_t task, size;
    bool ok; // the output is in place
};

enum confined_kind {
    CONFINED_SAYS,   // what the task says, or a part of it
    CONFINED_WRITES, // a path and the bytes to write there; is answered
    CONFINED_ENDS    // the task
};

// From the process; the path and the bytes come behind it.
struct confined_word {
    uint32_t kind;
    uint8_t ok, retires; // of CONFINED_ENDS: 1: it did not fail; there should be another process for the next one
    uint64_t path_size, size;
};

struct confined_place {
    int channel;      // -1: no process can be had
    size_t done;      // tasks of the process
    uint64_t left_ns; // of the task's time
    bool ok;          // the task did not fail, as the process says
    bool told;        // some of what it said has been passed on
    struct pl_buf in; // an output
    struct pl_buf said;
};

struct confined {
    const struct run *run;
    const struct confined_work *work;
    struct platen_worker *worker; // of the processes: made before the first one is forked
    struct pl_keeper keeper;
    struct confined_place *places;
    atomic_bool ends;         // the program: what ends with it is no failure
    atomic_bool over;         // all tasks are done, and no signal is waited for
    pthread_rwlock_t writing; // held for writing by who ends the program; for reading while a file is written
    sigset_t asking, mask;    // signals that end the program or the watch; those that were blocked before
};

// As of struct runner_elsewhere.
bool confined_place_ready(void *confined, uint32_t place);
bool confined_place_do(void *confined, size_t task, const struct runner_place *place);
// As of struct pl_kept_work: the life of a process (confined_process.c).
bool confined_process_prepare(void *confined);
int confined_process_run(void *confined, int channel, struct pl_shared *shared);

#endif
