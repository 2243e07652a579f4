// The arena: a list of chunks, filled one after the other. Under AddressSanitizer memory that is not handed out is
// poisoned.
#include "base/arena.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "os/locale.h"

#if defined(__SANITIZE_ADDRESS__)
#define PL_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PL_ASAN 1
#endif
#endif
#ifdef PL_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(ptr, size) ASAN_POISON_MEMORY_REGION((ptr), (size))
#define UNPOISON(ptr, size) ASAN_UNPOISON_MEMORY_REGION((ptr), (size))
// A gap after each allocation, so that running past its end is seen.
#define REDZONE 16
#else
#define POISON(ptr, size) ((void)(ptr), (void)(size))
#define UNPOISON(ptr, size) ((void)(ptr), (void)(size))
#define REDZONE 0
#endif

#define MAX_ALIGN 64
#define FIRST_CHUNK ((size_t)64 << 10)
#define LARGEST_STEP ((size_t)4 << 20)
#define SHARE 4 // the part of what is left that a chunk may have without need

struct pl_arena_chunk {
    struct pl_arena_chunk *next;
    size_t size;  // bytes of `data`
    size_t dirty; // of them, how many were in use since pl_arena_wipe; not kept up for the chunk in use
    bool entered; // memory was taken from it since pl_arena_end_job
    _Alignas(MAX_ALIGN) unsigned char data[];
};

void pl_arena_init(struct pl_arena *arena, size_t limit)
{
    *arena = (struct pl_arena){.limit = limit};
}

// Before another chunk is in use, or less of this one.
static void note_dirty(const struct pl_arena *arena)
{
    if (arena->chunk && arena->chunk->dirty < arena->used)
        arena->chunk->dirty = arena->used;
}

static void free_chain(struct pl_arena *arena, struct pl_arena_chunk *chunk)
{
    while (chunk) {
        struct pl_arena_chunk *next = chunk->next;
        assert(arena->reserved >= chunk->size);
        UNPOISON(chunk->data, chunk->size);
        arena->reserved -= chunk->size;
        pl_budget_give(arena->budget, chunk->size);
        free(chunk);
        chunk = next;
    }
}

void pl_arena_join(struct pl_arena *arena, struct pl_budget *budget, bool shared)
{
    assert(!arena->head); // what it has reserved would not count
    arena->budget = budget;
    if (budget && shared) {
        arena->next_in_budget = budget->arenas;
        budget->arenas = arena;
    }
}

void pl_arena_trim(struct pl_arena *arena)
{
    struct pl_arena_chunk **link = arena->chunk ? &arena->chunk->next : &arena->head;
    free_chain(arena, *link);
    *link = NULL;
}

void pl_arena_reset(struct pl_arena *arena, size_t keep)
{
    size_t kept = 0;
    note_dirty(arena);
    struct pl_arena_chunk **link = &arena->head;
    while (*link && kept + (*link)->size <= keep) {
        kept += (*link)->size;
        POISON((*link)->data, (*link)->size);
        link = &(*link)->next;
    }
    free_chain(arena, *link);
    *link = NULL;
    arena->chunk = NULL;
    arena->used = 0;
}

void pl_arena_end_job(struct pl_arena *arena, size_t most)
{
    size_t needed = 0;
    for (struct pl_arena_chunk *chunk = arena->head; chunk; chunk = chunk->next) {
        if (chunk->entered)
            needed += chunk->size;
        chunk->entered = false;
    }
    // A job that took nothing says nothing.
    if (arena->allocations != arena->last_allocations && needed < arena->usual_bytes) {
        arena->recent_most = PL_MAX(arena->recent_most, needed);
        if (++arena->smaller_jobs == PL_ARENA_JOBS) {
            arena->usual_bytes = arena->recent_most;
            arena->recent_most = arena->smaller_jobs = 0;
        }
    } else if (arena->allocations != arena->last_allocations) {
        arena->usual_bytes = needed;
        arena->recent_most = arena->smaller_jobs = 0;
    }
    arena->last_allocations = arena->allocations;
    pl_arena_reset(arena, PL_MIN(arena->usual_bytes, most));
}

void pl_arena_fini(struct pl_arena *arena)
{
    free_chain(arena, arena->head);
    arena->head = NULL;
    arena->chunk = NULL;
    arena->used = 0;
}

void pl_arena_wipe(struct pl_arena *arena)
{
    note_dirty(arena);
    bool in_use = arena->chunk != NULL;
    for (struct pl_arena_chunk *chunk = arena->head; chunk; chunk = chunk->next) {
        // Of the chunks before the one in use all is in use, of that one the beginning.
        in_use = in_use && chunk != arena->chunk;
        size_t from = in_use ? chunk->dirty : chunk == arena->chunk ? arena->used : 0;
        if (chunk->dirty <= from)
            continue;
        UNPOISON(chunk->data + from, chunk->dirty - from);
        memset(chunk->data + from, 0, chunk->dirty - from);
        POISON(chunk->data + from, chunk->dirty - from);
        chunk->dirty = from;
    }
}

void pl_arena_move(struct pl_arena *to, struct pl_arena *from)
{
    assert(to != from);
    pl_arena_init(to, from->limit);
    if (!from->chunk)
        return;
    *to = (struct pl_arena){.head = from->head, .chunk = from->chunk, .used = from->used, .limit = from->limit};
    from->head = from->chunk->next;
    to->chunk->next = NULL;
    for (const struct pl_arena_chunk *chunk = to->head; chunk; chunk = chunk->next)
        to->reserved += chunk->size;
    from->reserved -= to->reserved;
    pl_budget_give(from->budget, to->reserved);
    from->chunk = NULL;
    from->used = 0;
}

