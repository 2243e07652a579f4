// Every barcode of a page read back from its dots, and once more with a dot more and a dot less of ink.
#include <stdio.h>

#include "base/ckd.h"
#include "check/read.h"
#include "render/checks.h"

// One in so many dots that are changed destroys a symbol that cannot be read back.
#define UNREAD_SHARE 16u

struct reading {
    const struct pl_check_run *run;
    struct pl_bitmap dots; // of the page
    struct pl_job job;     // ends before the page's, so that the rest can be answered
    bool late;
};

static enum pl_errc page_dots(struct reading *reading)
{
    const struct pl_check_run *run = reading->run;
    const struct pl_drawn_page *drawn = &run->page->drawn;
    reading->dots = drawn->bits;
    if (!drawn->is_grey)
        return PL_OK;
    return pl_grey_to_bits(&run->worker->scratch, &drawn->grey, &reading->dots, run->err);
}

// One dot more of ink to the right and below of every dot of ink, or one dot less.
static void burn(struct pl_bitmap *crop, bool more)
{
    for (uint32_t y = crop->height; y-- > 0;) {
        uint64_t *row = pl_bitmap_row(crop, y);
        const uint64_t *above = y > 0 ? pl_bitmap_row(crop, y - 1) : NULL;
        uint64_t carry = 0;
        for (uint32_t k = 0; k < crop->stride; k++) {
            uint64_t word = row[k], beside = word >> 1 | carry << 63;
            carry = word & 1;
            row[k] = more ? word | beside : word & beside;
        }
        // The row above is still as it was printed: its own dots are those that reach down.
        carry = 0;
        for (uint32_t k = 0; k < crop->stride; k++) {
            uint64_t down = above ? above[k] : 0, beside = down >> 1 | carry << 63;
            carry = down & 1;
            row[k] = more ? row[k] | down | beside : row[k] & down & beside;
        }
        if (crop->width % 64)
            row[crop->stride - 1] &= ~UINT64_C(0) << (64 - crop->width % 64);
    }
}

static struct pl_box moved(struct pl_box box, int32_t dx, int32_t dy)
{
    return (struct pl_box){box.x0 - dx, box.y0 - dy, box.x1 - dx, box.y1 - dy};
}

// Is it still read with more or less ink?
static enum pl_errc reads_burnt(struct reading *reading, const struct pl_read_request *request, bool more, bool *out)
{
    const struct pl_check_run *run = reading->run;
    struct pl_arena *scratch = &run->worker->scratch;
    struct pl_box page = {0, 0, (int32_t)reading->dots.width, (int32_t)reading->dots.height};
    struct pl_box from = pl_box_intersect(request->area, page);
    struct pl_bitmap crop;
    struct pl_read_result result;
    *out = false;
    if (pl_box_is_empty(from))
        return PL_OK;
    // Room for the dot that is added.
    PL_TRY(
        pl_bitmap_new(scratch, (uint32_t)(from.x1 - from.x0) + 1, (uint32_t)(from.y1 - from.y0) + 1, &crop, run->err));
    pl_bitmap_blit(&crop, &reading->dots, -from.x0, -from.y0, PL_INK_BLACK);
    burn(&crop, more);
    struct pl_read_request again = *request;
    again.page = &crop;
    again.as_seen = false;
    again.area = moved(request->area, from.x0, from.y0);
    again.bars = moved(request->bars, from.x0, from.y0);
    // Modules stay where they are; a scan line goes on to the end of the last bar.
    if (more && pl_check_shape_of(request->symbology) == PL_SHAPE_LINEAR) {
        again.bars.x1++;
        again.bars.y1++;
        again.area.x1 = PL_MAX(again.area.x1, again.bars.x1);
        again.area.y1 = PL_MAX(again.area.y1, again.bars.y1);
    }
    PL_TRY(pl_read_symbol(&again, &reading->job, scratch, &result, run->err));
    *out = result.outcome == PL_READ_DECODED;
    return PL_OK;
}

static bool has_wide_bars(enum pl_symbology symbology)
{
    switch (symbology) {
    case PL_SYM_CODE11:
    case PL_SYM_INTERLEAVED_2OF5:
    case PL_SYM_CODE39:
    case PL_SYM_INDUSTRIAL_2OF5:
    case PL_SYM_STANDARD_2OF5:
    case PL_SYM_CODABAR:
    case PL_SYM_LOGMARS:
    case PL_SYM_MSI:
    case PL_SYM_PLESSEY:
        return true;
    default:
        return false;
    }
}

