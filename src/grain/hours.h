// The hours of a season: a CSV of temperature and humidity in, equilibrium moisture and what each hour does to the
// grain out.
#ifndef GRAIN_HOURS_H
#define GRAIN_HOURS_H

#include "base/job.h"
#include "grain/fields.h"
#include "grain/hours_csv.h"

#define GRAIN_HOURS_MAX 100000
// So many rows that cannot be read are told one by one, whoever tells them; of the rest their number.
#define GRAIN_BAD_ROWS_TOLD 100
// Isotherms run away near saturation: a humidity above this counts as this, and the hour as saturated.
#define GRAIN_SATURATED_UR 99.0

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
    GRAIN_HOUR_NO_ANSWER
};

enum grain_effect { GRAIN_DRIES, GRAIN_HOLDS, GRAIN_WETS, GRAIN_EFFECTS };

struct grain_hour {
    size_t row; // line of the file
    struct pl_slice time, hour;
    enum grain_hour_error error;
    double celsius, ur; // of the air as it is in the file
    double moisture;    // in equilibrium with the air behind the fan
    enum grain_effect effect;
    bool condensation, saturated;
    bool out_of_range; // of the set of constants
};

// Some hours in a row, for a chart.
struct grain_period {
    size_t first; // index of its first hour
    size_t hours, effects[GRAIN_EFFECTS];
    double low, mean, high;
};

struct grain_hours {
    struct grain_csv csv;
    struct grain_hour *list;
    size_t count, room, answered;
    size_t effects[GRAIN_EFFECTS], condensation, saturated, out_of_range;
    double low, mean, high;
    // Means over the hours of what the trustworthy sets give at least and at most; the fewest sets of any hour.
    struct grain_spread spread;
    // As asked: NaN where not given.
    double grain_moisture, grain_celsius, fan_heat, hold;
    bool strict;
    bool fractions; // all humidities are 1 or less
};

#define GRAIN_HOURS_FIELDS                                                                                             \
    (GRAIN_BIT(GRAIN_T_GRAIN) | GRAIN_BIT(GRAIN_T_MODEL) | GRAIN_BIT(GRAIN_T_SET) | GRAIN_BIT(GRAIN_T_MOISTURE) |      \
     GRAIN_BIT(GRAIN_T_GRAIN_TA) | GRAIN_BIT(GRAIN_T_FAN_HEAT) | GRAIN_BIT(GRAIN_T_HOLD) | GRAIN_BIT(GRAIN_T_STRICT) | \
     GRAIN_BIT(GRAIN_T_TA_UNIT) | GRAIN_BIT(GRAIN_T_LANG))

// Reads and computes. PL_E_INVALID: the fields hold a refusal, or, without one, `err` a sentence about the file;
// PL_E_LIMIT: too many rows. Whatever comes back, grain_hours_free is called.
enum pl_errc grain_hours_answer(struct grain_fields *fields, struct pl_slice text, const struct pl_job *job,
                                struct grain_hours *hours, struct pl_error *err) PL_MUST_USE;
void grain_hours_free(struct grain_hours *hours);

// Fills up to `max` periods of at least a day; returns how many.
size_t grain_hours_periods(const struct grain_hours *hours, struct grain_period *periods, size_t max);

const char *grain_effect_id(enum grain_effect effect);
void grain_hour_say_error(struct pl_buf *out, enum grain_lang lang, enum grain_hour_error error);
void grain_hours_write(struct pl_buf *out, const struct grain_fields *fields, const struct grain_hours *hours,
                       bool detail);
// Is it a strict request, and is a row bad? Then a sentence and JSON that say so.
static inline bool grain_hours_refused(const struct grain_hours *hours)
{
    return hours->strict && hours->answered < hours->count;
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
