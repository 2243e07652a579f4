// What a printer remembers from one input to the next, as label code.
#ifndef PL_TSPL_MEMORY_H
#define PL_TSPL_MEMORY_H

#include "lang/tspl/state.h"

void tspl_printer_defaults(struct tspl *t);
// The printer as an input before this one left it, or as it is switched on.
enum pl_errc tspl_start_after(struct tspl *t, const struct tspl *before) PL_MUST_USE;

// See struct pl_lang_memory.
void pl_tspl_write_settings(const void *end, struct pl_buf *out);
void pl_tspl_write_object(const struct pl_object *object, const struct pl_bitmap *picture, struct pl_buf *out);
void pl_tspl_settings(const void *end, struct pl_lang_settings *out);
const struct pl_lang_answers *pl_tspl_answers(const void *end);

#endif
