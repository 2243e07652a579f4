// libdeflate: CRC-32 with the processor's own instructions; deflate, zlib and gzip.
#include "base/deflate.h"

#include <libdeflate.h>
#include <stdlib.h>

#define LEVEL 1 // texts are short: higher levels gain little
#define BEST 9
#define SMALLEST 12

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

bool pl_gzip(struct pl_slice in, uint8_t **out, size_t *out_len)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(SMALLEST);
    if (!compressor)
        return false;
    size_t bound = libdeflate_gzip_compress_bound(compressor, in.len);
    *out = malloc(bound);
    *out_len = *out ? libdeflate_gzip_compress(compressor, in.ptr, in.len, *out, bound) : 0;
    libdeflate_free_compressor(compressor);
    return *out != NULL;
}

typedef enum libdeflate_result expander(struct libdeflate_decompressor *, const void *, size_t, void *, size_t,
                                        size_t *, size_t *);

// `members`: the input is a row of streams.
static enum pl_inflate_result inflate(expander *expand, bool members, struct pl_slice in, uint8_t *out, size_t capacity,
                                      size_t *used, size_t *written)
{
    *written = *used = 0;
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    if (!d)
        return PL_INFLATE_NO_MEMORY;
    enum libdeflate_result result;
    do {
        size_t read = 0, made = 0;
        result = expand(d, in.ptr + *used, in.len - *used, out + *written, capacity - *written, &read, &made);
        *used += read;
        *written += made;
    } while (members && result == LIBDEFLATE_SUCCESS && *used < in.len);
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

enum pl_inflate_result pl_inflate(struct pl_slice in, uint8_t *out, size_t capacity, size_t *written)
{
    size_t used;
    return inflate(libdeflate_zlib_decompress_ex, false, in, out, capacity, &used, written);
}

enum pl_inflate_result pl_inflate_raw(struct pl_slice in, uint8_t *out, size_t capacity, size_t *used, size_t *written)
{
    return inflate(libdeflate_deflate_decompress_ex, false, in, out, capacity, used, written);
}

enum pl_inflate_result pl_gunzip(struct pl_slice in, uint8_t *out, size_t capacity, size_t *written)
{
    size_t used;
    return inflate(libdeflate_gzip_decompress_ex, true, in, out, capacity, &used, written);
}
