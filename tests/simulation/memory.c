// Allocations of the code under test: counted, and made to fail where the world says so. The linker sends the calls
// here
// (--wrap); the simulator's own go straight to the system.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *memory);

static long live;

void *sim_alloc(size_t size)
{
    void *memory = __real_malloc(size);
    if (!memory)
        abort();
    return memory;
}

void *sim_realloc(void *old, size_t size)
{
    void *memory = __real_realloc(old, size);
    if (!memory)
        abort();
    return memory;
}

void sim_free(void *memory)
{
    __real_free(memory);
}

long sim_memory_live(void)
{
    return live;
}

static bool fails(void)
{
    if (!sim.memory_armed)
        return false;
    sim.allocations++;
    if (sim.allocations <= sim.world.memory_after || !sim_rare(&sim.memory, sim.world.memory_fails))
        return false;
    sim_note("allocation % fails", (int64_t)sim.allocations, 0, 0, 0);
    sim.starved = true;
    sim.starved_ns = sim.now_ns;
    sim.totals.faults++;
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t size)
{
    void *memory = fails() ? NULL : __real_malloc(size);
    live += memory != NULL;
    return memory;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *memory = fails() ? NULL : __real_calloc(count, size);
    live += memory != NULL;
    return memory;
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
    void *memory = fails() ? NULL : __real_aligned_alloc(align, size);
    live += memory != NULL;
    return memory;
}

char *__wrap_strdup(const char *text)
{
    char *copy = fails() ? NULL : __real_strdup(text);
    live += copy != NULL;
    return copy;
}

void *__wrap_realloc(void *old, size_t size)
{
    void *memory = fails() ? NULL : __real_realloc(old, size);
    live += memory && !old;
    return memory;
}

void __wrap_free(void *memory)
{
    live -= memory != NULL;
    __real_free(memory);
}
