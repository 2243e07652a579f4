// TLC39: a number in Code 39 and, linked to it, a MicroPDF417 symbol with the rest.
#ifndef PL_BAR_ENCODE_TLC39_H
#define PL_BAR_ENCODE_TLC39_H

#include "bar/encode/pdf417.h"

struct pl_tlc39 {
    bool has_micro;
    struct pl_bitmap micro; // one row of modules per symbol row; the number is the caller's to encode, in Code 39
};
// `number` must be six digits; without `extra` there is no second symbol. PL_E_INVALID with a sentence in `err`: the
// data cannot be encoded.
enum pl_errc pl_tlc39_encode(struct pl_slice number, struct pl_slice extra, struct pl_pdf_rules rules,
                             struct pl_arena *arena, struct pl_tlc39 *out, struct pl_error *err) PL_MUST_USE;

#endif
