// Code pages of CODEPAGE: from bytes to characters.
#ifndef PL_TSPL_CODEPAGES_H
#define PL_TSPL_CODEPAGES_H

#include <stdint.h>

#include "base/slice.h"

enum tspl_codepage_kind { TSPL_CODEPAGE_BYTES, TSPL_CODEPAGE_UTF8, TSPL_CODEPAGE_PAIRS };

struct pl_double_byte;

struct tspl_codepage {
    const char *name; // "437", "1252", "8859-1", "UTF-8"; national 7-bit sets have letters: "GER"
    enum tspl_codepage_kind kind;
    uint32_t number;                    // of lang/code_pages.h; 0: `high` has it
    const uint16_t *high;               // characters of 0x80 to 0xFF; 0: none
    const uint16_t *national;           // pairs: a character of ASCII, and the one in its place; NULL: none
    const struct pl_double_byte *pairs; // TSPL_CODEPAGE_PAIRS
};

// In any case; NULL: there is none of that name.
const struct tspl_codepage *tspl_codepage_find(struct pl_slice name);
// Returns the characters written, at most one for each byte. *bad: bytes or characters that mean nothing.
uint32_t tspl_codepage_decode(const struct tspl_codepage *page, struct pl_slice bytes, uint32_t *out, uint32_t *bad);

#endif
