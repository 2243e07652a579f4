// Code 128: from data to symbol characters, in the four modes of ^BC.
#ifndef PL_BAR_CODE128_H
#define PL_BAR_CODE128_H

#include "base/arena.h"
#include "base/slice.h"
#include "raster/bitmap.h"

#define PL_CODE128_DATA_MAX 2048

enum pl_code128_value {
    PL_C128_FNC3 = 96,
    PL_C128_FNC2 = 97,
    PL_C128_SHIFT = 98,
    PL_C128_CODE_C = 99,
    PL_C128_CODE_B = 100,
    PL_C128_CODE_A = 101,
    PL_C128_FNC1 = 102,
    PL_C128_START_A = 103,
    PL_C128_START_B = 104,
    PL_C128_START_C = 105
};

struct pl_code128 {
    uint8_t *values; // with start, without check and stop
    uint32_t count, cap;
    uint8_t *text; // what the symbol says to a human
    uint32_t text_length;
    uint32_t dropped; // characters of the data that are not in the symbol
    uint32_t padded;  // zeros added (mode U)
    uint32_t cut;     // digits cut off (mode U)
};

// `mode`: N U A D. PL_E_INVALID when nothing is left to encode, or too much.
enum pl_errc pl_code128_encode(struct pl_slice data, char mode, struct pl_arena *arena, struct pl_code128 *out,
                               struct pl_error *err) PL_MUST_USE;
// Check character and stop are added here. One row of modules.
enum pl_errc pl_code128_modules(const struct pl_code128 *code, struct pl_arena *arena, struct pl_bitmap *out,
                                struct pl_error *err) PL_MUST_USE;

// The modules of a symbol character (11, the first in bit 10) or of the stop pattern, value 106 (13, the first in bit
// 12).
uint32_t pl_code128_pattern(uint32_t value);

#endif
