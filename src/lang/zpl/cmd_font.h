// Which font a letter or a link means.
#ifndef PL_ZPL_CMD_FONT_H
#define PL_ZPL_CMD_FONT_H

#include "scene/text.h"
#include "store/store.h"

struct zpl;

// The fonts that ^FL links to the one of `font`; `missing` is the name of one that should be in its place, or NULL.
enum pl_errc zpl_link_fonts(struct zpl *z, const struct pl_object_name *missing, struct pl_font_ref *font) PL_MUST_USE;
const struct pl_font_file *zpl_font_of_letter(const struct zpl *z, char letter);
// The letter to draw with: another one where ^CW named a font that is not there.
char zpl_font_stand_in(const struct zpl *z, char letter);

#endif
