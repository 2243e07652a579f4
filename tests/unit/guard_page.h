// Bytes that end where the memory ends: whoever reads one more is killed, in libraries of others too.
#ifndef PL_TESTS_GUARD_PAGE_H
#define PL_TESTS_GUARD_PAGE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct guard_page {
    uint8_t *base; // NULL: not made yet
    size_t room;   // before the page that nobody may touch
};

// The bytes, copied; NULL without memory. They stay until the next call.
static inline const uint8_t *guard_page_put(struct guard_page *g, const void *bytes, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (!g->base || size > g->room) {
        if (g->base)
            munmap(g->base, g->room + page);
        g->room = (size / page + 1) * page;
        void *base = mmap(NULL, g->room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        g->base = base == MAP_FAILED ? NULL : base;
        if (!g->base || mprotect(g->base + g->room, page, PROT_NONE) != 0)
            return NULL;
    }
    uint8_t *at = g->base + g->room - size;
    if (size)
        memcpy(at, bytes, size);
    return at;
}

#endif
