// The font files for scripts that are looked for on the system.
#ifndef PL_FONT_FACE_SYSTEM_FONTS_H
#define PL_FONT_FACE_SYSTEM_FONTS_H

#include "font/face/faces.h"

// Maps the files of the table that are installed; a file that is not is no failure.
enum pl_errc pl_system_fonts_load(struct pl_fonts *fonts, struct pl_error *err) PL_MUST_USE;
void pl_system_fonts_unload(struct pl_fonts *fonts);
// The sizes that the table has for a file of this name, without its folder; false: it is not in the table.
bool pl_system_font_sizes(const char *name, int32_t *height_1000, int32_t *width_1000);

#endif
