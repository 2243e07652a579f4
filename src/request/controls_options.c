// The render controls as options of libplaten.
#include "request/controls.h"

// Are barcodes to be checked? Elements in JSON say so, and who is strict, verifies or names rules wants it in any
// format.
static bool wants_checks(const struct control_values *c)
{
    return c->format == OUTPUT_JSON || c->strict || c->verify || control_values_have(c, CONTROL_RULES);
}

void controls_set_size(struct control_values *c, double width_mm, double height_mm)
{
    c->width_mm = width_mm;
    c->height_mm = height_mm;
    c->given |= UINT64_C(1) << CONTROL_WIDTH_MM | UINT64_C(1) << CONTROL_HEIGHT_MM;
}

struct platen_options controls_given_options(const struct control_values *c)
{
    const char *rules = NULL, *summary;
    struct platen_printer_model model = {0};
    platen_printer_model_at(c->printer_model, &model);
    if (control_values_have(c, CONTROL_RULES) && !platen_rule_set_at(c->rules, &rules, &summary))
        rules = NULL;
    return (struct platen_options)
        PLATEN_OPTIONS(.width_mm = control_values_have(c, CONTROL_WIDTH_MM) ? c->width_mm : 0,
                       .height_mm = control_values_have(c, CONTROL_HEIGHT_MM) ? c->height_mm : 0,
                       .dpmm = control_values_have(c, CONTROL_DPMM) ? c->dpmm : 0, .quality = c->quality,
                       .profile = c->profile, .rotation = c->rotation, .collapse_copies = c->copies == COPIES_COLLAPSE,
                       .has_time = control_values_have(c, CONTROL_TIME), .time = c->time, .verify = c->verify,
                       .rules = rules, .min_module_mm = c->min_module_mm, .fit_size = c->fit_size,
                       .language = c->language, .printer_model = model.name);
}

struct platen_options controls_options(const struct control_values *c)
{
    struct platen_options o = controls_given_options(c);
    bool checks = wants_checks(c);
    o.dpmm = c->dpmm;
    o.has_time = false;
    o.time = 0;
    o.want_elements =
        checks || c->format == OUTPUT_PDF || control_values_have(c, CONTROL_MIN_MODULE_MM) || c->printer_model > 0;
    if (!checks)
        o.rules = "none";
    return o;
}

struct platen_encode_options controls_encoding(const struct control_values *c)
{
    return (struct platen_encode_options)PLATEN_ENCODE_OPTIONS(.jpeg_quality = c->jpeg_quality);
}

struct platen_describe_options controls_description(const struct control_values *c)
{
    return (struct platen_describe_options)PLATEN_DESCRIBE_OPTIONS(.no_elements = c->format == OUTPUT_BASE64);
}

bool controls_layout(const struct control_values *c, struct platen_pdf_layout *out)
{
    bool any = false;
    for (int i = 0; i < CONTROL_COUNT; i++)
        any = any || (control_row((enum control)i)->scope == SCOPE_PDFS && control_values_have(c, (enum control)i));
    *out = c->layout;
    double w = out->page_width_mm, h = out->page_height_mm;
    // A size is given upright or lying; the orientation says which it is to be.
    if (control_values_have(c, CONTROL_PAGE_ORIENTATION) && (c->landscape ? w < h : w > h)) {
        out->page_width_mm = h;
        out->page_height_mm = w;
    }
    return any;
}
