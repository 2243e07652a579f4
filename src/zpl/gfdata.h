// Graphic data of ^GF, ~DG and ~DY: hex digits with run lengths, :B64:, :Z64: and raw bytes.
#ifndef PL_ZPL_GFDATA_H
#define PL_ZPL_GFDATA_H

#include "zpl/interp.h"

// Decodes hex digits with run lengths into rows of `bytes_per_row`, `pitch` bytes apart, all zero before. Returns the
// rows touched; *odd is set when characters that mean nothing were skipped.
uint32_t zpl_gf_hex(struct pl_slice text, uint8_t *rows, uint32_t row_count, uint32_t bytes_per_row, size_t pitch,
                    bool *odd);

// A bitmap from a payload of text (hex, :B64:, :Z64:), or from raw bytes. NULL in *out: nothing to draw (reported).
enum pl_errc zpl_gf_bitmap(struct zpl *z, struct pl_source source, struct pl_slice payload, bool raw, uint64_t total,
                           uint64_t bytes_per_row, const struct pl_bitmap **out) PL_MUST_USE;
// The bytes of a picture in a raw zlib stream. *out is empty where the data is none, or does not hold `total` bytes.
enum pl_errc zpl_gf_inflate(struct zpl *z, struct pl_slice data, uint64_t total, struct pl_slice *out) PL_MUST_USE;
// A bitmap from rows of bytes that are there already (an image file decoded).
enum pl_errc zpl_gf_from_rows(struct zpl *z, struct pl_slice bytes, uint32_t width, uint32_t height,
                              uint32_t bytes_per_row, const struct pl_bitmap **out) PL_MUST_USE;
// The bytes of a file sent as text: hex pairs, :B64: or :Z64:. `expected` is the stated size (0: not known).
enum pl_errc zpl_gf_file(struct zpl *z, struct pl_source source, struct pl_slice payload, uint64_t expected,
                         struct pl_slice *out) PL_MUST_USE;
// Does the payload start with :B64: or :Z64:?
bool zpl_gf_is_wrapped(struct pl_slice payload);
// Holds `bytes` against the limit of decoded graphics.
enum pl_errc zpl_gf_charge(struct zpl *z, uint64_t bytes) PL_MUST_USE;

#endif
