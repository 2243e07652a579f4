// WebP lossless (VP8L) of two-colour pictures, written directly: libwebp takes some twenty times as long for them.
#ifndef PL_ENC_VP8L_H
#define PL_ENC_VP8L_H

#include "enc/enc.h"

enum pl_errc pl_vp8l_encode(const struct pl_bitmap *bits, const struct pl_job *job, struct pl_arena *scratch,
                            struct pl_buf *out, struct pl_error *err) PL_MUST_USE;

#define PL_WEBP_MAX_SIDE 16383

#endif
