// Serial numbers (^SN) and masks (^SF).
#ifndef PL_ZPL_SERIAL_H
#define PL_ZPL_SERIAL_H

#include "base/arena.h"
#include "base/slice.h"

// Replaces *data by its value after `step` steps of `increment`.
enum pl_errc zpl_serial_number(struct pl_arena *arena, struct pl_slice *data, int64_t increment, bool zeros,
                               uint64_t step, struct pl_error *err) PL_MUST_USE;
enum pl_errc zpl_serial_mask(struct pl_arena *arena, struct pl_slice *data, struct pl_slice mask,
                             struct pl_slice increment, uint64_t step, struct pl_error *err) PL_MUST_USE;

#endif
