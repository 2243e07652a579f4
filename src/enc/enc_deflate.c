// libdeflate for the encoders: CRC-32 with the processor's own instructions, and texts as zlib streams.
#include "enc/enc_deflate.h"

#include <libdeflate.h>

#define LEVEL 1 // texts are short: higher levels gain little
#define BEST 9

uint32_t pl_crc32(struct pl_slice bytes)
{
    return libdeflate_crc32(0, bytes.ptr, bytes.len);
}

struct pl_deflater *pl_deflater_new(void)
{
    return (struct pl_deflater *)libdeflate_alloc_compressor(LEVEL);
}

struct pl_deflater *pl_deflater_new_best(void)
{
    return (struct pl_deflater *)libdeflate_alloc_compressor(BEST);
}

void pl_deflater_free(struct pl_deflater *deflater)
{
    libdeflate_free_compressor((struct libdeflate_compressor *)deflater);
}

void pl_deflate_text(struct pl_deflater *deflater, struct pl_slice text, struct pl_buf *out)
{
    struct libdeflate_compressor *compressor = (struct libdeflate_compressor *)deflater;
    size_t bound = libdeflate_zlib_compress_bound(compressor, text.len);
    uint8_t *room = pl_buf_reserve(out, bound);
    if (room)
        out->len += libdeflate_zlib_compress(compressor, text.ptr, text.len, room, bound);
}
