// The memory of one request, all told: several arenas and allocators draw from one limit. One thread at a time.
#ifndef PL_BASE_BUDGET_H
#define PL_BASE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

struct pl_arena;

struct pl_budget {
    size_t limit, used;
    size_t elsewhere;        // held for the same request by others
    bool refused;            // something was refused; cleared by whoever begins a job
    struct pl_arena *arenas; // those that joined: what they keep for later jobs goes first
};

// False, and `refused`: there is no room. All functions allow NULL, which has room for all.
bool pl_budget_take(struct pl_budget *budget, size_t bytes);
void pl_budget_give(struct pl_budget *budget, size_t bytes);
// Whether `bytes` could be taken. What arenas keep without need is given back first.
bool pl_budget_has(struct pl_budget *budget, size_t bytes);
// How much of `bytes` could be taken, in the same way.
size_t pl_budget_room(struct pl_budget *budget, size_t bytes);

#endif
