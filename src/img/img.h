// Picture files to one bit per dot.
#ifndef PL_IMG_IMG_H
#define PL_IMG_IMG_H

#include "img/rows.h"

// Is it a file of one of the kinds, by its first bytes: PNG, BMP, PCX?
bool pl_img_is_known(struct pl_slice file);
// A file of a known kind. A damaged one is no error: *out is NULL then, and *why says what is wrong ("it breaks off").
enum pl_errc pl_img_decode(struct pl_img_env *env, struct pl_slice file, const struct pl_bitmap **out, const char **why,
                           struct pl_error *err) PL_MUST_USE;

// The same as shades. Transparent dots are those of white paper.
enum pl_errc pl_img_decode_shades(struct pl_img_env *env, struct pl_slice file, struct pl_img_shades *out,
                                  const char **why, struct pl_error *err) PL_MUST_USE;

#endif
