// An arena that lives as long as a group of tests, or as one test.
#ifndef PL_TESTS_ARENA_FIXTURE_H
#define PL_TESTS_ARENA_FIXTURE_H

#include "base/arena.h"

static struct pl_arena arena;

static inline int arena_set_up(void **state)
{
    (void)state;
    pl_arena_init(&arena, (size_t)64 << 20);
    return 0;
}

static inline int arena_tear_down(void **state)
{
    (void)state;
    pl_arena_fini(&arena);
    return 0;
}

#endif
