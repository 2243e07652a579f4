// Numbers that nobody can guess.
#ifndef PL_OS_RANDOM_H
#define PL_OS_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

// At most 256 bytes. False: the system has none.
bool pl_random(void *out, size_t size);

#endif
