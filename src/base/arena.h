// Memory of one render or one HTTP request: bump allocation with a hard limit, given back all at once.
#ifndef PL_BASE_ARENA_H
#define PL_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "base/budget.h"
#include "base/err.h"

struct pl_arena_chunk;

struct pl_arena {
    struct pl_arena_chunk *head;  // oldest chunk
    struct pl_arena_chunk *chunk; // chunk in use; NULL: nothing is allocated
    size_t used;                  // bytes in use in the current chunk
    size_t reserved;              // bytes of all chunks together, held against `limit`
    size_t limit;
    struct pl_budget *budget; // held against its limit, too; may be NULL
    struct pl_arena *next_in_budget;
    // For pl_arena_end_job.
    size_t usual_bytes;        // what jobs need: kept for the next one
    unsigned smaller_jobs;     // how many in a row have needed less than that
    size_t recent_most;        // the most that one of these needed
    uint64_t last_allocations; // `allocations` at the end of the last job
    uint64_t allocations;      // allocations so far; the torture hook counts them
    uint64_t fail_at;          // 0: never; n: the n-th allocation and all later ones fail
};

// A position to which the arena can be put back.
struct pl_arena_mark {
    struct pl_arena_chunk *chunk;
    size_t used;
};

void pl_arena_init(struct pl_arena *arena, size_t limit);
// From now on what the arena reserves counts in a budget, which outlives it; the arena is empty. `shared` ones give
// back what they keep for later jobs when others of the budget need room: the arena then ends with the budget.
void pl_arena_join(struct pl_arena *arena, struct pl_budget *budget, bool shared);
// Gives back the chunks that hold no allocation.
void pl_arena_trim(struct pl_arena *arena);
// The same, and how many bytes are left below the arena's limit.
size_t pl_arena_room(struct pl_arena *arena);
// Forgets all allocations but keeps the chunks for the next job (up to `keep` bytes).
void pl_arena_reset(struct pl_arena *arena, size_t keep);
// The same, and keeps no more than jobs have needed of late: what only one of them took is given back after
// PL_ARENA_JOBS that took less, and what is beyond `most` at once.
#define PL_ARENA_JOBS 32
void pl_arena_end_job(struct pl_arena *arena, size_t most);
void pl_arena_fini(struct pl_arena *arena);
// Overwrites what was left in memory that is free: after a job whose data nobody else may see.
void pl_arena_wipe(struct pl_arena *arena);
// Moves all allocations, with the chunks that hold them, to `to`, which needs no pl_arena_init. `from` is empty
// afterwards and keeps its free chunks. `to` is in no budget.
void pl_arena_move(struct pl_arena *to, struct pl_arena *from);

// Uninitialised memory, or NULL when the limit or the system's memory is reached. `align` is a power of two up to 64.
void *pl_arena_alloc(struct pl_arena *arena, size_t size, size_t align) PL_MUST_USE;
void *pl_arena_zalloc(struct pl_arena *arena, size_t size, size_t align) PL_MUST_USE;
// `count` items of `size` bytes with the multiplication checked; uninitialised.
void *pl_arena_array(struct pl_arena *arena, size_t count, size_t size, size_t align) PL_MUST_USE;
void *pl_arena_copy(struct pl_arena *arena, const void *data, size_t size) PL_MUST_USE;
char *pl_arena_printf(struct pl_arena *arena, const char *fmt, ...) PL_PRINTF(2, 3) PL_MUST_USE;

struct pl_arena_mark pl_arena_mark(const struct pl_arena *arena);
void pl_arena_release(struct pl_arena *arena, struct pl_arena_mark mark);

#define PL_ARENA_NEW(arena, type) ((type *)pl_arena_zalloc((arena), sizeof(type), _Alignof(type)))
#define PL_ARENA_ARRAY(arena, type, count) ((type *)pl_arena_array((arena), (count), sizeof(type), _Alignof(type)))

// One message for all refusals of an arena.
enum pl_errc pl_fail_memory(struct pl_error *err);

// Room for one more item of an array that doubles; its first room is for `first`. *items, a pointer, and *capacity
// change. False: no memory.
bool pl_arena_grow(struct pl_arena *arena, void *items, uint32_t count, uint32_t *capacity, uint32_t first,
                   size_t size) PL_MUST_USE;
#define PL_ARENA_GROW(arena, items, count, capacity, first)                                                            \
    ((count) < (capacity) || pl_arena_grow(arena, &(items), count, &(capacity), first, sizeof *(items)))

#endif
