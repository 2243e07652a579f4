// Tasks that several places share out among them, one by one: threads, or processes (confined.h). What the tasks say,
// or leave, comes in their order.
#ifndef PLATEN_RUNNER_H
#define PLATEN_RUNNER_H

#include <platen/platen.h>

#include "base/slice.h"
#include "cli/cli_io.h"

#define RUNNER_PLACES_MAX 256u

// What a task works with.
struct runner_place {
    uint32_t index;
    struct platen_worker *worker;    // NULL where the run has no engine
    const struct message_sink *sink; // where the task's messages go
    const struct cli_files *files;   // in a process: the input that it was given, its outputs; NULL: the system's
    struct pl_slice bytes;           // in a process: the input that it was given, where that is no file
};

typedef bool runner_task(void *user, size_t task, const struct runner_place *place);

// Where tasks are done, if not on the threads themselves.
struct runner_elsewhere {
    bool (*ready)(void *user, uint32_t place); // before each task. False: this place does no more
    runner_task *task;
    void *user;
};

enum runner_read { RUNNER_NO_MORE, RUNNER_READ, RUNNER_LATER };

// Tasks that are read one after the other, and what each leaves: the calling thread reads ahead of the places and
// passes on behind them. They say nothing.
struct runner_stream {
    size_t window; // tasks that are read and not passed on, at most
    // Reads it. RUNNER_LATER only without `waits`: it is not there yet, so all that are open are passed on first.
    enum runner_read (*next)(void *user, size_t task, bool waits);
    size_t (*holds)(void *user, size_t task); // bytes, after it was read and after it was done; about
    void (*pass)(void *user, size_t task);    // in order
};

struct run {
    const struct platen_engine *engine; // of the workers; NULL: the tasks need none
    struct platen_worker *worker;       // of the calling thread; NULL: it makes one, as the others do
    uint32_t places;                    // at most; without a stream, the calling thread is one
    size_t count;                       // of tasks; SIZE_MAX of a stream
    size_t kept_most;                   // bytes that they say before their turn, or that a stream holds; 0: 4 MiB
    bool stops_at_failure;              // as if the run had ended with the first task that fails
    const struct message_sink *sink;    // where messages go; NULL: to standard error
    runner_task *task;                  // does one; false: it failed
    void (*progress)(void *user, size_t done, size_t count,
                     size_t failed); // after each, one after the other, on any thread; may be NULL
    void *user;
    const struct runner_stream *stream;       // NULL: all tasks are there
    const struct runner_elsewhere *elsewhere; // NULL: here
};

// Returns how many tasks failed or were not begun; of a stream, how many were read and not passed on.
size_t runner_run(const struct run *run);

#endif
