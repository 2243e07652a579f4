// QR Code (ISO/IEC 18004), models 1 and 2: from segments to modules.
#ifndef PL_BAR_ENCODE_QR_H
#define PL_BAR_ENCODE_QR_H

#include "bar/encode/qr_options.h"

// PL_E_INVALID: the data does not fit, or is not of its segment's mode.
enum pl_errc pl_qr_encode(const struct pl_qr_segment *segments, uint32_t count, const struct pl_qr_options *options,
                          struct pl_arena *arena, struct pl_qr_symbol *out, struct pl_error *err) PL_MUST_USE;
// The smallest version of model 2 that holds the segments in just these modes, or 0.
uint32_t pl_qr_version_for(const struct pl_qr_segment *segments, uint32_t count, enum pl_qr_level level);
// Blocks of a version at a level, and the error correction codewords of each.
uint32_t pl_qr_blocks(uint32_t version, enum pl_qr_level level, uint32_t *ecc_words);

#endif
