// Names of days and months in the languages of ^SL.
#ifndef PL_ZPL_CLOCK_NAMES_H
#define PL_ZPL_CLOCK_NAMES_H

#include <stddef.h>

#include "lang/zpl/charset.h"

enum zpl_clock_name_kind { ZPL_DAY_SHORT, ZPL_DAY_LONG, ZPL_MONTH_SHORT, ZPL_MONTH_LONG };

// The name in the bytes of the character set; characters that the set lacks become their plain letters or '?'.
size_t zpl_clock_name(enum zpl_clock_name_kind kind, int32_t language, int32_t index, const struct zpl_charset *charset,
                      char *out, size_t capacity);

#endif
