// Picture files in the printer's memory: PNG, BMP, PCX and GRF, to one bit per dot.
#ifndef PL_ZPL_IMAGEFILE_H
#define PL_ZPL_IMAGEFILE_H

#include "zpl/interp.h"

// Sniffs the kind and decodes. NULL in *out: not a picture, or a damaged one (reported).
enum pl_errc zpl_image_decode(struct zpl *z, struct pl_source source, struct pl_slice file,
                              const struct pl_bitmap **out) PL_MUST_USE;

// One decoded row of ink at a time is thresholded from grey; a picture has at most 65535 rows and columns.
struct zpl_rows {
    uint8_t *bytes; // packed, most significant bit leftmost, 1 = ink
    uint32_t width, height, bytes_per_row;
};
enum pl_errc zpl_rows_new(struct zpl *z, uint32_t width, uint32_t height, struct zpl_rows *out) PL_MUST_USE;
static inline void zpl_rows_ink(struct zpl_rows *r, uint32_t x, uint32_t y)
{
    r->bytes[(size_t)y * r->bytes_per_row + x / 8] |= (uint8_t)(0x80 >> (x % 8));
}
// Ink where the colour is darker than the middle.
static inline bool zpl_is_dark(uint32_t red, uint32_t green, uint32_t blue)
{
    return red * 299 + green * 587 + blue * 114 < 128000;
}

// Each returns false in *ok when the file is not what it says (then *why says what is wrong).
enum pl_errc zpl_png_decode(struct zpl *z, struct pl_slice file, struct zpl_rows *out, const char **why) PL_MUST_USE;
enum pl_errc zpl_bmp_decode(struct zpl *z, struct pl_slice file, struct zpl_rows *out, const char **why) PL_MUST_USE;
enum pl_errc zpl_pcx_decode(struct zpl *z, struct pl_slice file, struct zpl_rows *out, const char **why) PL_MUST_USE;

#endif
