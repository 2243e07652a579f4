// What is made once in a process.
#include "os/once.h"

void pl_once(struct pl_once *once, void (*make)(void))
{
    pthread_once(&once->system, make);
}
