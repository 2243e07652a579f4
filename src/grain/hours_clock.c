// Puts the rows of a file on one axis of time: their order, the interval between them, gaps, repeated rows and changes
// of the clock.
#include <math.h>
#include <stdlib.h>

#include "base/ckd.h"
#include "base/date.h"
#include "grain/hours.h"

#define HOUR 60
#define DAY 1440
#define LEAP (10 * DAY) // more than rows of a season are apart, less than a month
#define DATE_LENGTH 10  // "2024-06-01"
// Of the rows so many must have a time that can be read; else the column holds something else.
#define READ_SHARE 0.6
// A step of more than this many intervals is a gap.
#define GAP_STEPS 1.5

// Sets the minutes of all rows that have such a day in this order. Returns how far they are apart, from row to row:
// more than LEAP counts as that, and so does a row without such a day.
static int64_t set_minutes(struct grain_hours *hours, enum grain_day_order order)
{
    int64_t way = 0;
    const struct grain_hour *before = NULL;
    for (size_t i = 0; i < hours->count; i++) {
        struct grain_hour *hour = &hours->list[i];
        if (!hour->stamp.read)
            continue;
        if (!grain_stamp_minutes(&hour->stamp, order, &hour->minutes)) {
            way += LEAP;
            continue;
        }
        if (before != NULL)
            way += PL_MIN(llabs(hour->minutes - before->minutes), (int64_t)LEAP);
        before = hour;
    }
    return way;
}

// "24-06-01": are the rows nearer to each other with the year first? If they are as near, as on one day, the later year
// is meant where dashes part the numbers: 30/06/24 is a day of 2024.
static bool is_year_first(struct grain_hours *hours, enum grain_day_order other, int64_t way)
{
    int64_t first = 0, last = 0;
    const struct grain_stamp *stamp = NULL;
    for (size_t i = 0; i < hours->count && stamp == NULL; i++) {
        if (hours->list[i].stamp.read && hours->list[i].stamp.short_year)
            stamp = &hours->list[i].stamp;
    }
    if (stamp == NULL || !grain_stamp_minutes(stamp, GRAIN_YEAR_FIRST, &first))
        return false;
    int64_t other_way = set_minutes(hours, GRAIN_YEAR_FIRST);
    if (other_way != way)
        return other_way < way;
    return stamp->dashed && (!grain_stamp_minutes(stamp, other, &last) || first > last);
}

// Is there a date that is another day in the other order of day and month?
static bool has_two_readings(const struct grain_hours *hours)
{
    for (size_t i = 0; i < hours->count; i++) {
        const struct grain_stamp *stamp = &hours->list[i].stamp;
        if (stamp->read && stamp->day_or_month && !stamp->dotted && stamp->month != stamp->day)
            return true;
    }
    return false;
}

// Of the orders of day, month and year the one in which the rows are nearer to each other; if day and month are equal,
// as on one day, the American one in files with °F or a clock of twelve hours and without dots between. A row that it
// makes no day of has no time.
static void choose_order(struct grain_hours *hours)
{
    const struct grain_csv *csv = &hours->csv;
    int64_t by_day = set_minutes(hours, GRAIN_DAY_FIRST), by_month = set_minutes(hours, GRAIN_MONTH_FIRST);
    const struct grain_stamp *stamp = &hours->list[0].stamp;
    bool american = !stamp->dotted && (stamp->twelve || csv->taken_ta.what.unit == GRAIN_UNIT_FAHRENHEIT ||
                                       csv->cell_unit == GRAIN_UNIT_FAHRENHEIT);
    bool day_first = by_day != by_month ? by_day < by_month : !american;
    enum grain_day_order order = day_first ? GRAIN_DAY_FIRST : GRAIN_MONTH_FIRST;
    if (is_year_first(hours, order, PL_MIN(by_day, by_month)))
        order = GRAIN_YEAR_FIRST;
    hours->clock.order_assumed = by_day == by_month && order != GRAIN_YEAR_FIRST && has_two_readings(hours);
    hours->clock.month_first = order == GRAIN_MONTH_FIRST;
    for (size_t i = 0; i < hours->count; i++) {
        struct grain_hour *hour = &hours->list[i];
        hour->stamp.read = hour->stamp.read && grain_stamp_minutes(&hour->stamp, order, &hour->minutes);
    }
}

