// What decoders share: memory held against limits, the rows that they fill, and bitmaps made of rows.
#ifndef PL_IMG_ROWS_H
#define PL_IMG_ROWS_H

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

// A stored file that was decoded once, for all that recall it.
#define PL_IMG_KEPT_BUCKETS 64
struct pl_img_kept {
    struct pl_img_kept *next;
    uint64_t id;                  // of the stored object
    const struct pl_bitmap *bits; // NULL: it cannot be drawn
};

// What decoding takes from its surroundings.
struct pl_img_env {
    struct pl_arena *arena; // results and scratch memory
    const struct pl_job *job;
    size_t limit, used; // bytes that all pictures of one input may take, and take so far
    bool shades;        // pl_img_shades: a byte a dot instead of a bit
    struct pl_img_kept *kept[PL_IMG_KEPT_BUCKETS];
};

// A picture as shades: 0 is black, 255 white.
struct pl_img_shades {
    uint8_t *bytes;
    uint32_t width, height;
};

// What was kept of a stored object; *fresh: nothing was, and the caller decodes it. NULL: no memory.
struct pl_img_kept *pl_img_keep(struct pl_img_env *env, uint64_t id, bool *fresh);

// Holds `bytes` against the limit.
enum pl_errc pl_img_charge(struct pl_img_env *env, uint64_t bytes, struct pl_error *err) PL_MUST_USE;

// Memory that a decoder needs on the way, zeroed. It counts against the limit, too; but that of shades is a number of
// dots, and what they need on the way is held by the arena's limit alone. PL_E_LIMIT names the size.
enum pl_errc pl_img_scratch(struct pl_img_env *env, uint64_t bytes, uint8_t **out, struct pl_error *err) PL_MUST_USE;
// PL_E_LIMIT: so much would be over the arena's limit. For memory that a library takes by itself.
enum pl_errc pl_img_needs(const struct pl_img_env *env, uint64_t bytes, struct pl_error *err) PL_MUST_USE;
// A library had no memory for its own part of the work.
enum pl_errc pl_img_fail_library(struct pl_error *err, uint32_t width, uint32_t height);

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

#define PL_IMG_MAX_SIDE 65535 // dots

struct pl_img_rows {
    uint8_t *bytes; // packed, most significant bit leftmost, 1 = ink
    uint32_t width, height, bytes_per_row;
    uint8_t *shades; // NULL: there are bits; otherwise a byte a dot, and no bits
};

enum pl_errc pl_img_rows_new(struct pl_img_env *env, uint32_t width, uint32_t height, struct pl_img_rows *out,
                             struct pl_error *err) PL_MUST_USE;

static inline void pl_img_rows_ink(struct pl_img_rows *rows, uint32_t x, uint32_t y)
{
    if (rows->shades)
        rows->shades[(size_t)y * rows->width + x] = 0;
    else
        rows->bytes[(size_t)y * rows->bytes_per_row + x / 8] |= (uint8_t)(0x80 >> (x % 8));
}

// Ink where the colour is darker than the middle, or the shade itself.
static inline void pl_img_rows_put(struct pl_img_rows *rows, uint32_t x, uint32_t y, uint32_t luma)
{
    if (rows->shades)
        rows->shades[(size_t)y * rows->width + x] = (uint8_t)luma;
    else if (luma < 128)
        pl_img_rows_ink(rows, x, y);
}

// *why says what is wrong with the file, or is NULL.
typedef enum pl_errc pl_img_decoder(struct pl_img_env *env, struct pl_slice file, struct pl_img_rows *out,
                                    const char **why, struct pl_error *err);
pl_img_decoder pl_img_png, pl_img_bmp, pl_img_pcx;

#endif
