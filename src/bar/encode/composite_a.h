// The 2D part of a composite symbol in its smallest form, CC-A (ISO/IEC 24723), by the general method.
#ifndef PL_BAR_ENCODE_COMPOSITE_A_H
#define PL_BAR_ENCODE_COMPOSITE_A_H

#include "base/arena.h"
#include "base/slice.h"
#include "raster/bitmap.h"

// Modules of a row by columns of codewords (2 to 4); 0: there is no such symbol.
uint32_t pl_composite_a_width(uint32_t columns);
// `elements`: an element string with GS behind elements of free length. PL_E_INVALID: it needs a larger form, or has a
// character that GS1 does not have. A row of `modules` is a row of the symbol.
enum pl_errc pl_composite_a_encode(struct pl_slice elements, uint32_t columns, struct pl_arena *arena,
                                   struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;

#endif
