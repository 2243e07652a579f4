// Faces of the system that are looked in for characters which the label's font lacks.
#ifndef PL_FONT_FALLBACK_H
#define PL_FONT_FALLBACK_H

#include "font/writer.h"

// Maps the files that are there; a file that is not there is no failure.
enum pl_errc pl_fallback_load(struct pl_fonts *fonts, struct pl_error *err) PL_MUST_USE;
void pl_fallback_unload(struct pl_fonts *fonts);
// The face that has a character: a linked font, then the faces of the system, else the box. `glyph` is its glyph.
struct pl_sized_face pl_fallback_find(struct pl_writer *writer, const struct pl_text_font *font, uint32_t codepoint,
                                      uint32_t *glyph);

#endif
