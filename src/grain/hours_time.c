// Reads the time of a row: dates in three orders and with names of months, hours with and without minutes, noon and
// midnight of both kinds of clock, distances from UTC.
#include "grain/hours_time.h"

#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "base/date.h"

#define DAY 1440

struct reader {
    const uint8_t *at, *end;
};

static uint8_t peek(const struct reader *in)
{
    return in->at < in->end ? *in->at : '\0';
}

static void skip(struct reader *in, const char *chars)
{
    while (in->at < in->end && *in->at != '\0' && strchr(chars, *in->at) != NULL)
        in->at++;
}

// A whole number of up to `most` digits; returns how many it has, 0: none.
static int number(struct reader *in, int most, int *value)
{
    int digits = 0;
    *value = 0;
    while (digits < most && pl_is_digit(peek(in))) {
        *value = *value * 10 + (*in->at++ - '0');
        digits++;
    }
    return digits;
}

static bool word(struct reader *in, const char *text)
{
    size_t len = strlen(text);
    if ((size_t)(in->end - in->at) < len)
        return false;
    for (size_t i = 0; i < len; i++) {
        if (pl_lower(in->at[i]) != (uint8_t)text[i])
            return false;
    }
    in->at += len;
    return true;
}

// The month that a name begins, in English, Portuguese, Spanish or German; 0: none.
static int month_name(struct reader *in)
{
    static const struct {
        const char *name;
        int month;
    } names[] = {{"jan", 1},  {"ene", 1},  {"feb", 2},  {"fev", 2},  {"mar", 3},  {"apr", 4}, {"abr", 4}, {"may", 5},
                 {"mai", 5},  {"jun", 6},  {"jul", 7},  {"aug", 8},  {"ago", 8},  {"sep", 9}, {"set", 9}, {"oct", 10},
                 {"out", 10}, {"okt", 10}, {"nov", 11}, {"dec", 12}, {"dez", 12}, {"dic", 12}};
    for (size_t i = 0; i < PL_COUNTOF(names); i++) {
        if (!word(in, names[i].name))
            continue;
        while (pl_lower(peek(in)) >= 'a' && pl_lower(peek(in)) <= 'z')
            in->at++;
        return names[i].month;
    }
    return 0;
}

static int full_year(int year, int digits)
{
    return digits > 2 ? year : year < 70 ? 2000 + year : 1900 + year;
}

static bool set_date(struct grain_stamp *stamp, int year, int month, int day)
{
    if (year < 1900 || year > 2100 || month < 1 || month > 31 || day < 1 || day > 31)
        return false;
    stamp->has_date = true;
    stamp->year = (int16_t)year;
    stamp->month = (int8_t)month;
    stamp->day = (int8_t)day;
    return true;
}

// "2024-06-01", "01/06/24", "1-Jun-2024", "Jun 1, 2024". Leaves the reader behind it.
static bool read_date(struct reader *in, struct grain_stamp *stamp)
{
    int first = 0, second = 0, third = 0, month = month_name(in);
    if (month > 0) {
        skip(in, " .");
        if (number(in, 2, &first) == 0)
            return false;
        skip(in, " ,");
        int digits = number(in, 4, &third);
        return digits >= 2 && set_date(stamp, full_year(third, digits), month, first);
    }
    int digits = number(in, 4, &first);
    uint8_t separator = peek(in);
    if (digits == 0 || digits == 3 || separator == '\0' || strchr("-/. ", separator) == NULL)
        return false;
    in->at++;
    (void)word(in, "de "); // "1 de outubro de 2024"
    month = month_name(in);
    if (month == 0 && number(in, 2, &second) == 0)
        return false;
    if (peek(in) != separator && month == 0)
        return false;
    skip(in, "-/. ");
    if (!word(in, "del "))
        (void)word(in, "de ");
    int last = number(in, digits == 4 ? 2 : 4, &third);
    if (last == 0)
        return false;
    if (digits == 4)
        return set_date(stamp, first, month > 0 ? month : second, third) && stamp->month <= 12;
    int year = full_year(third, last);
    if (month > 0)
        return set_date(stamp, year, month, first);
    // Which of them is the day, the file decides; they are kept as they stand.
    stamp->day_or_month = true;
    stamp->short_year = last == 2 && digits == 2;
    stamp->dashed = separator == '-';
    stamp->dotted = separator == '.';
    bool good = set_date(stamp, year, stamp->short_year ? 1 : first, second);
    stamp->month = (int8_t)first;
    return good;
}

