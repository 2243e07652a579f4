// Label code that took a renderer with it: the same client that sends the same code again has to wait, longer each
// time.
#ifndef PLATEN_REPEAT_GUARD_H
#define PLATEN_REPEAT_GUARD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "base/slice.h"

#define REPEAT_GUARD_PLACES 1024u

struct repeat_guard {
    pthread_mutex_t lock;
    atomic_bool used; // something was noted: before that nobody pays for looking
    struct repeat {
        uint64_t key; // of client and code; 0: free
        uint32_t times;
        uint64_t last_ns;
    } places[REPEAT_GUARD_PLACES];
};

void repeat_guard_init(struct repeat_guard *guard);
void repeat_guard_note(struct repeat_guard *guard, struct pl_slice client, struct pl_slice zpl, uint64_t now_ns);
// Seconds until it may be tried again; 0: now.
uint32_t repeat_guard_wait_s(struct repeat_guard *guard, struct pl_slice client, struct pl_slice zpl, uint64_t now_ns);

#endif
