// The render controls as options of libplaten.
#include "controls_options.h"

struct platen_options controls_options(const struct controls *c)
{
    bool wants_elements = c->format == OUTPUT_JSON || c->format == OUTPUT_PDF || controls_has(c, CONTROL_MIN_MODULE_MM);
    double width_mm = c->fit_size && !controls_has(c, CONTROL_WIDTH_MM) ? 0 : c->width_mm;
    double height_mm = c->fit_size && !controls_has(c, CONTROL_HEIGHT_MM) ? 0 : c->height_mm;
    return (struct platen_options)PLATEN_OPTIONS(.width_mm = width_mm, .height_mm = height_mm, .dpmm = c->dpmm,
                                                 .quality = c->grayscale ? PLATEN_GRAYSCALE : PLATEN_BITONAL,
                                                 .rotation = c->rotation, .collapse_copies = c->collapse,
                                                 .want_elements = wants_elements, .fit_size = c->fit_size);
}

struct platen_describe_options controls_description(const struct controls *c)
{
    return (struct platen_describe_options)PLATEN_DESCRIBE_OPTIONS(.no_elements = c->format == OUTPUT_BASE64,
                                                                   .min_module_mm = c->min_module_mm);
}
