// Readers of values that are neither a number nor a word: times and the sheets of a PDF.
#ifndef REQUEST_OWN_VALUES_H
#define REQUEST_OWN_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

#define SHEET_LENGTH_MOST 10000.0 // millimetres

// YYYY-MM-DD, then optionally T or a space and HH:MM[:SS], then optionally Z: the clock on the printer's wall. Or
// seconds since 1970.
bool control_read_time(struct pl_slice text, int64_t *out);
// Each of these is a control_row.read.
bool control_read_page_size(struct pl_slice text, void *at); // A4, Letter, 210x297: two double
bool control_read_grid(struct pl_slice text, void *at);      // 2x3, auto: two uint32_t
bool control_read_gap(struct pl_slice text, void *at);       // 3, 3x2: two double

#endif
