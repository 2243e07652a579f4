// `platen render --timeout`: the process that reads and draws label files, one after the other. It opens no file:
// inputs are handed to it, and outputs go back to the program that started it (isolated_batch.h).
#ifndef PLATEN_ISOLATED_WORKER_H
#define PLATEN_ISOLATED_WORKER_H

#include "cli/render_file.h"
#include "cli/render_inputs.h"
#include "process/keeper.h"

// What is done with a file, where that is not rendering it: one answer comes of it, which is said as it is.
struct isolated_task {
    const char *done; // "rendered"
    // In the worker: appends the answer.
    void (*run)(const struct isolated_task *task, struct platen_worker *worker, const struct render_files *files,
                size_t item, struct pl_buf *answer);
    // In the program: can the worker's answer be one?
    bool (*accept)(struct pl_slice answer);
    // In the program, for a file without an answer: appends one that says why. `unread`: it cannot be opened.
    void (*fail)(const struct isolated_task *task, size_t item, bool unread, const char *why, struct pl_buf *answer);
    const void *user;
};

struct isolated_plan {
    const struct render_request *request;
    const struct render_inputs *inputs;
    const char *out_dir, *output;     // one of them; `output` is that of the only input
    const struct isolated_task *task; // NULL: files are rendered
    size_t memory;                    // what a worker may have beyond what all of them share
    struct platen_worker *worker;     // made by isolated_worker_prepare, before the first one is forked
};

// The output of an input. malloc'ed; NULL: no memory.
char *isolated_output(const struct isolated_plan *plan, size_t item);

// From the program: a file to render (its descriptor comes along), or the answer to an output.
struct isolated_order {
    uint64_t item;
    bool ok; // the output is in place
};

enum isolated_kind {
    ISOLATED_SAY,    // a message for standard error
    ISOLATED_OUTPUT, // a path and the bytes to write there; is answered
    ISOLATED_DONE    // with the file
};

// From the worker; the path and the bytes come behind it.
struct isolated_word {
    uint32_t kind;
    bool ok, retires; // of ISOLATED_DONE: it was rendered; there should be another worker for the next one
    uint64_t path_size, size;
};

#define ISOLATED_SAY_MAX ((size_t)64 << 10) // bytes of one message

// As of struct pl_kept_work; `plan` is a struct isolated_plan.
bool isolated_worker_prepare(void *plan);
int isolated_worker_run(void *plan, int channel, struct pl_shared *shared);

#endif
