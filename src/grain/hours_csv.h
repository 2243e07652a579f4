// Reads CSV files of weather stations and loggers: which columns hold time, temperature and humidity, whatever they are
// called, and then row by row.
#ifndef GRAIN_HOURS_CSV_H
#define GRAIN_HOURS_CSV_H

#include "base/slice.h"
#include "grain/hours_columns.h"

struct grain_csv {
    struct pl_slice text;
    size_t pos;
    size_t line; // of the row that was read last, from 1
    uint8_t separator;
    int columns;    // of the header
    int time, hour; // columns; -1: none. Some files have the date and the hour apart
    int ta, ur, dew_point;
    enum grain_column_unit ta_unit, dew_unit;   // as the header says; of the temperature, else as of the dew point
    struct pl_slice ta_name, ur_name, dew_name; // as the file writes them
};

struct grain_csv_row {
    size_t line;
    struct pl_slice time, hour, ta, ur, dew_point; // without space and quotes; empty: not there
    // Commas between, and more cells than the header has: decimal commas that nobody can tell from the others.
    bool too_many;
};

enum grain_csv_found { GRAIN_CSV_FOUND, GRAIN_CSV_NO_HEADER, GRAIN_CSV_UTF16 };

// Finds the header: the first line with a temperature and a humidity (or a dew point) among the first ones.
enum grain_csv_found grain_csv_open(struct grain_csv *csv, struct pl_slice text);
// The next row that is not empty; false at the end.
bool grain_csv_next(struct grain_csv *csv, struct grain_csv_row *row);

#endif
