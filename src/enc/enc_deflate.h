// Checksums: what libdeflate is used for here.
#ifndef PL_ENC_DEFLATE_H
#define PL_ENC_DEFLATE_H

#include "base/slice.h"

uint32_t pl_crc32(struct pl_slice bytes);

#endif
