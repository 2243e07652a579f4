// Code pages of DOS and Windows, for languages whose text is bytes.
#ifndef PL_LANG_CODE_PAGES_H
#define PL_LANG_CODE_PAGES_H

#include <stdint.h>

// Those that a table names: the characters of the bytes 80 to FF, 0: none.
extern const uint16_t pl_cp850[128], pl_cp1250[128], pl_cp1251[128], pl_cp1252[128], pl_cp1253[128], pl_cp1254[128],
    pl_cp1255[128];

// The same of any code page by its number, 437 or 1252; NULL: it is not known.
const uint16_t *pl_code_page(uint32_t number);

#endif
