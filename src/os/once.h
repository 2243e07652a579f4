// What is made once in a process, by whichever thread comes first; the others wait for it.
#ifndef PL_OS_ONCE_H
#define PL_OS_ONCE_H

#ifdef __wasm__ // one thread
#include <stdbool.h>

struct pl_once {
    bool done;
};

#define PL_ONCE_INIT                                                                                                   \
    {                                                                                                                  \
        false                                                                                                          \
    }
#else
#include <pthread.h>

struct pl_once {
    pthread_once_t system;
};

#define PL_ONCE_INIT                                                                                                   \
    {                                                                                                                  \
        PTHREAD_ONCE_INIT                                                                                              \
    }
#endif

void pl_once(struct pl_once *once, void (*make)(void));

#endif
