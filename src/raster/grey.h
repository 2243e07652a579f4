// An 8-bit grey image (0 black, 255 white), and counting a bitmap of four times the size down to it.
#ifndef PL_RASTER_GREY_H
#define PL_RASTER_GREY_H

#include "base/job.h"
#include "raster/bitmap.h"

struct pl_grey {
    uint32_t width, height;
    uint8_t *dots; // rows without padding
};

#define PL_GREY_SCALE 4u

// A white image in the arena.
enum pl_errc pl_grey_new(struct pl_arena *arena, uint32_t width, uint32_t height, struct pl_grey *out,
                         struct pl_error *err) PL_MUST_USE;
// Each 4 x 4 dots of `src` make one dot of grey, which fills dot_size x dot_size dots of `dst` from (x, y) on.
void pl_grey_reduce(struct pl_grey *dst, const struct pl_bitmap *src, uint32_t x, uint32_t y, uint32_t dot_size);
// `job` is asked on the way: a large page takes up to half a second.
enum pl_errc pl_grey_mirror(struct pl_grey *image, const struct pl_job *job, struct pl_error *err) PL_MUST_USE;
enum pl_errc pl_grey_turn_over(struct pl_grey *image, const struct pl_job *job, struct pl_error *err) PL_MUST_USE;
enum pl_errc pl_grey_turn(struct pl_arena *arena, const struct pl_grey *src, enum pl_rotation rotation,
                          const struct pl_job *job, struct pl_grey *out, struct pl_error *err) PL_MUST_USE;
// Is any dot of the box darker than half?
bool pl_grey_has_ink(const struct pl_grey *image, struct pl_box box);

#endif
