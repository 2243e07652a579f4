// Data Matrix ECC 000 to 140: square symbols with convolutional codes.
#ifndef PL_BAR_ENCODE_DATAMATRIX_LEGACY_H
#define PL_BAR_ENCODE_DATAMATRIX_LEGACY_H

#include "base/arena.h"
#include "base/slice.h"
#include "raster/bitmap.h"

struct pl_datamatrix_legacy_options {
    uint32_t quality; // 0, 50, 80, 100 or 140
    uint32_t format;  // 1 to 6
    uint32_t side;    // 9 to 49, odd; 0: smallest
};
// PL_E_INVALID with a sentence in `err`: the data cannot be encoded with these options.
enum pl_errc pl_datamatrix_legacy_encode(struct pl_slice data, const struct pl_datamatrix_legacy_options *options,
                                         struct pl_arena *arena, struct pl_bitmap *modules,
                                         struct pl_error *err) PL_MUST_USE;

#endif
