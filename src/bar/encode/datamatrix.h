// Data Matrix ECC 200: from content to modules.
#ifndef PL_BAR_ENCODE_DATAMATRIX_H
#define PL_BAR_ENCODE_DATAMATRIX_H

#include "base/arena.h"
#include "base/content.h"
#include "raster/bitmap.h"

struct pl_datamatrix_options {
    uint32_t columns, rows; // 0: smallest that holds the data
    bool rectangular;       // when the size is free
    bool tail_in_ascii; // two last values of C40 or Text are padded only where they fill the symbol; otherwise always
};
// Whether a symbol of ECC 200 has these rows and columns (0: any).
bool pl_datamatrix_has_size(uint32_t rows, uint32_t columns);
// The content may have marks: FNC1, character sets up to 999, APPEND and READER. PL_E_INVALID with a sentence in `err`:
// it cannot be encoded with these options.
enum pl_errc pl_datamatrix_encode(struct pl_content content, const struct pl_datamatrix_options *options,
                                  struct pl_arena *arena, struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;

#endif
