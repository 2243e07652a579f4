// The decoders of picture files. A library of another vendor is known to one file alone.
#ifndef PL_PICTURE_DECODERS_H
#define PL_PICTURE_DECODERS_H

#include "img/rows.h"

// One for each kind of file; the file begins as those of its kind do. *why: as of pl_picture_decode.
typedef enum pl_errc pl_picture_decoder(struct pl_img_env *env, struct pl_slice file, struct pl_img_shades *out,
                                        const char **why, struct pl_error *err);
pl_picture_decoder pl_picture_jpeg, pl_picture_webp, pl_picture_gif, pl_picture_pnm;

// 1 to 8, as Exif counts them: 1 is upright, 5 to 8 lie on their sides. 1 where the file says nothing.
uint32_t pl_picture_orientation(struct pl_slice file);

#endif
