// Drawing text: what draw/ asks of the fonts.
#ifndef PL_FONT_DRAW_TEXT_H
#define PL_FONT_DRAW_TEXT_H

#include "font/draw/target.h"

// Draws a text element at its place and moves the pen.
enum pl_errc pl_text_draw(struct pl_writer *writer, const struct pl_text_target *target,
                          const struct pl_element *element, struct pl_pen *pen, struct pl_text_result *result,
                          struct pl_error *err) PL_MUST_USE;

// One line in a turned frame, for interpretation lines: the baseline starts at (u, v) of the frame, in dots.
enum pl_errc pl_text_draw_line(struct pl_writer *writer, const struct pl_text_target *target,
                               const struct pl_font_ref *font, const uint32_t *chars, uint32_t length,
                               struct pl_frame frame, int32_t u, int32_t v, struct pl_source source, struct pl_box *ink,
                               struct pl_error *err) PL_MUST_USE;
// Width of a line in 1/2048 dots and the font's real cell: for centring.
struct pl_text_metrics {
    int64_t advance_2048;
    int32_t cell_height, baseline; // from the cell's top, in dots
};
enum pl_errc pl_text_measure(struct pl_writer *writer, const struct pl_text_target *target,
                             const struct pl_font_ref *font, const uint32_t *chars, uint32_t length,
                             struct pl_text_metrics *out, struct pl_error *err) PL_MUST_USE;

#endif
