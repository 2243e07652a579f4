// Draws a text element: hands it to the fonts and says what was odd.
#include "base/ckd.h"
#include "draw/draw.h"

struct pl_text_target pl_draw_text_target(const struct pl_draw *draw, struct pl_bitmap *canvas, enum pl_ink ink)
{
    return (struct pl_text_target){.profile = &draw->profile->font,
                                   .canvas = canvas,
                                   .samples = draw->samples,
                                   .ink = ink,
                                   .scale = draw->samples ? PL_SAMPLE_SCALE : 1,
                                   .any_coverage = draw->any_coverage,
                                   .top = draw->top,
                                   .dpmm = draw->dpmm,
                                   .arena = draw->arena,
                                   .diags = draw->diags,
                                   .job = draw->job};
}

enum pl_errc pl_draw_text(const struct pl_draw *draw, const struct pl_element *element, struct pl_drawn *drawn,
                          struct pl_error *err)
{
    struct pl_text_target target = pl_draw_text_target(draw, draw->canvas, draw->ink);
    struct pl_text_result result;
    PL_TRY(pl_text_draw(draw->writer, &target, element, draw->pen, &result, err));
    drawn->ink = result.ink;
    drawn->paper = result.paper;
    drawn->clipped = result.clipped;
    drawn->rotation = element->rotation;
    if (result.clipped && element->text.block.kind == PL_BLOCK_BOX)
        pl_diag_add(draw->diags, PL_DIAG_TEXT_CLIPPED, element->source, 0,
                    "The text does not fit its block of %d x %d dots; the rest was cut off.", element->text.block.width,
                    element->text.block.height);
    else if (result.clipped)
        pl_diag_add(draw->diags, PL_DIAG_TEXT_CLIPPED, element->source, 0,
                    "The text needs more lines than its block has (%d); the rest %s.",
                    PL_MAX(1, element->text.block.max_lines),
                    element->text.block.drops_rest ? "was left out" : "is printed over the last one");
    return PL_OK;
}
