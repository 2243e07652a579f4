// Rows of dots as the data of ^GF and ~DG: plain hex, hex with run lengths (the form that every printer takes), or
// compressed.
#ifndef PL_PICTURE_GRAPHIC_CODE_H
#define PL_PICTURE_GRAPHIC_CODE_H

#include "base/buf.h"
#include "platen/platen.h"

// Packed rows, the leftmost dot in the highest bit, 1 = ink.
struct pl_graphic_rows {
    const uint8_t *bytes;
    uint32_t row_bytes, height;
};

static inline size_t pl_graphic_size(const struct pl_graphic_rows *rows)
{
    return (size_t)rows->row_bytes * rows->height;
}

// Appends the data; PLATEN_GRAPHIC_KEEP is as PLATEN_GRAPHIC_ACS. *used (may be NULL) is the coding that was taken.
enum pl_errc pl_graphic_write(const struct pl_graphic_rows *rows, enum platen_graphic_coding coding, struct pl_buf *out,
                              enum platen_graphic_coding *used, struct pl_error *err) PL_MUST_USE;

#endif
