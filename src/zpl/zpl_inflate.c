// zlib streams of :Z64: data and PNG images, through libdeflate. The caller's buffer is the bound: a bomb stops there.
#include "zpl/zpl_inflate.h"

#include <libdeflate.h>

enum zpl_inflate_result zpl_inflate(struct pl_slice in, uint8_t *out, size_t capacity, size_t *written)
{
    *written = 0;
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    if (!d)
        return ZPL_INFLATE_NO_MEMORY;
    enum libdeflate_result result = libdeflate_zlib_decompress(d, in.ptr, in.len, out, capacity, written);
    libdeflate_free_decompressor(d);
    switch (result) {
    case LIBDEFLATE_SUCCESS:
        return ZPL_INFLATE_OK;
    case LIBDEFLATE_INSUFFICIENT_SPACE:
        *written = capacity;
        return ZPL_INFLATE_TOO_LONG;
    default:
        return ZPL_INFLATE_BAD;
    }
}
