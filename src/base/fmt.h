// Numbers to and from text without the process's locale.
#ifndef PL_BASE_FMT_H
#define PL_BASE_FMT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

// The whole of `s` must be the number. Decimal point only; no hex, NaN, infinity, white space or trailing text.
bool pl_parse_double(struct pl_slice s, double *out);
bool pl_parse_i64(struct pl_slice s, int64_t *out);
bool pl_parse_u64(struct pl_slice s, uint64_t *out);
// true/false/1/0/yes/no/on/off in any case; empty is true.
bool pl_parse_bool(struct pl_slice s, bool *out);

// The value of a hexadecimal digit in either case; -1 when it is none.
static inline int pl_hex_value(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    int lower = c | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

#define PL_FMT_DOUBLE_MAX 32
// The shortest text that reads back as the same value ("101.6", "8", "0.25"); not-finite values give "null". Returns
// the length.
size_t pl_format_double(double value, char out[PL_FMT_DOUBLE_MAX]);
// Fixed number of decimals (0 to 9), rounded half away from zero on the decimal value ("14.7").
size_t pl_format_fixed(double value, unsigned decimals, char out[PL_FMT_DOUBLE_MAX]);
size_t pl_format_u64(uint64_t value, char out[PL_FMT_DOUBLE_MAX]);

#endif
