// Inside the decoders: one function for each kind of file, and the rows that they fill.
#ifndef PL_IMG_KINDS_H
#define PL_IMG_KINDS_H

#include "img/img.h"

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
