// libdeflate for the files of a ZIP.
#include "batch/deflate.h"

#include <libdeflate.h>

#define FIRST ((size_t)16384)

uint32_t pl_batch_crc32(struct pl_slice data)
{
    return libdeflate_crc32(0, data.ptr, data.len);
}

enum pl_inflated pl_batch_inflate(struct pl_slice in, struct pl_buf *out, size_t *used)
{
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    if (!d)
        return PL_INFLATE_MEMORY;
    enum pl_inflated result = PL_INFLATE_LARGE;
    size_t room = in.len * 4 > FIRST ? in.len * 4 : FIRST;
    for (room = room < out->max ? room : out->max; room > 0; room = room * 2 < out->max ? room * 2 : out->max) {
        pl_buf_clear(out);
        uint8_t *to = pl_buf_reserve(out, room);
        if (!to) {
            result = PL_INFLATE_MEMORY;
            break;
        }
        size_t made = 0;
        enum libdeflate_result done = libdeflate_deflate_decompress_ex(d, in.ptr, in.len, to, room, used, &made);
        if (done == LIBDEFLATE_SUCCESS)
            out->len = made;
        result = done == LIBDEFLATE_SUCCESS              ? PL_INFLATED
                 : done == LIBDEFLATE_INSUFFICIENT_SPACE ? PL_INFLATE_LARGE
                                                         : PL_INFLATE_BAD;
        if (result != PL_INFLATE_LARGE || room == out->max)
            break;
    }
    libdeflate_free_decompressor(d);
    return result;
}
