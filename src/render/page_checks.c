// The checks of a page, one after the other.
#include "render/checks.h"

enum pl_errc pl_page_checks(struct platen_worker *worker, const struct platen_document *document,
                            struct platen_page *page, struct pl_error *err)
{
    const struct pl_check_run run = {worker, document, page, err};
    page->diags.limit = UINT32_MAX; // the elements bound what is found here
    if (document->checks_rules) {
        pl_check_placement(&run);
        pl_check_label(&run);
        PL_TRY(pl_check_text(&run));
        pl_check_garbled(&run);
        PL_TRY(pl_check_filled_texts(&run));
        if (document->rules->gs1 != PL_GS1_NOT_CHECKED)
            PL_TRY(pl_check_shown(&run));
        PL_TRY(pl_check_data(&run));
    } else if (document->options.min_module_mm > 0) {
        pl_check_modules_alone(&run);
    }
    if (document->model)
        pl_check_printer(&run);
    if (document->options.verify)
        PL_TRY(pl_check_read_back(&run));
    page->diags.element = -1;
    return PL_OK;
}
