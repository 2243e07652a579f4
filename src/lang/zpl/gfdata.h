// Graphic data of ^GF, ~DG and ~DY: hex digits with run lengths, :B64:, :Z64: and raw bytes.
#ifndef PL_ZPL_GFDATA_H
#define PL_ZPL_GFDATA_H

#include "base/diag.h"
#include "img/img.h"

// What decoding needs, and for which command it reports.
struct zpl_gf {
    struct pl_img_env *img;
    struct pl_diags *diags;
    struct pl_source source;
};

// Decodes hex digits with run lengths into rows of `bytes_per_row`, `pitch` bytes apart, all zero before. Returns the
// rows touched; *odd is set when characters that mean nothing were skipped, *behind to the rows that the rest of the
// text would fill.
uint32_t zpl_gf_hex(struct pl_slice text, uint8_t *rows, uint32_t row_count, uint32_t bytes_per_row, size_t pitch,
                    bool *odd, uint64_t *behind);

// A bitmap from a payload of text (hex, :B64:, :Z64:), or from raw bytes. NULL in *out: nothing to draw (reported).
enum pl_errc zpl_gf_bitmap(const struct zpl_gf *gf, struct pl_slice payload, bool raw, uint64_t total,
                           uint64_t bytes_per_row, const struct pl_bitmap **out, struct pl_error *err) PL_MUST_USE;
// The bytes of a picture in a raw zlib stream. *out is empty where the data is none, or does not hold `total` bytes.
enum pl_errc zpl_gf_inflate(const struct zpl_gf *gf, struct pl_slice data, uint64_t total, struct pl_slice *out,
                            struct pl_error *err) PL_MUST_USE;
// The bytes of a file sent as text: hex pairs, :B64: or :Z64:. `expected` is the stated size (0: not known), `limit`
// the largest.
enum pl_errc zpl_gf_file(const struct zpl_gf *gf, struct pl_slice payload, uint64_t expected, uint64_t limit,
                         struct pl_slice *out, struct pl_error *err) PL_MUST_USE;
// Does the payload start with :B64: or :Z64:?
bool zpl_gf_is_wrapped(struct pl_slice payload);

#endif
