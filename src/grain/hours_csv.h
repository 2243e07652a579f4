// Reads CSV files of weather stations and loggers: which columns hold time, temperature and humidity, whatever they are
// called, and then row by row.
#ifndef GRAIN_HOURS_CSV_H
#define GRAIN_HOURS_CSV_H

#include "base/slice.h"
#include "grain/hours_columns.h"

#define GRAIN_CSV_NAME_MAX 80    // bytes of a column's name that are kept
#define GRAIN_CSV_CHOICES_MAX 16 // columns of one measure that are kept

// A column that may hold a measure.
struct grain_csv_choice {
    int column;
    struct grain_column what;
    char name[GRAIN_CSV_NAME_MAX + 1]; // as the file writes it
};

struct grain_csv_choices {
    struct grain_csv_choice list[GRAIN_CSV_CHOICES_MAX];
    size_t count;
};

// The parts of a row, in the order of grain_column_kind; of the humidities one is taken.
struct grain_csv {
    struct pl_slice text;
    size_t pos;
    size_t line; // of the row that was read last, from 1
    uint8_t separator;
    int columns;             // of the header
    int part[GRAIN_COLUMNS]; // the column of each; -1: none
    bool spanish;
    bool fixed_clock;                     // a column of the time says a clock without daylight saving
    struct grain_csv_choices ta, ur, dew; // every column that may hold it
    // What was taken: of the humidity the one or the other.
    struct grain_csv_choice taken_ta, taken_ur;
    bool by_dew_point;
    enum grain_column_unit cell_unit; // of the temperatures, where cells say it and the header does not
};

struct grain_csv_row {
    size_t line;
    struct pl_slice part[GRAIN_COLUMNS]; // without space and quotes; empty: not there
    // Commas between, and more cells than the header has: decimal commas that nobody can tell from the others.
    bool too_many;
};

enum grain_csv_found {
    GRAIN_CSV_FOUND,
    GRAIN_CSV_NO_HEADER,
    GRAIN_CSV_UTF16,
    GRAIN_CSV_AMBIGUOUS, // several columns may be meant, or two that do not belong together
    GRAIN_CSV_NO_COLUMN  // a column that was asked for is not there
};

// Columns that a request names, by their names or by their numbers from 1; empty: to be found.
struct grain_csv_asked {
    struct pl_slice ta, ur;
};

// The number from 1 by which a request names a column; 0: it names it otherwise, or none.
int grain_csv_asked_number(struct pl_slice asked);
// Is it the column that a request names, by its name or by its number?
bool grain_csv_is_asked(struct pl_slice asked, const char *name, int column);
// Has another column the same name? Then only its number tells which one is meant.
bool grain_csv_is_twin(const struct grain_csv_choices *choices, size_t at);
// Takes of the columns that may be meant the ones that are (hours_choose.c).
enum grain_csv_found grain_csv_choose(struct grain_csv *csv, const struct grain_csv_asked *asked);

// Finds the header: the first line with a temperature and a humidity (or a dew point) among the first ones.
enum grain_csv_found grain_csv_open(struct grain_csv *csv, struct pl_slice text, const struct grain_csv_asked *asked);
// The next row that is not empty; false at the end.
bool grain_csv_next(struct grain_csv *csv, struct grain_csv_row *row);

#endif
