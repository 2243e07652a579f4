// Whether filled code prints its values: every label is drawn and its barcodes are read. Fields with values must have
// them, be inside the label and readable. Fields without values must be as in a label that is filled with a sample.
#include <string.h>

#include "base/ckd.h"
#include "base/search.h"
#include "rewrite/fill.h"
#include "rewrite/passes.h"
#include "rewrite/verify.h"

#define STEPS_MOST ((size_t)1 << 24) // of the search for a value in a field's text
#define CODE_MOST ((size_t)128 << 20)
// The sample is short: a field in which it does not fit is outside for any value.
#define SAMPLE "1"

// A field as it is with the sample.
struct sampled {
    uint32_t label, offset; // offset in the template
    int32_t x, y;
    uint32_t width, height;
    bool inside, clipped, readable, has_value;
};

// A field of the filled code, and its commands in the template.
struct filled_field {
    const struct platen_element *element;
    struct pl_source source;
    uint32_t first, end; // commands of the template
    uint32_t row;        // from 1; 0: it is in no row's code
    bool has_value, is_placed, counts;
};

struct fill_check {
    struct platen_worker *worker;
    const struct rw_document *template;
    const struct rw_rows *rows;
    const struct rw_places *places;
    const struct platen_rewrite_options *options;
    struct pl_arena arena; // of the sampled fields
    struct sampled *sampled;
    uint32_t sampled_count, sampled_capacity;
    uint32_t label_count; // of the sample; 0: labels of rows cannot be compared with it
    struct rw_findings findings;
    uint32_t notes_before; // those of filling
    struct platen_error err;
};

// ---- fields

static uint32_t first_command(const struct rw_document *doc, uint32_t offset)
{
    uint32_t first;
    PL_FIND_FIRST(first, doc->count, doc->commands[first].origin < offset);
    return first;
}

static uint32_t row_at(const struct rw_rows *rows, uint32_t offset)
{
    uint32_t first;
    PL_FIND_FIRST(first, rows->count, rows->rows[first].at <= offset);
    return first;
}

static struct filled_field field_of(const struct fill_check *f, const struct rw_places *places,
                                    const struct platen_element *e)
{
    const struct rw_document *doc = f->template;
    bool called = e->data_length > 0; // by ^FN of a call, which has the value
    struct filled_field field = {.element = e};
    field.source = called ? rw_origin(places, e->data_offset, e->data_length) : rw_origin(places, e->offset, e->length);
    field.row = row_at(f->rows, called ? e->data_offset : e->offset);
    field.first = field.end = first_command(doc, field.source.offset);
    for (; field.end < doc->count && doc->commands[field.end].origin < field.source.offset + field.source.length;
         field.end++) {
        const struct rw_command *c = &doc->commands[field.end];
        field.has_value = field.has_value || rw_takes_value(c);
        field.is_placed = field.is_placed || ((rw_is(c, "^FO") || rw_is(c, "^FT")) && c->item_count > 0);
        field.counts = field.counts || rw_is(c, "^SN") || rw_is(c, "^SF");
    }
    return field;
}

// ---- values

// The next byte of a text that is neither a blank nor a control character nor `\&`, which is a line end in blocks.
static int next_ink(struct pl_slice s, size_t *at)
{
    while (*at < s.len) {
        uint8_t c = s.ptr[(*at)++];
        if (c == '\\' && *at < s.len && s.ptr[*at] == '&')
            ++*at;
        else if (c > 0x20 && c != 0x7F)
            return c;
    }
    return -1;
}

// Also true when no steps are left: then nothing can be said.
static bool starts_with(struct pl_slice text, size_t at, struct pl_slice value, size_t *steps)
{
    size_t i = 0;
    for (int c; *steps > 0 && (c = next_ink(value, &i)) >= 0; --*steps) {
        if (next_ink(text, &at) != c)
            return false;
    }
    return true;
}

static bool holds(struct pl_slice text, struct pl_slice value)
{
    size_t steps = STEPS_MOST;
    for (size_t at = 0; at <= text.len; at++) {
        if (starts_with(text, at, value, &steps))
            return true;
    }
    return false;
}

static bool holds_exactly(struct pl_slice text, struct pl_slice value)
{
    return value.len == 0 || (text.len > 0 && memmem(text.ptr, text.len, value.ptr, value.len) != NULL);
}

