// A run whose tasks are done in processes, which have so much time and memory for each and can open nothing. A task
// that goes wrong costs itself, and no other.
#ifndef PLATEN_CONFINED_H
#define PLATEN_CONFINED_H

#include "base/buf.h"
#include "runner/runner.h"

// Bytes that a process is given for a task.
struct confined_input {
    struct pl_slice head;
    struct pl_buf *body; // may be empty when the task is done; NULL: none
    uint64_t spent_ns;   // of the task's time
};

// How a task ended.
enum confined_end {
    CONFINED_GOES_ON, // it has not
    CONFINED_DONE,
    CONFINED_UNREADABLE, // its file cannot be opened
    CONFINED_LATE,
    CONFINED_DIED,
    CONFINED_NO_MEMORY // for its answer
};

// What the program does for the tasks of a run. `user` is that of the run.
struct confined_work {
    const char *verb; // "rendered", for reasons
    uint64_t timeout_ms;
    size_t memory;      // that a process may have beyond what all of them share
    char *const *paths; // the files that the processes are given; "-" is standard input. NULL: `input` has bytes
    // False: the task is done without a process.
    bool (*input)(void *user, size_t task, struct confined_input *out);
    // May the task write this file? NULL: it writes none.
    bool (*writes)(void *user, size_t task, const char *path);
    // The task says one answer, as a whole, or fails. Takes the answer; false: it cannot be one. NULL: it says lines
    // for people.
    bool (*accept)(void *user, size_t task, struct pl_slice answer, const struct message_sink *sink);
    // Takes, or says, why a task failed; this is its answer.
    void (*fail)(void *user, size_t task, enum confined_end end, const char *why, const struct message_sink *sink);
};

// Are there processes on this system?
bool confined_can(void);
// As runner_run; run->task runs in the processes. The process that calls must have no threads. A signal that asks the
// program to end ends it here, with all processes.
size_t confined_run(const struct run *run, const struct confined_work *work);

#endif
