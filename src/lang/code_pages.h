// Code pages of DOS and Windows, and character sets made of them, for languages whose text is bytes.
#ifndef PL_LANG_CODE_PAGES_H
#define PL_LANG_CODE_PAGES_H

#include "base/slice.h"
#include "lang/double_byte.h"

// The characters of the bytes 80 to FF, 0: none. All tables are made by the build (tools/charsets).
struct pl_code_page {
    uint32_t number; // that of Windows: 437, 1252, for ISO 8859 28590 and its part
    const uint16_t *high;
};
extern const struct pl_code_page pl_code_pages[]; // the last one has no `high`
// Those that a table of a language names.
extern const uint16_t pl_cp850[128], pl_cp1250[128], pl_cp1251[128], pl_cp1252[128], pl_cp1253[128], pl_cp1254[128],
    pl_cp1255[128];

// NULL: it is not known.
const uint16_t *pl_code_page(uint32_t number);

// National 7-bit sets (ISO 646): pairs of a character of ASCII and what is printed in its place, 0 at the end.
extern const uint16_t pl_national_british[], pl_national_german[], pl_national_french[], pl_national_danish[],
    pl_national_italian[], pl_national_spanish[], pl_national_swedish[], pl_national_swiss[];

// The character of a byte; `high` is a code page's, `national` such pairs; both may be NULL. U+FFFD: it has none.
uint32_t pl_code_page_char(const uint16_t *high, const uint16_t *national, uint8_t byte);

// A character set of a language, in its table of them.
struct pl_charset {
    const char *name;
    uint32_t number;                    // of its code page; 0: none
    const uint16_t *national;           // pairs; NULL: none
    const struct pl_double_byte *pairs; // instead of a code page
    bool utf8;                          // the same
};
// In any case; NULL: there is none of that name.
const struct pl_charset *pl_charset_find(const struct pl_charset *sets, size_t count, struct pl_slice name);
// Returns the characters written, at most one for each byte; *bad: bytes or characters that mean nothing.
uint32_t pl_charset_decode(const struct pl_charset *set, struct pl_slice bytes, uint32_t *out, uint32_t *bad);

#endif
