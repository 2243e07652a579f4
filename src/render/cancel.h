// The flag inside struct platen_cancel. The public header has it as a byte, so that callers need no atomics.
#ifndef PL_RENDER_CANCEL_H
#define PL_RENDER_CANCEL_H

#include <stdatomic.h>

#include "platen/platen.h"

_Static_assert(sizeof(atomic_bool) == 1 && _Alignof(atomic_bool) == 1 && ATOMIC_BOOL_LOCK_FREE == 2,
               "a flag is a byte that any thread may read and write");

// `cancel` may be NULL.
static inline const atomic_bool *pl_cancel_flag(const struct platen_cancel *cancel)
{
    return cancel ? (const atomic_bool *)&cancel->state : NULL;
}

#endif
