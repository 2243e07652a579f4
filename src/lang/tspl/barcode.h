// Barcodes: content out of the data of commands.
#ifndef PL_TSPL_BARCODE_H
#define PL_TSPL_BARCODE_H

#include "lang/tspl/state.h"

// An element with a symbol of this kind at the place of the first two arguments; NULL: no memory.
struct pl_element *tspl_new_barcode(struct tspl *t, const struct tspl_args *a, int32_t x, int32_t y,
                                    enum pl_symbology symbology);
// Adds it, or reports that there is no data.
enum pl_errc tspl_add_barcode(struct tspl *t, const struct tspl_args *a, struct pl_element *e) PL_MUST_USE;

// Readers: each sets content (and caption) of the symbol; false: the data cannot be encoded, which is reported.
enum pl_errc tspl_read_code39(struct tspl *t, struct pl_barcode *b) PL_MUST_USE; // full ASCII where it needs it
enum pl_errc tspl_read_code93(struct tspl *t, struct pl_barcode *b) PL_MUST_USE;
enum pl_errc tspl_read_code128_manual(struct tspl *t, struct pl_barcode *b, bool gs1) PL_MUST_USE;
enum pl_errc tspl_read_gs1(struct tspl *t, struct pl_barcode *b) PL_MUST_USE; // (01)… with or without brackets

#endif
