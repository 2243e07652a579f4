// MaxiCode (ISO/IEC 16023): a message to cells, in the codewords that a printer chooses.
#ifndef PL_BAR_ENCODE_MAXICODE_H
#define PL_BAR_ENCODE_MAXICODE_H

#include "base/arena.h"
#include "base/slice.h"
#include "raster/bitmap.h"

#define PL_MAXICODE_ROWS 33
#define PL_MAXICODE_COLUMNS 30 // odd rows have one cell less

struct pl_maxicode_options {
    uint32_t mode;                       // 2 to 6
    const char *postcode;                // mode 2: at most nine digits; mode 3: at most six characters
    uint32_t country, service;           // modes 2 and 3: 0 to 999
    uint32_t append_index, append_count; // structured append, index from 1; a count below 2: none; at most 8
};

bool pl_maxicode_fits(struct pl_slice message, const struct pl_maxicode_options *options);
// Any bytes. PL_E_INVALID: they do not fit. A cell of the symbol is a bit of `cells`; those under the finder are blank.
enum pl_errc pl_maxicode_encode(struct pl_slice message, const struct pl_maxicode_options *options,
                                struct pl_arena *arena, struct pl_bitmap *cells, struct pl_error *err) PL_MUST_USE;

#endif
