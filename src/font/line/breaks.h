// Between which characters text can be divided.
#ifndef PL_FONT_LINE_BREAKS_H
#define PL_FONT_LINE_BREAKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/job.h"

enum pl_break {
    PL_BREAK_NEVER, // inside what is written as one
    PL_BREAK_CUT,   // inside a word: only where that is wider than the line
    PL_BREAK_MAY,   // a line can end here
};

// True when a character is written with the one before it: marks, conjuncts, joined emoji.
bool pl_breaks_joins(uint32_t before, uint32_t c);
// Sets out[i] to an enum pl_break for the place before chars[i]. Spaces, soft hyphens and U+200B are the caller's.
enum pl_errc pl_breaks_find(const uint32_t *chars, uint32_t length, const struct pl_job *job, uint8_t *out,
                            struct pl_error *err) PL_MUST_USE;

#endif
