// Encoders: a finished canvas to the bytes of a picture file. Each appends to `out`.
#ifndef PL_ENC_ENC_H
#define PL_ENC_ENC_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/job.h"
#include "raster/bitmap.h"
#include "raster/grey.h"

// What encoders read: either bits (bitonal) or grey; the other one is NULL. `density` is dots per metre. Large ones ask
// `job`, which may be NULL, on the way whether they may go on.
struct pl_canvas {
    const struct pl_bitmap *bits;
    const struct pl_grey *grey;
    uint32_t density;
    const struct pl_job *job;
};

// PNG: 1-bit grey, or 8-bit for a grey canvas. The same canvas gives the same bytes everywhere.
enum pl_errc pl_png_encode(const struct pl_canvas *canvas, struct pl_arena *scratch, struct pl_buf *out,
                           struct pl_error *err) PL_MUST_USE;
// The zlib stream of a PNG alone (rows with a filter byte each), for PDF's FlateDecode with /Predictor 15.
enum pl_errc pl_png_zlib(const struct pl_canvas *canvas, struct pl_arena *scratch, struct pl_buf *out,
                         struct pl_error *err) PL_MUST_USE;

// PNG of two bitmaps laid over each other from their top left corners: white paper, black where both have ink, orange
// where only the first has, blue where only the second has. `density` 0: not known.
enum pl_errc pl_png_encode_both(const struct pl_bitmap *first, const struct pl_bitmap *second, uint32_t density,
                                struct pl_buf *out, struct pl_error *err) PL_MUST_USE;

// WebP, lossless. `scratch` gives working memory, which is left as it was.
enum pl_errc pl_webp_encode(const struct pl_canvas *canvas, struct pl_arena *scratch, struct pl_buf *out,
                            struct pl_error *err) PL_MUST_USE;
// JPEG, greyscale, quality 1 to 100.
enum pl_errc pl_jpeg_encode(const struct pl_canvas *canvas, unsigned quality, struct pl_arena *scratch,
                            struct pl_buf *out, struct pl_error *err) PL_MUST_USE;

// A smaller picture of the canvas, of `width` dots a row (1 to that of the canvas): each shade is the mean of what it
// covers. It is made in the arena.
enum pl_errc pl_canvas_shrink(const struct pl_canvas *canvas, uint32_t width, struct pl_arena *arena,
                              struct pl_grey *out, struct pl_error *err) PL_MUST_USE;

#endif