static enum pl_errc say_margin(struct reading *reading, const struct pl_read_request *request,
                               const struct pl_element_report *r, struct platen_element *e, bool *holds)
{
    const struct pl_barcode *b = &r->element->barcode;
    bool more, less;
    PL_TRY(reads_burnt(reading, request, true, &more));
    PL_TRY(reads_burnt(reading, request, false, &less));
    *holds = more && less;
    const char *ink = more && less ? "It is still read with one dot more and with one dot less of ink."
                      : more       ? "It is not read with one dot less of ink."
                      : less       ? "It is not read with one dot more of ink."
                                   : "It is not read with one dot more of ink, and not with one dot less.";
    // The paper moves along the height of the label.
    const char *direction = "";
    if (pl_check_shape_of(request->symbology) != PL_SHAPE_MATRIX)
        direction = pl_is_upright(r->drawn.rotation)
                        ? " Picket fence: the bars lie along the movement of the paper."
                        : " Ladder: the bars lie across the movement of the paper, where ink spreads most.";
    char wide[120] = "";
    if (has_wide_bars(b->symbology) && b->module * b->ratio_tenths % 10 != 0)
        snprintf(wide, sizeof wide, " Wide bars are %u dots, not %u.%u: the ratio gives no whole number of dots.",
                 b->module * b->ratio_tenths / 10, b->module * b->ratio_tenths / 10, b->module * b->ratio_tenths % 10);
    e->margin = pl_arena_printf(reading->run->page->arena, "%s%s%s", ink, direction, wide);
    return e->margin ? PL_OK : pl_fail_memory(reading->run->err);
}

// A GTIN and nothing else, with or without brackets.
static bool is_gtin_alone(struct pl_slice elements)
{
    static const char start[2] = {'0', '1'};
    size_t digits = 0;
    for (size_t i = 0; i < elements.len; i++) {
        uint8_t c = elements.ptr[i];
        if (c == '(' || c == ')' || c == '[' || c == ']')
            continue;
        if (c < '0' || c > '9' || (digits < sizeof start && c != (uint8_t)start[digits]))
            return false;
        digits++;
    }
    return digits <= 16;
}

static const char *no_reader(const struct pl_element_report *r)
{
    const struct pl_barcode *b = &r->element->barcode;
    const char *reason;
    if (b->symbology == PL_SYM_QR && b->qr.model1)
        return "There is no reader for QR Code model 1.";
    if (b->symbology == PL_SYM_AZTEC && b->aztec.rune)
        return "There is no reader for Aztec runes.";
    // zxing takes shorter ones for accidents.
    if (b->symbology == PL_SYM_INTERLEAVED_2OF5 && r->drawn.text.len < 6)
        return "Interleaved 2 of 5 is read from six digits on.";
    if (b->symbology == PL_SYM_CODABAR && r->drawn.text.len < 4)
        return "Codabar is read from two characters between start and stop on.";
    if (b->symbology == PL_SYM_DATABAR && b->databar.form == PL_DATABAR_EXPANDED && is_gtin_alone(b->content.bytes))
        return "DataBar Expanded is read where more than a GTIN is in it.";
    return pl_read_has_reader(pl_check_symbology(r), &reason) ? NULL : reason;
}

// The data of all symbols of a series is one behind the other.
static enum pl_errc join(const struct pl_check_run *run, struct platen_element *e, struct pl_slice more)
{
    uint8_t *data = (uint8_t *)pl_arena_alloc(run->page->arena, e->decoded_size + more.len + 1, 1);
    if (!data)
        return pl_fail_memory(run->err);
    if (e->decoded_size)
        memcpy(data, e->decoded_data, e->decoded_size);
    if (more.len)
        memcpy(data + e->decoded_size, more.ptr, more.len);
    e->decoded_data = (const char *)data;
    e->decoded_size += more.len;
    return PL_OK;
}

static bool is_damaged(const struct pl_element_report *r)
{
    return r->overprinted || r->cut_length || r->cut_height || r->quiet_missing;
}

