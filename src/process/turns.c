// Turns in shared memory, by two counters that are waited for with futexes.
#include "process/turns.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void wake(atomic_uint *counter)
{
    syscall(SYS_futex, counter, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

// Until the counter is not `value` any more, or so many milliseconds (0: for ever). False: the time is over.
static bool wait_change(atomic_uint *counter, unsigned value, unsigned most_ms)
{
    const struct timespec most = {.tv_sec = most_ms / 1000, .tv_nsec = most_ms % 1000 * 1000000L};
    return syscall(SYS_futex, counter, FUTEX_WAIT, value, most_ms > 0 ? &most : NULL, NULL, 0) == 0 ||
           errno != ETIMEDOUT;
}

// Has the process gone, whether the keeper has noticed or not?
static bool gone(struct pl_shared *shared, int channel)
{
    uint8_t byte;
    return atomic_load_explicit(&shared->ended, memory_order_acquire) ||
           recv(channel, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void pl_turn_ask(struct pl_shared *shared)
{
    atomic_fetch_add_explicit(&shared->asked, 1, memory_order_release);
    wake(&shared->asked);
}

enum pl_channel_result pl_turn_wait_answer(struct pl_shared *shared, int channel, struct pl_patience *patience)
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
        if (!wait_change(&shared->answered, answered, PL_CHANNEL_LOOK_MS) && gone(shared, channel))
            return PL_CHANNEL_GONE;
    }
}

void pl_turn_leave(struct pl_shared *shared)
{
    atomic_store_explicit(&shared->leaves, true, memory_order_release);
    pl_turn_ask(shared);
}

enum pl_channel_result pl_turn_wait_question(struct pl_shared *shared, unsigned *seen, unsigned most_ms)
{
    unsigned asked;
    while ((asked = atomic_load_explicit(&shared->asked, memory_order_acquire)) == *seen) {
        if (!wait_change(&shared->asked, *seen, most_ms))
            return PL_CHANNEL_LATE;
    }
    *seen = asked;
    return atomic_load_explicit(&shared->leaves, memory_order_acquire) ? PL_CHANNEL_GONE : PL_CHANNEL_DONE;
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
