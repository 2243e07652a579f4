// What is checked of a label as a whole: its size, its length, obsolete symbols.
#include "base/ckd.h"
#include "render/checks.h"

static void check_size(const struct pl_check_run *run)
{
    const struct platen_document *doc = run->document;
    if (!doc->size_guessed || run->page->label > 0)
        return;
    run->page->diags.element = -1;
    pl_diag_add(&run->page->diags, PL_DIAG_SIZE_GUESSED, (struct pl_source){0}, 0,
                "The size %ux%u dots was guessed from the content, since the code does not state all of it: what the "
                "edges of the real label cut off is not found. Give the size, or state it by %s.",
                doc->width, doc->height, doc->language->size_commands);
}

// The lowest of the barcodes that go beyond ^LL, before the page is rotated.
static void check_length(const struct pl_check_run *run, const struct pl_label *label)
{
    const struct platen_document *doc = run->document;
    int64_t worst = 0;
    uint32_t index = 0;
    if (label->length == 0 || label->length >= doc->height)
        return;
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++) {
        const struct pl_element_report *r = &run->page->drawn.reports[i];
        int64_t beyond = (int64_t)r->drawn.bars.y1 * PL_MAX(label->dot_size, 1u) - label->length;
        if (r->part_count == 0 || beyond <= worst)
            continue;
        worst = beyond;
        index = i;
    }
    if (worst <= 0)
        return;
    const struct pl_source source = run->page->drawn.reports[index].element->source;
    const char *command = doc->language->length_command;
    if (command)
        pl_check_find(run, index, PL_DIAG_LENGTH_EXCEEDED, source, pl_check_mm(run, (double)worst),
                      "The barcode ends %lld dots below the end of the label, which %s%u gives.", (long long)worst,
                      command, label->length);
    else
        pl_check_find(run, index, PL_DIAG_LENGTH_EXCEEDED, source, pl_check_mm(run, (double)worst),
                      "The barcode ends %lld dots below the end of the label, which is %u dots long.", (long long)worst,
                      label->length);
}

static const char *obsolete(const struct pl_element_report *r)
{
    const struct pl_barcode *b = &r->element->barcode;
    switch (pl_check_symbology(r)) {
    case PL_CHECK_DATAMATRIX_LEGACY:
        return "Data Matrix before ECC 200 is obsolete (ISO/IEC 16022), and most scanners do not read it: write 200 as "
               "the quality of ^BX.";
    case PL_CHECK_POSTNET:
        return "POSTNET was retired by the USPS in 2013: use Intelligent Mail.";
    case PL_CHECK_PLANET:
        return "PLANET was retired by the USPS in 2013: use Intelligent Mail.";
    default:
        if (b->symbology != PL_SYM_QR || !b->qr.model1)
            return NULL;
        return "QR Code model 1 is obsolete, and most scanners do not read it: ask for model 2.";
    }
}

void pl_check_label(const struct pl_check_run *run)
{
    const struct pl_label *label = &run->document->scene.labels[run->page->label];
    check_size(run);
    check_length(run, label);
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++) {
        const struct pl_element_report *r = &run->page->drawn.reports[i];
        const char *why = r->part_count ? obsolete(r) : NULL;
        if (why)
            pl_check_find(run, i, PL_DIAG_SYMBOLOGY_OBSOLETE, r->element->source, 0, "%s", why);
    }
}
