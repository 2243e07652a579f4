// The GS1 logistic label: what GS1's General Specifications ask of the label as a whole (section 6.6.4). Sizes and
// symbologies are in the rule set.
#include "render/check_keys.h"

enum {
    NUMBER_MOST = 64,  // characters of a value that is looked for
    SHOWN_MOST = 32768 // letters and digits of all texts of a label; of more it is not asked what they show
};

// How far down a box reaches for somebody who reads the label upright, mirrored or not.
struct extent {
    int32_t top, bottom;
};

static struct extent extent_of(const struct pl_check_run *run, struct pl_box b, const struct pl_element_report *reader)
{
    // A mirror exchanges R and B.
    const bool exchanged = run->page->mirrored && !pl_is_upright(reader->drawn.rotation);
    switch (exchanged ? (reader->rotation + 2u) % 4u : (unsigned)reader->rotation) {
    case PL_ROT_R:
        return (struct extent){-b.x1, -b.x0};
    case PL_ROT_I:
        return (struct extent){-b.y1, -b.y0};
    case PL_ROT_B:
        return (struct extent){b.x0, b.x1};
    default:
        return (struct extent){b.y0, b.y1};
    }
}

static bool holds_sscc(const struct pl_check_keys *keys, uint32_t index)
{
    for (uint32_t i = 0; i < keys->count; i++)
        if (keys->items[i].kind == PL_KEY_UNIT && keys->items[i].index == index)
            return true;
    return false;
}

static void tell_missing(const struct pl_check_run *run, const struct pl_check_key *other)
{
    run->page->diags.element = -1;
    struct pl_diag *d =
        pl_diag_add(&run->page->diags, PL_DIAG_SYMBOL_MISSING, run->document->scene.labels[run->page->label].source, 0,
                    "A GS1 logistic label has its SSCC (00) in a GS1-128 barcode, and this one %s.",
                    other ? "has it only in a barcode of another kind" : "has no SSCC");
    if (d)
        d->severity = PL_SEV_ERROR; // the key by which the receiver books the unit in
}

static size_t put_letters(struct pl_slice s, uint8_t *out, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len && n < room; i++) {
        const uint8_t upper = pl_upper(s.ptr[i]);
        if (pl_is_digit(upper) || pl_is_upper(upper))
            out[n++] = upper;
    }
    return n;
}

// Letters and digits of the label's texts, one after another.
static enum pl_errc read_texts(const struct pl_check_run *run, struct pl_slice *out)
{
    uint8_t *text = PL_ARENA_ARRAY(&run->worker->scratch, uint8_t, SHOWN_MOST);
    if (!text)
        return pl_fail_memory(run->err);
    size_t n = 0;
    uint64_t looked_at = 0;
    for (uint32_t i = 0; i < run->page->drawn.report_count && n < SHOWN_MOST; i++)
        if (run->page->elements[i].type == PLATEN_TEXT &&
            !pl_check_is_covered(run, i, run->page->drawn.reports[i].drawn.ink) &&
            !pl_check_is_blackened(run, i, &looked_at))
            n += put_letters(pl_slice_make(run->page->elements[i].data, run->page->elements[i].data_size), text + n,
                             SHOWN_MOST - n);
    *out = pl_slice_make(text, n);
    return PL_OK;
}

// Do they show a value, in one text or in several?
static bool is_shown(struct pl_slice shown, struct pl_slice value)
{
    uint8_t number[NUMBER_MOST];
    const size_t n = put_letters(value, number, sizeof number);
    return shown.len == SHOWN_MOST || n == 0 || memmem(shown.ptr, shown.len, number, n) != NULL;
}

// Each element has its own line on many labels, with a word for its identifier: values are looked for one by one.
static enum pl_errc check_shown(const struct pl_check_run *run, uint32_t index, struct pl_slice data,
                                struct pl_slice texts)
{
    const struct pl_element_report *r = &run->page->drawn.reports[index];
    bool shown = true;
    if (!pl_box_is_empty(r->drawn.caption) && !pl_check_is_covered(run, index, r->drawn.caption))
        return PL_OK;
    struct pl_gs1_result *result = PL_ARENA_NEW(&run->worker->scratch, struct pl_gs1_result);
    if (!result)
        return pl_fail_memory(run->err);
    const enum pl_gs1_form form = data.len && data.ptr[0] == '(' ? PL_GS1_BRACKETS : PL_GS1_ELEMENTS;
    PL_TRY(pl_gs1_check(data, form, &run->worker->scratch, result, run->err));
    for (uint32_t i = 0; i < result->element_count; i++)
        shown = shown && is_shown(texts, result->elements[i].value);
    if (shown)
        return PL_OK;
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++)
        if (run->page->drawn.reports[i].garbled)
            pl_check_drop(run, i, PL_DIAG_TEXT_OVERPRINTED); // that is why
    pl_check_find(run, index, PL_DIAG_LABEL_LAYOUT, r->element->source, 0,
                  "The data of the barcode is not shown as text: a GS1 logistic label has it for each barcode, to be "
                  "typed in where a scanner fails.");
    return PL_OK;
}

