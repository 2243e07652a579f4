// Allocations of libplaten that fail on purpose, one of them or all from one on. A program that has starve_dep gets it.
#ifndef PL_STARVE_H
#define PL_STARVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Counts from here on: the nth allocation fails, and all after it, if asked for. 0: none fails.
void starve(uint64_t nth, bool all_after);
// Allocations since then.
uint64_t starve_count(void);

// The system's own, which is neither counted nor fails.
void *__real_malloc(size_t size);
void *__real_realloc(void *old, size_t size);

#endif
