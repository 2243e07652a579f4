// The hours of a season: a CSV of temperature and humidity in, equilibrium moisture and what each hour does to the
// grain out.
#ifndef GRAIN_HOURS_H
#define GRAIN_HOURS_H

#include <math.h>

#include "base/job.h"
#include "grain/bin.h"
#include "grain/fields.h"
#include "grain/hours_csv.h"
#include "grain/hours_time.h"

#define GRAIN_HOURS_MAX 100000
// So many rows that cannot be read are told one by one, whoever tells them; of the rest their number.
#define GRAIN_BAD_ROWS_TOLD 100

enum grain_hour_error {
    GRAIN_HOUR_OK,
    GRAIN_HOUR_CELLS, // more than the header has
    GRAIN_HOUR_NO_TA,
    GRAIN_HOUR_BAD_TA,
    GRAIN_HOUR_TA_RANGE,
    GRAIN_HOUR_NO_UR,
    GRAIN_HOUR_BAD_UR,
    GRAIN_HOUR_UR_RANGE,
    GRAIN_HOUR_DEW_RANGE,
    GRAIN_HOUR_SUSPECT,  // by the mark of its service
    GRAIN_HOUR_BAD_TIME, // of a file whose other times can be read
    GRAIN_HOUR_NO_ANSWER
};

enum grain_effect { GRAIN_DRIES, GRAIN_HOLDS, GRAIN_WETS, GRAIN_EFFECTS };

struct grain_hour {
    size_t row; // line of the file
    struct pl_slice time, hour;
    struct grain_stamp stamp;
    int64_t minutes; // on the axis of the file; without times the number of the row in hours
    int64_t moved;   // by so many minutes from the clock of the file, because that was changed
    double weight;   // hours that it stands for; 0: it repeats the time of another row
    enum grain_hour_error error;
    double celsius, ur; // of the air as it is in the file
    double vapour;      // its pressure, Pa
    double moisture;    // in equilibrium with the air behind the fan
    enum grain_effect effect;
    bool condensation; // on the grain as it was given, or on the coldest of the layers
    bool saturated;
    bool out_of_range; // of the set of constants
    bool said_unit;    // the cell itself says °C or °F
    bool run;          // the fan is advised to run, if there is a goal
    double threshold;  // humidity of the outside air below which it dries the grain, percent; NaN: not known
};

// The time of a row by the clock of the file, which is that of its days.
static inline int64_t grain_hour_clock(const struct grain_hour *hour)
{
    return hour->minutes - hour->moved + hour->stamp.east;
}

// The air of some hours on average: by its water and its heat, not by its humidity.
struct grain_mean_air {
    double celsius, vapour; // behind the fan
    double ur;              // of all its water in all that it could hold at the temperatures of its days
    double moisture;        // that grain in it tends to, percent wet basis
};

// Some hours in a row, for a chart.
struct grain_period {
    size_t first; // index of its first hour
    size_t count;
    double hours, effects[GRAIN_EFFECTS];
    double run;             // hours in which the fan is advised to run
    double low, mean, high; // the mean is what the grain tends to
};

// What the times of the file say.
struct grain_clock {
    bool read;            // false: there are none that can be read, and each row counts as an hour
    bool dated;           // the times have dates; else days are counted from the first row
    bool order_assumed;   // of day and month: the rows are as near to each other in either order
    bool month_first;     // and the month was taken as the first
    double interval;      // minutes between rows, mostly
    double covered;       // hours that rows with an answer stand for
    double expected;      // hours from the first row to the end of the last
    size_t gaps;          // longer than one and a half intervals
    double longest_gap;   // hours that are missing in it
    int64_t longest_at;   // when it begins, by the clock of the file
    size_t repeated;      // rows with the time of another row; they are not used
    size_t backward;      // rows whose time is before that of the row above them
    size_t changes;       // of the clock, to daylight saving or back
    int64_t first, last;  // on the axis
    int64_t starts, ends; // the same by the clock of the file
};

// Why a file is refused before its rows are computed.
enum grain_hours_problem {
    GRAIN_HOURS_NO_PROBLEM,
    GRAIN_HOURS_AMBIGUOUS_COLUMNS,
    GRAIN_HOURS_UNKNOWN_COLUMN,
    GRAIN_HOURS_AMBIGUOUS_UNIT,
    GRAIN_HOURS_FRACTIONS // humidities as 0.7, not as 70
};

struct grain_hours {
    struct grain_csv csv;
    enum grain_hours_problem problem;
    const struct grain_set *set;
    struct grain_hour *list;
    size_t count, room, answered;
    struct grain_clock clock;
    double effects[GRAIN_EFFECTS], condensation, saturated, out_of_range; // hours
    double low, high;                                                     // of the hours
    struct grain_mean_air air;  // its moisture is what the bin tends to when the fan runs throughout
    struct grain_spread spread; // of the mean
    bool mean_out_of_range;
    // As asked: NaN where not given.
    double grain_moisture, grain_celsius, fan_heat, hold;
    bool strict;
    size_t fractions;                 // humidities of about 1 or less
    bool unit_assumed;                // nothing says the unit of the temperatures
    enum grain_column_unit overruled; // what their header says where the request says another one
    // The column whose cells say another unit than its header, or than the request; OTHER: none.
    enum grain_column_kind cells_differ;
    // Advice for the fan, with a goal.
    enum grain_goal goal;
    double run_hours;
    double run_mean;  // moisture that the bin tends to when it runs in these; NaN: none
    double threshold; // mean over the hours
    bool warms;       // to cool the bin, air is blown that is warmer than its coldest layer
    // The bin in layers, with an airflow.
    double airflow, target;
    struct grain_bin bin;
    double wetted; // points by which its wettest layer ends above the moisture that it began with
};

