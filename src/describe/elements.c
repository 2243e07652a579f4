// Elements and diagnostics as JSON.
#include "describe/describe.h"
#include "render/render.h"

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
        pl_json_kv_i64(out, "x", e->quiet_x);
        pl_json_kv_i64(out, "y", e->quiet_y);
        pl_json_kv_u64(out, "width", e->quiet_width);
        pl_json_kv_u64(out, "height", e->quiet_height);
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
        pl_json_kv_i64(out, "x", e.x);
        pl_json_kv_i64(out, "y", e.y);
        pl_json_kv_u64(out, "width", e.width);
        pl_json_kv_u64(out, "height", e.height);
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
