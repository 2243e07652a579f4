// The printer's clock: dates without the C library's time zones, codes of ^FC, offsets of ^SO.
#include "zpl/clock.h"

#include <stdio.h>

#include "zpl/clock_names.h"

// Days from 1970-01-01 by the proleptic Gregorian calendar, counted in eras of 400 years.
static int64_t days_from_civil(int64_t year, int32_t month, int32_t day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

int64_t zpl_date_to_seconds(int32_t year, int32_t month, int32_t day, int32_t hour, int32_t minute, int32_t second)
{
    return days_from_civil(year, month, day) * 86400 + (int64_t)hour * 3600 + (int64_t)minute * 60 + second;
}

void zpl_date_from_seconds(int64_t seconds, struct zpl_date *out)
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

static bool is_leap(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

// The time of a clock: months and years move the calendar, the day is held inside the month, the rest is plain seconds.
static void clock_date(const struct zpl *z, unsigned clock, struct zpl_date *out)
{
    static const uint8_t MONTH_DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    zpl_date_from_seconds(z->time + z->printer.clock_shift, out);
    if (clock == 0)
        return;
    const struct zpl_clock_offset *o = &z->printer.offset[clock - 1];
    int64_t months = (int64_t)out->year * 12 + (out->month - 1) + o->months + (int64_t)o->years * 12;
    int64_t year = pl_clamp_i64(months >= 0 ? months / 12 : 0, 0, 9999);
    int32_t month = (int32_t)(months >= 0 ? months % 12 : 0) + 1;
    int32_t last = MONTH_DAYS[month - 1] + (month == 2 && is_leap(year));
    int32_t day = PL_MIN(out->day, last);
    int64_t seconds = zpl_date_to_seconds((int32_t)year, month, day, out->hour, out->minute, out->second) +
                      (int64_t)o->days * 86400 + (int64_t)o->hours * 3600 + (int64_t)o->minutes * 60 + o->seconds;
    zpl_date_from_seconds(pl_clamp_i64(seconds, -62135596800, 253402300799), out);
}

static size_t two(char *out, size_t capacity, int value)
{
    return (size_t)snprintf(out, capacity, "%02d", value);
}

size_t zpl_clock_code(const struct zpl *z, unsigned clock, char code, char *out, size_t capacity)
{
    struct zpl_date d;
    clock_date(z, clock, &d);
    int32_t language = z->printer.language;
    switch (code) {
    case 'a':
        return zpl_clock_name(ZPL_DAY_SHORT, language, d.weekday, &z->printer.charset, out, capacity);
    case 'A':
        return zpl_clock_name(ZPL_DAY_LONG, language, d.weekday, &z->printer.charset, out, capacity);
    case 'b':
        return zpl_clock_name(ZPL_MONTH_SHORT, language, d.month - 1, &z->printer.charset, out, capacity);
    case 'B':
        return zpl_clock_name(ZPL_MONTH_LONG, language, d.month - 1, &z->printer.charset, out, capacity);
    case 'd':
        return two(out, capacity, d.day);
    case 'H':
        return two(out, capacity, d.hour);
    case 'I':
        return two(out, capacity, d.hour % 12 == 0 ? 12 : d.hour % 12);
    case 'j':
        return (size_t)snprintf(out, capacity, "%03d", d.year_day + 1);
    case 'm':
        return two(out, capacity, d.month);
    case 'M':
        return two(out, capacity, d.minute);
    case 'p':
        return (size_t)snprintf(out, capacity, "%s", d.hour < 12 ? "AM" : "PM");
    case 'S':
        return two(out, capacity, d.second);
    case 'U':
        return two(out, capacity, (d.year_day + 7 - d.weekday) / 7);
    case 'W':
        return two(out, capacity, (d.year_day + 7 - (d.weekday + 6) % 7) / 7);
    case 'w':
        return two(out, capacity, d.weekday);
    case 'y':
        return two(out, capacity, d.year % 100);
    case 'Y':
        return (size_t)snprintf(out, capacity, "%04d", d.year);
    default:
        return 0;
    }
}
