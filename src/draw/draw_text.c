// Draws a text element: hands it to the fonts and says what was odd.
#include "draw/draw.h"

enum pl_errc pl_draw_text(const struct pl_draw *draw, const struct pl_element *element, struct pl_drawn *drawn,
                          struct pl_error *err)
{
    struct pl_text_target target = {.canvas = draw->canvas,
                                    .ink = draw->ink,
                                    .scale = draw->scale,
                                    .any_coverage = draw->any_coverage,
                                    .dpmm = draw->dpmm,
                                    .arena = draw->arena,
                                    .diags = draw->diags,
                                    .job = draw->job};
    struct pl_text_result result;
    PL_TRY(pl_text_draw(draw->writer, &target, element, draw->pen, &result, err));
    drawn->ink = result.ink;
    drawn->clipped = result.clipped;
    drawn->rotation = element->rotation;
    return PL_OK;
}
