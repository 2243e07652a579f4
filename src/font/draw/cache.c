// The glyph cache: strikes in a hash table and a list by last use; whole strikes are evicted.
#include "font/draw/cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "base/hash.h"

#define BUCKETS 256
#define DIRECT 256 // glyph numbers below this are found without hashing

struct entry {
    uint32_t glyph;
    struct pl_cached_glyph *cached;
};

struct pl_strike {
    struct pl_strike_key key;
    struct pl_strike *chain;         // of the bucket
    struct pl_strike *newer, *older; // by last use
    size_t bytes;
    struct entry *entries; // open addressing, a power of two of them, at most half full
    uint32_t entry_count, entry_cap;
    struct pl_cached_glyph *direct[DIRECT];
};

struct pl_cache {
    size_t limit;
    struct pl_cache_stats stats;
    struct pl_strike *buckets[BUCKETS];
    struct pl_strike *newest, *oldest;
};

enum pl_errc pl_cache_new(size_t limit, struct pl_cache **out, struct pl_error *err)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return pl_fail_memory(err);
    (*out)->limit = limit;
    (*out)->stats.limit = limit;
    return PL_OK;
}

static uint32_t bucket_of(const struct pl_strike_key *key)
{
    uint64_t hash = pl_hash_mix(key->face, (uint64_t)(uint32_t)key->width << 32 | (uint32_t)key->height);
    hash = pl_hash_mix(hash, (uint64_t)key->phase << 24 | (uint64_t)key->rotation << 16 | (uint64_t)key->scale << 8 |
                                 (unsigned)key->samples << 1 | key->any_coverage);
    return (uint32_t)(hash % BUCKETS);
}

static void unlink_from_use(struct pl_cache *cache, struct pl_strike *strike)
{
    *(strike->newer ? &strike->newer->older : &cache->newest) = strike->older;
    *(strike->older ? &strike->older->newer : &cache->oldest) = strike->newer;
}

static void link_newest(struct pl_cache *cache, struct pl_strike *strike)
{
    strike->newer = NULL;
    strike->older = cache->newest;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = strike;
    cache->newest = strike;
}

static void drop_glyphs(struct pl_cache *cache, struct pl_strike *strike)
{
    for (uint32_t i = 0; i < DIRECT; i++) {
        free(strike->direct[i]);
        strike->direct[i] = NULL;
    }
    for (uint32_t i = 0; i < strike->entry_cap; i++)
        free(strike->entries[i].cached);
    free(strike->entries);
    strike->entries = NULL;
    strike->entry_count = strike->entry_cap = 0;
    assert(strike->bytes >= sizeof *strike && cache->stats.bytes >= strike->bytes);
    cache->stats.bytes -= strike->bytes - sizeof *strike;
    strike->bytes = sizeof *strike;
}

static void drop_strike(struct pl_cache *cache, struct pl_strike *strike)
{
    struct pl_strike **link = &cache->buckets[bucket_of(&strike->key)];
    while (*link != strike) {
        assert(*link); // a strike is in the bucket of its key
        link = &(*link)->chain;
    }
    *link = strike->chain;
    unlink_from_use(cache, strike);
    drop_glyphs(cache, strike);
    cache->stats.bytes -= sizeof *strike;
    cache->stats.evictions++;
    free(strike);
}

void pl_cache_clear(struct pl_cache *cache)
{
    while (cache && cache->newest)
        drop_strike(cache, cache->newest);
}

void pl_cache_free(struct pl_cache *cache)
{
    if (!cache)
        return;
    pl_cache_clear(cache);
    free(cache);
}

void pl_cache_stats(const struct pl_cache *cache, struct pl_cache_stats *out)
{
    *out = cache->stats;
}

void pl_cache_forget_face(struct pl_cache *cache, uint64_t face)
{
    for (struct pl_strike *s = cache->newest, *next; s; s = next) {
        next = s->older;
        if (s->key.face == face)
            drop_strike(cache, s);
    }
}

// Makes room for `more` bytes without touching `keep`.
static bool make_room(struct pl_cache *cache, struct pl_strike *keep, size_t more)
{
    if (more > cache->limit / 4)
        return false;
    while (cache->stats.bytes + more > cache->limit && cache->oldest && cache->oldest != keep)
        drop_strike(cache, cache->oldest);
    if (cache->stats.bytes + more > cache->limit && keep)
        drop_glyphs(cache, keep);
    return cache->stats.bytes + more <= cache->limit;
}

