// Inside src/font/draw: ^FB and ^TB.
#ifndef PL_FONT_DRAW_DRAW_BLOCK_H
#define PL_FONT_DRAW_DRAW_BLOCK_H

#include "font/draw/writer.h"
#include "font/line/layout.h"

enum pl_errc pl_block_draw(struct pl_writer *writer, const struct pl_text_target *target,
                           const struct pl_element *element, const struct pl_text_font *font, struct pl_layout *layout,
                           struct pl_pen *pen, struct pl_text_result *result, struct pl_error *err) PL_MUST_USE;

#endif
