// Where a test build of the renderer goes wrong on purpose (tests/renderer). In the product there is nothing here.
#ifndef PLATEN_RENDERER_TRAPS_H
#define PLATEN_RENDERER_TRAPS_H

#include "renderer/render_job.h"

#ifdef PLATEN_TRAPS
void renderer_trap(const void *zpl, size_t size);        // before the label code is understood
void renderer_trap_answer(struct render_answer *answer); // before it is sent
#else
static inline void renderer_trap(const void *zpl, size_t size)
{
    (void)zpl;
    (void)size;
}

static inline void renderer_trap_answer(struct render_answer *answer)
{
    (void)answer;
}
#endif

#endif
