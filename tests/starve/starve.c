// Allocations that fail on purpose: the linker sends the calls here (--wrap).
#include "starve.h"

#include <errno.h>
#include <stdatomic.h>

static atomic_uint_fast64_t count, fail_at;
static atomic_bool fail_after;

void *__real_calloc(size_t number, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
int __real_posix_memalign(void **out, size_t align, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t number, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
int __wrap_posix_memalign(void **out, size_t align, size_t size);

void starve(uint64_t nth, bool all_after)
{
    count = 0;
    fail_after = all_after;
    fail_at = nth;
}

uint64_t starve_count(void)
{
    return count;
}

static bool refuse(void)
{
    const uint64_t nth = ++count, at = fail_at;
    if (at == 0 || (nth != at && !(fail_after && nth > at)))
        return false;
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return refuse() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t number, size_t size)
{
    return refuse() ? NULL : __real_calloc(number, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return refuse() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
    return refuse() ? NULL : __real_aligned_alloc(align, size);
}

int __wrap_posix_memalign(void **out, size_t align, size_t size)
{
    return refuse() ? ENOMEM : __real_posix_memalign(out, align, size);
}
