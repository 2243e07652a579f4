// One label of the description: its elements and its diagnostics.
#include "base/base64.h"
#include "base/lengths.h"
#include "describe/describe.h"
#include "describe/fixes.h"
#include "render/render.h"

void pl_describe_box(struct pl_json_writer *out, int64_t x, int64_t y, uint32_t width, uint32_t height)
{
    pl_json_kv_i64(out, "x", x);
    pl_json_kv_i64(out, "y", y);
    pl_json_kv_u64(out, "width", width);
    pl_json_kv_u64(out, "height", height);
}

void pl_describe_diagnostic(struct pl_json_writer *out, const struct platen_diagnostic *d, struct pl_slice fix)
{
    pl_json_object(out);
    pl_json_kv_cstr(out, "code", d->code);
    pl_json_kv_cstr(out, "severity", platen_severity_name(d->severity));
    pl_json_kv_cstr(out, "command", d->command ? d->command : "");
    if (d->parameter)
        pl_json_kv_u64(out, "parameter", d->parameter);
    pl_json_kv_u64(out, "offset", d->offset);
    pl_json_kv_u64(out, "length", d->length);
    pl_json_kv_u64(out, "line", d->line);
    pl_json_kv_u64(out, "column", d->column);
    pl_json_key(out, "label");
    if (d->label >= 0)
        pl_json_i64(out, d->label);
    else
        pl_json_null(out);
    if (d->element >= 0)
        pl_json_kv_i64(out, "element", d->element);
    if (d->missing_mm > 0)
        pl_json_kv_double(out, "missingMm", (double)(int64_t)(d->missing_mm * 1000 + 0.5) / 1000);
    pl_json_kv_cstr(out, "message", d->message);
    if (fix.len > 0) {
        pl_json_key(out, "fix");
        pl_json_raw(out, fix);
    }
    pl_json_end(out);
}

// The width of a barcode's module as the print head of this density prints it.
static double module_mm(const struct platen_element *e, double dpmm)
{
    return pl_dots_mm(e->module_dots, dpmm);
}

static void put_truth(struct pl_json_writer *out, const char *name, int32_t value)
{
    pl_json_key(out, name);
    if (value < 0)
        pl_json_null(out);
    else
        pl_json_bool(out, value > 0);
}

// What reading back gave.
static void put_reading(struct pl_json_writer *out, const struct platen_element *e)
{
    put_truth(out, "decoded", e->decoded);
    if (e->decoded > 0 || e->decoded_size > 0) { // of a composite the linear part alone
        pl_json_kv_slice(out, "decodedData", pl_slice_make(e->decoded_data, e->decoded_size));
        put_truth(out, "matches", e->matches);
    }
    if (e->no_reader_reason)
        pl_json_kv_cstr(out, "reason", e->no_reader_reason);
    if (e->lines_tried) {
        pl_json_kv_u64(out, "linesRead", e->lines_read);
        pl_json_kv_u64(out, "linesTried", e->lines_tried);
    }
    if (e->read_as_seen >= 0)
        pl_json_kv_bool(out, "readAsSeen", e->read_as_seen > 0);
    if (e->margin)
        pl_json_kv_cstr(out, "margin", e->margin);
}

static void put_barcode(struct pl_json_writer *out, const struct platen_element *e, double dpmm, double min_module_mm)
{
    pl_json_kv_cstr(out, "symbology", e->symbology ? e->symbology : "");
    pl_json_kv_u64(out, "moduleDots", e->module_dots);
    pl_json_key(out, "moduleMm");
    pl_json_double(out, (double)(int64_t)(module_mm(e, dpmm) * 1000 + 0.5) / 1000);
    pl_json_kv_bool(out, "quietZoneOk", e->quiet_zone_ok);
    if (e->quiet_width && e->quiet_height) {
        pl_json_kv_object(out, "quietZone");
        pl_describe_box(out, e->quiet_x, e->quiet_y, e->quiet_width, e->quiet_height);
        pl_json_end(out);
    }
    if (min_module_mm > 0)
        pl_json_kv_bool(out, "moduleOk", module_mm(e, dpmm) + 1e-9 >= min_module_mm);
    if (e->decoded >= 0 || e->no_reader_reason)
        put_reading(out, e);
}

static void put_place(struct pl_json_writer *out, const struct platen_place_source *p)
{
    pl_json_kv_object(out, "place");
    pl_json_kv_cstr(out, "command", p->command);
    pl_json_kv_u64(out, "offset", p->offset);
    pl_json_kv_u64(out, "length", p->length);
    pl_json_kv_i64(out, "x", p->x);
    pl_json_kv_u64(out, "xOffset", p->x_offset);
    pl_json_kv_u64(out, "xLength", p->x_length);
    pl_json_kv_double(out, "stepX", p->step_x);
    pl_json_kv_i64(out, "y", p->y);
    pl_json_kv_u64(out, "yOffset", p->y_offset);
    pl_json_kv_u64(out, "yLength", p->y_length);
    pl_json_kv_double(out, "stepY", p->step_y);
    pl_json_kv_double(out, "unitDots", p->unit_dots);
    pl_json_end(out);
}

