// Picture files in the printer's memory: PNG, BMP, PCX and GRF, to one bit per dot.
#ifndef PL_ZPL_IMAGEFILE_H
#define PL_ZPL_IMAGEFILE_H

#include "lang/zpl/gfdata.h"

// Sniffs the kind and decodes. NULL in *out: not a picture, or a damaged one (reported).
enum pl_errc zpl_image_decode(const struct zpl_gf *gf, struct pl_slice file, const struct pl_bitmap **out,
                              struct pl_error *err) PL_MUST_USE;

#endif