// Symbols whose reading holds the value as it is, where it can be encoded at all.
static bool is_literal(const struct platen_element *e)
{
    return e->symbology && pl_slice_is_one_of(pl_slice_cstr(e->symbology),
                                              "qr|datamatrix|aztec|pdf417|micropdf417|ean13|ean8|interleaved2of5");
}

// A value of ^BQ may begin with the switches (QA, or HM,): they are not in the symbol, nor are those of manual mode.
static bool has_switches(const struct platen_element *e, struct pl_slice value)
{
    size_t steps = STEPS_MOST;
    return strcmp(e->symbology, "qr") == 0 && value.len >= 3 && value.ptr[2] == ',' &&
           starts_with(pl_slice_make(e->data, e->data_size), 0, value, &steps);
}

static bool has_value(const struct platen_element *e, struct pl_slice value)
{
    struct pl_slice data = pl_slice_make(e->data, e->data_size), read = pl_slice_make(e->decoded_data, e->decoded_size);
    if (!is_literal(e) || e->decoded != 1)
        return holds(data, value);
    if (!has_switches(e, value))
        return holds_exactly(read, value);
    return (value.ptr[1] | 0x20) == 'm' || holds_exactly(read, pl_slice_sub(value, 3, value.len));
}

// A value that the field should have and does not; false: it has all of them.
static bool lacks_value(const struct fill_check *f, const struct filled_field *field, struct pl_slice *name)
{
    const struct rw_row *row = &f->rows->rows[field->row - 1];
    for (uint32_t i = field->first; i < field->end; i++) {
        const struct rw_command *c = &f->template->commands[i];
        struct pl_slice value;
        if (rw_is(c, "^FN") && rw_number_value(row, c, name, &value)) // data of its own is not printed then
            return !has_value(field->element, value);
    }
    for (uint32_t i = field->first; i < field->end; i++) {
        const struct rw_command *c = &f->template->commands[i];
        struct pl_slice value;
        for (size_t at = 0; (rw_is(c, "^FD") || rw_is(c, "^FV")) && at < c->data.len; at++) {
            if (rw_placeholder(c->data, at, name) && rw_row_value(row, *name, &value) &&
                !has_value(field->element, value))
                return true;
        }
    }
    return false;
}

// ---- labels

static const struct sampled *find_sampled(const struct fill_check *f, uint32_t label, uint32_t offset, uint32_t *cursor)
{
    for (uint32_t i = *cursor; i < f->sampled_count && f->sampled[i].label <= label; i++) {
        if (f->sampled[i].label == label && f->sampled[i].offset == offset) {
            *cursor = i + 1;
            return &f->sampled[i];
        }
    }
    return NULL;
}

// Returns whether the field is useless for its row, which was noted.
static bool check_use(struct fill_check *f, const struct filled_field *field, const struct sampled *sample)
{
    const struct platen_element *e = field->element;
    if (field->row == 0) // of a label beside those of the rows
        return false;
    uint32_t before = f->findings.count[1];
    bool same_as_sample = sample && !field->has_value;
    bool fails = e->symbology && (e->width == 0 || e->decoded == 0 || (e->decoded == 1 && e->matches == 0));
    if (fails && !(same_as_sample && !sample->readable))
        RW_FINDING(&f->findings, PL_DIAG_REWRITE_UNREADABLE, field->source, "Row %u: the barcode %s.", field->row,
                   e->width == 0     ? "cannot be drawn"
                   : e->decoded == 0 ? "cannot be read"
                                     : "reads as other data");
    if (sample && sample->inside && !e->inside_label)
        RW_FINDING(&f->findings, PL_DIAG_REWRITE_OUTSIDE, field->source,
                   "Row %u: the field is not inside the label: it is %u x %u dots at %d,%d.", field->row, e->width,
                   e->height, e->x, e->y);
    if (e->clipped && !(sample && sample->clipped))
        RW_FINDING(&f->findings, PL_DIAG_REWRITE_OUTSIDE, field->source, "Row %u: the text does not fit its block.",
                   field->row);
    return f->findings.count[1] > before;
}

// Values that are no bytes of the character set are noted once, at the data, not for each row.
static bool is_noted_by_filling(const struct fill_check *f, struct pl_source s)
{
    const struct pl_diag *notes = f->findings.diags->items;
    for (uint32_t i = 0; i < f->notes_before; i++) {
        const struct pl_source *n = &notes[i].source;
        bool at_data =
            strcmp(n->command, "^FD") == 0 || strcmp(n->command, "^FV") == 0 || strcmp(n->command, "^FN") == 0;
        if (at_data && n->offset < s.offset + s.length && s.offset < n->offset + n->length)
            return true;
    }
    return false;
}

