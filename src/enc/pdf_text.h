// The invisible text over the pictures of a PDF. Its fonts are of Type 3, with a single glyph that draws nothing; codes
// are handed out as characters occur, 255 a font, and /ToUnicode says what they mean.
#ifndef PL_ENC_PDF_TEXT_H
#define PL_ENC_PDF_TEXT_H

#include "enc/pdf.h"
#include "enc/pdf_objects.h"

#define PL_PDF_FONTS_MAX 64 // characters beyond are left out of the text layer

struct pl_pdf_layer {
    uint32_t *slot_chars; // hash table over the characters used: character + 1, or 0
    uint16_t *slot_codes; // running number of the character
    uint32_t *chars;      // by running number
    uint32_t char_count;
    uint32_t font_objects[PL_PDF_FONTS_MAX];
};

// False: there is not enough memory.
bool pl_pdf_layer_init(struct pl_pdf_layer *layer, struct pl_arena *arena);
// Operators that set the text on a page of that height, `sx` and `sy` points a dot; between BT and ET.
void pl_pdf_layer_put(struct pl_pdf_layer *layer, struct pl_buf *out, const struct pl_pdf_text *text, double sx,
                      double sy, double height_pt);
// The fonts and the dictionary of them that all pages share. *dictionary is its number, or 0: it gets one.
enum pl_errc pl_pdf_layer_fonts(struct pl_pdf_layer *layer, struct pl_pdf_objects *objects, uint32_t *dictionary,
                                struct pl_error *err) PL_MUST_USE;

#endif
