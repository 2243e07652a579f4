// What is made once in a process, by whichever thread comes first; the others wait for it.
#ifndef PL_OS_ONCE_H
#define PL_OS_ONCE_H

#include <pthread.h>

struct pl_once {
    pthread_once_t system;
};

#define PL_ONCE_INIT                                                                                                   \
    {                                                                                                                  \
        PTHREAD_ONCE_INIT                                                                                              \
    }

void pl_once(struct pl_once *once, void (*make)(void));

#endif
