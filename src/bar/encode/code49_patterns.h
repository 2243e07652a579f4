// Code 49: the patterns of its words.
#ifndef PL_BAR_ENCODE_CODE49_PATTERNS_H
#define PL_BAR_ENCODE_CODE49_PATTERNS_H

#include <stdint.h>

#define PL_CODE49_BASE 49 // values of a character
#define PL_CODE49_WORDS (PL_CODE49_BASE * PL_CODE49_BASE)

extern const uint16_t pl_code49_patterns[2][PL_CODE49_WORDS];

#endif
