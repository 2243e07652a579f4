// Checksums and general deflate: what libdeflate is used for.
#ifndef PL_ENC_DEFLATE_H
#define PL_ENC_DEFLATE_H

#include "base/buf.h"
#include "base/slice.h"

uint32_t pl_crc32(struct pl_slice bytes);
// Appends a zlib stream of `bytes`, at a level of 1 to 12.
enum pl_errc pl_zlib_append(struct pl_slice bytes, int level, struct pl_buf *out, struct pl_error *err) PL_MUST_USE;

#endif
