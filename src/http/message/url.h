// Percent-decoding and query strings; strict.
#ifndef HTTP_URL_H
#define HTTP_URL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/slice.h"

struct http_pair;

// Decodes %XX (and '+' to a space when `plus`). The input itself comes back when there is nothing to decode.
// PL_E_INVALID for a '%' without two hexadecimal digits and for %00.
enum pl_errc http_url_decode(struct pl_arena *arena, struct pl_slice text, bool plus, struct pl_slice *out,
                             struct pl_error *err) PL_MUST_USE;
// Splits a query string into decoded pairs; `max` is the room in `pairs`. PL_E_LIMIT when there are more.
enum pl_errc http_query_split(struct pl_arena *arena, struct pl_slice query, struct http_pair *pairs, size_t max,
                              size_t *count, struct pl_error *err) PL_MUST_USE;

#endif
