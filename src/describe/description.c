// The whole description: its head, its labels, and all warnings at its end.
#include "describe/describe.h"

#include "describe/fixes.h"

void pl_description_open(const struct platen_engine *engine, const struct platen_options *label,
                         const struct platen_describe_options *options, uint32_t pages, struct pl_buf *out)
{
    uint32_t width = 0, height = 0;
    struct pl_json_writer json;
    platen_size_in_dots(engine, label, &width, &height, NULL); // parsing has checked the size
    bool sideways = label->rotation % 180 != 0;
    const char *language = "zpl", *title;
    platen_language_names(label->language, &language, &title);
    pl_json_writer_init(&json, out);
    pl_json_object(&json);
    pl_json_kv_bool(&json, "ok", true);
    pl_json_kv_cstr(&json, "format", options->no_elements ? "base64" : "json");
    pl_json_kv_cstr(&json, "language", language);
    pl_json_kv_double(&json, "widthMm", label->width_mm);
    pl_json_kv_double(&json, "heightMm", label->height_mm);
    pl_json_kv_double(&json, "dpmm", label->dpmm);
    pl_json_kv_u64(&json, "widthPx", sideways ? height : width);
    pl_json_kv_u64(&json, "heightPx", sideways ? width : height);
    pl_json_kv_u64(&json, "rotation", label->rotation);
    pl_json_kv_cstr(&json, "quality", label->quality == PLATEN_GRAYSCALE ? "grayscale" : "bitonal");
    pl_json_kv_u64(&json, "count", pages);
    pl_buf_append_cstr(out, ",\"labels\":[");
}

void pl_description_page(uint32_t page, bool first, struct pl_buf *out)
{
    pl_buf_append_cstr(out, first ? "{\"index\":" : "},{\"index\":");
    pl_buf_append_u64(out, page);
    pl_buf_append_byte(out, ',');
}

void pl_description_note(struct pl_description *description, struct pl_slice warnings, uint32_t warning_count)
{
    if (warning_count == 0)
        return;
    struct pl_buf *all = &description->warnings;
    struct pl_slice list = pl_slice_sub(warnings, 1, warnings.len - 2); // without brackets
    // What follows one that was left out is left out, too.
    if (description->left_out > 0 || all->max - all->len <= list.len) {
        description->left_out += warning_count;
        return;
    }
    if (all->len > 0)
        pl_buf_append_byte(all, ',');
    pl_buf_append_slice(all, list);
}

void pl_description_forget(struct pl_description *description)
{
    pl_buf_clear(&description->warnings);
    description->left_out = 0;
}

bool pl_description_outside(const struct pl_description *description, const struct platen_diagnostic *d)
{
    return d->label < 0 || (uint32_t)d->label < description->first ||
           (uint32_t)d->label - description->first >= description->count;
}

void pl_description_warnings(const struct pl_description *description, const struct platen_diagnostic *own,
                             uint32_t own_count, struct pl_buf *out)
{
    struct pl_json_writer json;
    struct pl_buf fix;
    pl_buf_init(&fix, SIZE_MAX / 2);
    pl_buf_append_cstr(out, "\"warnings\":");
    pl_json_writer_init(&json, out);
    pl_json_array(&json);
    for (uint32_t i = 0; i < own_count; i++)
        pl_describe_diagnostic(&json, &own[i], PL_NO_FIX);
    for (uint32_t i = 0; i < description->finding_count; i++) {
        const struct platen_diagnostic *d = &description->findings[i];
        if (!pl_description_outside(description, d))
            continue;
        if (description->document)
            pl_fix_describe(description->document, NULL, d, &fix);
        pl_describe_diagnostic(&json, d,
                               description->fixes ? pl_slice_cstr(description->fixes[i]) : pl_buf_slice(&fix));
    }
    pl_buf_take_over(out, &fix);
    if (description->warnings.len > 0)
        pl_json_raw(&json, pl_buf_slice(&description->warnings));
    pl_json_end(&json);
    if (description->left_out > 0) {
        pl_buf_append_cstr(out, ",\"warningsLeftOut\":");
        pl_buf_append_u64(out, description->left_out);
    }
    pl_buf_inherit(out, &description->warnings);
}

void pl_description_close(const struct pl_description *description, const struct platen_diagnostic *own,
                          uint32_t own_count, struct pl_buf *out)
{
    pl_buf_append_cstr(out, description->count > 0 ? "}]," : "],");
    pl_description_warnings(description, own, own_count, out);
    pl_buf_append_byte(out, '}');
}
