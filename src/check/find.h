// Barcodes somewhere in a picture of which nothing is known: inside graphics.
#ifndef PL_CHECK_FIND_H
#define PL_CHECK_FIND_H

#include "base/job.h"
#include "check/symbology.h"
#include "raster/bitmap.h"

struct pl_found_symbol {
    enum pl_check_symbology symbology; // PL_CHECK_SYMBOLOGY_COUNT: linear, of a kind that is not known
    bool read;                         // false: it looks like one, but is not read
    bool gs1;                          // FNC1 in first position
    bool reversed;                     // a linear one, white on black
    bool covered;                      // a linear one of which less than half of the height has its bars
    struct pl_slice data;              // in the form of pl_read_symbol
    struct pl_box place;               // in the picture
};

enum { PL_FIND_MOST = 16 };
struct pl_find_result {
    bool searched; // false: there is no reader for it in this build, or the picture is too large
    uint32_t count;
    struct pl_found_symbol items[PL_FIND_MOST];
};

// Upright and turned by quarters. Errors are memory, the deadline and cancellation. The arena gets the data and more.
enum pl_errc pl_find_symbols(const struct pl_bitmap *picture, const struct pl_job *job, struct pl_arena *arena,
                             struct pl_find_result *out, struct pl_error *err) PL_MUST_USE;

#endif
