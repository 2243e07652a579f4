// What there is: the cultures as JSON, and tables of temperature by humidity.
#ifndef GRAIN_CATALOG_H
#define GRAIN_CATALOG_H

#include "grain/calc.h"

#define GRAIN_TABLE_COLUMNS 18

// All cultures, sets, equations and ratings, texts in all languages.
void grain_write_catalog(struct pl_buf *out);

// The axes: every 5 °C from 0 to 50, or every 10 °F from 40 to 120; every 5 % from 10 to 95 %.
size_t grain_table_rows(bool fahrenheit);
double grain_table_ta(size_t row, bool fahrenheit);
double grain_table_ur(size_t column);
// Moisture of one cell in the basis that `chosen` names; NaN: no answer.
double grain_table_cell(const struct grain_result *chosen, size_t row, size_t column);

void grain_write_table_json(struct pl_buf *out, const struct grain_request *request, const struct grain_result *chosen);
// Decimal point and commas between, or decimal comma and semicolons between. Lines end with CR LF (RFC 4180).
void grain_write_table_csv(struct pl_buf *out, const struct grain_result *chosen, bool decimal_comma);
// A cell of such a table behind its separator, with one decimal; empty where the value is not finite.
void grain_put_cell(struct pl_buf *out, uint8_t separator, double value, bool decimal_comma);

#endif