// "+03:00", "-0300", "Z", "UTC" behind a time.
static void read_zone(struct reader *in, struct grain_stamp *stamp)
{
    skip(in, " ");
    uint8_t sign = peek(in);
    int hours = 0, minutes = 0;
    if (word(in, "utc") || word(in, "gmt") || word(in, "z")) {
        stamp->zoned = true;
        return;
    }
    if (sign != '+' && sign != '-')
        return;
    in->at++;
    if (number(in, 2, &hours) == 0)
        return;
    skip(in, ":");
    (void)number(in, 2, &minutes);
    int offset = (hours * 60 + minutes) * (sign == '-' ? -1 : 1);
    if (hours <= 14 && minutes < 60) {
        stamp->zoned = true;
        stamp->minute = (int16_t)(stamp->minute - offset);
        stamp->east = (int16_t)offset;
    }
}

// " AM", "p.m.", or nothing: the half of the day that an hour of twelve is in.
static void read_half(struct reader *in, struct grain_stamp *stamp, int *hour)
{
    uint8_t c = pl_lower(peek(in));
    struct reader rest = *in;
    if (c != 'a' && c != 'p')
        return;
    rest.at++;
    skip(&rest, ". ");
    if (rest.at != rest.end && pl_lower(peek(&rest)) != 'm')
        return;
    *hour = *hour % 12 + (c == 'p' ? 12 : 0);
    stamp->twelve = true;
    in->at = rest.at == rest.end ? rest.at : rest.at + 1;
    skip(in, ".");
}

// "13:05", "1:05:30 PM", "1305", "13h05", "13"; `alone`: a number without anything else is an hour.
static bool read_time(struct reader *in, struct grain_stamp *stamp, bool alone)
{
    int hour = 0, minute = 0, second = 0;
    int digits = number(in, 4, &hour);
    uint8_t c = peek(in);
    if (digits == 0)
        return false;
    if (digits >= 3) {
        minute = hour % 100;
        hour /= 100;
        (void)number(in, 2, &second);
    } else if (c == ':' || c == 'h' || c == 'H') {
        in->at++;
        (void)number(in, 2, &minute);
        if (peek(in) == ':') {
            in->at++;
            (void)number(in, 2, &second);
            if (peek(in) == '.' || peek(in) == ',') {
                in->at++;
                while (pl_is_digit(peek(in)))
                    in->at++;
            }
        }
    } else if (!alone && in->at < in->end && pl_lower(c) != ' ' && pl_lower(c) != 'a' && pl_lower(c) != 'p') {
        return false;
    }
    skip(in, " ");
    read_half(in, stamp, &hour);
    if (hour > 24 || minute > 59 || hour * 60 + minute > DAY)
        return false;
    stamp->minute = (int16_t)(hour * 60 + minute);
    read_zone(in, stamp);
    return true;
}

static bool set_minutes(struct grain_stamp *stamp, int64_t minutes)
{
    struct pl_date date;
    pl_date_from_seconds(minutes * 60, &date);
    stamp->minute = (int16_t)(minutes % DAY);
    stamp->zoned = true;
    return set_date(stamp, date.year, date.month, date.day);
}

// Digits alone: "20240601", with hour, minute and second behind them, or seconds since 1970.
static bool read_digits(struct pl_slice text, struct grain_stamp *stamp)
{
    int64_t value = 0;
    for (size_t i = 0; i < text.len; i++)
        value = value * 10 + (text.ptr[i] - '0');
    bool dated = text.ptr[0] == '2' || (text.ptr[0] == '1' && text.ptr[1] == '9');
    if (text.len >= 8 && text.len <= 14 && text.len % 2 == 0 && dated) {
        struct reader in = {text.ptr, text.ptr + text.len};
        int year, month, day, hour = 0, minute = 0;
        (void)number(&in, 4, &year);
        (void)number(&in, 2, &month);
        (void)number(&in, 2, &day);
        (void)number(&in, 2, &hour);
        (void)number(&in, 2, &minute);
        stamp->minute = (int16_t)(hour * 60 + minute);
        return month <= 12 && hour <= 24 && minute <= 59 && set_date(stamp, year, month, day);
    }
    if (text.len == 13)
        value /= 1000;
    return (text.len == 10 || text.len == 13) && set_minutes(stamp, value / 60);
}