// Where a barcode is, beside the lowest one that must have the SSCC.
static void check_place(const struct pl_check_run *run, uint32_t index, uint32_t sscc, bool linear)
{
    const struct pl_element_report *r = &run->page->drawn.reports[index], *lowest = &run->page->drawn.reports[sscc];
    const struct platen_element *e = &run->page->elements[sscc];
    if (linear && pl_is_upright(r->rotation) != pl_is_upright(lowest->rotation))
        pl_check_find(run, index, PL_DIAG_LABEL_LAYOUT, r->element->source, 0,
                      "The bars lie across those of the SSCC at %d,%d: on a GS1 logistic label the bars of all "
                      "barcodes stand upright.",
                      e->x, e->y);
    else if (extent_of(run, r->bars, lowest).top >= extent_of(run, lowest->bars, lowest).bottom)
        pl_check_find(run, index, PL_DIAG_LABEL_LAYOUT, r->element->source, 0,
                      "The barcode is below that of the SSCC at %d,%d, which is the lowest of a GS1 logistic label.",
                      e->x, e->y);
}

static enum pl_errc check_barcode(const struct pl_check_run *run, const struct pl_check_keys *keys, uint32_t index,
                                  uint32_t sscc, struct pl_slice texts)
{
    const struct pl_element_report *r = &run->page->drawn.reports[index];
    const enum pl_check_symbology symbology = pl_check_symbology(r);
    const bool linear = symbology < PL_CHECK_SYMBOLOGY_COUNT && pl_check_shape_of(symbology) == PL_SHAPE_LINEAR;
    if (index != sscc && !holds_sscc(keys, index))
        check_place(run, index, sscc, linear);
    if (symbology != PL_CHECK_GS1_128)
        return PL_OK;
    struct pl_arena_mark mark = pl_arena_mark(&run->worker->scratch);
    struct pl_symbol_data data;
    PL_TRY(pl_symbol_data(&r->element->barcode, &run->worker->scratch, &data, run->err));
    PL_TRY(check_shown(run, index, data.data, texts));
    pl_arena_release(&run->worker->scratch, mark);
    return PL_OK;
}

static bool is_lower(const struct pl_check_run *run, const struct pl_element_report *r,
                     const struct pl_element_report *than)
{
    return extent_of(run, r->bars, than).bottom > extent_of(run, than->bars, than).bottom;
}

enum pl_errc pl_check_logistic_label(const struct pl_check_run *run, const struct pl_check_keys *keys)
{
    const struct pl_element_report *reports = run->page->drawn.reports;
    const struct pl_check_key *unit = NULL, *lowest = NULL;
    if (!run->document->rules->logistic_label || keys->left_out) // that is told
        return PL_OK;
    for (uint32_t i = 0; i < keys->count; i++) {
        const struct pl_element_report *r = &reports[keys->items[i].index];
        if (keys->items[i].kind != PL_KEY_UNIT)
            continue;
        unit = &keys->items[i];
        if (unit->symbology != PL_CHECK_GS1_128)
            continue;
        if (r->element->kind != PL_ELEMENT_BARCODE)
            return PL_OK; // in a graphic, whose barcodes have no place of their own
        if (!lowest || is_lower(run, r, &reports[lowest->index]))
            lowest = unit;
    }
    if (!lowest) {
        tell_missing(run, unit);
        return PL_OK;
    }
    struct pl_slice texts = {0};
    PL_TRY(read_texts(run, &texts));
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++) {
        PL_TRY(pl_job_check(&run->document->job, run->err));
        if (reports[i].part_count)
            PL_TRY(check_barcode(run, keys, i, lowest->index, texts));
    }
    return PL_OK;
}
