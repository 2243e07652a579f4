// Field data on its way to bytes.
#ifndef PL_ZPL_FIELDDATA_H
#define PL_ZPL_FIELDDATA_H

#include "base/err.h"
#include "base/slice.h"

struct pl_element;
struct zpl;
struct zpl_pending;

// The bytes of a field on the `step`-th label. *changes is set where they differ from label to label.
enum pl_errc zpl_data_bytes(struct zpl *z, const struct zpl_pending *p, uint64_t step, struct pl_slice *out,
                            bool *changes) PL_MUST_USE;
// Nothing gives data to a number that this element wants: what became of it.
void zpl_note_unbound(struct zpl *z, const struct pl_element *e, int32_t number, const char *what);

#endif
