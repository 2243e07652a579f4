// Check symbols of Reed-Solomon codes over GF(2^m): Data Matrix, Aztec, MaxiCode, QR.
#ifndef PL_BAR_ENCODE_REED_SOLOMON_H
#define PL_BAR_ENCODE_REED_SOLOMON_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define PL_RS_MAX_BITS 12
#define PL_RS_MAX_SYMBOLS 1664 // data and check symbols of one block: Aztec with 32 layers
#define PL_RS_MAX_BYTES 255    // the same where symbols are bytes

// One code, made ready once and used for all blocks of a symbol.
struct pl_rs {
    uint32_t bits;
    uint32_t count;  // check symbols
    uint32_t stride; // of the rows: `count` rounded up so that rows are whole vectors
    // The generator polynomial (without its leading 1) times each value of each four bits of a symbol: multiplying it
    // by a symbol is the XOR of two or three rows, which compilers turn into vector instructions.
    uint16_t *rows;
};

// `polynomial` is the field's, leading bit included; the generator's roots are `count` powers of a, from a^first (0 or
// 1) on. bits is 4 to 12, count 1 to 2^bits - 2 and at most PL_RS_MAX_SYMBOLS. NULL: no memory.
const struct pl_rs *pl_rs_new(struct pl_arena *arena, uint32_t bits, uint32_t polynomial, uint32_t first,
                              uint32_t count) PL_MUST_USE;
// words: `length` data symbols, behind them room for `count` check symbols, which are written in sending order.
// length + count is at most PL_RS_MAX_SYMBOLS; the data symbols are kept.
void pl_rs_encode(const struct pl_rs *rs, uint16_t *words, size_t length);
// The same of bytes that take turns with those of other blocks: each `step` behind the one before, check symbols
// `check_step`. length + count is at most PL_RS_MAX_BYTES.
void pl_rs_encode_bytes(const struct pl_rs *rs, const uint8_t *data, size_t step, size_t length, uint8_t *checks,
                        size_t check_step);

#endif