// A damaged symbol that the grid reader reads, as a scanner sees it.
static enum pl_errc look(struct reading *reading, const struct pl_read_request *request,
                         const struct pl_element_report *r, struct platen_element *e)
{
    int32_t seen = -1;
    if (is_damaged(r) && request->as_seen)
        PL_TRY(pl_read_as_seen(request, &reading->job, &reading->run->worker->scratch, &seen, reading->run->err));
    if (seen >= 0)
        e->read_as_seen = e->read_as_seen == 0 ? 0 : seen;
    return PL_OK;
}

static enum pl_errc read_part(struct reading *reading, const struct pl_element_report *r, uint32_t part,
                              struct pl_read_request *request, struct pl_read_result *result)
{
    const struct pl_check_run *run = reading->run;
    *request = (struct pl_read_request){.page = &reading->dots,
                                        .bars = r->parts[part],
                                        .area = pl_part_quiet_zone(r, part),
                                        .rotation = r->rotation,
                                        .module = r->module,
                                        .mirrored = run->page->mirrored,
                                        // What is cut off is an error, whatever reads the rest.
                                        .as_seen = r->cut_length == 0 && r->cut_height == 0,
                                        .inverted = r->inverted,
                                        .symbology = pl_check_symbology(r)};
    PL_TRY(pl_read_symbol(request, &reading->job, &run->worker->scratch, result, run->err));
    // The reader wants more of a quiet zone than scanners do: where most of it is free, that is a finding of its own.
    if (result->outcome == PL_READ_UNREADABLE && r->quiet_missing && r->quiet_missing * 2 <= r->quiet_depth &&
        !r->overprinted && pl_check_shape_of(request->symbology) == PL_SHAPE_LINEAR) {
        request->area = request->bars;
        PL_TRY(pl_read_symbol(request, &reading->job, &run->worker->scratch, result, run->err));
    }
    // Overprint checks are capped, so `inverted` may be unset: retry inverted.
    if (result->outcome != PL_READ_UNREADABLE || !r->element->reverse || r->inverted)
        return PL_OK;
    request->inverted = true;
    return pl_read_symbol(request, &reading->job, &run->worker->scratch, result, run->err);
}

// Of a series the symbol that is read worst.
static void count_lines(struct platen_element *e, const struct pl_read_result *result)
{
    if (e->lines_tried && result->lines_read >= e->lines_read)
        return;
    e->lines_tried = result->lines_tried;
    e->lines_read = result->lines_read;
}

static enum pl_errc read_parts(struct reading *reading, const struct pl_element_report *r, struct platen_element *e,
                               bool *holds)
{
    for (uint32_t i = 0; i < r->part_count; i++) {
        struct pl_read_request request;
        struct pl_read_result result;
        PL_TRY(read_part(reading, r, i, &request, &result));
        count_lines(e, &result);
        if (result.outcome != PL_READ_DECODED) {
            e->decoded = result.outcome == PL_READ_UNREADABLE ? 0 : -1;
            e->no_reader_reason = e->decoded < 0 ? result.reason : NULL;
            return PL_OK;
        }
        PL_TRY(join(reading->run, e, result.data));
        PL_TRY(look(reading, &request, r, e));
        if (i == 0)
            PL_TRY(say_margin(reading, &request, r, e, holds));
    }
    e->decoded = 1;
    return PL_OK;
}

// ^FM can leave symbols of a series out: what is printed is then not all of the data.
static bool is_partial(const struct pl_barcode *barcode)
{
    bool partial = false;
    for (uint32_t i = 0; i < barcode->position_count; i++)
        partial = partial || barcode->positions[i][0] < 0;
    return partial;
}

// Takes the findings out that name what damages the barcode, and gives their sentences and their length.
static const char *take_causes(const struct pl_check_run *run, uint32_t index, float *missing)
{
    struct pl_diags *diags = &run->page->diags;
    const char *causes = "";
    uint32_t kept = 0;
    for (uint32_t i = 0; i < diags->count; i++) {
        const struct pl_diag *d = &diags->items[i];
        const bool cause =
            d->id == PL_DIAG_BARS_CUT || d->id == PL_DIAG_BARS_OVERPRINTED || d->id == PL_DIAG_QUIET_ZONE_BLOCKED;
        const char *more =
            cause && d->element == (int32_t)index ? pl_arena_printf(diags->arena, "%s %s", causes, d->message) : NULL;
        if (!more) {
            diags->items[kept++] = *d;
            continue;
        }
        causes = more;
        *missing = PL_MAX(*missing, d->missing_mm);
    }
    diags->count = kept;
    return causes;
}

