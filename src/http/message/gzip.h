// gzip: inflating request bodies within a limit, deflating documents made at start.
#ifndef HTTP_GZIP_H
#define HTTP_GZIP_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/slice.h"

// *out is malloc'ed: all members of the gzip data, one after the other. PL_E_INVALID when one is not whole or something
// else follows, PL_E_LIMIT when they inflate to more than `max`.
enum pl_errc http_gunzip(struct pl_slice in, size_t max, uint8_t **out, size_t *out_len,
                         struct pl_error *err) PL_MUST_USE;
// *out is malloc'ed, or NULL when compressing saves less than a tenth.
enum pl_errc http_gzip(struct pl_slice in, uint8_t **out, size_t *out_len, struct pl_error *err) PL_MUST_USE;

#endif