struct pl_strike *pl_cache_strike(struct pl_cache *cache, const struct pl_strike_key *key)
{
    if (cache->newest && pl_strike_key_eq(&cache->newest->key, key))
        return cache->newest;
    struct pl_strike **bucket = &cache->buckets[bucket_of(key)];
    for (struct pl_strike *s = *bucket; s; s = s->chain)
        if (pl_strike_key_eq(&s->key, key)) {
            unlink_from_use(cache, s);
            link_newest(cache, s);
            return s;
        }
    if (!make_room(cache, NULL, sizeof(struct pl_strike)))
        return NULL;
    struct pl_strike *strike = calloc(1, sizeof *strike);
    if (!strike)
        return NULL;
    strike->key = *key;
    strike->bytes = sizeof *strike;
    strike->chain = *bucket;
    *bucket = strike;
    link_newest(cache, strike);
    cache->stats.bytes += sizeof *strike;
    return strike;
}

static struct entry *find_entry(struct entry *entries, uint32_t cap, uint32_t glyph)
{
    uint32_t i = (uint32_t)pl_hash_mix(glyph, 0x9E3779B97F4A7C15u) & (cap - 1);
    while (entries[i].cached && entries[i].glyph != glyph)
        i = (i + 1) & (cap - 1);
    return &entries[i];
}

const struct pl_cached_glyph *pl_strike_get(struct pl_cache *cache, struct pl_strike *strike, uint32_t glyph)
{
    const struct pl_cached_glyph *found = NULL;
    if (glyph < DIRECT)
        found = strike->direct[glyph];
    else if (strike->entry_cap > 0)
        found = find_entry(strike->entries, strike->entry_cap, glyph)->cached;
    if (found)
        cache->stats.hits++;
    else
        cache->stats.misses++;
    return found;
}

static bool grow_entries(struct pl_cache *cache, struct pl_strike *strike)
{
    if (strike->entry_count * 2 < strike->entry_cap)
        return true;
    uint32_t cap = strike->entry_cap ? strike->entry_cap * 2 : 64;
    struct entry *entries = calloc(cap, sizeof *entries);
    if (!entries)
        return false;
    for (uint32_t i = 0; i < strike->entry_cap; i++)
        if (strike->entries[i].cached)
            *find_entry(entries, cap, strike->entries[i].glyph) = strike->entries[i];
    free(strike->entries);
    size_t more = (cap - strike->entry_cap) * sizeof *entries;
    strike->entries = entries;
    strike->entry_cap = cap;
    strike->bytes += more;
    cache->stats.bytes += more;
    return true;
}

const struct pl_cached_glyph *pl_cache_put(struct pl_cache *cache, struct pl_strike *strike, uint32_t glyph,
                                           const struct pl_cached_glyph *made)
{
    const struct pl_bitmap *bits = &made->bits;
    size_t words, size;
    if (!PL_CKD_MUL(&words, (size_t)bits->stride, (size_t)bits->height) ||
        !PL_CKD_MUL(&size, words, sizeof(uint64_t)) || !PL_CKD_ADD(&size, size, sizeof(struct pl_cached_glyph)))
        return NULL;
    // Room for the table that may have to grow is asked for as well.
    if (!make_room(cache, strike, size + (size_t)(strike->entry_cap + 64) * sizeof(struct entry)))
        return NULL;
    if (glyph >= DIRECT && !grow_entries(cache, strike))
        return NULL;
    struct pl_cached_glyph *copy = malloc(size);
    if (!copy)
        return NULL;
    *copy = *made;
    copy->bits.words = (uint64_t *)(copy + 1);
    if (words > 0)
        memcpy(copy->bits.words, bits->words, words * sizeof(uint64_t));
    if (glyph < DIRECT) {
        strike->direct[glyph] = copy;
    } else {
        *find_entry(strike->entries, strike->entry_cap, glyph) = (struct entry){glyph, copy};
        strike->entry_count++;
    }
    strike->bytes += size;
    cache->stats.bytes += size;
    return copy;
}
