// Aztec Code: from content to modules.
#ifndef PL_BAR_ENCODE_AZTEC_H
#define PL_BAR_ENCODE_AZTEC_H

#include "base/arena.h"
#include "base/content.h"
#include "raster/bitmap.h"

struct pl_aztec_options {
    uint32_t percent;       // of error correction, 1 to 99; 0: the standard's 23 percent and three words
    bool percent_rounds_up; // to whole words, and nothing else is added; otherwise down, and three words at least
    uint32_t layers; // 0: the smallest symbol; else 1 to 4 (compact) or 1 to 32, with what is left for error correction
    bool compact;    // with layers
    bool rune;       // the content is a number from 0 to 255
    bool reader_init;
    uint32_t append_count; // below 2: alone
    uint32_t append_index; // from 1
    struct pl_slice append_id;
};
// The content may have marks for character sets. PL_E_INVALID with a sentence in `err`: it cannot be encoded with these
// options.
enum pl_errc pl_aztec_encode(struct pl_content content, const struct pl_aztec_options *options, struct pl_arena *arena,
                             struct pl_bitmap *modules, struct pl_error *err) PL_MUST_USE;

#endif
