// A block of deflate (RFC 1951) with codes of its own, from tokens whose matches copy the byte before or the row above.
#ifndef PL_ENC_DEFLATE_BLOCK_H
#define PL_ENC_DEFLATE_BLOCK_H

#include <stdbool.h>

#include "base/buf.h"
#include "enc/huffman.h"
#include "enc/rows_scan.h"

#define PL_DEFLATE_MIN_MATCH 3u
#define PL_DEFLATE_MAX_MATCH 258u

// Appends the block; bits that do not fill a byte stay in `writer`. row_distance 0: no token copies the row above.
// False: there was no memory for it.
bool pl_deflate_block(const uint16_t *tokens, size_t count, uint32_t row_distance, bool final,
                      struct pl_bit_writer *writer, struct pl_buf *out);

#endif
