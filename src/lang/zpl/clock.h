// The printer's clock for ^FC fields.
#ifndef PL_ZPL_CLOCK_H
#define PL_ZPL_CLOCK_H

#include <stddef.h>

#include "base/date.h"
#include "lang/zpl/charset.h"

// ^SO: how far a second or third clock is from the first.
struct zpl_clock_offset {
    int32_t months, days, years, hours, minutes, seconds;
};

struct zpl_clock {
    int64_t now; // seconds since 1970: of the options, within the calendar, or of ^ST
    struct zpl_clock_offset offset[2];
    int32_t language; // ^SL b: 1-18
};

// The text of a code such as 'Y' or 'm' on clock 0, 1 or 2, in the character set's bytes; 0: no such code.
size_t zpl_clock_code(const struct zpl_clock *clock, const struct zpl_charset *charset, unsigned which, char code,
                      char *out, size_t capacity);

#endif