// Has a bin that was not to be wetted become wetter, by more than one can overlook?
static inline bool grain_hours_wet_bin(const struct grain_hours *hours)
{
    return hours->wetted > 0.5 && !hours->bin.rewets;
}

#define GRAIN_HOURS_FIELDS                                                                                             \
    (GRAIN_BIT(GRAIN_T_GRAIN) | GRAIN_BIT(GRAIN_T_MODEL) | GRAIN_BIT(GRAIN_T_SET) | GRAIN_BIT(GRAIN_T_CURVE) |         \
     GRAIN_BIT(GRAIN_T_MOISTURE) | GRAIN_BIT(GRAIN_T_GRAIN_TA) | GRAIN_BIT(GRAIN_T_FAN_HEAT) |                         \
     GRAIN_BIT(GRAIN_T_HOLD) | GRAIN_BIT(GRAIN_T_STRICT) | GRAIN_BIT(GRAIN_T_TA_UNIT) | GRAIN_BIT(GRAIN_T_LANG) |      \
     GRAIN_BIT(GRAIN_T_TEMPERATURE_COLUMN) | GRAIN_BIT(GRAIN_T_HUMIDITY_COLUMN) | GRAIN_BIT(GRAIN_T_GOAL) |            \
     GRAIN_BIT(GRAIN_T_AIRFLOW) | GRAIN_BIT(GRAIN_T_TARGET))

// Reads and computes. PL_E_INVALID: the fields hold a refusal, or `problem` says what is not clear about the file, or
// `err` holds a sentence about it;
// PL_E_LIMIT: too many rows. Whatever comes back, grain_hours_free is called.
enum pl_errc grain_hours_answer(struct grain_fields *fields, struct pl_slice text, const struct pl_job *job,
                                struct grain_hours *hours, struct pl_error *err) PL_MUST_USE;
void grain_hours_free(struct grain_hours *hours);

// The day of a time by the clock of the file: "2024-06-01", or "Day 2" where the file has no dates (hours_clock.c).
void grain_hours_say_day(struct pl_buf *out, enum grain_lang lang, const struct grain_hours *hours, int64_t minutes);
// Fills up to `max` periods of at least a day by the clock of the file; returns how many.
size_t grain_hours_periods(const struct grain_hours *hours, struct grain_period *periods, size_t max);

// The grain has the temperature that was given in all hours. With an airflow it has not: layers take the temperature of
// the air behind the fan, long before they take its moisture.
static inline bool grain_hours_stay_as_warm(const struct grain_hours *hours)
{
    return !isnan(hours->grain_celsius) && isnan(hours->airflow);
}
// Degrees by which the fan heats the air; 0 where none were given.
static inline double grain_hours_heat(const struct grain_hours *hours)
{
    return isnan(hours->fan_heat) ? 0 : hours->fan_heat;
}
const char *grain_effect_id(enum grain_effect effect);
void grain_hour_say_error(struct pl_buf *out, enum grain_lang lang, enum grain_hour_error error);
void grain_hours_write(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours,
                       bool detail);
// Puts the rows on one axis of time: order, interval, gaps, repeated rows, changes of the clock, and the hours that
// each row stands for (hours_clock.c). False: no memory.
bool grain_hours_set_clock(struct grain_hours *hours) PL_MUST_USE;

// Run or stop for each hour, with a goal; then the bin in layers, with an airflow (hours_fan.c).
enum pl_errc grain_hours_run_fan(struct grain_hours *hours, const struct grain_culture *culture,
                                 const struct pl_job *job, struct pl_error *err) PL_MUST_USE;
// Fan advice and bin as JSON members, and as lines for people.
void grain_hours_write_fan(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours);
void grain_hours_fan_rows(const struct grain_fields *fields, const struct grain_hours *hours, grain_row *row,
                          struct pl_buf *out);

// When to run the fan, a line for each day, where the file has times and there is a goal (hours_plan.c).
#define GRAIN_PLAN_DAYS 31
void grain_hours_plan_rows(enum grain_lang lang, const struct grain_hours *hours, grain_row *row, struct pl_buf *out);

// The mean air of the hours from `first` to before `end`, or of those of them in which the fan runs (hours_mean.c); all
// of it NaN: there are none.
struct grain_mean_air grain_hours_mean_air(const struct grain_hours *hours, size_t first, size_t end, bool run_only);

// What is not clear about the file, with the choices: a sentence, and the JSON of the error.
void grain_hours_say_problem(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours);
void grain_hours_write_problem(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours);

// Is it a strict request, and is a row bad? Or can no row be used? Then a sentence and JSON that say so.
static inline bool grain_hours_refused(const struct grain_hours *hours)
{
    return (hours->strict && hours->answered < hours->count) || hours->answered == 0;
}
void grain_hours_say_refusal(struct pl_buf *out, enum grain_lang lang, const struct grain_hours *hours);
void grain_hours_write_refusal(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours);
void grain_hours_write_csv(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours,
                           bool decimal_comma);
// The rows that cannot be read, one by one as far as they are told, and how many more there are.
void grain_hours_bad_rows(enum grain_lang lang, const struct grain_hours *hours, grain_row *row, struct pl_buf *out);
void grain_hours_rows(const struct grain_fields *fields, const struct grain_hours *hours, grain_row *row,
                      struct pl_buf *out);

#endif
