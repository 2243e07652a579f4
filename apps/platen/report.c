// Elements and diagnostics as JSON, and as Labelary's X-Warnings header.
#include <stdio.h>
#include <string.h>

#include "report.h"

#include "base/ckd.h"
#include "base/fmt.h"

static const char *severity_name(enum platen_severity severity)
{
    switch (severity) {
    case PLATEN_INFO:
        return "info";
    case PLATEN_WARNING:
        return "warning";
    case PLATEN_ERROR:
        return "error";
    }
    return "warning";
}

void report_diagnostic(struct http_json_out *out, const struct platen_diagnostic *d)
{
    http_json_object(out);
    http_json_kv_cstr(out, "code", d->code);
    http_json_kv_cstr(out, "severity", severity_name(d->severity));
    http_json_kv_cstr(out, "command", d->command ? d->command : "");
    if (d->parameter)
        http_json_kv_u64(out, "parameter", d->parameter);
    http_json_kv_u64(out, "offset", d->offset);
    http_json_kv_u64(out, "length", d->length);
    http_json_kv_u64(out, "line", d->line);
    http_json_kv_u64(out, "column", d->column);
    http_json_key(out, "label");
    if (d->label >= 0)
        http_json_i64(out, d->label);
    else
        http_json_null(out);
    http_json_kv_cstr(out, "message", d->message);
    http_json_end(out);
}

static double module_mm(const struct platen_element *e, const struct controls *controls)
{
    // The nominal densities are print heads of whole dpi; a module is as wide as they print it.
    static const struct {
        double dpmm, dpi;
    } heads[] = {{6, 152}, {8, 203}, {12, 304}, {24, 609}};
    for (size_t i = 0; i < PL_COUNTOF(heads); i++) {
        if (heads[i].dpmm == controls->dpmm)
            return e->module_dots * 25.4 / heads[i].dpi;
    }
    return e->module_dots / controls->dpmm;
}

static void report_barcode(struct http_json_out *out, const struct platen_element *e, const struct controls *controls)
{
    http_json_kv_cstr(out, "symbology", e->symbology ? e->symbology : "");
    http_json_kv_u64(out, "moduleDots", e->module_dots);
    http_json_key(out, "moduleMm");
    http_json_double(out, (double)(int64_t)(module_mm(e, controls) * 1000 + 0.5) / 1000);
    http_json_kv_bool(out, "quietZoneOk", e->quiet_zone_ok);
    if (e->quiet_width && e->quiet_height) {
        http_json_key(out, "quietZone");
        http_json_object(out);
        http_json_kv_i64(out, "x", e->quiet_x);
        http_json_kv_i64(out, "y", e->quiet_y);
        http_json_kv_u64(out, "width", e->quiet_width);
        http_json_kv_u64(out, "height", e->quiet_height);
        http_json_end(out);
    }
    if (controls_has(controls, CONTROL_MIN_MODULE_MM))
        http_json_kv_bool(out, "moduleOk", module_mm(e, controls) + 1e-9 >= controls->min_module_mm);
}

