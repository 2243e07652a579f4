// Dates without the C library, whose functions read the system's time zone first, even for UTC.
#include "base/date.h"

// Days from 1970-01-01 by the proleptic Gregorian calendar, counted in eras of 400 years.
static int64_t days_from_civil(int64_t year, int32_t month, int32_t day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

int64_t pl_date_to_seconds(int32_t year, int32_t month, int32_t day, int32_t hour, int32_t minute, int32_t second)
{
    return days_from_civil(year, month, day) * 86400 + (int64_t)hour * 3600 + (int64_t)minute * 60 + second;
}

void pl_date_from_seconds(int64_t seconds, struct pl_date *out)
{
    int64_t days = seconds / 86400, rest = seconds % 86400;
    if (rest < 0) {
        rest += 86400;
        days--;
    }
    out->hour = (int32_t)(rest / 3600);
    out->minute = (int32_t)(rest / 60 % 60);
    out->second = (int32_t)(rest % 60);
    out->weekday = (int32_t)(((days + 4) % 7 + 7) % 7);
    int64_t shifted = days + 719468;
    int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    int64_t of_era = shifted - era * 146097;
    int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month = (5 * day_of_year + 2) / 153;
    out->day = (int32_t)(day_of_year - (153 * month + 2) / 5 + 1);
    out->month = (int32_t)(month < 10 ? month + 3 : month - 9);
    out->year = (int32_t)(year_of_era + era * 400 + (out->month <= 2));
    out->year_day = (int32_t)(days - days_from_civil(out->year, 1, 1));
}
