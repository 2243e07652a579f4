// CODABLOCK: rows of Code 39 (A) or Code 128 (E, F).
#ifndef PL_BAR_ENCODE_CODABLOCK_H
#define PL_BAR_ENCODE_CODABLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/content.h"

struct pl_codablock_options {
    char variant;           // 'A', 'E' or 'F'
    uint32_t columns, rows; // 0: automatic; A has 1 to 22 rows of 2 to 62 characters, E and F 2 to 44 rows of 4 to 62
    bool checks;            // A: two check characters for the whole block (E and F always have theirs)
};
// All rows have the same number of elements, bars and spaces in turn, a bar first.
struct pl_codablock {
    uint32_t rows, elements;
    uint32_t start_elements, stop_elements; // of each row, for the bars between the rows
    bool ratio;                             // A: widths are 1 narrow and 2 wide; else modules
    const uint8_t *widths;                  // rows x elements
};
// The content of E and F may have marks for FNC1 to FNC4. PL_E_INVALID with a sentence in `err`: it cannot be encoded
// with these options.
enum pl_errc pl_codablock_encode(struct pl_content content, const struct pl_codablock_options *options,
                                 struct pl_arena *arena, struct pl_codablock *out, struct pl_error *err) PL_MUST_USE;
// All characters of a block of variant A with check characters: the data, blanks up to `length` - 2, the checks. False:
// variant A has no such block.
bool pl_codablock_a_text(struct pl_slice data, size_t length, uint8_t *out);

#endif
