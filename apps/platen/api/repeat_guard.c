// A small table of what failed: open addressing, the oldest of some places gives way.
#include "repeat_guard.h"

#include "base/ckd.h"
#include "base/hash.h"

#define PROBES 8u
#define FREE_TRIES 2u // a renderer may end for reasons that are not the label's
#define LONGEST_S 60u
#define FORGOTTEN_NS 600000000000ull // after ten minutes

void repeat_guard_init(struct repeat_guard *guard)
{
    pthread_mutex_init(&guard->lock, NULL);
}

static uint64_t key_of(struct pl_slice client, struct pl_slice zpl)
{
    uint64_t key = pl_hash_mix(pl_hash_fnv1a(client), pl_hash_fnv1a(zpl));
    return key ? key : 1;
}

// With the lock held: its place, or the one that it may have, or NULL when it is not there and `make` is false.
static struct repeat *find(struct repeat_guard *guard, uint64_t key, uint64_t now_ns, bool make)
{
    struct repeat *oldest = NULL;
    for (uint64_t i = 0; i < PROBES; i++) {
        struct repeat *place = &guard->places[(key + i) % REPEAT_GUARD_PLACES];
        if (place->key != 0 && now_ns > place->last_ns && now_ns - place->last_ns > FORGOTTEN_NS)
            *place = (struct repeat){0};
        if (place->key == key)
            return place;
        if (!oldest || place->last_ns < oldest->last_ns)
            oldest = place;
    }
    if (!make)
        return NULL;
    *oldest = (struct repeat){.key = key};
    return oldest;
}

void repeat_guard_note(struct repeat_guard *guard, struct pl_slice client, struct pl_slice zpl, uint64_t now_ns)
{
    uint64_t key = key_of(client, zpl);
    pthread_mutex_lock(&guard->lock);
    struct repeat *place = find(guard, key, now_ns, true);
    place->times++;
    place->last_ns = PL_MAX(place->last_ns, now_ns); // threads look at the clock before they are here
    pthread_mutex_unlock(&guard->lock);
    atomic_store_explicit(&guard->used, true, memory_order_relaxed);
}

uint32_t repeat_guard_wait_s(struct repeat_guard *guard, struct pl_slice client, struct pl_slice zpl, uint64_t now_ns)
{
    if (!atomic_load_explicit(&guard->used, memory_order_relaxed))
        return 0;
    uint64_t key = key_of(client, zpl);
    uint64_t until = 0;
    pthread_mutex_lock(&guard->lock);
    const struct repeat *place = find(guard, key, now_ns, false);
    if (place && place->times > FREE_TRIES) {
        uint32_t doublings = PL_MIN(place->times - FREE_TRIES - 1, 6u);
        until = place->last_ns + PL_MIN(1u << doublings, LONGEST_S) * 1000000000ull;
    }
    pthread_mutex_unlock(&guard->lock);
    return until > now_ns ? (uint32_t)((until - now_ns) / 1000000000u) + 1 : 0;
}
