// src/os where there is one thread.
#include "os/cores.h"
#include "os/once.h"

uint32_t pl_core_count(void)
{
    return 1;
}

void pl_once(struct pl_once *once, void (*make)(void))
{
    if (!once->done)
        make();
    once->done = true;
}
