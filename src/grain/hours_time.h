// Times of files of hours: read in the forms that stations, services and loggers write, and put on one axis.
#ifndef GRAIN_HOURS_TIME_H
#define GRAIN_HOURS_TIME_H

#include "grain/hours_csv.h"

// A time as one row writes it. Of "03/04/2024" only the whole file can tell which is the day.
struct grain_stamp {
    bool read;
    bool has_date;
    bool day_or_month; // `month` and `day` are the first and the second number, in an order that is not known yet
    bool short_year;   // neither is it known whether the year, of two digits, is the third number or the first
    bool dashed;       // its numbers are parted by -, as in ISO 8601
    bool dotted;       // or by dots, which countries do that write the day first
    bool zoned;        // it says its distance from UTC
    bool twelve;       // by a clock of twelve hours
    int16_t year;
    int8_t month, day;
    int16_t minute; // of the day, 0 to 1440; less the distance from UTC where one is said
    int16_t east;   // that distance in minutes
};

struct grain_stamp grain_stamp_of(const struct grain_csv *csv, const struct grain_csv_row *row);

enum grain_day_order { GRAIN_DAY_FIRST, GRAIN_MONTH_FIRST, GRAIN_YEAR_FIRST };

// Minutes since 1970, of a time without a date since the midnight before it. False: there is no such day.
bool grain_stamp_minutes(const struct grain_stamp *stamp, enum grain_day_order order, int64_t *minutes);
// "2024-03-10T01:00"
#define GRAIN_STAMP_TEXT 24
#define GRAIN_STAMP_CLOCK 11 // where "01:00" begins in it
void grain_minutes_text(int64_t minutes, char text[GRAIN_STAMP_TEXT]);
// Days since 1970, also before it.
int64_t grain_day_of(int64_t minutes);

#endif
