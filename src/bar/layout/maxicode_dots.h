// A MaxiCode on whole dots, as printers draw it.
#ifndef PL_BAR_LAYOUT_MAXICODE_DOTS_H
#define PL_BAR_LAYOUT_MAXICODE_DOTS_H

#include "base/arena.h"
#include "raster/bitmap.h"

// The block that a printer places: a blank row and a blank column go before the ink. `cells` are those of
// bar/encode/maxicode.h.
enum pl_errc pl_maxicode_draw_dots(const struct pl_bitmap *cells, uint32_t dpmm, struct pl_arena *arena,
                                   struct pl_bitmap *out, struct pl_error *err) PL_MUST_USE;

#endif
