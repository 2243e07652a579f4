// The interpreter's loop, as commands see it.
#ifndef PL_ZPL_INTERP_H
#define PL_ZPL_INTERP_H

#include "base/diag.h"
#include "store/store.h"

struct zpl;

void zpl_printer_reset(struct zpl *z);    // as after power-on: what ^JUS saved, or the defaults
void zpl_printer_defaults(struct zpl *z); // as it left the factory
// ^XF: the text of a format is carried out next.
enum pl_errc zpl_recall(struct zpl *z, const struct pl_object *format, struct pl_source source) PL_MUST_USE;

#endif
