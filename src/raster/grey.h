// A page of shades (0 black, 255 white). 64 dots of a row are a group: of two colours, which is one word of a bitmap,
// or of shades, a byte each. Most groups of a label are of the first kind, and rows without the second are known.
#ifndef PL_RASTER_GREY_H
#define PL_RASTER_GREY_H

#include "base/job.h"
#include "raster/bitmap.h"

#define PL_GREY_GROUP 64u

struct pl_grey {
    uint32_t width, height;
    struct pl_bitmap black; // groups of two colours; of no meaning in groups of shades
    uint8_t ***rows; // groups of shades of each row: NULL where a row or a group has two colours only. Dots right
                     // of the width are white
};

// The shades of a group, or NULL: it has two colours.
static inline const uint8_t *pl_grey_shades(const struct pl_grey *page, uint32_t y, uint32_t group)
{
    return page->rows[y] ? page->rows[y][group] : NULL;
}

static inline uint8_t pl_grey_get(const struct pl_grey *page, uint32_t x, uint32_t y)
{
    const uint8_t *shades = pl_grey_shades(page, y, x / PL_GREY_GROUP);
    return shades ? shades[x % PL_GREY_GROUP] : pl_bitmap_get(&page->black, x, y) ? 0 : 255;
}

// A white page in the arena.
enum pl_errc pl_grey_new(struct pl_arena *arena, uint32_t width, uint32_t height, struct pl_grey *out,
                         struct pl_error *err) PL_MUST_USE;
// A row from a byte for each dot. The row must have been white.
enum pl_errc pl_grey_put_row(struct pl_arena *arena, struct pl_grey *page, uint32_t y, const uint8_t *dots,
                             struct pl_error *err) PL_MUST_USE;
// The 64 dots of a group as bytes, white right of the page.
void pl_grey_get_group(const struct pl_grey *page, uint32_t y, uint32_t group, uint8_t dots[PL_GREY_GROUP]);
// A row as bytes. `dots` has room for whole groups.
void pl_grey_get_row(const struct pl_grey *page, uint32_t y, uint8_t *dots);
// Eight dots of two colours as shades; of both, the first dot is in the most significant bits.
static inline uint64_t pl_grey_eight(uint8_t bits)
{
    // Copies of the bits, each moved by one more, have one bit after the other at the same place of each byte.
    uint64_t ink = bits * UINT64_C(0x8040201008040201) >> 7 & UINT64_C(0x0101010101010101);
    return ~(__builtin_bswap64(ink) * 255);
}

// How the dots of a page come to lie on another one.
struct pl_grey_map {
    uint32_t width, height; // of the other page, before `rotation`
    uint32_t dot_size;      // each dot becomes a square of that side
    uint32_t left;          // dots of white left of it
    bool mirrored, upside_down;
    enum pl_rotation rotation;
};
enum pl_errc pl_grey_turn(struct pl_arena *arena, struct pl_arena *scratch, const struct pl_grey *src,
                          const struct pl_grey_map *map, const struct pl_job *job, struct pl_grey *out,
                          struct pl_error *err) PL_MUST_USE;
// The printer's dots of a group, and of the whole page: ink is what is darker than half.
uint64_t pl_grey_word(const struct pl_grey *page, uint32_t y, uint32_t group);
enum pl_errc pl_grey_to_bits(struct pl_arena *arena, const struct pl_grey *page, struct pl_bitmap *out,
                             struct pl_error *err) PL_MUST_USE;
// Is any dot of the box darker than half?
bool pl_grey_has_ink(const struct pl_grey *page, struct pl_box box);

#endif