void pl_describe_elements(struct pl_json_writer *out, const struct platen_page *page)
{
    pl_json_array(out);
    uint32_t count = platen_page_element_count(page);
    for (uint32_t i = 0; i < count; i++) {
        struct platen_element e;
        if (!platen_page_element_at(page, i, &e))
            continue;
        pl_json_object(out);
        pl_json_kv_cstr(out, "type", e.type_name);
        pl_json_kv_cstr(out, "command", e.command);
        pl_describe_box(out, e.x, e.y, e.width, e.height);
        pl_json_kv_u64(out, "rotation", e.rotation);
        if (e.data)
            pl_json_kv_slice(out, "data", pl_slice_make(e.data, e.data_size));
        if (e.text)
            pl_json_kv_slice(out, "text", pl_slice_make(e.text, e.text_size));
        if (e.type == PLATEN_BARCODE)
            put_barcode(out, &e, page->dpmm, page->min_module_mm);
        if (e.type == PLATEN_TEXT)
            pl_json_kv_bool(out, "clipped", e.clipped);
        if (e.reverse)
            pl_json_kv_bool(out, "reverse", true);
        pl_json_kv_bool(out, "insideLabel", e.inside_label);
        pl_json_kv_array(out, "overlaps");
        for (uint32_t k = 0; k < e.overlap_count; k++)
            pl_json_u64(out, e.overlaps[k]);
        pl_json_end(out);
        if (e.overlaps_left_out)
            pl_json_kv_u64(out, "overlapsLeftOut", e.overlaps_left_out);
        pl_json_kv_u64(out, "offset", e.offset);
        pl_json_kv_u64(out, "length", e.length);
        if (e.data_length) {
            pl_json_kv_u64(out, "dataOffset", e.data_offset);
            pl_json_kv_u64(out, "dataLength", e.data_length);
        }
        struct platen_place_source place;
        if (platen_page_place_source_at(page, i, &place))
            put_place(out, &place);
        pl_json_end(out);
    }
    pl_json_end(out);
}

struct warning_list {
    struct pl_json_writer out;
    uint32_t count;
    struct pl_diagnostic_watch also;
    const struct platen_page *page;
    struct pl_buf fix; // of the one that is being added
};

static void add_warning(struct warning_list *list, const struct platen_diagnostic *d)
{
    pl_fix_describe(list->page->document, list->page, d, &list->fix);
    pl_describe_diagnostic(&list->out, d, pl_buf_slice(&list->fix));
    list->count++;
    if (list->also.seen)
        list->also.seen(list->also.context, d);
}

uint32_t pl_describe_warnings(const struct platen_document *document, const struct platen_page *page,
                              struct pl_diagnostic_watch also, struct pl_buf *out)
{
    struct warning_list list = {.also = also, .page = page};
    struct platen_diagnostic d;
    pl_buf_init(&list.fix, SIZE_MAX / 2);
    pl_json_writer_init(&list.out, out);
    pl_json_array(&list.out);
    for (uint32_t i = 0; platen_diagnostic_at(document, i, &d); i++) {
        if (d.label == (int32_t)page->label)
            add_warning(&list, &d);
    }
    for (uint32_t i = 0; platen_page_diagnostic_at(page, i, &d); i++)
        add_warning(&list, &d);
    pl_json_end(&list.out);
    pl_buf_take_over(out, &list.fix);
    return list.count;
}

static void put_picture(struct pl_slice png, struct pl_buf *out)
{
    pl_buf_append_cstr(out, ",\"mimeType\":\"image/png\",\"encoding\":\"base64\",\"data\":\"");
    uint8_t *at = pl_buf_reserve(out, pl_base64_encoded_size(png.len));
    if (at)
        out->len += pl_base64_encode(png, (char *)at);
    pl_buf_printf(out, "\",\"sizeBytes\":%zu", png.len);
}

void pl_describe_members(const struct platen_document *document, const struct platen_page *page,
                         const struct platen_describe_options *options, struct pl_slice png, struct pl_slice warnings,
                         struct pl_buf *out)
{
    struct platen_label label = {.copies = 1};
    platen_label_at(document, page->label, &label);
    pl_buf_printf(out, "\"copies\":%u", document->options.collapse_copies ? label.copies : 1);
    if (!options->no_png)
        put_picture(png, out);
    if (!options->no_elements) {
        struct pl_json_writer json;
        pl_buf_append_cstr(out, ",\"elements\":");
        pl_json_writer_init(&json, out);
        pl_describe_elements(&json, page);
        pl_buf_append_cstr(out, ",\"warnings\":");
        pl_buf_append_slice(out, warnings);
    }
}
