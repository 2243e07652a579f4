// Picture files of all kinds to shades. A library of another vendor is known to one file alone.
#ifndef PL_PICTURE_DECODE_H
#define PL_PICTURE_DECODE_H

#include "img/img.h"

// Turned upright as the file says. A damaged or unknown file is no error: *why says what is wrong, and is NULL
// otherwise.
enum pl_errc pl_picture_decode(struct pl_img_env *env, struct pl_slice file, struct pl_img_shades *out,
                               const char **why, struct pl_error *err) PL_MUST_USE;

// One decoder each; the file begins as those of its kind do.
typedef enum pl_errc pl_picture_decoder(struct pl_img_env *env, struct pl_slice file, struct pl_img_shades *out,
                                        const char **why, struct pl_error *err);
pl_picture_decoder pl_picture_jpeg, pl_picture_webp, pl_picture_gif, pl_picture_pnm;

// 1 to 8, as Exif counts them: 1 is upright, 5 to 8 lie on their sides. 1 where the file says nothing.
uint32_t pl_picture_orientation(struct pl_slice file);

// A colour with its transparency, over white paper.
static inline uint8_t pl_picture_shade(uint32_t red, uint32_t green, uint32_t blue, uint32_t alpha)
{
    uint32_t luma = pl_img_luma(red, green, blue);
    return (uint8_t)((luma * alpha + 255 * (255 - alpha) + 127) / 255);
}

#endif
