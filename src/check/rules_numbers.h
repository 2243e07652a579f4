// Check characters of numbers that are known by their form. Pure.
#ifndef PL_CHECK_RULES_NUMBERS_H
#define PL_CHECK_RULES_NUMBERS_H

#include "base/slice.h"

// What the last character of the data must be. 0: it is no number of this kind.
char pl_pzn_check(struct pl_slice data);  // "-" and seven or eight digits; X: there is no such number
char pl_hibc_check(struct pl_slice data); // "+" and the labeler's code, or "+$"
char pl_imei_check(struct pl_slice data); // 15 digits

#endif