static enum pl_errc compare(const struct pl_check_run *run, uint32_t index)
{
    const struct pl_element_report *r = &run->page->drawn.reports[index];
    struct platen_element *e = &run->page->elements[index];
    struct pl_symbol_data data;
    PL_TRY(pl_symbol_data(&r->element->barcode, &run->worker->scratch, &data, run->err));
    e->matches =
        pl_symbol_matches(&r->element->barcode, &data, r->drawn.text, pl_slice_make(e->decoded_data, e->decoded_size));
    if (e->matches == 0 && is_partial(&r->element->barcode))
        e->matches = -1;
    if (e->matches == 0) {
        float missing = 0;
        const char *causes = take_causes(run, index, &missing);
        pl_check_find(run, index, PL_DIAG_SYMBOL_DATA_DIFFERS, r->element->source, missing,
                      "The barcode can be read, but as other data than the field has: %.*s.%s",
                      (int)PL_MIN(e->decoded_size, (size_t)80), e->decoded_data, causes);
    }
    return PL_OK;
}

// A scanner refuses it: what was found before is an error, with the reason.
static bool raise(const struct pl_check_run *run, uint32_t index, enum pl_diag_id id, const char *why)
{
    struct pl_diags *diags = &run->page->diags;
    for (uint32_t i = 0; i < diags->count; i++) {
        struct pl_diag *d = &diags->items[i];
        if (d->element != (int32_t)index || d->id != id)
            continue;
        char *message = pl_arena_printf(diags->arena, "%s %s", d->message, why);
        d->severity = PL_SEV_ERROR;
        d->message = message ? message : d->message;
        return true;
    }
    return false;
}

// Dots of the bars.
static uint64_t dots_of(const struct pl_element_report *r)
{
    uint64_t dots = 0;
    for (uint32_t i = 0; i < r->part_count; i++)
        dots += (uint64_t)(r->parts[i].x1 - r->parts[i].x0) * (uint64_t)(r->parts[i].y1 - r->parts[i].y0);
    return dots;
}

// Stacked symbols without error correction are read as a whole, from whatever is left of each row. About half of the
// dots of bars are ink: where a quarter of all is changed, half of the height is.
static bool is_half_changed(const struct pl_element_report *r, const struct platen_element *e)
{
    const enum pl_check_symbology symbology = pl_check_symbology(r);
    return e->lines_tried == 0 && symbology < PL_CHECK_SYMBOLOGY_COUNT &&
           pl_check_shape_of(symbology) == PL_SHAPE_STACKED && symbology != PL_CHECK_PDF417 &&
           symbology != PL_CHECK_MICROPDF417 && (uint64_t)r->overprinted * 4 > dots_of(r);
}

// Reports damage that reading found, and symbols that could not be read.
static void judge(const struct pl_check_run *run, uint32_t index, bool holds)
{
    const struct pl_element_report *r = &run->page->drawn.reports[index];
    const struct platen_element *e = &run->page->elements[index];
    const bool few = e->decoded == 1 && e->lines_tried && e->lines_read * 2 < e->lines_tried;
    const bool unseen = e->decoded == 1 && e->read_as_seen == 0;
    const bool half = e->decoded == 1 && is_half_changed(r, e);
    char why[120] = "";
    if (few)
        snprintf(why, sizeof why, "Only %u of %u scan lines read it.", e->lines_read, e->lines_tried);
    else if (half)
        snprintf(why, sizeof why, "About half of its height is changed, or more: few scan lines read it.");
    else if (unseen)
        snprintf(why, sizeof why, "A reader that does not know where the modules are does not find or read it.");
    else if (e->decoded == -1 && (uint64_t)r->overprinted * UNREAD_SHARE > dots_of(r))
        snprintf(why, sizeof why, "It cannot be read back: %s", e->no_reader_reason ? e->no_reader_reason : "");
    const bool raised = why[0] && raise(run, index, PL_DIAG_BARS_OVERPRINTED, why);
    if (!raised && (few || unseen))
        pl_check_find(run, index, PL_DIAG_SYMBOL_UNREADABLE, r->element->source, 0,
                      "The barcode is damaged by the edge of the label, or by ink in its quiet zone. %s", why);
    if (!raised && e->decoded == -1 && e->no_reader_reason)
        pl_check_find(run, index, PL_DIAG_SYMBOL_NOT_READ, r->element->source, 0, "The barcode was not read back: %s",
                      strcmp(e->no_reader_reason, "time") == 0 ? "there was no time left." : e->no_reader_reason);
    // A module of one dot, and damage, are findings of their own.
    if (e->decoded == 1 && !holds && r->module > 1 && !is_damaged(r) && run->document->checks_rules)
        pl_check_find(run, index, PL_DIAG_INK_MARGIN, r->element->source, 0, "%s", e->margin);
}

