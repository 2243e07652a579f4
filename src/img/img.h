// Picture files to one bit per dot.
#ifndef PL_IMG_IMG_H
#define PL_IMG_IMG_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/job.h"
#include "base/slice.h"
#include "raster/bitmap.h"

// A number of 16 bits, its low byte first.
static inline uint32_t pl_img_le16(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

// What decoding takes from its surroundings.
struct pl_img_env {
    struct pl_arena *arena; // results and scratch memory
    const struct pl_job *job;
    size_t limit, used; // bytes that all pictures of one input may take, and take so far
    bool shades;        // pl_img_shades: a byte a dot instead of a bit
};

// A picture as shades: 0 is black, 255 white.
struct pl_img_shades {
    uint8_t *bytes;
    uint32_t width, height;
};

// Holds `bytes` against the limit.
enum pl_errc pl_img_charge(struct pl_img_env *env, uint64_t bytes, struct pl_error *err) PL_MUST_USE;

// Memory that a decoder needs on the way, zeroed. It counts against the limit, too; but that of shades is a number of
// dots, and what they need on the way is held by the arena's limit alone. PL_E_LIMIT names the size.
enum pl_errc pl_img_scratch(struct pl_img_env *env, uint64_t bytes, uint8_t **out, struct pl_error *err) PL_MUST_USE;
// PL_E_LIMIT: so much would be over the arena's limit. For memory that a library takes by itself.
enum pl_errc pl_img_needs(const struct pl_img_env *env, uint64_t bytes, struct pl_error *err) PL_MUST_USE;
// A library had no memory for its own part of the work.
enum pl_errc pl_img_fail_library(struct pl_error *err, uint32_t width, uint32_t height);

// Is it a file of one of the kinds, by its first bytes: PNG, BMP, PCX?
bool pl_img_is_known(struct pl_slice file);
// A file of a known kind. A damaged one is no error: *out is NULL then, and *why says what is wrong ("it breaks off").
enum pl_errc pl_img_decode(struct pl_img_env *env, struct pl_slice file, const struct pl_bitmap **out, const char **why,
                           struct pl_error *err) PL_MUST_USE;

// The same as shades. Transparent dots are those of white paper.
enum pl_errc pl_img_decode_shades(struct pl_img_env *env, struct pl_slice file, struct pl_img_shades *out,
                                  const char **why, struct pl_error *err) PL_MUST_USE;
// Room for shades, white, held against the limit before anything is decoded. PL_E_LIMIT names the size.
enum pl_errc pl_img_shades_new(struct pl_img_env *env, uint32_t width, uint32_t height, struct pl_img_shades *out,
                               struct pl_error *err) PL_MUST_USE;
// How bright a colour is: 0 to 255.
static inline uint32_t pl_img_luma(uint32_t red, uint32_t green, uint32_t blue)
{
    return (red * 299 + green * 587 + blue * 114) / 1000;
}
// A white bitmap that counts against the limit. Its words can be filled as rows of bytes, the leftmost dot in the
// highest bit and stride * 8 bytes apart; pl_img_close then makes words of them.
enum pl_errc pl_img_open(struct pl_img_env *env, uint32_t width, uint32_t height, struct pl_bitmap **out,
                         struct pl_error *err) PL_MUST_USE;
void pl_img_close(struct pl_bitmap *bitmap);
// The same from rows that are there already, `bytes_per_row` apart; what is missing at the end is white.
enum pl_errc pl_img_from_rows(struct pl_img_env *env, struct pl_slice bytes, uint32_t width, uint32_t height,
                              uint32_t bytes_per_row, const struct pl_bitmap **out, struct pl_error *err) PL_MUST_USE;

#endif
