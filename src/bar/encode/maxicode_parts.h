// Inside the MaxiCode encoder: characters to codewords, and where their bits lie.
#ifndef PL_BAR_ENCODE_MAXICODE_PARTS_H
#define PL_BAR_ENCODE_MAXICODE_PARTS_H

#include "bar/encode/maxicode.h"

#define PL_MAXICODE_CODEWORDS 144 // of six bits
#define PL_MAXICODE_BITS (PL_MAXICODE_CODEWORDS * 6)

// In place of a bit's number: a cell that is always light (under the finder, beside an odd row) or always dark.
enum { PL_MAXICODE_LIGHT = PL_MAXICODE_BITS, PL_MAXICODE_DARK };

enum {
    PL_MAXICODE_PAD = 33,   // in the sets A and B
    PL_MAXICODE_LATCH = 63, // from A to B, from all others to A or B: pads can follow
};

// Which bit each cell shows; the most significant bit of the first codeword is 0.
extern const uint16_t pl_maxicode_bit_of_cell[PL_MAXICODE_ROWS][PL_MAXICODE_COLUMNS];

// The codeword of a character in set A; -1: it is in another.
int pl_maxicode_in_set_a(uint8_t character);
// Writes the message to `codewords`, from set A on, where there are at most `room` of them, and returns how many it
// takes. More than `room`: nothing is written.
uint32_t pl_maxicode_write(struct pl_slice message, uint8_t *codewords, uint32_t room);
// Adds the check codewords to the data, which stands from codeword 0 (primary) and 20 on, and shows all as cells.
enum pl_errc pl_maxicode_finish(uint8_t *codewords, uint32_t mode, struct pl_arena *arena, struct pl_bitmap *cells,
                                struct pl_error *err) PL_MUST_USE;

#endif
