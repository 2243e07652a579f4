// What all checks of a page share: findings, lengths, symbologies, and the places of data.
#include "render/checks.h"

#include <stdarg.h>

#include "base/ckd.h"
#include "base/lengths.h"
#include "os/locale.h"

struct pl_diag *pl_check_find(const struct pl_check_run *run, uint32_t index, enum pl_diag_id id,
                              struct pl_source source, double missing_mm, const char *fmt, ...)
{
    struct pl_diags *diags = &run->page->diags;
    char text[800];
    va_list args;
    va_start(args, fmt);
    pl_os_vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    diags->element = (int32_t)index;
    struct pl_diag *d = pl_diag_add(diags, id, source, 0, "%s", text);
    if (d)
        d->missing_mm = (float)missing_mm;
    return d;
}

void pl_check_drop(const struct pl_check_run *run, uint32_t index, enum pl_diag_id id)
{
    struct pl_diags *diags = &run->page->diags;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < diags->count; i++)
        if (diags->items[i].id != id || diags->items[i].element != (int32_t)index)
            diags->items[kept++] = diags->items[i];
    diags->count = kept;
}

double pl_check_mm(const struct pl_check_run *run, double dots)
{
    return pl_dots_mm(dots, run->page->dpmm);
}

enum pl_check_symbology pl_check_symbology(const struct pl_element_report *report)
{
    return pl_check_symbology_of(report->drawn.symbology ? report->drawn.symbology
                                                         : pl_symbology_name(report->element->barcode.symbology));
}

enum pl_diag_id pl_check_gs1_diag(enum pl_gs1_code code)
{
    switch (code) {
    case PL_GS1_E_UNKNOWN_IDENTIFIER:
    case PL_GS1_E_REPEATED:
        return PL_DIAG_GS1_IDENTIFIER;
    case PL_GS1_E_TOO_SHORT:
    case PL_GS1_E_TOO_LONG:
    case PL_GS1_E_CHARACTER:
    case PL_GS1_E_DATE:
    case PL_GS1_E_VALUE:
        return PL_DIAG_GS1_VALUE;
    case PL_GS1_E_CHECK_DIGIT:
        return PL_DIAG_GS1_CHECK_DIGIT;
    case PL_GS1_E_PARTNER_MISSING:
    case PL_GS1_E_PARTNER_EXCLUDED:
        return PL_DIAG_GS1_PARTNER;
    default:
        return PL_DIAG_GS1_SYNTAX;
    }
}

bool pl_check_gs1_doubtful(const struct pl_gs1_result *result, const struct pl_gs1_finding *finding)
{
    if (finding->code == PL_GS1_E_LINK_WORD || finding->code == PL_GS1_E_LINK_PLACE)
        return true;
    for (uint32_t i = 0; i < result->finding_count; i++)
        if (result->findings[i].code == PL_GS1_E_LINK_SHORT)
            return true;
    return false;
}

// The byte of the field's data that byte `at` of the symbol's data comes from: both in order, what the symbol does not
// have (brackets, escapes) passed over.
static size_t in_field(struct pl_slice field, struct pl_slice data, size_t at)
{
    size_t k = 0;
    for (size_t i = 0; i < data.len && i < at; i++) {
        size_t from = k;
        while (k < field.len && field.ptr[k] != data.ptr[i])
            k++;
        k = k < field.len ? k + 1 : from;
    }
    size_t next = k;
    while (at < data.len && next < field.len && field.ptr[next] != data.ptr[at])
        next++;
    return next < field.len ? next : PL_MIN(k, field.len);
}

struct pl_source pl_check_place(const struct pl_check_run *run, const struct pl_element *e, struct pl_slice data,
                                size_t at)
{
    struct pl_source source = pl_element_data_source(e);
    struct pl_slice input = run->document->input, field = e->barcode.data;
    if (source.offset > input.len || field.len == 0)
        return source;
    struct pl_slice all = pl_slice_sub(input, source.offset, source.length);
    const uint8_t *found = (const uint8_t *)memmem(all.ptr, all.len, field.ptr, field.len);
    if (!found)
        return source;
    size_t offset = (size_t)(found - input.ptr) + in_field(field, data, at);
    source.offset = (uint32_t)PL_MIN(offset, input.len);
    source.length = 1;
    return source;
}

bool pl_check_may_hold_link(enum pl_check_symbology symbology)
{
    return symbology == PL_CHECK_QR || symbology == PL_CHECK_DATAMATRIX || symbology == PL_CHECK_AZTEC;
}
