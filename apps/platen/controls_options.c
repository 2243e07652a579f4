// The render controls as options of libplaten.
#include "controls_options.h"

// Are barcodes to be checked? Elements in JSON say so, and who is strict, verifies or names rules wants it in any
// format.
static bool wants_checks(const struct controls *c)
{
    return c->format == OUTPUT_JSON || c->strict || c->verify || controls_has(c, CONTROL_RULES);
}

struct platen_options controls_options(const struct controls *c)
{
    bool checks = wants_checks(c);
    const char *rules = "none", *summary;
    if (checks && (!controls_has(c, CONTROL_RULES) || !platen_rule_set_at(c->rules, &rules, &summary)))
        rules = NULL; // the default
    double width_mm = c->fit_size && !controls_has(c, CONTROL_WIDTH_MM) ? 0 : c->width_mm;
    double height_mm = c->fit_size && !controls_has(c, CONTROL_HEIGHT_MM) ? 0 : c->height_mm;
    return (struct platen_options)PLATEN_OPTIONS(.width_mm = width_mm, .height_mm = height_mm, .dpmm = c->dpmm,
                                                 .quality = c->grayscale ? PLATEN_GRAYSCALE : PLATEN_BITONAL,
                                                 .profile = c->printer ? PLATEN_PRINTER : PLATEN_REFERENCE,
                                                 .rotation = c->rotation, .collapse_copies = c->collapse,
                                                 .want_elements = checks || c->format == OUTPUT_PDF ||
                                                                  controls_has(c, CONTROL_MIN_MODULE_MM),
                                                 .verify = c->verify, .rules = rules, .min_module_mm = c->min_module_mm,
                                                 .fit_size = c->fit_size);
}

struct platen_describe_options controls_description(const struct controls *c)
{
    return (struct platen_describe_options)PLATEN_DESCRIBE_OPTIONS(.no_elements = c->format == OUTPUT_BASE64);
}
