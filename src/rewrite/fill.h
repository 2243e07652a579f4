// Label code with values put in: one copy for each row.
#ifndef PL_REWRITE_FILL_H
#define PL_REWRITE_FILL_H

#include "rewrite/commands.h"
#include "rewrite/rows.h"

// Appends the code of doc->input once for each row, with {{name}} in field data and parameters and the fields of ^FN
// replaced. Code that stores a format (^DF) and has no {{name}} is appended once, with a call of the format for each
// row. PL_E_NOT_FOUND: a value is missing.
// `places` gets where its commands come from; each row gets where its code begins. `drawn`: what is appended is drawn
// as it is; notes have their places in it, and what drawing finds itself is not noted.
enum pl_errc rw_fill(struct rw_document *doc, const struct rw_rows *rows, bool drawn, struct pl_buf *out,
                     struct rw_places *places, struct pl_error *err) PL_MUST_USE;
// Does the code leave values open?
bool rw_lacks_values(const struct rw_document *doc);
// Does field data or a parameter hold {{name}}?
bool rw_has_placeholder(struct pl_slice text);
// Does a parameter?
bool rw_has_open_items(const struct rw_command *c);
// {{name}} in data or a parameter, or ^FN.
bool rw_takes_value(const struct rw_command *c);
// {{name}} from `at` on: its length with the braces, or 0.
size_t rw_placeholder(struct pl_slice s, size_t at, struct pl_slice *name);
// The value of ^FN, by the name in its quotes or by its number; false: the row has none.
bool rw_number_value(const struct rw_row *row, const struct rw_command *c, struct pl_slice *name,
                     struct pl_slice *value);

#endif
