// Writing the json and base64 results.
#include "result_json.h"

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
    pl_buf_append_cstr(out, "\"warnings\":");
    http_json_out_init(&json, out);
    http_json_array(&json);
    report_unknown_controls(&json, result->controls);
    for (uint32_t i = 0; i < result->findings.count; i++) {
        if (result_json_outside(result, &result->findings.items[i]))
            report_diagnostic(&json, &result->findings.items[i]);
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