// What is in one cell: a date, a time of the day, or both.
static bool read_cell(struct pl_slice text, struct grain_stamp *stamp, bool *has_time)
{
    *has_time = false;
    if (text.len == 0)
        return false;
    bool digits = true;
    for (size_t i = 0; i < text.len; i++)
        digits = digits && pl_is_digit(text.ptr[i]);
    if (digits) {
        *has_time = text.len >= 10;
        return text.len >= 8 && text.len <= 14 && read_digits(text, stamp);
    }
    struct reader in = {text.ptr, text.ptr + text.len};
    int eight;
    // "20240601:0010", "20240601 00:10", "20240601T001000Z"
    if (number(&in, 8, &eight) == 8 && peek(&in) != '\0' && strchr(": Tt", peek(&in)) != NULL) {
        in.at++;
        *has_time = true;
        return read_digits(pl_slice_sub(text, 0, 8), stamp) && read_time(&in, stamp, true);
    }
    in.at = text.ptr;
    struct grain_stamp date = *stamp;
    if (read_date(&in, &date)) {
        *stamp = date;
        skip(&in, " Tt,_");
        *has_time = in.at < in.end;
        return !*has_time || read_time(&in, stamp, false);
    }
    in.at = text.ptr;
    *has_time = true;
    // A time alone begins with its hour and a colon; a bare number is a row's number, and "2024-153T00:00" a date in a
    // form that is not read.
    size_t colon = text.len > 1 && text.ptr[1] == ':' ? 1 : 2;
    if (text.len <= colon || text.ptr[colon] != ':' || !read_time(&in, stamp, false))
        return false;
    // "13:00 01/06/2024"
    date = *stamp;
    skip(&in, " ,");
    if (in.at < in.end && read_date(&in, &date))
        *stamp = date;
    return true;
}

static bool cell_number(struct pl_slice cell, int *value)
{
    if (cell.len == 0)
        return false;
    struct reader in = {cell.ptr, cell.ptr + cell.len};
    return number(&in, 4, value) > 0 && (in.at == in.end || *in.at == '.');
}

struct grain_stamp grain_stamp_of(const struct grain_csv *csv, const struct grain_csv_row *row)
{
    struct grain_stamp stamp = {.read = false};
    bool has_time = false;
    int year = 0, month = 0, day = 0, minute = 0;
    if (csv->part[GRAIN_COLUMN_TIME] >= 0 && row->part[GRAIN_COLUMN_TIME].len > 0) {
        stamp.read = read_cell(row->part[GRAIN_COLUMN_TIME], &stamp, &has_time);
    } else if (cell_number(row->part[GRAIN_COLUMN_YEAR], &year) && cell_number(row->part[GRAIN_COLUMN_MONTH], &month) &&
               cell_number(row->part[GRAIN_COLUMN_DAY], &day)) {
        stamp.read = month <= 12 && set_date(&stamp, year, month, day);
    }
    struct pl_slice hour = row->part[GRAIN_COLUMN_HOUR];
    if (!stamp.read || has_time || hour.len == 0)
        return stamp;
    struct reader in = {hour.ptr, hour.ptr + hour.len};
    stamp.read = read_time(&in, &stamp, true);
    if (cell_number(row->part[GRAIN_COLUMN_MINUTE], &minute) && minute < 60)
        stamp.minute = (int16_t)(stamp.minute + minute);
    return stamp;
}

bool grain_stamp_minutes(const struct grain_stamp *stamp, enum grain_day_order order, int64_t *minutes)
{
    *minutes = stamp->minute;
    if (!stamp->has_date)
        return true;
    bool year_first = stamp->short_year && order == GRAIN_YEAR_FIRST;
    bool swap = stamp->day_or_month && order != GRAIN_MONTH_FIRST;
    int month = swap ? stamp->day : stamp->month, day = swap ? stamp->month : stamp->day, year = stamp->year;
    if (year_first) {
        year = full_year(day, 2);
        day = stamp->year % 100;
    }
    if (month < 1 || month > 12 || day < 1 || day > 31)
        return false;
    struct pl_date date;
    int64_t seconds = pl_date_to_seconds(year, month, day, 0, 0, 0);
    pl_date_from_seconds(seconds, &date);
    *minutes += seconds / 60;
    return date.day == day; // not carried over into the next month
}

void grain_minutes_text(int64_t minutes, char text[GRAIN_STAMP_TEXT])
{
    struct pl_date date;
    pl_date_from_seconds(minutes * 60, &date);
    snprintf(text, GRAIN_STAMP_TEXT, "%04d-%02d-%02dT%02d:%02d", date.year % 10000, date.month % 100, date.day % 100,
             date.hour % 100, date.minute % 100);
}

int64_t grain_day_of(int64_t minutes)
{
    return minutes / DAY - (minutes % DAY < 0);
}
