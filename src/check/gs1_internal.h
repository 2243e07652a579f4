// Between the files of the GS1 reader.
#ifndef PL_CHECK_GS1_INTERNAL_H
#define PL_CHECK_GS1_INTERNAL_H

#include "check/gs1.h"

struct pl_gs1_reader {
    struct pl_slice data;
    struct pl_arena *arena;
    struct pl_gs1_result *out;
    bool short_of_memory;
};

void pl_gs1_report(struct pl_gs1_reader *r, enum pl_gs1_code code, size_t offset, const char *ai, const char *fmt, ...)
    PL_PRINTF(5, 6);
// NULL where there is no room; then it is counted.
struct pl_gs1_element *pl_gs1_add_element(struct pl_gs1_reader *r, const struct pl_gs1_identifier *row,
                                          struct pl_slice ai);
// Lengths, characters and the checks of every part.
void pl_gs1_check_element(struct pl_gs1_reader *r, const struct pl_gs1_element *element);
void pl_gs1_read_link(struct pl_gs1_reader *r);

// What is wrong with a part, if anything.
struct pl_gs1_fault {
    enum pl_gs1_code code;
    size_t at;           // of the wrong byte in the part
    const char *message; // NULL: nothing is wrong. Without the name of the identifier.
    char detail[48];     // what would be right, for %s in the message; may be empty
};
struct pl_gs1_fault pl_gs1_lint(enum pl_gs1_lint lint, struct pl_slice part);
struct pl_gs1_fault pl_gs1_lint_coupon(struct pl_slice part);
struct pl_gs1_fault pl_gs1_lint_coupon_offer(struct pl_slice part);
bool pl_gs1_is_country(struct pl_slice digits);
bool pl_gs1_is_country_letters(struct pl_slice letters);
bool pl_gs1_is_currency(struct pl_slice digits);
// The place of the character in GS1's set of 82, or -1.
int pl_gs1_index82(uint8_t c);

#endif
