// PDF417 and MicroPDF417, alone and in series: one row of modules per symbol row.
#ifndef PL_BAR_ENCODE_PDF417_H
#define PL_BAR_ENCODE_PDF417_H

#include "bar/encode/pdf417_options.h"

// PL_E_INVALID with a sentence in `err`, from all of these: the data cannot be encoded with these options.

enum pl_errc pl_pdf417_encode(struct pl_slice data, const struct pl_pdf417_options *options, struct pl_arena *arena,
                              struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;

enum pl_errc pl_micropdf417_encode(struct pl_slice data, const struct pl_micropdf417_options *options,
                                   struct pl_arena *arena, struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;

// The data over several symbols of one size (structured append, Macro PDF417), each filled before the next begins.
// `modules` has room for `most` symbols, *count says how many were made; PL_E_INVALID if more would be needed.
enum pl_errc pl_pdf417_encode_series(struct pl_slice data, const struct pl_pdf417_options *options, uint32_t most,
                                     struct pl_arena *arena, struct pl_bitmap *modules, uint32_t *count,
                                     struct pl_error *err) PL_MUST_USE;
// The size must be given (0 to 33).
enum pl_errc pl_micropdf417_encode_series(struct pl_slice data, const struct pl_micropdf417_options *options,
                                          uint32_t most, struct pl_arena *arena, struct pl_bitmap *modules,
                                          uint32_t *count, struct pl_error *err) PL_MUST_USE;

#endif
