// A deflate for pictures of labels: most rows repeat the row above, so matches at the distance of one row and
// runs of one byte are all that is looked for.
#ifndef PL_ENC_ROWS_DEFLATE_H
#define PL_ENC_ROWS_DEFLATE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/job.h"
#include "raster/grey.h"

// Appends a zlib stream of the PNG rows of `bits`: a filter byte 0 and the row, black as 0. `job` may be NULL.
enum pl_errc pl_rows_deflate(const struct pl_bitmap *bits, const struct pl_job *job, struct pl_arena *scratch,
                             struct pl_buf *out, struct pl_error *err) PL_MUST_USE;

// The same of a grey picture.
enum pl_errc pl_grey_rows_deflate(const struct pl_grey *grey, const struct pl_job *job, struct pl_arena *scratch,
                                  struct pl_buf *out, struct pl_error *err) PL_MUST_USE;

#endif
