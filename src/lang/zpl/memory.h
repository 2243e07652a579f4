// What a printer remembers from one input to the next, as label code: an input that begins with it continues where the
// input before ended. It is written with the control codes that stand for prefixes and delimiters (STX, ETX, RS, DLE,
// US), so it means the same whatever ^CC, ^CT and ^CD say.
#ifndef PL_ZPL_MEMORY_H
#define PL_ZPL_MEMORY_H

#include "lang/lang.h"

// See struct pl_lang_memory. An object that cannot be written (a ~DB font sent under other prefixes that holds the
// usual ones) is left out.
void pl_zpl_write_settings(const void *end, struct pl_buf *out);
void pl_zpl_write_saved(const void *end, struct pl_buf *out);
void pl_zpl_write_object(const struct pl_object *object, const struct pl_bitmap *picture, struct pl_buf *out);
void pl_zpl_settings(const void *end, struct pl_lang_settings *out);
const struct pl_lang_answers *pl_zpl_answers(const void *end);

// The rows of a bitmap as bytes, the leftmost dot in the highest bit.
void zpl_put_bitmap_rows(struct pl_buf *out, const struct pl_bitmap *bits);

#endif