// Days have dates in all rows or in none: a row that differs from most of them has no place among them.
static void agree_on_dates(struct grain_hours *hours)
{
    size_t read = 0, dated = 0;
    for (size_t i = 0; i < hours->count; i++) {
        read += hours->list[i].stamp.read;
        dated += hours->list[i].stamp.read && hours->list[i].stamp.has_date;
    }
    hours->clock.dated = 2 * dated >= read;
    for (size_t i = 0; i < hours->count; i++) {
        struct grain_stamp *stamp = &hours->list[i].stamp;
        stamp->read = stamp->read && stamp->has_date == hours->clock.dated;
    }
}

static size_t count_read(const struct grain_hours *hours)
{
    size_t read = 0;
    for (size_t i = 0; i < hours->count; i++)
        read += hours->list[i].stamp.read;
    return read;
}

// Times without a date: one before the last begins another day.
static void add_days(struct grain_hours *hours)
{
    int64_t day = 0, last = INT64_MIN;
    for (size_t i = 0; i < hours->count; i++) {
        struct grain_hour *hour = &hours->list[i];
        if (!hour->stamp.read)
            continue;
        day += hour->minutes < last ? DAY : 0;
        last = hour->minutes;
        hour->minutes += day;
    }
}

static int compare_steps(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int compare_hours(const void *a, const void *b)
{
    const struct grain_hour *x = a, *y = b;
    return x->minutes != y->minutes ? (x->minutes > y->minutes) - (x->minutes < y->minutes)
                                    : (x->row > y->row) - (x->row < y->row);
}

// The middle one of the steps from each time to the next later one, in whatever order the rows are; an hour where there
// is none.
static double find_interval(const struct grain_hours *hours, int64_t *steps)
{
    size_t count = 0, forward = 0;
    for (size_t i = 0; i < hours->count; i++) {
        if (hours->list[i].stamp.read)
            steps[count++] = hours->list[i].minutes;
    }
    qsort(steps, count, sizeof *steps, compare_steps);
    for (size_t i = 0; i + 1 < count; i++) {
        if (steps[i + 1] > steps[i])
            steps[forward++] = steps[i + 1] - steps[i];
    }
    if (forward == 0)
        return HOUR;
    qsort(steps, forward, sizeof *steps, compare_steps);
    return (double)steps[(forward - 1) / 2];
}

// Clocks change in the small hours of a Sunday, or at the midnight before it, in spring and autumn of either half of
// the earth.
static bool is_change_night(int64_t minutes)
{
    struct pl_date at;
    pl_date_from_seconds(minutes * 60, &at);
    bool night = (at.weekday == 0 && at.hour * HOUR + at.minute <= 4 * HOUR) || (at.weekday == 6 && at.hour == 23);
    return night && ((at.month >= 2 && at.month <= 4) || (at.month >= 9 && at.month <= 11));
}

// Local times without their distance from UTC: an hour that comes twice in autumn, or not at all in spring, is a
// change of the clock.
static bool is_change(const struct grain_hours *hours, const struct grain_hour *hour, int64_t before, int64_t step)
{
    int64_t interval = (int64_t)hours->clock.interval;
    bool local_time = hour->stamp.has_date && !hour->stamp.zoned && !hours->csv.fixed_clock && interval <= HOUR;
    return local_time && is_change_night(before) && (step == interval - HOUR || step == interval + HOUR);
}

// The rows behind a change of the clock are moved, so that the axis has no hole and no fold. Of rows that were out of
// order nobody can tell an hour that comes twice from rows that are repeated.
static void undo_changes(struct grain_hours *hours)
{
    int64_t shift = 0, before = INT64_MIN;
    for (size_t i = 0; i < hours->count; i++) {
        struct grain_hour *hour = &hours->list[i];
        if (!hour->stamp.read)
            continue;
        int64_t local = hour->minutes, step = before == INT64_MIN ? 0 : local - before;
        bool ordered = hours->clock.backward == 0 || step > 0;
        if (before != INT64_MIN && ordered && is_change(hours, hour, before, step)) {
            shift += step < (int64_t)hours->clock.interval ? HOUR : -HOUR;
            hours->clock.changes++;
        }
        before = local;
        hour->minutes = local + shift;
        hour->moved = shift;
    }
}

// Rows whose time is before that of the row above them, though the clock was not changed.
static size_t count_backward(const struct grain_hours *hours)
{
    size_t count = 0;
    const struct grain_hour *before = NULL;
    for (size_t i = 0; i < hours->count; i++) {
        const struct grain_hour *hour = &hours->list[i];
        if (!hour->stamp.read)
            continue;
        int64_t step = before == NULL ? 0 : hour->minutes - before->minutes;
        count += step < 0 && !is_change(hours, hour, before->minutes, step);
        before = hour;
    }
    return count;
}

// A row whose time cannot be read stays beside the row above it.
static void place_unread(struct grain_hours *hours)
{
    for (size_t i = 0; i < hours->count; i++) {
        struct grain_hour *hour = &hours->list[i];
        if (hour->stamp.read)
            continue;
        const struct grain_hour *above = hour - (i > 0);
        hour->minutes = i > 0 ? above->minutes : 0;
        hour->moved = above->moved;
        hour->stamp.east = above->stamp.east;
        hour->error = hour->error == GRAIN_HOUR_OK ? GRAIN_HOUR_BAD_TIME : hour->error;
    }
}

// Some services write the newest row first. Times without a date go the shorter way round the clock; a single step back
// may be a gap.
static void reverse_if_newest_first(struct grain_hours *hours)
{
    bool dated = hours->clock.dated;
    size_t forward = dated ? 0 : 1, backward = 0;
    for (size_t i = 1; i < hours->count; i++) {
        const struct grain_hour *hour = &hours->list[i], *before = hour - 1;
        if (!hour->stamp.read || !before->stamp.read)
            continue;
        int64_t step = hour->minutes - before->minutes;
        if (!dated)
            step = step > DAY / 2 ? step - DAY : step < -DAY / 2 ? step + DAY : step;
        forward += step > 0;
        backward += step < 0;
    }
    for (size_t i = 0; backward > forward && i < hours->count / 2; i++) {
        struct grain_hour other = hours->list[i];
        hours->list[i] = hours->list[hours->count - 1 - i];
        hours->list[hours->count - 1 - i] = other;
    }
}

// What each row stands for: the time to the next one, and across a gap no more than the interval.
static void set_weights(struct grain_hours *hours)
{
    struct grain_clock *clock = &hours->clock;
    struct grain_hour *before = NULL;
    for (size_t i = 0; i < hours->count; i++) {
        struct grain_hour *hour = &hours->list[i];
        if (hour->error != GRAIN_HOUR_OK)
            continue;
        if (before != NULL) {
            double step = (double)(hour->minutes - before->minutes);
            bool gap = step > GAP_STEPS * clock->interval;
            if (step <= 0) {
                clock->repeated++;
                hour->weight = 0;
                continue;
            }
            before->weight = (gap ? clock->interval : step) / HOUR;
            if (gap) {
                double missing = (step - clock->interval) / HOUR;
                clock->gaps++;
                if (missing > clock->longest_gap) {
                    clock->longest_gap = missing;
                    clock->longest_at = grain_hour_clock(before) + (int64_t)clock->interval;
                }
            }
        }
        hour->weight = clock->interval / HOUR;
        before = hour;
    }
}

static void add_up(struct grain_hours *hours)
{
    struct grain_clock *clock = &hours->clock;
    clock->first = INT64_MAX;
    clock->last = INT64_MIN;
    for (size_t i = 0; i < hours->count; i++) {
        const struct grain_hour *hour = &hours->list[i];
        // A row without an answer still says that its hour belongs to the season.
        if (clock->read && !hour->stamp.read)
            continue;
        if (hour->minutes < clock->first) {
            clock->first = hour->minutes;
            clock->starts = grain_hour_clock(hour);
        }
        if (hour->minutes > clock->last) {
            clock->last = hour->minutes;
            clock->ends = grain_hour_clock(hour);
        }
        if (hour->error == GRAIN_HOUR_OK)
            clock->covered += hour->weight;
    }
    if (clock->first <= clock->last)
        clock->expected = ((double)(clock->last - clock->first) + clock->interval) / HOUR;
}

bool grain_hours_set_clock(struct grain_hours *hours)
{
    struct grain_clock *clock = &hours->clock;
    *clock = (struct grain_clock){.interval = HOUR};
    agree_on_dates(hours);
    if (hours->count > 0)
        choose_order(hours);
    size_t read = count_read(hours);
    clock->read = read > 0 && (double)read >= READ_SHARE * (double)hours->count;
    for (size_t i = 0; !clock->read && i < hours->count; i++)
        hours->list[i].minutes = (int64_t)i * HOUR;
    if (clock->read) {
        int64_t *steps = malloc(hours->count * sizeof *steps);
        if (steps == NULL)
            return false;
        reverse_if_newest_first(hours);
        if (!clock->dated)
            add_days(hours);
        clock->interval = find_interval(hours, steps);
        free(steps);
        clock->backward = count_backward(hours);
        if (clock->backward > 0) {
            place_unread(hours);
            qsort(hours->list, hours->count, sizeof *hours->list, compare_hours);
        }
        undo_changes(hours);
        place_unread(hours);
        qsort(hours->list, hours->count, sizeof *hours->list, compare_hours);
    }
    set_weights(hours);
    add_up(hours);
    return true;
}

void grain_hours_say_day(struct pl_buf *out, enum grain_lang lang, const struct grain_hours *hours, int64_t minutes)
{
    char text[GRAIN_STAMP_TEXT];
    grain_minutes_text(minutes, text);
    if (hours->clock.dated)
        pl_buf_append(out, text, DATE_LENGTH);
    else
        pl_buf_printf(out, "%s %lld", grain_words(lang, "Day", "Dia", "Día"),
                      (long long)(grain_day_of(minutes) - grain_day_of(hours->clock.starts) + 1));
}

size_t grain_hours_periods(const struct grain_hours *hours, struct grain_period *periods, size_t max)
{
    const struct grain_clock *clock = &hours->clock;
    size_t count = 0;
    // Days from midnight to midnight where the file was written, or several of them. A clock that is set back there
    // begins no day again.
    double days = ceil((clock->expected / 24 + 1) / (double)max);
    int64_t size = (int64_t)fmax(1, days), start = clock->read ? grain_day_of(clock->starts) : 0, number = -1;
    for (size_t i = 0; i < hours->count; i++) {
        const struct grain_hour *hour = &hours->list[i];
        if (hour->error != GRAIN_HOUR_OK || !(hour->weight > 0))
            continue;
        int64_t of_hour = (grain_day_of(grain_hour_clock(hour)) - start) / size;
        if (of_hour > number || count == 0) {
            if (count == max)
                break;
            number = of_hour;
            periods[count++] = (struct grain_period){.first = i, .low = hour->moisture, .high = hour->moisture};
        }
        struct grain_period *period = &periods[count - 1];
        period->low = fmin(period->low, hour->moisture);
        period->high = fmax(period->high, hour->moisture);
        period->hours += hour->weight;
        period->count++;
        period->effects[hour->effect] += hour->weight;
        period->run += hour->run ? hour->weight : 0;
    }
    for (size_t i = 0; i < count; i++) {
        size_t end = i + 1 < count ? periods[i + 1].first : hours->count;
        periods[i].mean = grain_hours_mean_air(hours, periods[i].first, end, false).moisture;
    }
    return count;
}
