// Code 128: from content to symbol characters, and from these to modules.
#ifndef PL_BAR_ENCODE_CODE128_H
#define PL_BAR_ENCODE_CODE128_H

#include "base/arena.h"
#include "base/content.h"
#include "raster/bitmap.h"

#define PL_CODE128_LENGTH_MAX 2048                            // of the data
#define PL_CODE128_VALUES_MAX (2 * PL_CODE128_LENGTH_MAX + 1) // start, and FNC4 before every byte
#define PL_CODE128_CASE_DIGITS 19                             // without their check digit

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
    // Of a case code: its digits; characters that are none and were left out; zeros that were added; digits that were
    // cut off.
    uint8_t digits[PL_CODE128_CASE_DIGITS + 1];
    uint32_t dropped, padded, cut;
};

// PL_E_INVALID with a sentence in `err`, from all three: there is nothing to encode, or too much.
// Bytes and marks for FNC1 in the subsets that need few characters. gs1: FNC1 goes before them.
enum pl_errc pl_code128_encode(struct pl_content content, bool gs1, struct pl_arena *arena, struct pl_code128 *out,
                               struct pl_error *err) PL_MUST_USE;
// FNC1, 19 digits and their check digit.
enum pl_errc pl_code128_encode_case(struct pl_slice data, struct pl_arena *arena, struct pl_code128 *out,
                                    struct pl_error *err) PL_MUST_USE;
// The content is symbol characters by value (0 to 105), a start character first and only there.
enum pl_errc pl_code128_encode_values(struct pl_content content, struct pl_arena *arena, struct pl_code128 *out,
                                      struct pl_error *err) PL_MUST_USE;
// Check character and stop are added here. One row of modules.
enum pl_errc pl_code128_modules(const struct pl_code128 *code, struct pl_arena *arena, struct pl_bitmap *out,
                                struct pl_error *err) PL_MUST_USE;

// The modules of a symbol character (11, the first in bit 10) or of the stop pattern, value 106 (13, the first in bit
// 12).
uint32_t pl_code128_pattern(uint32_t value);

#endif
