// What is asked of the PDF417 and MicroPDF417 encoders.
#ifndef PL_BAR_ENCODE_PDF417_OPTIONS_H
#define PL_BAR_ENCODE_PDF417_OPTIONS_H

#include "base/arena.h"
#include "base/slice.h"
#include "raster/bitmap.h"

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

struct pl_micropdf417_options {
    int32_t size;      // place in the standard's list of columns and rows, from 0 to 33; -1: smallest
    uint32_t columns;  // with size -1: 0 any, else 1 to 4
    uint32_t min_rows; // with size -1
    bool linked;       // to a linear symbol, as in TLC39
    struct pl_pdf_rules rules;
};

#endif
