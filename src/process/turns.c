// Turns in shared memory, by two counters that are waited for with futexes.
#include "process/turns.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void wake(atomic_uint *counter)
{
    syscall(SYS_futex, counter, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

// Until the counter is not `value` any more; or for a while only, if `look` is set.
static void wait_change(atomic_uint *counter, unsigned value, bool look)
{
    const struct timespec soon = {.tv_nsec = PL_CHANNEL_LOOK_MS * 1000000L};
    syscall(SYS_futex, counter, FUTEX_WAIT, value, look ? &soon : NULL, NULL, 0);
}

void pl_turn_ask(struct pl_shared *shared)
{
    atomic_fetch_add_explicit(&shared->asked, 1, memory_order_release);
    wake(&shared->asked);
}

enum pl_channel_result pl_turn_wait_answer(struct pl_shared *shared, struct pl_patience *patience)
{
    unsigned number = atomic_load_explicit(&shared->asked, memory_order_relaxed);
    for (;;) {
        unsigned answered = atomic_load_explicit(&shared->answered, memory_order_acquire);
        if (answered == number)
            return PL_CHANNEL_DONE;
        if (atomic_load_explicit(&shared->ended, memory_order_acquire))
            return PL_CHANNEL_GONE;
        if (!pl_patience_goes_on(patience))
            return PL_CHANNEL_LATE;
        wait_change(&shared->answered, answered, true);
    }
}

void pl_turn_leave(struct pl_shared *shared)
{
    atomic_store_explicit(&shared->leaves, true, memory_order_release);
    pl_turn_ask(shared);
}

bool pl_turn_wait_question(struct pl_shared *shared, unsigned *seen)
{
    unsigned asked;
    while ((asked = atomic_load_explicit(&shared->asked, memory_order_acquire)) == *seen)
        wait_change(&shared->asked, *seen, false);
    *seen = asked;
    return !atomic_load_explicit(&shared->leaves, memory_order_acquire);
}

void pl_turn_answer(struct pl_shared *shared, unsigned seen)
{
    atomic_store_explicit(&shared->answered, seen, memory_order_release);
    wake(&shared->answered);
}

void pl_turn_reset(struct pl_shared *shared)
{
    // What the process before it has left is not for this one.
    if (madvise(shared, sizeof(*shared), MADV_REMOVE) != 0)
        memset(shared, 0, sizeof(*shared));
    atomic_store_explicit(&shared->ended, false, memory_order_release);
}

void pl_turn_process_ended(struct pl_shared *shared)
{
    atomic_store_explicit(&shared->ended, true, memory_order_release);
    wake(&shared->answered);
}