void report_elements(struct http_json_out *out, const struct platen_page *page, const struct controls *controls)
{
    http_json_array(out);
    uint32_t count = platen_page_element_count(page);
    for (uint32_t i = 0; i < count; i++) {
        struct platen_element e;
        if (!platen_page_element_at(page, i, &e))
            continue;
        http_json_object(out);
        http_json_kv_cstr(out, "type", e.type_name);
        http_json_kv_cstr(out, "command", e.command);
        http_json_kv_i64(out, "x", e.x);
        http_json_kv_i64(out, "y", e.y);
        http_json_kv_u64(out, "width", e.width);
        http_json_kv_u64(out, "height", e.height);
        http_json_kv_u64(out, "rotation", e.rotation);
        if (e.data)
            http_json_kv_slice(out, "data", pl_slice_make(e.data, e.data_size));
        if (e.text)
            http_json_kv_slice(out, "text", pl_slice_make(e.text, e.text_size));
        if (e.type == PLATEN_BARCODE)
            report_barcode(out, &e, controls);
        if (e.type == PLATEN_TEXT)
            http_json_kv_bool(out, "clipped", e.clipped);
        if (e.reverse)
            http_json_kv_bool(out, "reverse", true);
        http_json_kv_bool(out, "insideLabel", e.inside_label);
        http_json_key(out, "overlaps");
        http_json_array(out);
        for (uint32_t k = 0; k < e.overlap_count; k++)
            http_json_u64(out, e.overlaps[k]);
        http_json_end(out);
        http_json_kv_u64(out, "offset", e.offset);
        http_json_kv_u64(out, "length", e.length);
        if (e.data_length) {
            http_json_kv_u64(out, "dataOffset", e.data_offset);
            http_json_kv_u64(out, "dataLength", e.data_length);
        }
        http_json_end(out);
    }
    http_json_end(out);
}

// "widthMM" as a diagnostic: the name is cut and cleaned, since it comes from outside.
static void unknown_control(struct pl_slice name, char text[120], struct platen_diagnostic *d)
{
    char shown[33];
    size_t n = 0;
    for (; n < name.len && n < sizeof shown - 1; n++)
        shown[n] = name.ptr[n] >= 0x20 && name.ptr[n] < 0x7F ? (char)name.ptr[n] : '?';
    shown[n] = '\0';
    snprintf(text, 120, "There is no control '%s'; it was ignored.", shown);
    *d = (struct platen_diagnostic){
        .code = "unknown_field", .severity = PLATEN_WARNING, .message = text, .command = "", .label = -1};
}

void report_unknown_controls(struct http_json_out *out, const struct controls *controls)
{
    for (uint32_t i = 0; i < controls->unknown_count; i++) {
        char text[120];
        struct platen_diagnostic d;
        unknown_control(controls->unknown[i], text, &d);
        report_diagnostic(out, &d);
    }
}

// Lines counted up to places at equal distances, so that any place is found from the one before it.
#define LINE_MARKS 512
struct line_marks {
    struct pl_slice zpl;
    size_t step; // 0: not yet counted
    struct {
        uint32_t lines, line_start; // line ends before the mark, and where its line begins
    } at[LINE_MARKS];
};

// Goes on from `from` to `to`.
static void count_lines(struct pl_slice zpl, size_t from, size_t to, uint32_t *lines, uint32_t *line_start)
{
    uint32_t found = 0;
    for (size_t i = from; i < to; i++)
        found += zpl.ptr[i] == '\n';
    if (found > 0)
        *line_start = (uint32_t)((const uint8_t *)memrchr(zpl.ptr + from, '\n', to - from) - zpl.ptr) + 1;
    *lines += found;
}

static void locate(struct line_marks *marks, struct platen_diagnostic *d)
{
    struct pl_slice zpl = marks->zpl;
    if (marks->step == 0) {
        marks->step = zpl.len / LINE_MARKS + 1;
        uint32_t lines = 0, line_start = 0;
        for (size_t i = 0; i < LINE_MARKS; i++) {
            marks->at[i].lines = lines;
            marks->at[i].line_start = line_start;
            size_t from = PL_MIN(i * marks->step, zpl.len);
            count_lines(zpl, from, PL_MIN(from + marks->step, zpl.len), &lines, &line_start);
        }
    }
    size_t end = PL_MIN((size_t)d->offset, zpl.len), mark = PL_MIN(end / marks->step, (size_t)LINE_MARKS - 1);
    uint32_t lines = marks->at[mark].lines, line_start = marks->at[mark].line_start;
    count_lines(zpl, mark * marks->step, end, &lines, &line_start);
    d->line = lines + 1;
    d->column = d->offset - line_start + 1;
}

