// The render controls as options of libplaten.
#include "controls_options.h"

struct platen_options controls_options(const struct controls *c)
{
    bool wants_elements = c->format == OUTPUT_JSON || c->format == OUTPUT_PDF || controls_has(c, CONTROL_MIN_MODULE_MM);
    return (struct platen_options)PLATEN_OPTIONS(.width_mm = c->width_mm, .height_mm = c->height_mm, .dpmm = c->dpmm,
                                                 .quality = c->grayscale ? PLATEN_GRAYSCALE : PLATEN_BITONAL,
                                                 .profile = c->printer ? PLATEN_PRINTER : PLATEN_REFERENCE,
                                                 .rotation = c->rotation, .collapse_copies = c->collapse,
                                                 .want_elements = wants_elements);
}

struct platen_describe_options controls_description(const struct controls *c)
{
    return (struct platen_describe_options)PLATEN_DESCRIBE_OPTIONS(.no_elements = c->format == OUTPUT_BASE64,
                                                                   .min_module_mm = c->min_module_mm);
}
