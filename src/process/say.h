// Lines on standard error that hold nobody up: a pipe that is full and not read must not stop the threads that do the
// work.
#ifndef PL_PROCESS_SAY_H
#define PL_PROCESS_SAY_H

#include "base/err.h"

// Opens standard error once more, if it is a pipe: others may fill it between a look and a write. Before there are
// threads, and again in a process that was forked and has closed its descriptors.
void pl_say_begin(void);
// One line, without its end. From any thread. It is dropped if there is no room for it now; the next line that has room
// says how many were.
void pl_say(const char *format, ...) PL_PRINTF(1, 2);
// Waits for room as long as somebody reads: for what must be known, where nothing else is held up.
void pl_say_patiently(const char *format, ...) PL_PRINTF(1, 2);

#endif
