// The rows of a batch that have no good result, as a CSV file: what `platen collect` leaves beside its output.
#ifndef BROKER_FAILURES_H
#define BROKER_FAILURES_H

#include <stdio.h>

#include "account.h"
#include "base/err.h"

#define ROW_OF_JOURNAL "row\t" // begins a line of a collector's journal: mark, tab, id of a row that was listed
// `begin` is ROW_OF_JOURNAL, or how lines of the same form begin.
bool failures_row_read(struct pl_slice line, const char *begin, struct account_mark *mark, struct pl_slice *id);

// Prints id, state (failed or missing), code and reason of each such row of the journal. Reasons of failed ones
// are in `folder`. *count is how many there are; where there is none, nothing is printed, and there is no file.
enum pl_errc failures_print(const struct account *account, const char *journal, const char *kind, const char *folder,
                            FILE *out, uint64_t *count, struct pl_error *err) PL_MUST_USE;
// The same as the file `path`.
enum pl_errc failures_write(const struct account *account, const char *journal, const char *kind, const char *folder,
                            const char *path, uint64_t *count, struct pl_error *err) PL_MUST_USE;

#endif
