// The image and the labels that are printed of it.
#ifndef PL_TSPL_LABEL_H
#define PL_TSPL_LABEL_H

#include "lang/tspl/state.h"

// An element of the command with its source; NULL: no memory.
struct pl_element *tspl_new_element(struct tspl *t, const struct tspl_args *a, enum pl_element_kind kind);
enum pl_errc tspl_add(struct tspl *t, struct pl_element *element) PL_MUST_USE;
void tspl_clear(struct tspl *t); // CLS
// Prints the image: m sets of n labels each. `until`: behind the command that prints.
enum pl_errc tspl_print(struct tspl *t, struct pl_source source, uint64_t sets, uint64_t copies) PL_MUST_USE;
// The last label again.
enum pl_errc tspl_print_last(struct tspl *t, struct pl_source source, uint64_t copies) PL_MUST_USE;
// Notes that the command, which has added the elements from `first` on, has a counter.
enum pl_errc tspl_defer(struct tspl *t, const struct tspl_lexer *at, uint32_t first) PL_MUST_USE;

#endif
