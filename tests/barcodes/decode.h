// Readers of symbols from their modules, as strict as can be: for tests of the encoders.
#ifndef PL_TESTS_BARCODES_DECODE_H
#define PL_TESTS_BARCODES_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "raster/bitmap.h"

#define DECODE_FNC1 0x100

struct decoded {
    uint16_t *chars; // bytes, or DECODE_FNC1
    size_t count, cap;
};

// false: not a valid symbol (patterns, check character, stop, latches). FNC2, FNC3 are skipped.
bool decode_code128(const struct pl_bitmap *modules, struct decoded *out);
// false: not a valid symbol (function patterns, format, version, Reed-Solomon words, bit stream, padding). Kanji is
// given back as Shift JIS. `mask`: the mask in use.
bool decode_qr(const struct pl_bitmap *modules, struct decoded *out, uint32_t *mask);
// Model 1; the caller says how many blocks there are and how many error correction codewords each has.
bool decode_qr_model1(const struct pl_bitmap *modules, uint32_t blocks, uint32_t checks, struct decoded *out,
                      uint32_t *mask);

// ECC 200. false: not a valid symbol (finder, Reed-Solomon words, codewords, padding). ECIs are skipped.
bool decode_datamatrix(const struct pl_bitmap *modules, struct decoded *out);
// One row of modules for each row of the symbol. false: patterns, indicators, check words or compaction are not valid.
bool decode_pdf417(const struct pl_bitmap *modules, bool truncated, struct decoded *out);
bool decode_micropdf417(const struct pl_bitmap *modules, struct decoded *out);
// No runes. ECIs are skipped.
bool decode_aztec(const struct pl_bitmap *modules, struct decoded *out);
// 70 modules wide, one row of modules for each row of the symbol.
bool decode_code49(const struct pl_bitmap *modules, struct decoded *out);
// CODABLOCK E and F: FNC1 to FNC4 and NUL are given back as the bytes 128 to 132 that stand for them; A: with its
// checks if it has them.
struct pl_codablock;
bool decode_codablock(const struct pl_codablock *symbol, char mode, bool checks, struct decoded *out);

struct decoded_maxicode {
    uint8_t codewords[144];
    uint32_t mode, country, service;
    char postcode[10];
    uint32_t append_index, append_count; // 0: no structured append
    uint32_t used;                       // codewords up to the last character, without the two of structured append
};
// false: not a valid symbol (fixed cells, check codewords, codewords that no set has, characters behind pads).
bool decode_maxicode(const struct pl_bitmap *cells, struct decoded *out, struct decoded_maxicode *more);

#endif
