// The search for a face that has a character which the label's font lacks.
#ifndef PL_FONT_FACE_FALLBACK_H
#define PL_FONT_FACE_FALLBACK_H

#include "font/face/text_font.h"

// A linked font (^FL) that has the character, then one of the fallbacks, else the box. `glyph` is its glyph.
struct pl_sized_face pl_fallback_find(struct pl_faces *faces, const struct pl_text_font *font, uint32_t codepoint,
                                      uint32_t *glyph);

// Characters that no linked font had either, each once, in the order of the search. They are kept from the last
// pl_fallback_begin_document on, PL_MAX_SEARCHED at most.
void pl_fallback_begin_document(struct pl_faces *faces);
bool pl_fallback_searched_at(const struct pl_faces *faces, uint32_t index, uint32_t *character);

#endif
