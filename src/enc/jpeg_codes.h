// The Huffman codes of our JPEG pictures: fixed tables, of which each picture carries a copy.
#ifndef PL_ENC_JPEG_CODES_H
#define PL_ENC_JPEG_CODES_H

#include <stdint.h>

// A table as JPEG describes it: how many codes there are of each length from 1 to 16, and their symbols in the order
// of the codes. A symbol is a size of a DC difference, or run * 16 + size of an AC coefficient.
struct pl_jpeg_table {
    const uint8_t *counts, *symbols;
    unsigned symbol_count;
};

#define PL_JPEG_END_OF_BLOCK 0x00
#define PL_JPEG_SIXTEEN_ZEROS 0xF0

extern const struct pl_jpeg_table pl_jpeg_dc, pl_jpeg_ac;

#endif
