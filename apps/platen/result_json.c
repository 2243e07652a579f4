// Writing the json and base64 results.
#include "result_json.h"

#include <stdio.h>

#include "base/base64.h"

#define PART_BYTES ((size_t)128 << 20) // what one label may add to a result

void label_part_init(struct label_part *part)
{
    *part = (struct label_part){0};
    pl_buf_init(&part->members, PART_BYTES);
    pl_buf_init(&part->warnings, PART_BYTES);
    pl_buf_init(&part->found.text, 16384);
}

void label_part_free(struct label_part *part)
{
    pl_buf_fini(&part->members);
    pl_buf_fini(&part->warnings);
    pl_buf_fini(&part->found.text);
    platen_buffer_free(&part->file);
}

// The warnings of a part while they are written.
struct warning_list {
    struct label_part *part;
    struct http_json_out out;
};

static void add_warning(void *context, const struct platen_diagnostic *d)
{
    struct warning_list *list = context;
    report_diagnostic(&list->out, d);
    warning_header_add(&list->part->found, d);
}

void result_json_warnings(const struct platen_document *document, const struct platen_page *page, uint32_t label,
                          const struct controls *controls, struct pl_slice zpl, struct label_part *part)
{
    struct warning_list list = {.part = part};
    struct platen_diagnostic d;
    http_json_out_init(&list.out, &part->warnings);
    http_json_array(&list.out);
    uint32_t count = platen_diagnostic_count(document);
    for (uint32_t i = 0; i < count; i++) {
        if (platen_diagnostic_at(document, i, &d) && d.label == (int32_t)label)
            add_warning(&list, &d);
    }
    count = platen_page_diagnostic_count(page);
    for (uint32_t i = 0; i < count; i++) {
        if (platen_page_diagnostic_at(page, i, &d))
            add_warning(&list, &d);
    }
    report_narrow_modules(page, (int32_t)label, controls, zpl, add_warning, &list);
    http_json_end(&list.out);
}

void result_json_members(const struct platen_document *document, const struct platen_page *page, uint32_t label,
                         const struct controls *controls, struct label_part *part)
{
    struct platen_label info = {.copies = 1};
    platen_label_at(document, label, &info);
    struct pl_buf *buf = &part->members;
    pl_buf_printf(buf, "\"copies\":%u,\"mimeType\":\"image/png\",\"encoding\":\"base64\",\"data\":\"",
                  controls->collapse ? info.copies : 1);
    struct pl_slice png = pl_slice_make(part->file.data, part->file.size);
    uint8_t *at = pl_buf_reserve(buf, pl_base64_encoded_size(png.len));
    if (at)
        buf->len += pl_base64_encode(png, (char *)at);
    pl_buf_printf(buf, "\",\"sizeBytes\":%zu", png.len);
    if (controls->format == OUTPUT_JSON) {
        struct http_json_out out;
        pl_buf_append_cstr(buf, ",\"elements\":");
        http_json_out_init(&out, buf);
        report_elements(&out, page, controls);
        pl_buf_append_cstr(buf, ",\"warnings\":");
        pl_buf_append_slice(buf, pl_buf_slice(&part->warnings));
    }
}

bool result_json_outside(const struct result_json *result, const struct platen_diagnostic *d)
{
    return d->label < 0 || (uint32_t)d->label < result->first ||
           (uint32_t)d->label - result->first >= result->part_count;
}

void result_json_all_warnings(struct http_json_out *out, const struct result_json *result)
{
    struct platen_diagnostic d;
    report_unknown_controls(out, result->controls);
    uint32_t total = platen_diagnostic_count(result->document);
    for (uint32_t i = 0; i < total; i++) {
        if (platen_diagnostic_at(result->document, i, &d) && result_json_outside(result, &d))
            report_diagnostic(out, &d);
    }
    for (uint32_t i = 0; i < result->part_count; i++) {
        struct pl_slice list = pl_buf_slice(&result->parts[i].warnings);
        if (list.len > 2) // without the brackets
            http_json_raw(out, pl_slice_sub(list, 1, list.len - 2));
    }
}

static void put_envelope(struct http_json_out *out, const struct result_json *result, uint32_t pages)
{
    const struct controls *c = result->controls;
    struct platen_options options = {.width_mm = c->width_mm, .height_mm = c->height_mm, .dpmm = c->dpmm};
    uint32_t width = 0, height = 0;
    platen_size_in_dots(result->engine, &options, &width, &height, NULL); // parsing has checked the size
    bool lying = c->rotation % 180 != 0;
    http_json_kv_bool(out, "ok", true);
    http_json_kv_cstr(out, "format", output_name(c->format));
    http_json_kv_double(out, "widthMm", c->width_mm);
    http_json_kv_double(out, "heightMm", c->height_mm);
    http_json_kv_double(out, "dpmm", c->dpmm);
    http_json_kv_u64(out, "widthPx", lying ? height : width);
    http_json_kv_u64(out, "heightPx", lying ? width : height);
    http_json_kv_u64(out, "rotation", c->rotation);
    http_json_kv_cstr(out, "quality", c->grayscale ? "grayscale" : "bitonal");
    http_json_kv_u64(out, "count", pages);
}

bool result_json_write(struct http_json_out *out, const struct result_json *result, uint32_t pages, size_t most)
{
    http_json_object(out);
    put_envelope(out, result, pages);
    http_json_key(out, "labels");
    http_json_array(out);
    for (uint32_t page = 0; page < pages; page++) {
        uint32_t label = 0;
        platen_label_of_page(result->document, page, &label);
        char start[32];
        int n = snprintf(start, sizeof start, "{\"index\":%u,", page);
        http_json_raw(out, pl_slice_make(start, (size_t)n));
        pl_buf_append_slice(out->buf, pl_buf_slice(&result->parts[label].members));
        pl_buf_append_byte(out->buf, '}');
        if (out->buf->len > most)
            return false;
    }
    http_json_end(out);
    http_json_key(out, "warnings");
    http_json_array(out);
    result_json_all_warnings(out, result);
    http_json_end(out);
    http_json_end(out);
    return true;
}
