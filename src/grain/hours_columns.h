// What a column of a file of hours holds, by its name in English, Portuguese or Spanish.
#ifndef GRAIN_HOURS_COLUMNS_H
#define GRAIN_HOURS_COLUMNS_H

#include "base/slice.h"

enum grain_column_kind {
    GRAIN_COLUMN_OTHER,
    GRAIN_COLUMN_TIME,
    GRAIN_COLUMN_HOUR,
    GRAIN_COLUMN_TA,
    GRAIN_COLUMN_UR,
    GRAIN_COLUMN_DEW,
    GRAIN_COLUMNS
};

enum grain_column_unit { GRAIN_UNIT_UNSAID, GRAIN_UNIT_CELSIUS, GRAIN_UNIT_FAHRENHEIT };

struct grain_column {
    enum grain_column_kind kind;
    int sure; // 1 and more: how clearly the name says so
    enum grain_column_unit unit;
};

struct grain_column grain_column_of(struct pl_slice name);

#endif
