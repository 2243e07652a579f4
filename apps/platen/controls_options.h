// The render controls as options of libplaten.
#ifndef PLATEN_CONTROLS_OPTIONS_H
#define PLATEN_CONTROLS_OPTIONS_H

#include <platen/platen.h>

#include "controls.h"

// Without clock, cancellation and deadline.
struct platen_options controls_options(const struct controls *controls);
// How the labels are described.
struct platen_describe_options controls_description(const struct controls *controls);

#endif
