// Code pages of DOS and Windows, for languages whose text is bytes.
#ifndef PL_LANG_CODE_PAGES_H
#define PL_LANG_CODE_PAGES_H

#include <stdint.h>

// The characters of the bytes 80 to FF (0: none) of a code page by its number, 437 or 1252; NULL: it is not known.
const uint16_t *pl_code_page(uint32_t number);

#endif
