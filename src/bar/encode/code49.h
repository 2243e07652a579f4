// Code 49: rows of 70 modules.
#ifndef PL_BAR_ENCODE_CODE49_H
#define PL_BAR_ENCODE_CODE49_H

#include "base/arena.h"
#include "base/content.h"
#include "raster/bitmap.h"

#define PL_CODE49_LENGTH_MAX 81 // digits, of which a symbol holds most

struct pl_code49 {
    struct pl_bitmap modules;
    struct pl_slice text; // what a reader says
    size_t used;          // codes of the content that are a valid sequence; the rest is left out
};
// mode -1: the content is ASCII. 0 to 5: it is in characters of the code, in this starting mode, with marks SHIFT for
// the controls 43 (number 0: Shift 1) to 48 (number 5: the numeric shift).
// PL_E_INVALID with a sentence in `err`: the content cannot be encoded.
enum pl_errc pl_code49_encode(struct pl_content content, int32_t mode, struct pl_arena *arena, struct pl_code49 *out,
                              struct pl_error *err) PL_MUST_USE;

#endif
