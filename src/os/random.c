// Random numbers of the system.
#include "os/random.h"

#include <unistd.h>

bool pl_random(void *out, size_t size)
{
    return getentropy(out, size) == 0;
}