size_t pl_arena_room(struct pl_arena *arena)
{
    pl_arena_trim(arena);
    return arena->limit - PL_MIN(arena->reserved, arena->limit);
}

// Makes the next chunk current: one kept from an earlier job if a new one would have its size, else a new one. So a
// job has the same chunks whatever was before it, and is refused or not by its own needs.
static bool next_chunk(struct pl_arena *arena, size_t need)
{
    note_dirty(arena);
    size_t size = arena->chunk ? arena->chunk->size * 2 : FIRST_CHUNK;
    if (size > LARGEST_STEP)
        size = LARGEST_STEP;
    if (size < need)
        size = need;
    (void)pl_budget_has(arena->budget, 0); // where others hold more than before, nothing is kept
    struct pl_arena_chunk **link = arena->chunk ? &arena->chunk->next : &arena->head;
    if (*link && (*link)->size == size) {
        arena->chunk = *link;
        arena->chunk->entered = true;
        arena->used = 0;
        return true;
    }
    // Near the limit chunks become smaller: what one has to spare, others may need.
    size_t room = pl_arena_room(arena);
    size_t left = pl_budget_room(arena->budget, size > room / SHARE ? room : size * SHARE);
    if (size > left / SHARE)
        size = PL_MAX(need, left / SHARE);
    if (size > room)
        return false;
    size_t total;
    if (!PL_CKD_ADD(&total, size, sizeof(struct pl_arena_chunk) + MAX_ALIGN))
        return false;
    total = (total + MAX_ALIGN - 1) / MAX_ALIGN * MAX_ALIGN;
    if (!pl_budget_take(arena->budget, size))
        return false;
    int kept_errno = errno;
    struct pl_arena_chunk *chunk = aligned_alloc(MAX_ALIGN, total);
    if (!chunk) {
        pl_budget_give(arena->budget, size);
        return false;
    }
    errno = kept_errno; // the C library leaves ENOMEM where it had to look in a second place
    chunk->size = size;
    chunk->dirty = 0;
    chunk->entered = true;
    POISON(chunk->data, chunk->size);
    chunk->next = NULL;
    *link = arena->chunk = chunk;
    arena->used = 0;
    arena->reserved += size;
    return true;
}

void *pl_arena_alloc(struct pl_arena *arena, size_t size, size_t align)
{
    assert(align > 0 && align <= MAX_ALIGN && (align & (align - 1)) == 0);
    arena->allocations++;
    if (arena->fail_at != 0 && arena->allocations >= arena->fail_at)
        return NULL;
    size_t need;
    if (!PL_CKD_ADD(&need, size, (size_t)REDZONE))
        return NULL;
    size_t start = (arena->used + align - 1) & ~(align - 1);
    if (!arena->chunk || start > arena->chunk->size || need > arena->chunk->size - start) {
        if (!next_chunk(arena, need))
            return NULL;
        start = 0;
    }
    arena->used = start + need;
    void *memory = arena->chunk->data + start;
    UNPOISON(memory, size);
    return memory;
}

void *pl_arena_zalloc(struct pl_arena *arena, size_t size, size_t align)
{
    void *memory = pl_arena_alloc(arena, size, align);
    if (memory)
        memset(memory, 0, size);
    return memory;
}

void *pl_arena_array(struct pl_arena *arena, size_t count, size_t size, size_t align)
{
    size_t total;
    if (!PL_CKD_MUL(&total, count, size))
        return NULL;
    return pl_arena_alloc(arena, total, align);
}

void *pl_arena_copy(struct pl_arena *arena, const void *data, size_t size)
{
    // The copy may be of a struct, so it is aligned for any.
    void *memory = pl_arena_alloc(arena, size, _Alignof(max_align_t));
    if (memory && size > 0)
        memcpy(memory, data, size);
    return memory;
}

char *pl_arena_printf(struct pl_arena *arena, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    va_list again;
    va_copy(again, args);
    int length = pl_os_vsnprintf(NULL, 0, fmt, args);
    char *text = length < 0 ? NULL : pl_arena_alloc(arena, (size_t)length + 1, 1);
    if (text && pl_os_vsnprintf(text, (size_t)length + 1, fmt, again) != length)
        text = NULL;
    va_end(again);
    va_end(args);
    return text;
}

struct pl_arena_mark pl_arena_mark(const struct pl_arena *arena)
{
    return (struct pl_arena_mark){arena->chunk, arena->used};
}

void pl_arena_release(struct pl_arena *arena, struct pl_arena_mark mark)
{
    assert(mark.used <= (mark.chunk ? mark.chunk->size : 0));
    note_dirty(arena);
    size_t used = mark.used;
    for (struct pl_arena_chunk *c = mark.chunk ? mark.chunk : arena->head; c; c = c->next) {
        POISON(c->data + used, c->size - used);
        used = 0;
        if (c == arena->chunk)
            break;
    }
    arena->chunk = mark.chunk;
    arena->used = mark.used;
}

enum pl_errc pl_fail_memory(struct pl_error *err)
{
    return pl_fail(err, PL_E_MEMORY, "the memory set aside for this job is used up");
}

bool pl_arena_grow(struct pl_arena *arena, void *items, uint32_t count, uint32_t *capacity, uint32_t first, size_t size)
{
    uint32_t room = *capacity ? *capacity * 2 : first;
    size_t alignment = PL_MIN(size & -size, _Alignof(max_align_t)); // the size of a type is a multiple of its alignment
    void *grown = pl_arena_array(arena, room, size, alignment), *before;
    if (!grown)
        return false;
    memcpy(&before, items, sizeof before);
    if (count > 0)
        memcpy(grown, before, count * size);
    memcpy(items, &grown, sizeof grown);
    *capacity = room;
    return true;
}
