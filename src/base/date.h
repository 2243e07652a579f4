// Seconds since 1970 and dates of the proleptic Gregorian calendar, in UTC and without leap seconds.
#ifndef PL_BASE_DATE_H
#define PL_BASE_DATE_H

#include <stdint.h>

struct pl_date {
    int32_t year, month, day; // month and day from 1
    int32_t hour, minute, second;
    int32_t weekday;  // 0: Sunday
    int32_t year_day; // from 0
};

// For years that fit in 32 bits.
void pl_date_from_seconds(int64_t seconds, struct pl_date *out);
// What is beyond a month's or a day's end is carried over; the month is from 1 to 12.
int64_t pl_date_to_seconds(int32_t year, int32_t month, int32_t day, int32_t hour, int32_t minute, int32_t second);

#endif
