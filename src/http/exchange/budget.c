// One budget of memory for bodies and answers.
#include "http/exchange/budget.h"

#include <assert.h>

bool http_budget_take(struct http_budget *budget, size_t bytes)
{
    size_t before = atomic_load_explicit(&budget->used, memory_order_relaxed);
    do {
        if (before > budget->limit || bytes > budget->limit - before)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&budget->used, &before, before + bytes, memory_order_relaxed,
                                                    memory_order_relaxed));
    return true;
}

void http_budget_give(struct http_budget *budget, size_t bytes)
{
    size_t before = atomic_fetch_sub_explicit(&budget->used, bytes, memory_order_relaxed);
    assert(before >= bytes); // nothing is given back that was not taken
    (void)before;
}
