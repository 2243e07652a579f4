// Character sets of COUNTRY and ENCODING: from bytes to characters.
#ifndef PL_CPCL_CHARSET_H
#define PL_CPCL_CHARSET_H

#include <stdint.h>

#include "base/slice.h"
#include "lang/double_byte.h"

struct cpcl_charset {
    const char *name;
    uint32_t code_page;                 // of bytes from 80 on; 0: none
    const uint16_t *national;           // signs that are letters; NULL: none
    const struct pl_double_byte *pairs; // instead of a code page
    bool utf8;
};

// NULL: there is none of that name.
const struct cpcl_charset *cpcl_charset_find(struct pl_slice name);
// Returns the characters written, at most two for each byte; *bad: bytes that mean nothing.
uint32_t cpcl_charset_decode(const struct cpcl_charset *set, struct pl_slice bytes, uint32_t *out, uint32_t *bad);

#endif