void report_narrow_modules(const struct platen_page *page, int32_t label, const struct controls *controls,
                           struct pl_slice zpl, void (*found)(void *context, const struct platen_diagnostic *d),
                           void *context)
{
    if (!controls_has(controls, CONTROL_MIN_MODULE_MM))
        return;
    struct line_marks marks;
    marks.zpl = zpl;
    marks.step = 0;
    uint32_t count = platen_page_element_count(page);
    for (uint32_t i = 0; i < count; i++) {
        struct platen_element e;
        if (!platen_page_element_at(page, i, &e) || e.type != PLATEN_BARCODE || e.module_dots == 0 ||
            module_mm(&e, controls) + 1e-9 >= controls->min_module_mm)
            continue;
        char narrow[PL_FMT_DOUBLE_MAX], wanted[PL_FMT_DOUBLE_MAX], text[160];
        pl_format_fixed(module_mm(&e, controls), 3, narrow);
        pl_format_double(controls->min_module_mm, wanted);
        snprintf(text, sizeof text, "The barcode's module is %s mm wide; at least %s mm was asked for.", narrow,
                 wanted);
        struct platen_diagnostic d = {.code = "module_below_minimum",
                                      .severity = PLATEN_WARNING,
                                      .message = text,
                                      .command = e.command,
                                      .offset = e.offset,
                                      .length = e.length,
                                      .label = label};
        locate(&marks, &d);
        found(context, &d);
    }
}

#define HEADER_WARNINGS 20
#define HEADER_BYTES 4096

// The separator and whatever is not printable ASCII may not stand in a field: an unknown command may be ^||.
static void append_field(struct pl_buf *text, const char *field)
{
    for (const char *c = field; *c; c++) {
        uint8_t byte = (uint8_t)*c;
        if (byte >= 0x80 && byte < 0xC0)
            continue; // the rest of a character already shown as '?'
        pl_buf_append_byte(text, byte == '|' ? '/' : byte < 0x20 || byte > 0x7E ? '?' : byte);
    }
}

void warning_header_add(struct warning_header *header, const struct platen_diagnostic *d)
{
    if (d->severity == PLATEN_INFO)
        return;
    header->count++;
    if (header->shown == HEADER_WARNINGS || header->text.len > HEADER_BYTES)
        return;
    header->shown++;
    struct pl_buf *text = &header->text;
    if (text->len > 0)
        pl_buf_append_byte(text, '|');
    pl_buf_append_u64(text, d->offset);
    pl_buf_append_byte(text, '|');
    pl_buf_append_u64(text, d->length);
    pl_buf_append_byte(text, '|');
    append_field(text, d->command ? d->command : "");
    pl_buf_append_byte(text, '|');
    if (d->parameter)
        pl_buf_append_u64(text, d->parameter);
    pl_buf_append_byte(text, '|');
    append_field(text, d->message);
}

void warning_header_add_unknown(struct warning_header *header, const struct controls *controls)
{
    for (uint32_t i = 0; i < controls->unknown_count; i++) {
        char text[120];
        struct platen_diagnostic d;
        unknown_control(controls->unknown[i], text, &d);
        warning_header_add(header, &d);
    }
}

void warning_header_join(struct warning_header *header, const struct warning_header *more)
{
    header->count += more->count;
    struct pl_slice rest = pl_buf_slice(&more->text);
    for (uint32_t i = 0; i < more->shown; i++) {
        if (header->shown == HEADER_WARNINGS || header->text.len > HEADER_BYTES)
            return;
        // A warning has five fields and none of them the separator in it.
        size_t end = 0;
        for (unsigned fields = 0; end < rest.len; end++) {
            if (rest.ptr[end] == '|' && ++fields == 5)
                break;
        }
        if (header->text.len > 0)
            pl_buf_append_byte(&header->text, '|');
        pl_buf_append_slice(&header->text, pl_slice_sub(rest, 0, end));
        rest = pl_slice_sub(rest, end + 1, rest.len);
        header->shown++;
    }
    if (more->text.failed)
        header->text.failed = true;
}
