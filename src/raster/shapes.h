// Boxes, ellipses and diagonals, by integers only. A dot is ink where its centre lies inside the shape.
#ifndef PL_RASTER_SHAPES_H
#define PL_RASTER_SHAPES_H

#include "raster/bitmap.h"

// Shapes larger than this in either direction are cut to it: far beyond every canvas, and safe in 64-bit arithmetic.
#define PL_SHAPE_MAX (1 << 20)

// A frame of `thickness` inside width x height. Corners are rounded by rounding/8 of half the shorter side; the inner
// corners follow the same rule on the inner rectangle.
void pl_shape_box(struct pl_bitmap *dst, int32_t x, int32_t y, int32_t width, int32_t height, int32_t thickness,
                  uint32_t rounding, enum pl_ink ink);
// The same with corners of a radius in dots; that of the inner ones is less by the thickness.
void pl_shape_round_box(struct pl_bitmap *dst, int32_t x, int32_t y, int32_t width, int32_t height, int32_t thickness,
                        int32_t radius, enum pl_ink ink);
// A ring of `thickness` inside the ellipse inscribed in width x height.
void pl_shape_ellipse(struct pl_bitmap *dst, int32_t x, int32_t y, int32_t width, int32_t height, int32_t thickness,
                      enum pl_ink ink);
// A band whose every row is `thickness` wide; it leans over `width` in `height` rows, so it covers width + thickness. A
// dot that the edge halves is not ink, so a row has one dot less where both edges do that (slopes of 45 degrees), but
// never none.
void pl_shape_diagonal(struct pl_bitmap *dst, int32_t x, int32_t y, int32_t width, int32_t height, int32_t thickness,
                       bool leans_left, enum pl_ink ink);

// A line from corner to corner of width x height, `thickness` across. Its ends are half of that inside of the corners,
// so all of its ink is in the box.
void pl_shape_stroke(struct pl_bitmap *dst, int32_t x, int32_t y, int32_t width, int32_t height, int32_t thickness,
                     bool leans_left, enum pl_ink ink);

// The ink of an ellipse and of a band, seen from the corner where they are drawn.
struct pl_box pl_shape_ellipse_box(int32_t width, int32_t height);
struct pl_box pl_shape_diagonal_box(int32_t width, int32_t height, int32_t thickness);

#endif
