// PNG: framing of rows that are compressed elsewhere.
#include "enc/enc.h"
#include "enc/png_chunk.h"
#include "enc/rows_deflate.h"

enum pl_errc pl_png_zlib(const struct pl_canvas *canvas, struct pl_arena *scratch, struct pl_buf *out,
                         struct pl_error *err)
{
    return canvas->bits ? pl_rows_deflate(canvas->bits, canvas->job, scratch, out, err)
                        : pl_grey_rows_deflate(canvas->grey, canvas->job, scratch, out, err);
}

enum pl_errc pl_png_encode(const struct pl_canvas *canvas, struct pl_arena *scratch, struct pl_buf *out,
                           struct pl_error *err)
{
    enum { GREY = 0 };
    uint32_t width = canvas->bits ? canvas->bits->width : canvas->grey->width;
    uint32_t height = canvas->bits ? canvas->bits->height : canvas->grey->height;
    PL_TRY(pl_png_begin(out, width, height, canvas->bits ? 1 : 8, GREY, err));
    PL_TRY(pl_png_density(out, canvas->density, err));
    size_t chunk = pl_png_begin_chunk(out, "IDAT");
    PL_TRY(pl_png_zlib(canvas, scratch, out, err));
    PL_TRY(pl_png_end_chunk(out, chunk, err));
    return pl_png_end(out, err);
}
