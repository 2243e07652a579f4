// What a renderer may ask of the system.
#ifndef PLATEN_RENDERER_CALLS_H
#define PLATEN_RENDERER_CALLS_H

#include <stdbool.h>

// For good: its channel, memory and the clock are all that is left. False: it could not be had although the system has
// it; where the system has it not, the front has said so.
bool renderer_confine(void);

#endif