static void check_field(struct fill_check *f, const struct filled_field *field, const struct sampled *sample)
{
    const struct platen_element *e = field->element;
    struct pl_slice name;
    bool is_noted = check_use(f, field, sample) || is_noted_by_filling(f, field->source);
    if (field->has_value) {
        if (field->row > 0 && !field->counts && !is_noted && lacks_value(f, field, &name))
            RW_FINDING(&f->findings, PL_DIAG_REWRITE, field->source,
                       "Row %u: the field prints something else than the value of '%.*s'.", field->row,
                       (int)PL_MIN(name.len, (size_t)40), (const char *)name.ptr);
        return;
    }
    if (!sample || !field->is_placed || field->counts)
        return;
    bool resized = e->width != sample->width || e->height != sample->height;
    if (resized || e->x != sample->x || e->y != sample->y)
        RW_FINDING(
            &f->findings, resized ? PL_DIAG_REWRITE_RESIZED : PL_DIAG_REWRITE_MOVED, field->source,
            "Row %u: the field has no value and is %u x %u dots at %d,%d; in another row it is %u x %u at %d,%d.",
            field->row, e->width, e->height, e->x, e->y, sample->width, sample->height, sample->x, sample->y);
}

static void check_label(struct fill_check *f, uint32_t index, const struct platen_page *page)
{
    uint32_t label = f->label_count ? index % f->label_count : UINT32_MAX, cursor = 0, kept = 0, expected = 0;
    struct pl_source source = {0};
    for (uint32_t i = 0; i < page->element_count; i++) {
        struct filled_field field = field_of(f, f->places, &page->elements[i]);
        const struct sampled *sample = find_sampled(f, label, field.source.offset, &cursor);
        check_field(f, &field, sample);
        kept += sample && !sample->has_value;
        source = field.source;
    }
    for (uint32_t i = 0; i < f->sampled_count; i++)
        expected += f->sampled[i].label == label && !f->sampled[i].has_value;
    if (f->label_count && kept < expected)
        RW_FINDING(&f->findings, PL_DIAG_REWRITE, source, "Label %u lacks %u fields that have no values.", index + 1,
                   expected - kept);
}

// Parameters that have values may change everything.
static bool has_open_parameters(const struct rw_document *doc)
{
    for (uint32_t i = 0; i < doc->count; i++) {
        if (rw_has_open_items(&doc->commands[i]))
            return true;
    }
    return false;
}

// Does the command at this place of the template have parameters with values? A command that was added has the place of
// the next one.
static bool is_open_at(const struct rw_document *doc, uint32_t offset)
{
    for (uint32_t i = first_command(doc, offset); i < doc->count && doc->commands[i].origin == offset; i++) {
        if (rw_has_open_items(&doc->commands[i]))
            return true;
    }
    return false;
}

// Values that a parameter cannot have: what is drawn is the default or the nearest value.
static void check_parameters(struct fill_check *f, const struct platen_document *document)
{
    struct platen_diagnostic d;
    for (uint32_t i = 0; platen_diagnostic_at(document, i, &d); i++) {
        struct pl_source source = rw_origin(f->places, d.offset, d.length);
        uint32_t row = row_at(f->rows, d.offset);
        if (d.parameter > 0 && row > 0 && is_open_at(f->template, source.offset))
            RW_FINDING(&f->findings, PL_DIAG_REWRITE, source, "Row %u: %s", row, d.message);
    }
    if (platen_diagnostics_dropped(document) > 0)
        RW_FINDING(&f->findings, PL_DIAG_REWRITE, (struct pl_source){0},
                   "The values of further parameters were not checked: the code has too many problems.");
}

static bool keep_sampled(struct fill_check *f, const struct rw_places *places, uint32_t label,
                         const struct platen_page *page)
{
    for (uint32_t i = 0; i < page->element_count; i++) {
        const struct platen_element *e = &page->elements[i];
        struct filled_field field = field_of(f, places, e);
        if (!PL_ARENA_GROW(&f->arena, f->sampled, f->sampled_count, f->sampled_capacity, 64))
            return false;
        f->sampled[f->sampled_count++] = (struct sampled){.label = label,
                                                          .offset = field.source.offset,
                                                          .x = e->x,
                                                          .y = e->y,
                                                          .width = e->width,
                                                          .height = e->height,
                                                          .inside = e->inside_label,
                                                          .clipped = e->clipped,
                                                          .readable = rw_reads(e),
                                                          .has_value = field.has_value};
    }
    return true;
}

