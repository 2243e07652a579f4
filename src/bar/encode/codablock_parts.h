// Inside the CODABLOCK encoder: the two kinds of rows.
#ifndef PL_BAR_ENCODE_CODABLOCK_PARTS_H
#define PL_BAR_ENCODE_CODABLOCK_PARTS_H

#include "bar/encode/codablock.h"

#define PL_CODABLOCK_MAX_COLUMNS 62

enum pl_errc pl_codablock_f(const struct pl_content *content, const struct pl_codablock_options *options,
                            struct pl_arena *arena, struct pl_codablock *out, struct pl_error *err) PL_MUST_USE;

#define PL_CODE39_ELEMENTS 9
// Elements of the characters of Code 39 in the order of "0-9A-Z-. $/+%*": wide ones set, the first (a bar) in bit 8.
extern const uint16_t pl_code39_elements[44];

#endif
