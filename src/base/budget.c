// Taking from and giving back to a budget.
#include "base/budget.h"

#include <assert.h>

#include "base/arena.h"

static bool fits(const struct pl_budget *budget, size_t bytes)
{
    size_t held = budget->used + budget->elsewhere; // both are sizes of memory that exists
    return held <= budget->limit && bytes <= budget->limit - held;
}

bool pl_budget_has(struct pl_budget *budget, size_t bytes)
{
    if (!budget || fits(budget, bytes))
        return true;
    for (struct pl_arena *arena = budget->arenas; arena; arena = arena->next_in_budget)
        pl_arena_trim(arena);
    return fits(budget, bytes);
}

size_t pl_budget_room(struct pl_budget *budget, size_t bytes)
{
    if (pl_budget_has(budget, bytes))
        return bytes;
    size_t held = budget->used + budget->elsewhere;
    return budget->limit - (held < budget->limit ? held : budget->limit);
}

bool pl_budget_take(struct pl_budget *budget, size_t bytes)
{
    if (!budget)
        return true;
    if (!pl_budget_has(budget, bytes)) {
        budget->refused = true;
        return false;
    }
    budget->used += bytes;
    return true;
}

void pl_budget_give(struct pl_budget *budget, size_t bytes)
{
    if (!budget)
        return;
    assert(budget->used >= bytes); // nothing is given back that was not taken
    budget->used -= bytes;
}
