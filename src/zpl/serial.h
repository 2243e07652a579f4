// Serial numbers (^SN) and masks (^SF).
#ifndef PL_ZPL_SERIAL_H
#define PL_ZPL_SERIAL_H

#include "zpl/interp.h"

// Replaces *data by its value after `step` steps of `increment`.
enum pl_errc zpl_serial_number(struct zpl *z, struct pl_slice *data, int64_t increment, bool zeros,
                               uint64_t step) PL_MUST_USE;
enum pl_errc zpl_serial_mask(struct zpl *z, struct pl_slice *data, struct pl_slice mask, struct pl_slice increment,
                             uint64_t step) PL_MUST_USE;

#endif
