// The printer's clock: codes of ^FC, offsets of ^SO.
#include "lang/zpl/clock.h"

#include <stdio.h>

#include "base/ckd.h"
#include "lang/zpl/clock_names.h"

static bool is_leap(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

// The time of a clock: months and years move the calendar, the day is held inside the month, the rest is plain seconds.
static void clock_date(const struct zpl_clock *clock, unsigned which, struct pl_date *out)
{
    static const uint8_t MONTH_DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    pl_date_from_seconds(clock->now, out);
    if (which == 0)
        return;
    const struct zpl_clock_offset *o = &clock->offset[which - 1];
    int64_t months = (int64_t)out->year * 12 + (out->month - 1) + o->months + (int64_t)o->years * 12;
    int64_t year = pl_clamp_i64(months >= 0 ? months / 12 : 0, 0, 9999);
    int32_t month = (int32_t)(months >= 0 ? months % 12 : 0) + 1;
    int32_t last = MONTH_DAYS[month - 1] + (month == 2 && is_leap(year));
    int32_t day = PL_MIN(out->day, last);
    int64_t seconds = pl_date_to_seconds((int32_t)year, month, day, out->hour, out->minute, out->second) +
                      (int64_t)o->days * 86400 + (int64_t)o->hours * 3600 + (int64_t)o->minutes * 60 + o->seconds;
    pl_date_from_seconds(pl_clamp_i64(seconds, -62135596800, 253402300799), out);
}

static size_t two(char *out, size_t capacity, int value)
{
    return (size_t)snprintf(out, capacity, "%02d", value);
}

size_t zpl_clock_code(const struct zpl_clock *clock, const struct zpl_charset *charset, unsigned which, char code,
                      char *out, size_t capacity)
{
    struct pl_date d;
    clock_date(clock, which, &d);
    int32_t language = clock->language;
    switch (code) {
    case 'a':
        return zpl_clock_name(ZPL_DAY_SHORT, language, d.weekday, charset, out, capacity);
    case 'A':
        return zpl_clock_name(ZPL_DAY_LONG, language, d.weekday, charset, out, capacity);
    case 'b':
        return zpl_clock_name(ZPL_MONTH_SHORT, language, d.month - 1, charset, out, capacity);
    case 'B':
        return zpl_clock_name(ZPL_MONTH_LONG, language, d.month - 1, charset, out, capacity);
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
