// Text of elements: fonts by their names, bytes to characters.
#ifndef PL_TSPL_TEXT_H
#define PL_TSPL_TEXT_H

#include "lang/tspl/state.h"

const struct pl_charset *tspl_codepage_find(struct pl_slice name); // NULL: there is none of that name
// The font of a name, enlarged. Multipliers of outline fonts are their size in points.
enum pl_errc tspl_font(struct tspl *t, const struct tspl_args *a, struct pl_slice name, double mx, double my,
                       struct pl_font_ref *out) PL_MUST_USE;
// Font 1 or 2, for the lines of barcodes.
struct pl_font_ref tspl_caption_font(int32_t module);
// Bytes by the code page, or the set of a Chinese or Korean font. `breaks`: line ends become U+000A, otherwise they are
// left out.
enum pl_errc tspl_chars(struct tspl *t, const struct tspl_args *a, struct pl_slice font, struct pl_slice bytes,
                        bool breaks, struct pl_text *out) PL_MUST_USE;

#endif
