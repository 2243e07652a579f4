// A set of ids.
#include <assert.h>
#include <stdlib.h>

#include "base/hash.h"
#include "batch/names.h"
#include "os/clock.h"
#include "os/once.h"
#include "os/random.h"

#define FIRST ((size_t)1024)

// Of this process.
static uint64_t secret[2];

static void make_secret(void)
{
    if (!pl_random(secret, sizeof secret))
        secret[0] = pl_now_ns(); // better than what all know
}

uint64_t pl_id_hash(struct pl_slice id)
{
    static struct pl_once once = PL_ONCE_INIT;
    pl_once(&once, make_secret);
    uint64_t hash = pl_hash_keyed(secret, id);
    return hash != 0 ? hash : 1;
}

static size_t place_of(const struct pl_id_set *set, uint64_t key)
{
    assert(set->count < set->capacity); // an empty place ends the search
    size_t mask = set->capacity - 1, i = (size_t)key & mask;
    while (set->places[i] != 0 && set->places[i] != key)
        i = (i + 1) & mask;
    return i;
}

static bool grow(struct pl_id_set *set)
{
    struct pl_id_set larger = {.capacity = set->capacity ? set->capacity * 2 : FIRST};
    if (larger.capacity == 0)
        return false;
    larger.places = calloc(larger.capacity, sizeof *larger.places);
    if (!larger.places)
        return false;
    for (size_t i = 0; i < set->capacity; i++) {
        if (set->places[i] != 0)
            larger.places[place_of(&larger, set->places[i])] = set->places[i];
    }
    larger.count = set->count;
    free(set->places);
    *set = larger;
    return true;
}

enum pl_id_added pl_id_set_add(struct pl_id_set *set, struct pl_slice id)
{
    if (set->count >= set->capacity / 2 && !grow(set))
        return PL_ID_NO_MEMORY;
    uint64_t key = pl_id_hash(id);
    size_t place = place_of(set, key);
    if (set->places[place] == key)
        return PL_ID_KNOWN;
    set->places[place] = key;
    set->count++;
    return PL_ID_NEW;
}

bool pl_id_set_has(const struct pl_id_set *set, struct pl_slice id)
{
    uint64_t key = pl_id_hash(id);
    return set->capacity > 0 && set->places[place_of(set, key)] == key;
}

size_t pl_id_set_bytes(const struct pl_id_set *set)
{
    return set->capacity * sizeof *set->places;
}

void pl_id_set_free(struct pl_id_set *set)
{
    free(set->places);
    *set = (struct pl_id_set){0};
}
