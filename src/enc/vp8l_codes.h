// The prefix codes of VP8L (RFC 9649), and how a picture tells them.
#ifndef PL_ENC_VP8L_CODES_H
#define PL_ENC_VP8L_CODES_H

#include "enc/huffman.h"

#define PL_VP8L_LENGTHS 24u                     // symbols for lengths of copies
#define PL_VP8L_SYMBOLS (256 + PL_VP8L_LENGTHS) // of the largest code, that of green
#define PL_VP8L_DISTANCES 40u

static inline void pl_vp8l_put(struct pl_bit_writer *w, uint64_t value, unsigned count)
{
    pl_bits_put(w, value, count);
    pl_bits_flush(w);
}

// A prefix code of one or two symbols below 256.
void pl_vp8l_put_simple_code(struct pl_bit_writer *w, unsigned count, unsigned first, unsigned second);
// Makes the code for the counts of n symbols, writes it, and leaves codes and lengths for use. Lengths are 0 where one
// symbol needs no bits.
void pl_vp8l_put_code(struct pl_bit_writer *w, const uint32_t *counts, unsigned n, uint8_t *lengths, uint16_t *codes);

#endif
