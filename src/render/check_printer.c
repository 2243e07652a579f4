// What a printer of the chosen model would not print as the label has it.
#include <math.h>

#include "render/checks.h"

// The element whose ink goes furthest beyond the last dot of the head.
static void check_width(const struct pl_check_run *run, const struct pl_model *model, uint32_t dot_size)
{
    int64_t worst = 0;
    uint32_t index = 0, beyond_head = 0;
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++) {
        const struct pl_element_report *r = &run->page->drawn.reports[i];
        int64_t beyond = (int64_t)r->drawn.ink.x1 * dot_size - model->head;
        if (pl_box_is_empty(r->box) || beyond <= 0)
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

void pl_check_printer(const struct pl_check_run *run)
{
    const struct pl_model *model = run->document->model;
    const struct pl_label *label = &run->document->scene.labels[run->page->label];
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
