// Writing the json and base64 results.
#include "result_json.h"

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

bool label_part_failed(const struct label_part *part)
{
    return part->members.failed || part->warnings.failed || part->found.text.failed;
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
    list->part->warning_count++;
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

void result_json_open(struct result_json *result, uint32_t pages, struct pl_buf *out)
{
    struct http_json_out json;
    http_json_out_init(&json, out);
    http_json_object(&json);
    put_envelope(&json, result, pages);
    pl_buf_append_cstr(out, ",\"labels\":[");
}

void result_json_page(uint32_t page, struct pl_buf *out)
{
    pl_buf_append_cstr(out, page > 0 ? "},{\"index\":" : "{\"index\":");
    pl_buf_append_u64(out, page);
    pl_buf_append_byte(out, ',');
}

void result_json_note(struct result_json *result, const struct label_part *part)
{
    if (part->warning_count == 0)
        return;
    struct pl_buf *all = &result->warnings;
    struct pl_slice list = pl_slice_sub(pl_buf_slice(&part->warnings), 1, part->warnings.len - 2); // without brackets
    // What follows one that was left out is left out, too.
    if (result->left_out > 0 || all->max - all->len <= list.len) {
        result->left_out += part->warning_count;
        return;
    }
    if (all->len > 0)
        pl_buf_append_byte(all, ',');
    pl_buf_append_slice(all, list);
}

void result_json_forget(struct result_json *result)
{
    pl_buf_clear(&result->warnings);
    result->left_out = 0;
}

bool result_json_outside(const struct result_json *result, const struct platen_diagnostic *d)
{
    return d->label < 0 || (uint32_t)d->label < result->first || (uint32_t)d->label - result->first >= result->count;
}

void result_json_put_warnings(const struct result_json *result, struct pl_buf *out)
{
    struct http_json_out json;
    struct platen_diagnostic d;
    pl_buf_append_cstr(out, "\"warnings\":");
    http_json_out_init(&json, out);
    http_json_array(&json);
    report_unknown_controls(&json, result->controls);
    uint32_t total = platen_diagnostic_count(result->document);
    for (uint32_t i = 0; i < total; i++) {
        if (platen_diagnostic_at(result->document, i, &d) && result_json_outside(result, &d))
            report_diagnostic(&json, &d);
    }
    if (result->warnings.len > 0)
        http_json_raw(&json, pl_buf_slice(&result->warnings));
    http_json_end(&json);
    if (result->left_out > 0) {
        pl_buf_append_cstr(out, ",\"warningsLeftOut\":");
        pl_buf_append_u64(out, result->left_out);
    }
    pl_buf_inherit(out, &result->warnings);
}

void result_json_close(const struct result_json *result, struct pl_buf *out)
{
    pl_buf_append_cstr(out, "}],");
    result_json_put_warnings(result, out);
    pl_buf_append_byte(out, '}');
}
