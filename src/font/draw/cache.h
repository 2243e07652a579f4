// The glyph cache of one thread: finished, turned bitmaps, bounded in bytes.
#ifndef PL_FONT_DRAW_CACHE_H
#define PL_FONT_DRAW_CACHE_H

#include "base/err.h"
#include "raster/bitmap.h"
#include "raster/geom.h"

// All glyphs of one face at one size, turned one way.
struct pl_strike_key {
    uint64_t face; // unique in the process
    int32_t width, height;
    uint8_t rotation, scale, phase;
    bool any_coverage;
    bool samples; // bitmaps of 16 samples a dot
};

static inline bool pl_strike_key_eq(const struct pl_strike_key *a, const struct pl_strike_key *b)
{
    return a->face == b->face && a->width == b->width && a->height == b->height && a->rotation == b->rotation &&
           a->scale == b->scale && a->phase == b->phase && a->any_coverage == b->any_coverage &&
           a->samples == b->samples;
}

struct pl_cached_glyph {
    int32_t x, y;          // of the bitmap's corner from the pen, on the label
    struct pl_bitmap bits; // no rows when the glyph has no ink
    struct pl_box outline; // of a large glyph: the dots that its outline touches, not turned; empty: it is small
};

struct pl_cache;
struct pl_strike;

struct pl_cache_stats {
    size_t bytes, limit;
    uint64_t hits, misses, evictions;
};

enum pl_errc pl_cache_new(size_t limit, struct pl_cache **out, struct pl_error *err) PL_MUST_USE;
void pl_cache_free(struct pl_cache *cache);
void pl_cache_clear(struct pl_cache *cache);
void pl_cache_stats(const struct pl_cache *cache, struct pl_cache_stats *out);

// Valid until the next call of pl_cache_strike; NULL when there is no memory for it.
struct pl_strike *pl_cache_strike(struct pl_cache *cache, const struct pl_strike_key *key);
// NULL: not there yet. Valid until the next pl_cache_put or pl_cache_strike.
const struct pl_cached_glyph *pl_strike_get(struct pl_cache *cache, struct pl_strike *strike, uint32_t glyph);
// Keeps a copy, also of the bitmap. NULL when it is too large to keep (draw the original then).
const struct pl_cached_glyph *pl_cache_put(struct pl_cache *cache, struct pl_strike *strike, uint32_t glyph,
                                           const struct pl_cached_glyph *made);
// Forgets all strikes of a face, because its bytes are about to go.
void pl_cache_forget_face(struct pl_cache *cache, uint64_t face);

#endif
