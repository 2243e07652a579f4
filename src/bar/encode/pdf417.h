// PDF417 and MicroPDF417, alone and in series: one row of modules per symbol row.
#ifndef PL_BAR_ENCODE_PDF417_H
#define PL_BAR_ENCODE_PDF417_H

#include "base/arena.h"
#include "base/slice.h"
#include "raster/bitmap.h"

// PL_E_INVALID with a sentence in `err`, from all of these: the data cannot be encoded with these options.

// Where encoders may choose. All 0: as the reference does.
struct pl_pdf_rules {
    // Digits of a numeric block beside others, and groups of digits have one latch; 0: the block depends on its
    // neighbours, and each group has a latch.
    uint8_t least_digits;
    uint8_t latch_run; // so many capitals or signs in a row are worth a latch, fewer are shifted; 0: two
    bool pads_in_turn; // MicroPDF417: pad codewords of a series of eight; otherwise all are the same
};

struct pl_pdf417_options {
    uint32_t columns, rows; // 0: automatic
    uint32_t security;      // 0 to 8
    bool truncated;
    struct pl_pdf_rules rules;
};
enum pl_errc pl_pdf417_encode(struct pl_slice data, const struct pl_pdf417_options *options, struct pl_arena *arena,
                              struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;

struct pl_micropdf417_options {
    int32_t size;      // place in the standard's list of columns and rows, from 0 to 33; -1: smallest
    uint32_t columns;  // with size -1: 0 any, else 1 to 4
    uint32_t min_rows; // with size -1
    bool linked;       // to a linear symbol, as in TLC39
    struct pl_pdf_rules rules;
};
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
