// The request to stop, as the public header has it.
#include "render/cancel.h"

void platen_cancel_set(struct platen_cancel *cancel)
{
    if (cancel)
        atomic_store_explicit((atomic_bool *)&cancel->state, true, memory_order_relaxed);
}

void platen_cancel_clear(struct platen_cancel *cancel)
{
    if (cancel)
        atomic_store_explicit((atomic_bool *)&cancel->state, false, memory_order_relaxed);
}

bool platen_cancel_is_set(const struct platen_cancel *cancel)
{
    return cancel && atomic_load_explicit(pl_cancel_flag(cancel), memory_order_relaxed);
}
