// Serial numbers (^SN) and masks (^SF).
#ifndef PL_ZPL_SERIAL_H
#define PL_ZPL_SERIAL_H

#include "base/arena.h"
#include "base/slice.h"

// How the data of a field counts from label to label. Where both are given, ^SN does.
struct zpl_serial {
    bool has_number, zeros; // ^SN, and its z
    int64_t increment;      // of ^SN
    bool has_mask;          // ^SF
    struct pl_slice mask, mask_increment;
};

static inline bool zpl_serial_counts(const struct zpl_serial *s)
{
    return s->has_number || s->has_mask;
}

// Replaces *data by its value after so many steps.
enum pl_errc zpl_serial_count(const struct zpl_serial *s, uint64_t steps, struct pl_arena *arena, struct pl_slice *data,
                              struct pl_error *err) PL_MUST_USE;

#endif
