// Inside the fonts: the place of a line or block on the label, the pen, and drawing one line.
#ifndef PL_FONT_PLACE_H
#define PL_FONT_PLACE_H

#include "font/layout.h"

static inline int64_t pl_floor_2048(int64_t value)
{
    return value >> 11;
}

static inline int64_t pl_ceil_2048(int64_t value)
{
    return (value + 2047) >> 11;
}

// What the spaces of a justified line get more than their own width.
struct pl_stretch {
    int64_t each;  // dots
    int64_t extra; // the first so many spaces get one dot more
};

// The place of a line or block: its frame, and the first baseline in it.
struct pl_place {
    struct pl_frame frame;
    int64_t u; // 1/2048 dots: where a line begins
    int64_t v; // dots: the (first) baseline
};

// ^FO: (x, y) is the corner of the turned box of the given size.
struct pl_frame pl_place_corner(int32_t x, int32_t y, enum pl_rotation rotation, int64_t width, int64_t height);
// ^FT: the baseline starts at the anchor, whose fraction along the baseline is kept.
struct pl_place pl_place_baseline(const struct pl_element *element, const struct pl_pen *pen);
void pl_place_move_pen(struct pl_pen *pen, struct pl_frame frame, int64_t u_2048, int64_t v);
bool pl_place_is_right(const struct pl_element *element, const struct pl_layout *layout);

// Draws glyphs along a baseline that starts at (u in 1/2048, v) of the frame.
enum pl_errc pl_line_draw(const struct pl_layout *layout, const struct pl_text_target *target,
                          const struct pl_items *items, struct pl_frame frame, int64_t u, int64_t v,
                          struct pl_stretch stretch, struct pl_box *ink, struct pl_error *err) PL_MUST_USE;
void pl_line_report_missing(const struct pl_text_target *target, struct pl_writer *writer, uint32_t missing,
                            struct pl_source source);

// ^FB and ^TB.
enum pl_errc pl_block_draw(struct pl_writer *writer, const struct pl_text_target *target,
                           const struct pl_element *element, const struct pl_text_font *font, struct pl_layout *layout,
                           struct pl_pen *pen, struct pl_text_result *result, struct pl_error *err) PL_MUST_USE;
// ^FP V and R.
enum pl_errc pl_directed_draw(struct pl_writer *writer, const struct pl_text_target *target,
                              const struct pl_element *element, const struct pl_text_font *font,
                              struct pl_layout *layout, struct pl_pen *pen, struct pl_text_result *result,
                              struct pl_error *err) PL_MUST_USE;

#endif
