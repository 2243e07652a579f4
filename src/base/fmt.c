// Numbers and text without the locale: a process in de_DE reads and writes the same. strtod and printf are used in ways
// in which the locale's decimal point does not matter.
#include "base/fmt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// [-+] digits [. digits] [e [-+] digits], with at least one digit in the mantissa.
static bool looks_like_number(struct pl_slice s)
{
    size_t i = 0, digits = 0;
    if (i < s.len && (s.ptr[i] == '-' || s.ptr[i] == '+'))
        i++;
    for (; i < s.len && pl_is_digit(s.ptr[i]); i++)
        digits++;
    if (i < s.len && s.ptr[i] == '.') {
        for (i++; i < s.len && pl_is_digit(s.ptr[i]); i++)
            digits++;
    }
    if (digits == 0)
        return false;
    if (i < s.len && (s.ptr[i] == 'e' || s.ptr[i] == 'E')) {
        i++;
        if (i < s.len && (s.ptr[i] == '-' || s.ptr[i] == '+'))
            i++;
        size_t exponent = 0;
        for (; i < s.len && pl_is_digit(s.ptr[i]); i++)
            exponent++;
        if (exponent == 0)
            return false;
    }
    return i == s.len;
}

#define LONGEST_NUMBER 63

// A number that looks like one, by strtod, which gets it without a decimal point: 12.5e3 as 125e2.
static double read_pointless(struct pl_slice s)
{
    char text[LONGEST_NUMBER + 16];
    size_t n = 0, i = 0;
    int exponent = 0;
    bool point = false;
    for (; i < s.len && (s.ptr[i] | 0x20) != 'e'; i++) {
        if (s.ptr[i] == '.') {
            point = true;
        } else {
            exponent -= point;
            text[n++] = (char)s.ptr[i];
        }
    }
    if (i < s.len) {
        bool negative = s.ptr[++i] == '-';
        int stated = 0;
        for (i += negative || s.ptr[i] == '+'; i < s.len; i++)
            stated = stated > 9999 ? stated : stated * 10 + (s.ptr[i] - '0'); // beyond any double
        exponent += negative ? -stated : stated;
    }
    snprintf(text + n, sizeof text - n, "e%d", exponent);
    return strtod(text, NULL);
}

bool pl_parse_double(struct pl_slice s, double *out)
{
    if (s.len > LONGEST_NUMBER || !looks_like_number(s))
        return false;
    // Short decimals, the usual case, are exact as one division.
    uint64_t mantissa = 0;
    size_t i = s.ptr[0] == '-' || s.ptr[0] == '+';
    size_t decimals = 0;
    bool point = false, simple = s.len <= 15;
    for (; simple && i < s.len; i++) {
        if (s.ptr[i] == '.')
            point = true;
        else if (!pl_is_digit(s.ptr[i]))
            simple = false;
        else {
            mantissa = mantissa * 10 + (uint64_t)(s.ptr[i] - '0');
            decimals += point;
        }
    }
    if (simple) {
        static const double power[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
        double value = (double)mantissa / power[decimals];
        *out = s.ptr[0] == '-' ? -value : value;
        return true;
    }
    double value = read_pointless(s);
    if (!isfinite(value))
        return false;
    *out = value;
    return true;
}

bool pl_parse_u64(struct pl_slice s, uint64_t *out)
{
    uint64_t value = 0;
    if (s.len == 0)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        if (!pl_is_digit(s.ptr[i]) || __builtin_mul_overflow(value, (uint64_t)10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(s.ptr[i] - '0'), &value))
            return false;
    }
    *out = value;
    return true;
}

bool pl_parse_i64(struct pl_slice s, int64_t *out)
{
    bool negative = s.len > 0 && s.ptr[0] == '-';
    if (s.len > 0 && (s.ptr[0] == '-' || s.ptr[0] == '+')) {
        s.ptr++;
        s.len--;
    }
    uint64_t value;
    if (!pl_parse_u64(s, &value) || value > (uint64_t)INT64_MAX + negative)
        return false;
    *out = negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

bool pl_parse_bool(struct pl_slice s, bool *out)
{
    static const char *const words[] = {"false", "0", "no", "off", "", "true", "1", "yes", "on"};
    enum { FIRST_TRUE = 4 };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (pl_slice_eq_nocase(s, pl_slice_cstr(words[i]))) {
            *out = i >= FIRST_TRUE;
            return true;
        }
    }
    return false;
}

size_t pl_format_u64(uint64_t value, char out[PL_FMT_DOUBLE_MAX])
{
    enum { DIGITS_MAX = 20 };
    size_t n = 1;
    for (uint64_t limit = 10; n < DIGITS_MAX && value >= limit; limit *= 10)
        n++;
    out[n] = '\0';
    for (size_t i = n; i-- > 0; value /= 10)
        out[i] = (char)('0' + value % 10);
    return n;
}

// printf("%.*g") with a point, whatever stands between the digits in this locale.
static size_t print_general(double value, int digits, char out[PL_FMT_DOUBLE_MAX])
{
    int printed = snprintf(out, PL_FMT_DOUBLE_MAX, "%.*g", digits, value);
    size_t n = printed < 0 ? 0 : (size_t)printed, at = out[0] == '-';
    while (at < n && pl_is_digit((uint8_t)out[at]))
        at++;
    if (at == n || out[at] == 'e')
        return n;
    size_t behind = at + 1;
    while (behind < n && !pl_is_digit((uint8_t)out[behind]))
        behind++;
    out[at] = '.';
    memmove(out + at + 1, out + behind, n - behind + 1);
    return n - (behind - at - 1);
}

size_t pl_format_double(double value, char out[PL_FMT_DOUBLE_MAX])
{
    if (!isfinite(value)) {
        memcpy(out, "null", 5);
        return 4;
    }
    if (value == 0) {
        memcpy(out, "0", 2);
        return 1;
    }
    if (fabs(value) < 1e15 && value == trunc(value)) {
        size_t sign = value < 0;
        if (sign)
            out[0] = '-';
        return sign + pl_format_u64((uint64_t)fabs(value), out + sign);
    }
    // Up to 15 digits survive the way to a double and back, and %g drops the zeros at the end: a value that has so
    // short a form shows it at 15 digits already.
    size_t n = 0;
    for (int digits = 15; digits <= 17; digits++) {
        n = print_general(value, digits, out);
        double back;
        if (pl_parse_double(pl_slice_make(out, n), &back) && back == value)
            break;
    }
    return n;
}

size_t pl_format_fixed(double value, unsigned decimals, char out[PL_FMT_DOUBLE_MAX])
{
    static const double power[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    if (decimals > 9)
        decimals = 9;
    double scaled = fabs(value) * power[decimals];
    if (!isfinite(value) || scaled >= 1e18) {
        memcpy(out, "null", 5);
        return 4;
    }
    // 14.65 is stored as 14.6499999999999986 and means 14.65: within one part in 2^50 of a half counts as the half.
    double whole = floor(scaled);
    double slack = scaled * 0x1p-50;
    uint64_t units = (uint64_t)whole + (scaled - whole + slack >= 0.5);
    size_t n = 0;
    if (value < 0 && units != 0)
        out[n++] = '-';
    uint64_t unit = (uint64_t)power[decimals];
    n += pl_format_u64(units / unit, out + n);
    if (decimals > 0) {
        out[n++] = '.';
        uint64_t rest = units % unit;
        for (unsigned i = decimals; i-- > 0;) {
            out[n + i] = (char)('0' + rest % 10);
            rest /= 10;
        }
        n += decimals;
    }
    out[n] = '\0';
    return n;
}