// Draws all labels of a code: as the sample, or to be checked. `sample` are the places of the sample's code.
static enum platen_status draw_labels(struct fill_check *f, struct pl_slice code, const struct rw_places *sample)
{
    struct platen_document *document;
    const struct platen_rewrite_options *o = f->options;
    const struct platen_options drawing =
        PLATEN_OPTIONS(.width_mm = o->width_mm, .height_mm = o->height_mm, .dpmm = o->dpmm, .want_elements = true,
                       .verify = true, .rules = "none", .has_time = true, .collapse_copies = true, .cancel = o->cancel,
                       .deadline_ns = o->deadline_ns);
    enum platen_status status = platen_parse(f->worker, code.ptr, code.len, &drawing, &document, &f->err);
    if (status != PLATEN_OK)
        return status;
    uint32_t count = platen_label_count(document);
    if (sample && !has_open_parameters(f->template))
        f->label_count = count;
    else if (!sample && f->label_count && count != (uint64_t)f->label_count * f->rows->count) {
        RW_FINDING(&f->findings, PL_DIAG_REWRITE, (struct pl_source){0},
                   "The code prints %u labels; each of %u rows should give %u.", count, f->rows->count, f->label_count);
        f->label_count = 0;
    }
    if (!sample && has_open_parameters(f->template))
        check_parameters(f, document);
    for (uint32_t i = 0; i < count && status == PLATEN_OK; i++) {
        const struct platen_page *page;
        status = platen_draw(f->worker, document, i, &page, &f->err);
        if (status == PLATEN_OK && !sample)
            check_label(f, i, page);
        else if (status == PLATEN_OK && !keep_sampled(f, sample, i, page))
            status = pl_public_fail(&f->err, PLATEN_E_MEMORY, "no memory for the fields");
    }
    platen_document_free(document);
    return status;
}

// Values that are wrong for a parameter may keep the sample from being filled in: then there is none.
static enum platen_status draw_sample(struct fill_check *f)
{
    struct rw_row row = {.sample = pl_slice_cstr(SAMPLE)};
    const struct rw_rows rows = {.rows = &row, .count = 1}, *asked = f->rows;
    struct pl_diags unheard;
    struct pl_arena arena;
    struct rw_places places = {.arena = &f->arena}; // filling gives the arena of the document back
    struct pl_buf filled;
    struct pl_error err;
    enum platen_status status = PLATEN_OK;
    pl_arena_init(&arena, f->worker->engine->limits.arena_bytes);
    pl_diags_init(&unheard, &arena, 0);
    pl_buf_init(&filled, CODE_MOST);
    struct rw_document own = {.arena = &arena,
                              .diags = &unheard,
                              .job = f->template->job,
                              .input = f->template->input,
                              .places = f->template->places};
    own.start = pl_arena_mark(&arena);
    f->rows = &rows;
    if (rw_read(&own, &err) == PL_OK && rw_fill(&own, &rows, false, &filled, &places, &err) == PL_OK)
        status = draw_labels(f, pl_buf_slice(&filled), &places);
    f->rows = asked;
    pl_buf_fini(&filled);
    pl_arena_fini(&arena);
    return status;
}

enum pl_errc rw_verify_fill(struct platen_worker *worker, const struct rw_document *template,
                            const struct rw_rows *rows, struct pl_slice filled, const struct rw_places *places,
                            const struct platen_rewrite_options *options, struct pl_error *err)
{
    struct fill_check f = {.worker = worker,
                           .template = template,
                           .rows = rows,
                           .places = places,
                           .options = options,
                           .findings = {.diags = template->diags},
                           .notes_before = template->diags->count};
    pl_arena_init(&f.arena, worker->engine->limits.arena_bytes);
    enum platen_status status = draw_sample(&f);
    if (status == PLATEN_OK)
        status = draw_labels(&f, filled, NULL);
    pl_arena_fini(&f.arena);
    return rw_findings_end(&f.findings, status, &f.err, err);
}
