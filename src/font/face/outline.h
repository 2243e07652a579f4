// An outline in font units, and the map that puts it on dots.
#ifndef PL_FONT_FACE_OUTLINE_H
#define PL_FONT_FACE_OUTLINE_H

#include <stdbool.h>
#include <stdint.h>

// Tags are those of the TrueType and Type 1 worlds: bit 0 on the curve, bit 1 (off the curve only) a cubic control
// point.
enum { PL_POINT_CONIC = 0, PL_POINT_ON = 1, PL_POINT_CUBIC = 2 };

struct pl_outline {
    const int16_t *xy; // y grows upwards
    const uint8_t *tags;
    const uint16_t *ends; // index of each contour's last point
    uint32_t point_count;
    uint32_t end_count;
    bool overlaps; // the font says that its contours do
};

// x' = x * sx + dx and y' = y * sy + dy, all in 1/2^32 of 1/64 dots, so that any size is met exactly enough.
struct pl_outline_map {
    int64_t sx, sy;
    int64_t dx, dy;
};

struct pl_outline_box {
    int32_t x0, y0, x1, y1; // of the curve's points and control points, in font units
};

// Scale for pl_outline_map: `numerator / denominator` dots per unit.
int64_t pl_outline_scale(int64_t numerator, int64_t denominator);
// Shift for pl_outline_map: `numerator / denominator` dots.
int64_t pl_outline_shift(int64_t numerator, int64_t denominator);
struct pl_outline_box pl_outline_control_box(const struct pl_outline *outline);

#endif
