// `platen render --timeout`: files are rendered in processes of their own, which have so much time and memory for each.
// One that goes wrong costs its file, and no other.
#ifndef PLATEN_ISOLATED_BATCH_H
#define PLATEN_ISOLATED_BATCH_H

#include "isolated_worker.h"

struct isolated_batch {
    struct isolated_plan plan;       // filled but for its worker
    uint64_t timeout_ms;             // for each file
    uint32_t jobs;                   // processes
    const struct message_sink *sink; // where messages go; NULL: to standard error
    void (*progress)(void *user, size_t done, size_t count, size_t failed); // may be NULL
    void *progress_user;
};

// Renders all inputs and returns how many failed; lines were printed. The process that calls must have no threads. A
// signal that asks the program to end ends it here, with all processes.
size_t isolated_batch_run(struct isolated_batch *batch);

#endif
