// libdeflate: CRC-32, and deflate of data that has no fast path of its own.
#include "enc/enc_deflate.h"

#include <libdeflate.h>

uint32_t pl_crc32(struct pl_slice bytes)
{
    return libdeflate_crc32(0, bytes.ptr, bytes.len);
}

enum pl_errc pl_zlib_append(struct pl_slice bytes, int level, struct pl_buf *out, struct pl_error *err)
{
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(level);
    if (!c)
        return pl_fail(err, PL_E_MEMORY, "no memory for compressing");
    size_t room = libdeflate_zlib_compress_bound(c, bytes.len);
    uint8_t *to = pl_buf_reserve(out, room);
    size_t size = to ? libdeflate_zlib_compress(c, bytes.ptr, bytes.len, to, room) : 0;
    libdeflate_free_compressor(c);
    if (!to)
        return pl_buf_check(out, err);
    if (size == 0)
        return pl_fail(err, PL_E_BUG, "compressing into a buffer of the stated bound failed");
    out->len += size;
    return PL_OK;
}
