// Arguments of commands: numbers, texts and what variables, counters and expressions give.
#ifndef PL_TSPL_ARGS_H
#define PL_TSPL_ARGS_H

#include "lang/tspl/state.h"

// A quoted text, a number, a counter, a variable or an expression of them. False: it is none.
bool tspl_evaluate(struct tspl *t, struct pl_slice item, struct tspl_value *out);

static inline bool tspl_given(const struct tspl_args *a, unsigned i)
{
    return i < a->st->count && a->st->item[i].len > 0;
}

// These leave *out as it is, and return false, where the argument is not given or cannot be read (which is reported).
// A number out of its range is reported and cut to it.
bool tspl_number(struct tspl *t, const struct tspl_args *a, unsigned i, double *out);
bool tspl_int(struct tspl *t, const struct tspl_args *a, unsigned i, int32_t low, int32_t high, int32_t *out);
bool tspl_text(struct tspl *t, const struct tspl_args *a, unsigned i, struct pl_slice *out);
bool tspl_rotation(struct tspl *t, const struct tspl_args *a, unsigned i, enum pl_rotation *out);
// A coordinate pair, with REFERENCE and SHIFT added. False: one is missing, which is reported.
bool tspl_place(struct tspl *t, const struct tspl_args *a, unsigned i, int32_t *x, int32_t *y);
// A length with its unit, in dots.
bool tspl_length(struct tspl *t, const struct tspl_args *a, unsigned i, double *out);
// The argument without quotes, as it is written.
struct pl_slice tspl_word(const struct tspl_args *a, unsigned i);
bool tspl_is_word(const struct tspl_args *a, unsigned i, const char *word); // in any case
// X12: a letter and a number. False: it is something else.
bool tspl_option(const struct tspl_args *a, unsigned i, char letter, int32_t *out);
// Is it a quoted text or an expression, not a bare word or number?
bool tspl_is_data(const struct tspl_args *a, unsigned i);
// Are there so many arguments? Otherwise it is reported, and the command is ignored.
bool tspl_needs(struct tspl *t, const struct tspl_args *a, unsigned count);

// Adds `step` to the last digits and letters of a counter's value; each stays in its own range.
bool tspl_counter_add(struct tspl *t, struct tspl_counter *counter, int64_t times);

#endif
