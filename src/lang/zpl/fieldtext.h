// Field data on its way from bytes to characters.
#ifndef PL_ZPL_FIELDTEXT_H
#define PL_ZPL_FIELDTEXT_H

#include "lang/zpl/charset.h"
#include "scene/scene.h"

struct zpl;

enum pl_errc zpl_text_chars(struct zpl *z, struct pl_slice bytes, const struct zpl_charset *charset,
                            enum pl_block_kind block, struct pl_source source, struct pl_text *out) PL_MUST_USE;

// The commonest mistake with character sets: UTF-8 under the default set prints as two or three wrong letters each, and
// what a printer encodes in a barcode depends on its firmware.
void zpl_hint_at_utf8(struct zpl *z, struct pl_slice bytes, const struct zpl_charset *charset, struct pl_source source);

#endif
