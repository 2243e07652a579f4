// The printer's clock for ^FC fields.
#ifndef PL_ZPL_CLOCK_H
#define PL_ZPL_CLOCK_H

#include "base/date.h"
#include "zpl/interp.h"

// The text of a code such as 'Y' or 'm' on clock 0, 1 or 2, in the character set's bytes; 0: no such code.
size_t zpl_clock_code(const struct zpl *z, unsigned clock, char code, char *out, size_t capacity);

#endif
