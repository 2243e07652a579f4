// The 1-bit bitmap: rows of 64-bit words, the leftmost dot in the most significant bit, 1 = ink.
#ifndef PL_RASTER_BITMAP_H
#define PL_RASTER_BITMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"
#include "raster/geom.h"

struct pl_bitmap {
    uint32_t width, height;
    uint32_t stride; // words per row
    uint64_t *words; // bits right of `width` in a row's last word are always 0
};

// What a set bit of a drawn shape does to the dot below it.
enum pl_ink { PL_INK_BLACK, PL_INK_WHITE, PL_INK_XOR };

static inline bool pl_bitmap_get(const struct pl_bitmap *bm, uint32_t x, uint32_t y)
{
    return (bm->words[(size_t)y * bm->stride + x / 64] >> (63 - x % 64)) & 1;
}

static inline void pl_bitmap_set(struct pl_bitmap *bm, uint32_t x, uint32_t y)
{
    bm->words[(size_t)y * bm->stride + x / 64] |= UINT64_C(1) << (63 - x % 64);
}

static inline uint64_t *pl_bitmap_row(const struct pl_bitmap *bm, uint32_t y)
{
    return bm->words + (size_t)y * bm->stride;
}

static inline bool pl_words_are_blank(const uint64_t *words, size_t count)
{
    uint64_t any = 0;
    for (size_t i = 0; i < count; i++)
        any |= words[i];
    return any == 0;
}

// A blank bitmap in the arena.
enum pl_errc pl_bitmap_new(struct pl_arena *arena, uint32_t width, uint32_t height, struct pl_bitmap *out,
                           struct pl_error *err) PL_MUST_USE;

// All drawing is clipped to the bitmap; coordinates may be anything.
void pl_bitmap_fill(struct pl_bitmap *dst, struct pl_box box, enum pl_ink ink);
void pl_bitmap_blit(struct pl_bitmap *dst, const struct pl_bitmap *src, int32_t x, int32_t y, enum pl_ink ink);

// The same with each dot of `src` as mx x my dots; only [y0, y1) of its rows.
void pl_bitmap_blit_enlarged(struct pl_bitmap *dst, const struct pl_bitmap *src, uint32_t y0, uint32_t y1, int64_t x,
                             int64_t y, uint32_t mx, uint32_t my, enum pl_ink ink);
bool pl_bitmap_has_ink(const struct pl_bitmap *bm, struct pl_box box);

// Content turned clockwise by quarter turns; integer enlargement.
enum pl_errc pl_bitmap_turn(struct pl_arena *arena, const struct pl_bitmap *src, enum pl_rotation rotation,
                            struct pl_bitmap *out, struct pl_error *err) PL_MUST_USE;
enum pl_errc pl_bitmap_enlarge(struct pl_arena *arena, const struct pl_bitmap *src, uint32_t mx, uint32_t my,
                               struct pl_bitmap *out, struct pl_error *err) PL_MUST_USE;
void pl_bitmap_mirror(struct pl_bitmap *bm);    // left and right swapped, in place
void pl_bitmap_turn_over(struct pl_bitmap *bm); // by 180 degrees, in place
// The next run of ink [start, end) in row y at or right of x.
bool pl_bitmap_next_run(const struct pl_bitmap *bm, uint32_t y, uint32_t x, uint32_t *start, uint32_t *end);
// The smallest box that holds all ink; empty if there is none.
struct pl_box pl_bitmap_ink_box(const struct pl_bitmap *bm);

#endif
