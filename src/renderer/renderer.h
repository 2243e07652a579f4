// A renderer: the process that reads label code. It knows one request at a time, and has nothing but its channel.
#ifndef PLATEN_RENDERER_H
#define PLATEN_RENDERER_H

#include <platen/platen.h>

#include "process/keeper.h"

struct renderer_plan {
    const struct platen_engine *engine;
    size_t answer_bytes;          // of one answer, at most
    size_t memory;                // what it may have beyond what all of them share
    bool confined;                // by a system call filter
    struct platen_worker *worker; // made by renderer_prepare, before the first one is forked
};

// In the keeper: what all renderers share. False: no memory.
bool renderer_prepare(void *plan);
// In a renderer: answers questions until it shall end. The exit status.
int renderer_run(void *plan, int channel, struct pl_shared *shared);

#endif
