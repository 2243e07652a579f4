// Shades to dots, and what is done to shades before.
#ifndef PL_PICTURE_DOTS_H
#define PL_PICTURE_DOTS_H

#include "img/img.h"
#include "picture/graphic_code.h"

enum pl_dither {
    PL_DITHER_THRESHOLD,
    PL_DITHER_AUTO, // what lies beside black or white is thresholded, the rest ordered: bars stay crisp
    PL_DITHER_FLOYD_STEINBERG,
    PL_DITHER_ATKINSON,
    PL_DITHER_ORDERED
};

// `threshold` 1 to 255: shades below it are ink. Rows are packed, in the arena.
enum pl_errc pl_picture_dots(struct pl_img_env *env, const struct pl_img_shades *shades, enum pl_dither dither,
                             uint32_t threshold, struct pl_graphic_rows *out, struct pl_error *err) PL_MUST_USE;

void pl_picture_invert(struct pl_img_shades *shades);
// Left becomes right.
void pl_picture_mirror(struct pl_img_shades *shades);
// Cuts off edges without ink; a picture without any becomes one dot.
void pl_picture_trim(struct pl_img_shades *shades, uint32_t threshold);
enum pl_errc pl_picture_turn(struct pl_img_env *env, struct pl_img_shades *shades, uint32_t quarters,
                             struct pl_error *err) PL_MUST_USE;
// To another size: smaller by the mean of the dots below each, larger by the nearest.
enum pl_errc pl_picture_scale(struct pl_img_env *env, struct pl_img_shades *shades, uint32_t width, uint32_t height,
                              struct pl_error *err) PL_MUST_USE;

#endif
