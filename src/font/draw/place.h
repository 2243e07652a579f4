// Inside src/font/draw: the place of a line or block on the label, and the pen.
#ifndef PL_FONT_DRAW_PLACE_H
#define PL_FONT_DRAW_PLACE_H

#include "font/draw/target.h"
#include "font/line/layout.h"

static inline int64_t pl_floor_2048(int64_t value)
{
    return value >> 11;
}

static inline int64_t pl_ceil_2048(int64_t value)
{
    return (value + 2047) >> 11;
}

struct pl_point {
    int64_t x, y;
};

// A point of a turned frame on the label.
static inline struct pl_point pl_place_on_label(struct pl_frame frame, int64_t u, int64_t v)
{
    switch (frame.rotation) {
    case PL_ROT_R:
        return (struct pl_point){frame.x - v, frame.y + u};
    case PL_ROT_I:
        return (struct pl_point){frame.x - u, frame.y - v};
    case PL_ROT_B:
        return (struct pl_point){frame.x + v, frame.y - u};
    case PL_ROT_N:
        break;
    }
    return (struct pl_point){frame.x + u, frame.y + v};
}

// The place of a line or block: its frame, and the first baseline in it.
struct pl_place {
    struct pl_frame frame;
    int64_t u; // 1/2048 dots: where a line begins
    int64_t v; // dots: the (first) baseline
};

// ^FO: (x, y) is the corner of the turned box of the given size.
struct pl_frame pl_place_corner(int32_t x, int32_t y, enum pl_rotation rotation, int64_t width, int64_t height);
// ^FT: the baseline starts at the anchor, whose fraction along the baseline is kept.
struct pl_place pl_place_baseline(const struct pl_text_target *target, const struct pl_element *element,
                                  const struct pl_text_font *font, const struct pl_pen *pen);
// The anchor is the top left corner of the unrotated line or block of this width, and it is rotated about it.
struct pl_place pl_place_pivot(const struct pl_element *element, int64_t width, const struct pl_pen *pen);
// Where an element begins; on some printers at the label's edge if that is outside of it.
int32_t pl_place_x(const struct pl_text_target *target, const struct pl_element *element);
int32_t pl_place_y(const struct pl_text_target *target, const struct pl_element *element);
void pl_place_move_pen(struct pl_pen *pen, struct pl_frame frame, int64_t u_2048, int64_t v);
bool pl_place_is_right(const struct pl_element *element, const struct pl_layout *layout);

#endif
