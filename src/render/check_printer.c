// What a printer of the chosen model would not print as the label has it.
#include <math.h>

#include "render/checks.h"

// In the colour of the paper it takes ink away.
static bool is_white(const struct pl_element *e)
{
    bool shape = e->kind == PL_ELEMENT_BOX || e->kind == PL_ELEMENT_ELLIPSE || e->kind == PL_ELEMENT_DIAGONAL;
    return shape && e->shape.white && !e->reverse;
}

// The element whose ink goes furthest beyond the last dot of the head.
static void check_width(const struct pl_check_run *run, const struct pl_model *model, uint32_t dot_size)
{
    int64_t worst = 0;
    uint32_t index = 0, beyond_head = 0;
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++) {
        const struct pl_element_report *r = &run->page->drawn.reports[i];
        int64_t beyond = (int64_t)r->drawn.ink.x1 * dot_size - model->head;
        if (pl_box_is_empty(r->box) || beyond <= 0 || is_white(r->element))
            continue;
        beyond_head++;
        if (beyond > worst) {
            worst = beyond;
            index = i;
        }
    }
    if (beyond_head > 0)
        pl_check_find(run, index, PL_DIAG_PRINTER_WIDTH, run->page->drawn.reports[index].element->source,
                      pl_check_mm(run, (double)worst),
                      "The head of %s has %u dots. This field ends %lld dots beyond it; fields that it cuts: %u.",
                      model->title, model->head, (long long)worst, beyond_head);
}

static void check_length(const struct pl_check_run *run, const struct pl_model *model)
{
    double length = run->document->options.height_mm;
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
    const struct pl_label *label = &run->document->scene.labels[run->page->label];
    check_length(run, model);
    if (fabs(run->page->dpmm - model->dpmm) < 0.5) {
        check_width(run, model, label->dot_size > 0 ? label->dot_size : 1);
        return;
    }
    run->page->diags.element = -1;
    if (run->page->label == 0)
        pl_diag_add(&run->page->diags, PL_DIAG_PRINTER_DENSITY, (struct pl_source){0}, 0,
                    "%s prints %u dots a millimetre, and the label is drawn with another density: dpmm=%u draws it as "
                    "this printer does. Whether it is too wide was not checked.",
                    model->title, model->dpmm, model->dpmm);
}
