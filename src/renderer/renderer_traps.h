// Where a test's program goes wrong on purpose: it links tests/renderer/traps.c instead of renderer_traps.c.
#ifndef PLATEN_RENDERER_TRAPS_H
#define PLATEN_RENDERER_TRAPS_H

#include "renderer/render_job.h"

void renderer_trap(const void *zpl, size_t size);        // before the label code is understood
void renderer_trap_answer(struct render_answer *answer); // before it is sent

#endif
