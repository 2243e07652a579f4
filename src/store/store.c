// Stored objects by name: a hash table over an array that keeps the order of storing.
#include "store/store.h"

#include <assert.h>
#include <stdatomic.h>

#include "base/ckd.h"
#include "base/hash.h"

static const char SEARCH_ORDER[] = "REBAZ";

void pl_store_init(struct pl_store *store, struct pl_arena *arena, const struct pl_store *base, size_t quota)
{
    *store = (struct pl_store){.arena = arena, .base = base, .quota = quota};
}

uint64_t pl_store_new_id(void)
{
    // The one counter of the process: caches of several threads use the number as a key.
    static atomic_uint_fast64_t last;
    return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

static uint64_t name_hash(const struct pl_object_name *name)
{
    uint64_t h = pl_hash_fnv1a(pl_slice_make(name->name, name->name_len));
    return pl_hash_mix(h ^ (uint8_t)name->drive, pl_hash_fnv1a(pl_slice_make(name->ext, name->ext_len)));
}

static bool same_name(const struct pl_object_name *a, const struct pl_object_name *b)
{
    return a->drive == b->drive && a->name_len == b->name_len && a->ext_len == b->ext_len &&
           memcmp(a->name, b->name, a->name_len) == 0 && memcmp(a->ext, b->ext, a->ext_len) == 0;
}

// The slot that holds the name, or the empty one where it would go. A deleted object keeps its slot (its name is still
// in `names`), so that chains stay whole and an object of the base stays hidden. The table always has room.
static uint32_t find_slot(const struct pl_store *store, const struct pl_object_name *name)
{
    assert(store->slot_count > store->count); // an empty slot ends the search
    uint32_t mask = store->slot_count - 1;
    uint32_t at = (uint32_t)name_hash(name) & mask;
    while (store->slots[at] && !same_name(&store->objects[store->slots[at] - 1]->name, name))
        at = (at + 1) & mask;
    return at;
}

static void fill_slots(struct pl_store *store)
{
    memset(store->slots, 0, store->slot_count * sizeof(*store->slots));
    for (uint32_t i = 0; i < store->count; i++)
        store->slots[find_slot(store, &store->objects[i]->name)] = i + 1;
}

static enum pl_errc grow(struct pl_store *store, struct pl_error *err)
{
    uint32_t capacity = store->capacity ? store->capacity * 2 : 16;
    struct pl_object **objects = PL_ARENA_ARRAY(store->arena, struct pl_object *, capacity);
    uint32_t *slots = PL_ARENA_ARRAY(store->arena, uint32_t, (size_t)capacity * 2);
    if (!objects || !slots)
        return pl_fail_memory(err);
    if (store->count)
        memcpy(objects, store->objects, store->count * sizeof(*objects));
    store->objects = objects;
    store->capacity = capacity;
    store->slots = slots;
    store->slot_count = capacity * 2;
    fill_slots(store);
    return PL_OK;
}

enum pl_errc pl_store_put(struct pl_store *store, const struct pl_object *object, struct pl_error *err)
{
    if (object->name.drive == 'Z')
        return pl_fail(err, PL_E_LIMIT, "drive Z: cannot be written to");
    if (store->count == store->capacity)
        PL_TRY(grow(store, err));
    uint32_t slot = find_slot(store, &object->name);
    struct pl_object *old = store->slots[slot] ? store->objects[store->slots[slot] - 1] : NULL;
    size_t used = store->used - (old && !old->deleted ? old->cost : 0);
    if (!PL_CKD_ADD(&used, used, object->cost) || used > store->quota)
        return pl_fail(err, PL_E_LIMIT, "the memory for stored objects holds %zu bytes", store->quota);
    if (!old && store->count >= PL_STORE_MAX_OBJECTS)
        return pl_fail(err, PL_E_LIMIT, "no more than %u objects can be stored", PL_STORE_MAX_OBJECTS);
    // Never changed in place: a label may already point to the old object.
    struct pl_object *copy = PL_ARENA_NEW(store->arena, struct pl_object);
    if (!copy)
        return pl_fail_memory(err);
    *copy = *object;
    copy->deleted = false;
    if (copy->id == 0) // otherwise it is a copy of a stored one, and what was made of that serves it too
        copy->id = pl_store_new_id();
    if (old) {
        store->objects[store->slots[slot] - 1] = copy;
    } else {
        store->objects[store->count++] = copy;
        store->slots[slot] = store->count;
    }
    store->used = used;
    return PL_OK;
}

// The object of that name in this store alone, even a deleted one.
static struct pl_object *own_object(const struct pl_store *store, const struct pl_object_name *name)
{
    if (!store->slot_count)
        return NULL;
    uint32_t slot = find_slot(store, name);
    return store->slots[slot] ? store->objects[store->slots[slot] - 1] : NULL;
}

static const struct pl_object *lookup_exact(const struct pl_store *store, const struct pl_object_name *name)
{
    for (; store; store = store->base) {
        const struct pl_object *found = own_object(store, name);
        if (found)
            return found->deleted ? NULL : found;
    }
    return NULL;
}

const struct pl_object *pl_store_lookup(const struct pl_store *store, const struct pl_object_name *name)
{
    if (name->drive)
        return lookup_exact(store, name);
    struct pl_object_name full = *name;
    for (const char *drive = SEARCH_ORDER; *drive; drive++) {
        full.drive = *drive;
        const struct pl_object *found = lookup_exact(store, &full);
        if (found)
            return found;
    }
    return NULL;
}

static bool delete_own(struct pl_store *store, struct pl_object *object)
{
    if (object->deleted)
        return false;
    assert(store->used >= object->cost);
    object->deleted = true;
    store->used -= object->cost;
    store->dead++;
    return true;
}

// Takes deleted objects out of the list, but for those that hide one of the base. Only once they are half of it, so
// that a deletion costs no more than a share of this.
static void drop_deleted(struct pl_store *store)
{
    enum { FEW = 16 };
    if (store->dead < FEW || store->dead < store->count / 2)
        return;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < store->count; i++) {
        struct pl_object *object = store->objects[i];
        if (!object->deleted || lookup_exact(store->base, &object->name))
            store->objects[kept++] = object;
    }
    store->count = kept;
    store->dead = 0;
    fill_slots(store);
}

