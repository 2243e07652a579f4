// Rows of comma-separated values (RFC 4180), parted by commas, semicolons or tabs, read from bytes while they arrive.
//
// `window` is what has arrived and was not used. What the reader remembers between two calls are numbers, so the window
// may move. A text that is there as a whole is a window that has ended.
#ifndef PL_BASE_CSV_H
#define PL_BASE_CSV_H

#include "base/arena.h"
#include "base/buf.h"

#define PL_CSV_FIELDS_MAX 1000u

struct pl_csv {
    char separator; // 0: the one that the first row has
    size_t scanned;
    bool quoted;                          // where it stopped is inside quotes
    bool inside;                          // or inside a field: not at its start, nor behind a quote that may be doubled
    size_t rows;                          // that were found
    size_t lines, row_lines, quote_lines; // before where it stopped, the row at hand, and the quote that opened last
    struct pl_buf text;
    struct pl_slice row; // the last one, as it was written; in the window
    uint32_t count;
    struct pl_slice fields[PL_CSV_FIELDS_MAX]; // what it says; in `text`
};

enum pl_csv_found {
    PL_CSV_ROW,
    PL_CSV_MORE, // it needs more bytes than there are
    PL_CSV_END,
    PL_CSV_BAD // `err` goes on after a colon
};

void pl_csv_init(struct pl_csv *reader);
void pl_csv_fini(struct pl_csv *reader);
// *used: bytes that can be dropped from the window's front once the row is done with. Empty rows are passed over, and
// so is the mark that spreadsheets write before the first one.
enum pl_csv_found pl_csv_next(struct pl_csv *reader, struct pl_slice window, bool ended, size_t *used,
                              struct pl_error *err) PL_MUST_USE;
// The fields of the row at hand, in memory that stays.
enum pl_errc pl_csv_keep(const struct pl_csv *reader, struct pl_arena *arena, struct pl_slice **out,
                         struct pl_error *err) PL_MUST_USE;
// Makes the first row's fields the names of the columns, without blanks around them. A name that two columns have is an
// error: either could be meant. Columns without a name may be several, as spreadsheets write them behind a table.
enum pl_errc pl_csv_name_columns(struct pl_slice *names, uint32_t count, struct pl_error *err) PL_MUST_USE;

#endif