static bool is_composite(const struct pl_barcode *barcode)
{
    return barcode->symbology == PL_SYM_DATABAR && barcode->databar.composite.len > 0;
}

static void forget_data(struct platen_element *e)
{
    e->decoded_data = "";
    e->decoded_size = 0;
}

// One finding: that it cannot be read, and why.
static void tell_unreadable(const struct pl_check_run *run, uint32_t index)
{
    const struct pl_element_report *r = &run->page->drawn.reports[index];
    float missing = 0;
    const char *causes = take_causes(run, index, &missing);
    forget_data(&run->page->elements[index]);
    pl_check_find(run, index, PL_DIAG_SYMBOL_UNREADABLE, r->element->source, missing,
                  "The barcode cannot be read back from the label%s.%s",
                  r->inverted         ? ": it is printed white on black"
                  : causes[0]         ? ""
                  : r->overprinted    ? ": something is printed over it"
                  : r->cut_length     ? ": the edge of the label cuts it"
                  : !r->quiet_zone_ok ? ": there is other ink in its quiet zone"
                                      : "",
                  causes);
}

static enum pl_errc read_and_compare(struct reading *reading, uint32_t index, bool *holds)
{
    const struct pl_element_report *r = &reading->run->page->drawn.reports[index];
    struct platen_element *e = &reading->run->page->elements[index];
    PL_TRY(read_parts(reading, r, e, holds));
    if (e->decoded != 1)
        return PL_OK;
    PL_TRY(compare(reading->run, index));
    if (is_composite(&r->element->barcode)) {
        e->no_reader_reason = "Only the linear part of the composite was read: there is no reader for its 2D part.";
        e->decoded = -1;
        e->matches = e->matches == 0 ? 0 : -1;
    }
    return PL_OK;
}

static enum pl_errc read_element(struct reading *reading, uint32_t index)
{
    const struct pl_check_run *run = reading->run;
    struct platen_element *e = &run->page->elements[index];
    bool holds = true;
    e->no_reader_reason = reading->late ? "time" : no_reader(&run->page->drawn.reports[index]);
    if (!e->no_reader_reason) {
        struct pl_arena_mark mark = pl_arena_mark(&run->worker->scratch);
        enum pl_errc code = read_and_compare(reading, index, &holds);
        pl_arena_release(&run->worker->scratch, mark);
        if (code == PL_E_DEADLINE) { // the symbol's time is up, but the label's is not
            e->no_reader_reason = "time";
            e->decoded = e->matches = -1;
            forget_data(e);
            reading->late = true;
        } else if (code != PL_OK) {
            return code;
        }
        if (e->decoded == 0)
            tell_unreadable(run, index);
    }
    judge(run, index, holds);
    return PL_OK;
}

enum pl_errc pl_check_read_back(const struct pl_check_run *run)
{
    struct reading reading = {.run = run, .job = run->document->job};
    uint64_t now = reading.job.deadline_ns ? pl_now_ns() : 0;
    if (reading.job.deadline_ns > now) // half of the time is left for what comes after
        reading.job.deadline_ns = now + (reading.job.deadline_ns - now) / 2;
    PL_TRY(page_dots(&reading));
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++)
        if (run->page->drawn.reports[i].part_count)
            PL_TRY(read_element(&reading, i));
    return PL_OK;
}
