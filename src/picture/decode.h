// Picture files of all kinds to shades.
#ifndef PL_PICTURE_DECODE_H
#define PL_PICTURE_DECODE_H

#include "img/img.h"

// Turned upright as the file says. A damaged or unknown file is no error: *why says what is wrong, and is NULL
// otherwise.
enum pl_errc pl_picture_decode(struct pl_img_env *env, struct pl_slice file, struct pl_img_shades *out,
                               const char **why, struct pl_error *err) PL_MUST_USE;

#endif
