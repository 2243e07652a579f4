// What a column of a file of hours holds, by its name in English, Portuguese, Spanish or German.
#ifndef GRAIN_HOURS_COLUMNS_H
#define GRAIN_HOURS_COLUMNS_H

#include "base/slice.h"

enum grain_column_kind {
    GRAIN_COLUMN_OTHER,
    GRAIN_COLUMN_TIME,
    GRAIN_COLUMN_YEAR,
    GRAIN_COLUMN_MONTH,
    GRAIN_COLUMN_DAY,
    GRAIN_COLUMN_HOUR,
    GRAIN_COLUMN_MINUTE,
    GRAIN_COLUMN_HR, // "hr": the hour in English, the humidity in Spanish
    GRAIN_COLUMN_TA,
    GRAIN_COLUMN_UR,
    GRAIN_COLUMN_DEW,
    GRAIN_COLUMNS
};

enum grain_column_unit { GRAIN_UNIT_UNSAID, GRAIN_UNIT_CELSIUS, GRAIN_UNIT_FAHRENHEIT, GRAIN_UNIT_KELVIN };

// Where a sensor is. Two that say different places are never taken together.
enum grain_place { GRAIN_PLACE_UNSAID, GRAIN_PLACE_OUTSIDE, GRAIN_PLACE_INSIDE, GRAIN_PLACE_PLENUM, GRAIN_PLACE_BIN };

#define GRAIN_COLUMN_KEY_MAX 24

struct grain_column {
    enum grain_column_kind kind;
    int sure; // 1 and more: how clearly the name says so
    enum grain_column_unit unit;
    enum grain_place place;
    bool asks_unit;   // the services that use this name write °C or °F and do not say which
    bool spanish;     // of a time: the file is in Spanish
    bool fixed_clock; // of a time: the name says a clock without daylight saving, as UTC or PST
    // What the name has beside the measure and its unit ("2m", "1"): columns of one sensor have the same.
    char key[GRAIN_COLUMN_KEY_MAX];
};

struct grain_column grain_column_of(struct pl_slice name);
// The same where a request says what it holds, whatever the name says.
struct grain_column grain_column_as(struct pl_slice name, enum grain_column_kind kind);
// What a cell below or above a name says about it where it holds a unit and nothing else: "°F", "(Deg C)", "kelvin".
enum grain_column_unit grain_unit_alone(struct pl_slice cell);
// "%", "% RH", "percent"
bool grain_percent_alone(struct pl_slice cell);
// Are two names the same without regard to case, accents, signs and spaces?
bool grain_column_same(struct pl_slice a, struct pl_slice b);

#endif
