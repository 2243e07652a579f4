// PNG: framing of rows that are compressed elsewhere.
#include "enc/enc.h"
#include "enc/enc_deflate.h"
#include "enc/rows_deflate.h"

static void put_be32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

// A chunk begins with room for its length, which is filled in at the end.
static size_t begin_chunk(struct pl_buf *out, const char type[5])
{
    size_t start = out->len;
    pl_buf_append_be32(out, 0);
    pl_buf_append(out, type, 4);
    return start;
}

static enum pl_errc end_chunk(struct pl_buf *out, size_t start, struct pl_error *err)
{
    PL_TRY(pl_buf_check(out, err));
    size_t length = out->len - start - 8;
    if (length > INT32_MAX)
        return pl_fail(err, PL_E_LIMIT, "the picture is too large for PNG");
    put_be32(out->data + start, (uint32_t)length);
    pl_buf_append_be32(out, pl_crc32(pl_slice_make(out->data + start + 4, length + 4)));
    return PL_OK;
}

enum pl_errc pl_png_zlib(const struct pl_canvas *canvas, struct pl_arena *scratch, struct pl_buf *out,
                         struct pl_error *err)
{
    return canvas->bits ? pl_rows_deflate(canvas->bits, canvas->job, scratch, out, err)
                        : pl_grey_rows_deflate(canvas->grey, canvas->job, scratch, out, err);
}

enum pl_errc pl_png_encode(const struct pl_canvas *canvas, struct pl_arena *scratch, struct pl_buf *out,
                           struct pl_error *err)
{
    static const uint8_t SIGNATURE[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    uint32_t width = canvas->bits ? canvas->bits->width : canvas->grey->width;
    uint32_t height = canvas->bits ? canvas->bits->height : canvas->grey->height;
    if (width == 0 || height == 0 || width > INT32_MAX || height > INT32_MAX)
        return pl_fail(err, PL_E_INVALID, "a PNG cannot have %u x %u dots", width, height);
    pl_buf_append(out, SIGNATURE, sizeof SIGNATURE);

    size_t chunk = begin_chunk(out, "IHDR");
    pl_buf_append_be32(out, width);
    pl_buf_append_be32(out, height);
    // Bit depth, colour type (grey), compression, filter method, no interlace.
    pl_buf_append(out, (const uint8_t[]){canvas->bits ? 1 : 8, 0, 0, 0, 0}, 5);
    PL_TRY(end_chunk(out, chunk, err));

    chunk = begin_chunk(out, "pHYs");
    pl_buf_append_be32(out, canvas->density);
    pl_buf_append_be32(out, canvas->density);
    pl_buf_append_byte(out, 1); // per metre
    PL_TRY(end_chunk(out, chunk, err));

    chunk = begin_chunk(out, "IDAT");
    PL_TRY(pl_png_zlib(canvas, scratch, out, err));
    PL_TRY(end_chunk(out, chunk, err));

    chunk = begin_chunk(out, "IEND");
    PL_TRY(end_chunk(out, chunk, err));
    return pl_buf_check(out, err);
}
