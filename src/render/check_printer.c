// What a printer of the chosen model would not print as the label has it.
#include <math.h>

#include "base/ckd.h"
#include "base/lengths.h"
#include "render/checks.h"

// In the colour of the paper it takes ink away.
static bool is_white(const struct pl_element *e)
{
    bool shape = e->kind == PL_ELEMENT_BOX || e->kind == PL_ELEMENT_ELLIPSE || e->kind == PL_ELEMENT_DIAGONAL;
    return shape && e->shape.white && !e->reverse;
}

// The last `depth` dots of a box along the head, on the page as the caller turned it.
static struct pl_box end_of(struct pl_box box, int32_t depth, uint32_t rotation)
{
    depth = PL_MIN(depth, rotation % 180 == 0 ? box.x1 - box.x0 : box.y1 - box.y0);
    switch (rotation) {
    case 90:
        return (struct pl_box){box.x0, box.y1 - depth, box.x1, box.y1};
    case 180:
        return (struct pl_box){box.x0, box.y0, box.x0 + depth, box.y1};
    case 270:
        return (struct pl_box){box.x0, box.y0, box.x1, box.y0 + depth};
    default:
        return (struct pl_box){box.x1 - depth, box.y0, box.x1, box.y1};
    }
}

// Later fields and ^PW can take ink away. Of what lies outside of the page it is not known.
static bool is_blank(const struct pl_drawn_page *page, struct pl_box box)
{
    int64_t width = page->is_grey ? page->grey.width : page->bits.width;
    int64_t height = page->is_grey ? page->grey.height : page->bits.height;
    if (box.x0 < 0 || box.y0 < 0 || box.x1 > width || box.y1 > height)
        return false;
    return !pl_page_has_ink(page, box);
}

// The element whose ink goes furthest beyond the last dot of the head.
static void check_width(const struct pl_check_run *run, const struct pl_model *model)
{
    int32_t worst = 0;
    uint32_t index = 0, beyond_head = 0;
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++) {
        const struct pl_element_report *r = &run->page->drawn.reports[i];
        int32_t beyond = pl_saturate_i32((int64_t)r->head_end - model->head);
        if (pl_box_is_empty(r->box) || beyond <= 0 || is_white(r->element) ||
            is_blank(&run->page->drawn, end_of(r->box, beyond, run->document->options.rotation)))
            continue;
        beyond_head++;
        if (beyond > worst) {
            worst = beyond;
            index = i;
        }
    }
    if (beyond_head > 0)
        pl_check_find(run, index, PL_DIAG_PRINTER_WIDTH, run->page->drawn.reports[index].element->source,
                      pl_dots_mm(worst, model->dpmm),
                      "The head of %s has %u dots. This field ends %d dot%s beyond it; fields that it cuts: %u.",
                      model->title, model->head, worst, worst == 1 ? "" : "s", beyond_head);
}

static void check_length(const struct pl_check_run *run, const struct pl_model *model)
{
    // Of the page, and of ^LL, which counts the printer's own dots.
    double stated = run->document->scene.labels[run->page->label].length / (double)model->dpmm;
    double length = PL_MAX(run->document->options.height_mm, stated);
    // Half a millimetre for sizes that are no whole dots.
    if (model->longest == 0 || length < model->longest + 0.5)
        return;
    run->page->diags.element = -1;
    pl_diag_add(&run->page->diags, PL_DIAG_PRINTER_LENGTH, (struct pl_source){0}, 0,
                "%s prints labels of at most %u mm, and this one is %.0f mm long.", model->title, model->longest,
                length);
}

void pl_check_printer(const struct pl_check_run *run)
{
    const struct pl_model *model = run->document->model;
    check_length(run, model);
    // Label code is in dots, so the head cuts it at the same dot, whatever density the picture has.
    check_width(run, model);
    if (fabs(run->page->dpmm - model->dpmm) < 0.5)
        return;
    run->page->diags.element = -1;
    pl_diag_add(&run->page->diags, PL_DIAG_PRINTER_DENSITY, (struct pl_source){0}, 0,
                "%s prints %u dots a millimetre, and the label is drawn with another density: dpmm=%u draws it as "
                "this printer does. Its width was compared with the head in dots, as the label code has them.",
                model->title, model->dpmm, model->dpmm);
}
