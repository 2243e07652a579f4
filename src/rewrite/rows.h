// Rows of values for fields: a JSON array of objects (or one object), or CSV with a line of names.
#ifndef PL_REWRITE_ROWS_H
#define PL_REWRITE_ROWS_H

#include "base/arena.h"
#include "base/slice.h"

#define RW_ROWS_MOST 100000u

struct rw_pair {
    struct pl_slice name, value;
};

struct rw_row {
    struct rw_pair *pairs;
    uint32_t count, capacity;
    struct pl_slice sample; // the value of any other name; empty: there is none
    uint32_t at;            // where its code begins, after rw_fill
};

struct rw_rows {
    struct rw_row *rows;
    uint32_t count, capacity;
};

// What the text is follows from its first character. PL_E_INVALID: it cannot be read, with a sentence; PL_E_LIMIT: too
// many rows. Values live in the arena or in the text.
enum pl_errc rw_rows_read(struct pl_arena *arena, struct pl_slice text, struct rw_rows *out,
                          struct pl_error *err) PL_MUST_USE;
// False: the row has no such value.
bool rw_row_value(const struct rw_row *row, struct pl_slice name, struct pl_slice *out);

#endif
