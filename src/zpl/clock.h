// The printer's clock for ^FC fields.
#ifndef PL_ZPL_CLOCK_H
#define PL_ZPL_CLOCK_H

#include "zpl/interp.h"

struct zpl_date {
    int32_t year, month, day; // month and day from 1
    int32_t hour, minute, second;
    int32_t weekday;  // 0: Sunday
    int32_t year_day; // from 0
};

void zpl_date_from_seconds(int64_t seconds, struct zpl_date *out);
int64_t zpl_date_to_seconds(int32_t year, int32_t month, int32_t day, int32_t hour, int32_t minute, int32_t second);
// The text of a code such as 'Y' or 'm' on clock 0, 1 or 2, in the character set's bytes; 0: no such code.
size_t zpl_clock_code(const struct zpl *z, unsigned clock, char code, char *out, size_t capacity);

#endif
