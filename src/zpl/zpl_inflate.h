// zlib streams of :Z64: data and PNG images.
#ifndef PL_ZPL_INFLATE_H
#define PL_ZPL_INFLATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

enum zpl_inflate_result {
    ZPL_INFLATE_OK,
    ZPL_INFLATE_TOO_LONG, // there is more than fits; the buffer is full
    ZPL_INFLATE_BAD,      // the stream is damaged; the buffer holds what came before (fill it with zeros first)
    ZPL_INFLATE_NO_MEMORY
};

enum zpl_inflate_result zpl_inflate(struct pl_slice in, uint8_t *out, size_t capacity, size_t *written);

#endif
