// The frame of PNG files.
#include "enc/png_chunk.h"

#include "base/deflate.h"

static void put_be32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

size_t pl_png_begin_chunk(struct pl_buf *out, const char type[5])
{
    size_t start = out->len;
    pl_buf_append_be32(out, 0);
    pl_buf_append(out, type, 4);
    return start;
}

enum pl_errc pl_png_end_chunk(struct pl_buf *out, size_t start, struct pl_error *err)
{
    PL_TRY(pl_buf_check(out, err));
    size_t length = out->len - start - 8;
    if (length > INT32_MAX)
        return pl_fail(err, PL_E_LIMIT, "the picture is too large for PNG");
    put_be32(out->data + start, (uint32_t)length);
    pl_buf_append_be32(out, pl_crc32(pl_slice_make(out->data + start + 4, length + 4)));
    return PL_OK;
}

enum pl_errc pl_png_begin(struct pl_buf *out, uint32_t width, uint32_t height, uint8_t depth, uint8_t colour,
                          struct pl_error *err)
{
    static const uint8_t SIGNATURE[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    if (width == 0 || height == 0 || width > INT32_MAX || height > INT32_MAX)
        return pl_fail(err, PL_E_INVALID, "a PNG cannot have %u x %u dots", width, height);
    pl_buf_append(out, SIGNATURE, sizeof SIGNATURE);
    size_t chunk = pl_png_begin_chunk(out, "IHDR");
    pl_buf_append_be32(out, width);
    pl_buf_append_be32(out, height);
    // Bit depth, colour type, compression, filter method, no interlace.
    pl_buf_append(out, (const uint8_t[]){depth, colour, 0, 0, 0}, 5);
    return pl_png_end_chunk(out, chunk, err);
}

enum pl_errc pl_png_density(struct pl_buf *out, uint32_t density, struct pl_error *err)
{
    size_t chunk = pl_png_begin_chunk(out, "pHYs");
    pl_buf_append_be32(out, density);
    pl_buf_append_be32(out, density);
    pl_buf_append_byte(out, 1); // per metre
    return pl_png_end_chunk(out, chunk, err);
}

enum pl_errc pl_png_end(struct pl_buf *out, struct pl_error *err)
{
    PL_TRY(pl_png_end_chunk(out, pl_png_begin_chunk(out, "IEND"), err));
    return pl_buf_check(out, err);
}
