// Readers of values that are neither a number nor a word: times and the sheets of a PDF.
#ifndef REQUEST_OWN_VALUES_H
#define REQUEST_OWN_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

#define SHEET_LENGTH_MOST 10000.0 // millimetres
#define TIME_LEAST (-62135596800) // seconds since 1970: the years 1 to 9999
#define TIME_MOST 253402300799

// Parts of the patterns of sheets: a length up to SHEET_LENGTH_MOST, and columns or rows up to 1000.
#define SHEET_LENGTH "[+]?([0-9]{1,4}[.]?|[0-9]{0,4}[.][0-9]+|10000)"
#define SHEET_CELLS "0*([1-9][0-9]{0,2}|1000)"

// YYYY-MM-DD, then optionally T or a space and HH:MM[:SS], then optionally Z: the clock on the printer's wall. Or
// seconds since 1970.
bool control_read_time(struct pl_slice text, int64_t *out);
// Each of these is a control_row.read.
bool control_read_page_size(struct pl_slice text, void *at); // A4, Letter, 210x297: two double
bool control_read_grid(struct pl_slice text, void *at);      // 2x3, auto: two uint32_t
bool control_read_gap(struct pl_slice text, void *at);       // 3, 3x2: two double

#endif
