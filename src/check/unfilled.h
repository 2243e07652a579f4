// What programs leave in data that was never meant for a label: marks of templates in place of values, words for values
// that they do not have, values printed as a program sees them, escapes of other formats, and numbers that a
// spreadsheet rounded. Pure.
#ifndef PL_CHECK_UNFILLED_H
#define PL_CHECK_UNFILLED_H

#include "base/slice.h"

// The first of them in the data of a barcode or in a text; empty: there is none. A text may be about anything, so
// there only what nobody writes for people counts.
struct pl_slice pl_unfilled_find(struct pl_slice data, bool barcode);

// The same value twice, one behind the other: scanned twice into the field. Its length, 0: it is not so.
size_t pl_unfilled_twice(struct pl_slice data);

#endif
