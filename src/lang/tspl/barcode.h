// Barcodes: content out of the data of commands.
#ifndef PL_TSPL_BARCODE_H
#define PL_TSPL_BARCODE_H

#include "lang/tspl/state.h"

// An element with a symbol of this kind at the place of the first two arguments. *out is NULL where the command is to
// be ignored.
enum pl_errc tspl_start_barcode(struct tspl *t, const struct tspl_args *a, enum pl_symbology symbology,
                                struct pl_element **out) PL_MUST_USE;
// Data that is the last argument; false: it is no text, which is reported.
bool tspl_set_data(struct tspl *t, const struct tspl_args *a, struct pl_barcode *b);
// Bare bytes by count instead of a quoted text: they begin behind the comma of argument `i`.
void tspl_set_counted(struct tspl *t, const struct tspl_args *a, unsigned i, int32_t count, struct pl_barcode *b);
// Reports an argument that has no meaning.
void tspl_note_unread(struct tspl *t, const struct tspl_args *a, unsigned i);
// Adds it, or reports that there is no data.
enum pl_errc tspl_add_barcode(struct tspl *t, const struct tspl_args *a, struct pl_element *e) PL_MUST_USE;

// Content and caption of manual Code 128.
enum pl_errc tspl_read_code128_manual(struct tspl *t, struct pl_barcode *b, bool gs1) PL_MUST_USE;

#endif
