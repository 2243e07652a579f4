// Points, boxes and quarter turns, in dots.
#ifndef PL_RASTER_GEOM_H
#define PL_RASTER_GEOM_H

#include <stdbool.h>
#include <stdint.h>

enum pl_rotation { PL_ROT_N, PL_ROT_R, PL_ROT_I, PL_ROT_B }; // 0, 90, 180, 270 degrees clockwise

// Does the content's width lie along x: turned by 0 or 180 degrees?
static inline bool pl_is_upright(enum pl_rotation rotation)
{
    return rotation == PL_ROT_N || rotation == PL_ROT_I;
}

// Half-open: x0 <= x < x1. Empty where x0 >= x1 or y0 >= y1.
struct pl_box {
    int32_t x0, y0, x1, y1;
};

static inline bool pl_box_is_empty(struct pl_box b)
{
    return b.x0 >= b.x1 || b.y0 >= b.y1;
}

static inline struct pl_box pl_box_union(struct pl_box a, struct pl_box b)
{
    if (pl_box_is_empty(a))
        return b;
    if (pl_box_is_empty(b))
        return a;
    return (struct pl_box){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0, a.x1 > b.x1 ? a.x1 : b.x1,
                           a.y1 > b.y1 ? a.y1 : b.y1};
}

static inline struct pl_box pl_box_intersect(struct pl_box a, struct pl_box b)
{
    return (struct pl_box){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0, a.x1 < b.x1 ? a.x1 : b.x1,
                           a.y1 < b.y1 ? a.y1 : b.y1};
}

// A turned coordinate system on the label. A point (u right, v down) of the unturned content lies at
//   N (x+u, y+v)   R (x-v, y+u)   I (x-u, y-v)   B (x+v, y-u)
// Points are corners between dots, so a half-open box maps to a half-open box without any "minus one".
struct pl_frame {
    int32_t x, y;
    enum pl_rotation rotation;
};

// The system moved by so many dots in its reading direction. The caller bounds both, so that nothing overflows.
static inline struct pl_frame pl_frame_moved(struct pl_frame frame, int32_t along)
{
    bool back = frame.rotation == PL_ROT_I || frame.rotation == PL_ROT_B;
    int32_t by = back ? -along : along;
    if (pl_is_upright(frame.rotation))
        frame.x += by;
    else
        frame.y += by;
    return frame;
}

struct pl_box pl_frame_box(struct pl_frame frame, struct pl_box content);

#endif
