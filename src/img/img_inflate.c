// zlib streams through libdeflate. The caller's buffer is the bound: a bomb stops there.
#include "img/inflate.h"

#include <libdeflate.h>

enum pl_inflate_result pl_inflate(struct pl_slice in, uint8_t *out, size_t capacity, size_t *written)
{
    *written = 0;
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    if (!d)
        return PL_INFLATE_NO_MEMORY;
    enum libdeflate_result result = libdeflate_zlib_decompress(d, in.ptr, in.len, out, capacity, written);
    libdeflate_free_decompressor(d);
    switch (result) {
    case LIBDEFLATE_SUCCESS:
        return PL_INFLATE_OK;
    case LIBDEFLATE_INSUFFICIENT_SPACE:
        *written = capacity;
        return PL_INFLATE_TOO_LONG;
    default:
        return PL_INFLATE_BAD;
    }
}
