// The chunks of a PNG file.
#ifndef PL_ENC_PNG_CHUNK_H
#define PL_ENC_PNG_CHUNK_H

#include "base/buf.h"

// The signature and IHDR: bit depth and colour type as PNG numbers them. PL_E_INVALID: no PNG has such a size.
enum pl_errc pl_png_begin(struct pl_buf *out, uint32_t width, uint32_t height, uint8_t depth, uint8_t colour,
                          struct pl_error *err) PL_MUST_USE;
// pHYs: dots per metre.
enum pl_errc pl_png_density(struct pl_buf *out, uint32_t density, struct pl_error *err) PL_MUST_USE;
enum pl_errc pl_png_end(struct pl_buf *out, struct pl_error *err) PL_MUST_USE;

// A chunk begins with room for its length, which is filled in at the end. Returns where it starts.
size_t pl_png_begin_chunk(struct pl_buf *out, const char type[5]);
enum pl_errc pl_png_end_chunk(struct pl_buf *out, size_t start, struct pl_error *err) PL_MUST_USE;

#endif
