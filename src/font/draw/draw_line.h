// Inside src/font/draw: drawing the glyphs of a line.
#ifndef PL_FONT_DRAW_DRAW_LINE_H
#define PL_FONT_DRAW_DRAW_LINE_H

#include "font/draw/writer.h"
#include "font/line/layout.h"

// What the spaces of a justified line get more than their own width.
struct pl_stretch {
    int64_t each;  // dots
    int64_t extra; // the first so many spaces get one dot more
};

// Draws glyphs along a baseline that starts at (u in 1/2048, v) of the frame.
enum pl_errc pl_line_draw(struct pl_writer *writer, const struct pl_layout *layout, const struct pl_text_target *target,
                          const struct pl_items *items, struct pl_frame frame, int64_t u, int64_t v,
                          struct pl_stretch stretch, struct pl_box *ink, struct pl_error *err) PL_MUST_USE;
// Reports a character that no font has; 0: none.
void pl_line_report_missing(const struct pl_writer *writer, const struct pl_text_target *target,
                            const struct pl_layout *layout, uint32_t missing, struct pl_source source);

#endif
