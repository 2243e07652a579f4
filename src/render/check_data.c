// The data of barcodes: GS1 syntax and check digits, with the place of the wrong character in the field.
#include "base/ckd.h"
#include "check/gs1.h"
#include "render/checks.h"

// Symbols of one label that are looked at for partners; more are checked each by itself.
#define GS1_SYMBOLS 32

struct gs1_symbol {
    uint32_t index; // of its element
    struct pl_slice data;
    struct pl_gs1_result result;
};

static enum pl_diag_id diag_of(enum pl_gs1_code code)
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

// Where the data stands in the input, byte for byte; otherwise the field as a whole.
static struct pl_source place_of(const struct pl_check_run *run, const struct pl_element *e, struct pl_slice data,
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

static bool is_databar(enum pl_check_symbology symbology)
{
    return symbology == PL_CHECK_DATABAR || symbology == PL_CHECK_DATABAR_EXPANDED ||
           symbology == PL_CHECK_DATABAR_LIMITED || symbology == PL_CHECK_DATABAR_STACKED ||
           symbology == PL_CHECK_DATABAR_STACKED_OMNI || symbology == PL_CHECK_DATABAR_TRUNCATED;
}

static bool may_hold_link(enum pl_check_symbology symbology)
{
    return symbology == PL_CHECK_QR || symbology == PL_CHECK_DATAMATRIX || symbology == PL_CHECK_AZTEC;
}

static enum pl_errc check_gs1(const struct pl_check_run *run, uint32_t index, struct pl_slice data,
                              enum pl_gs1_form form, struct gs1_symbol **symbols, uint32_t *count)
{
    struct pl_arena *scratch = &run->worker->scratch;
    if (*count == GS1_SYMBOLS)
        return PL_OK;
    struct gs1_symbol *symbol = PL_ARENA_NEW(scratch, struct gs1_symbol);
    if (!symbol)
        return pl_fail_memory(run->err);
    if (form == PL_GS1_ELEMENTS && data.len && data.ptr[0] == '(')
        form = PL_GS1_BRACKETS;
    symbol->index = index;
    symbol->data = data;
    PL_TRY(pl_gs1_check(data, form, scratch, &symbol->result, run->err));
    symbols[(*count)++] = symbol;
    return PL_OK;
}

static void check_rules(const struct pl_check_run *run, uint32_t index, enum pl_check_symbology symbology,
                        struct pl_slice data)
{
    const struct pl_element *e = run->page->drawn.reports[index].element;
    struct pl_rule_result result = pl_rules_check(run->document->rules->rules, symbology, data);
    if (result.match == PL_RULE_BROKEN)
        pl_check_find(run, index, PL_DIAG_CHECK_DIGIT_WRONG, place_of(run, e, data, result.offset), 0, "%s",
                      result.message);
}

static enum pl_errc check_symbol(const struct pl_check_run *run, uint32_t index, struct gs1_symbol **symbols,
                                 uint32_t *count)
{
    const struct pl_element_report *r = &run->page->drawn.reports[index];
    const struct pl_barcode *b = &r->element->barcode;
    const struct pl_rule_set *rules = run->document->rules;
    enum pl_check_symbology symbology = pl_check_symbology(r);
    struct pl_symbol_data data;
    if (symbology == PL_CHECK_SYMBOLOGY_COUNT)
        return PL_OK;
    PL_TRY(pl_symbol_data(b, &run->worker->scratch, &data, run->err));
    // EAN and UPC work out their check digit: what counts is the one that the field has.
    check_rules(run, index, symbology, data.data);
    if (rules->gs1 == PL_GS1_NOT_CHECKED)
        return PL_OK;
    bool link = may_hold_link(symbology) && pl_gs1_is_link(data.data);
    if (link)
        PL_TRY(check_gs1(run, index, data.data, PL_GS1_LINK, symbols, count));
    else if (data.gs1 || is_databar(symbology))
        PL_TRY(check_gs1(run, index, data.data, PL_GS1_ELEMENTS, symbols, count));
    else if (rules->gs1 == PL_GS1_REQUIRED &&
             (symbology == PL_CHECK_CODE128 || symbology == PL_CHECK_DATAMATRIX || symbology == PL_CHECK_QR))
        pl_check_find(run, index, PL_DIAG_SYMBOLOGY_NOT_ALLOWED, r->element->source, 0,
                      "The rules '%s' ask for a GS1 symbol: the data has no FNC1 before it, and is no Digital Link.",
                      rules->name);
    if (b->symbology == PL_SYM_DATABAR && b->second.len)
        PL_TRY(check_gs1(run, index, b->second, PL_GS1_ELEMENTS, symbols, count));
    return PL_OK;
}

static enum pl_errc tell(const struct pl_check_run *run, struct gs1_symbol **symbols, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct pl_gs1_result *others[GS1_SYMBOLS];
        uint32_t n = 0;
        for (uint32_t k = 0; k < count; k++)
            if (k != i)
                others[n++] = &symbols[k]->result;
        PL_TRY(pl_gs1_check_partners(&symbols[i]->result, others, n, &run->worker->scratch, run->err));
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct gs1_symbol *s = symbols[i];
        for (uint32_t k = 0; k < s->result.finding_count; k++) {
            const struct pl_gs1_finding *f = &s->result.findings[k];
            pl_check_find(run, s->index, diag_of(f->code),
                          place_of(run, run->page->drawn.reports[s->index].element, s->data, f->offset), 0, "%s",
                          f->message);
        }
    }
    return PL_OK;
}

enum pl_errc pl_check_data(const struct pl_check_run *run)
{
    struct gs1_symbol *symbols[GS1_SYMBOLS];
    uint32_t count = 0;
    struct pl_arena_mark mark = pl_arena_mark(&run->worker->scratch);
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++) {
        if (run->page->drawn.reports[i].part_count == 0)
            continue;
        PL_TRY(pl_job_check(&run->document->job, run->err));
        PL_TRY(check_symbol(run, i, symbols, &count));
    }
    PL_TRY(tell(run, symbols, count));
    pl_arena_release(&run->worker->scratch, mark);
    return PL_OK;
}
