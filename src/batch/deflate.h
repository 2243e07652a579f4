// Expanding and checking the files of a ZIP.
#ifndef PL_BATCH_DEFLATE_H
#define PL_BATCH_DEFLATE_H

#include "base/buf.h"

enum pl_inflated {
    PL_INFLATED,
    PL_INFLATE_BAD,   // the bytes are no deflate stream, or it is not whole
    PL_INFLATE_LARGE, // more than the buffer may hold
    PL_INFLATE_MEMORY
};

// Expands a raw deflate stream at the front of `in` into `out`, which it replaces; *used is the stream's length.
enum pl_inflated pl_batch_inflate(struct pl_slice in, struct pl_buf *out, size_t *used);
uint32_t pl_batch_crc32(struct pl_slice data);

#endif
