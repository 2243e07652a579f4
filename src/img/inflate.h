// zlib streams.
#ifndef PL_IMG_INFLATE_H
#define PL_IMG_INFLATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

enum pl_inflate_result {
    PL_INFLATE_OK,
    PL_INFLATE_TOO_LONG, // there is more than fits; the buffer is full
    PL_INFLATE_BAD,      // the stream is damaged; the buffer holds what came before (fill it with zeros first)
    PL_INFLATE_NO_MEMORY
};

enum pl_inflate_result pl_inflate(struct pl_slice in, uint8_t *out, size_t capacity, size_t *written);

#endif