// Is an object of `base` replaced or hidden by a store on top of it?
static bool is_covered(const struct pl_store *top, const struct pl_store *base, const struct pl_object_name *name)
{
    for (; top != base; top = top->base) {
        if (own_object(top, name))
            return true;
    }
    return false;
}

// The base is read-only: an object of it is hidden by a deleted one of its name in this store.
static enum pl_errc hide(struct pl_store *store, const struct pl_object_name *name, struct pl_error *err)
{
    struct pl_object mark = {.name = *name};
    PL_TRY(pl_store_put(store, &mark, err));
    own_object(store, name)->deleted = true;
    return PL_OK;
}

enum pl_errc pl_store_delete(struct pl_store *store, const struct pl_object_name *pattern, uint32_t *deleted,
                             struct pl_error *err)
{
    struct pl_object_name full = *pattern;
    *deleted = 0;
    if (!full.drive)
        full.drive = 'R';
    if (!pl_object_name_has_wildcard(&full) && full.drive != '*') {
        struct pl_object *own = own_object(store, &full);
        if (own) {
            *deleted = delete_own(store, own);
            drop_deleted(store);
        } else if (lookup_exact(store, &full)) {
            PL_TRY(hide(store, &full, err));
            *deleted = 1;
        }
        return PL_OK;
    }
    for (uint32_t i = 0; i < store->count; i++) {
        if (pl_object_name_matches(&full, &store->objects[i]->name))
            *deleted += delete_own(store, store->objects[i]);
    }
    drop_deleted(store);
    for (const struct pl_store *base = store->base; base; base = base->base) {
        for (uint32_t i = 0; i < base->count; i++) {
            const struct pl_object *object = base->objects[i];
            if (object->deleted || !pl_object_name_matches(&full, &object->name) ||
                is_covered(store, base, &object->name))
                continue;
            PL_TRY(hide(store, &object->name, err));
            ++*deleted;
        }
    }
    return PL_OK;
}

const struct pl_object *pl_store_next(const struct pl_store *store, const struct pl_object_name *pattern,
                                      uint32_t *cursor)
{
    uint32_t levels = 0, skipped = 0;
    for (const struct pl_store *s = store; s; s = s->base)
        levels++;
    // From the bottom up: what is put in meanwhile stands at the end.
    for (uint32_t level = levels; level-- > 0;) {
        const struct pl_store *s = store;
        for (uint32_t i = 0; i < level; i++)
            s = s->base;
        while (*cursor - skipped < s->count) {
            const struct pl_object *object = s->objects[*cursor - skipped];
            ++*cursor;
            if (!object->deleted && pl_object_name_matches(pattern, &object->name) &&
                !is_covered(store, s, &object->name))
                return object;
        }
        skipped += s->count;
    }
    return NULL;
}
