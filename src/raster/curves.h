// Round shapes and diagonals as a printer draws them: its integer recurrences, dot for dot.
#ifndef PL_RASTER_CURVES_H
#define PL_RASTER_CURVES_H

#include "raster/bitmap.h"
#include "raster/samples.h"

// Shapes larger than this in either direction are cut to it, so that the recurrences stay in 64 bits.
#define PL_CURVE_MAX 32767

// Where a shape begins, and on what: samples, or a bitmap if there are none.
struct pl_curve_target {
    struct pl_bitmap *canvas;
    struct pl_samples *samples;
    int32_t x, y;
    enum pl_ink ink;
};

// All of them give the box of the ink, seen from (x, y), whether the target shows it or not; empty if there is none.
// A frame with round corners: radius rounding/16 of the shorter side, of the box and of its hole each by itself.
struct pl_box pl_curve_box(const struct pl_curve_target *to, int32_t width, int32_t height, int32_t thickness,
                           uint32_t rounding);
// A ring. Its first row is blank, and where there is no hole its right edge is one dot short.
struct pl_box pl_curve_ellipse(const struct pl_curve_target *to, int32_t width, int32_t height, int32_t thickness);
// Row y begins floor((y + 1) * width / height) dots from the side that it leans from.
struct pl_box pl_curve_diagonal(const struct pl_curve_target *to, int32_t width, int32_t height, int32_t thickness,
                                bool leans_left);

#endif
