// Check characters of numbers that are known by their form, whatever they are used for: PZN (pharmacies in Germany),
// HIBC (medical devices), IMEI (mobile telephones). Sources:
//   PZN: IFA's technical notes on PZN in Code 39 (weights 1 to 7, modulo 11; of seven digits 2 to 7).
//   HIBC: tables of scanner guides (Zebra DS4308, "Health Industry - HIBCC43"): modulo 43 with the values of Code 39.
//   IMEI: the Luhn formula over its 14 digits (3GPP TS 23.003, annex B).
#include "check/rules_numbers.h"

char pl_pzn_check(struct pl_slice data)
{
    enum { OLD = 7, NEW = 8, BASE = 11 };
    const size_t digits = data.len ? data.len - 1 : 0;
    uint32_t sum = 0;
    if ((digits != OLD && digits != NEW) || data.ptr[0] != '-' || !pl_all_digits(pl_slice_sub(data, 1, digits)))
        return 0;
    // The old numbers have no first digit, as if it were 0.
    for (size_t i = 1; i < digits; i++)
        sum += (uint32_t)(data.ptr[i] - '0') * (uint32_t)(i + NEW - digits);
    return sum % BASE == BASE - 1 ? 'X' : (char)('0' + sum % BASE); // no number has 10
}

static bool is_upper_or_digit(uint8_t c)
{
    return pl_is_upper(c) || pl_is_digit(c);
}

char pl_hibc_check(struct pl_slice data)
{
    static const char values[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%";
    enum { LEAST = 8, MOST = 60, LABELER = 4, BASE = sizeof values - 1 };
    uint32_t sum = 0;
    if (data.len < LEAST || data.len > MOST || data.ptr[0] != '+')
        return 0;
    // The labeler's four signs, of which the first is a letter; or lot and date, behind $.
    for (size_t i = 1; i <= LABELER && data.ptr[1] != '$'; i++)
        if (!is_upper_or_digit(data.ptr[i]) || (i == 1 && !pl_is_upper(data.ptr[i])))
            return 0;
    for (size_t i = 0; i < data.len; i++) {
        const char *found = data.ptr[i] ? strchr(values, data.ptr[i]) : NULL;
        if (!found)
            return 0;
        sum += i + 1 < data.len ? (uint32_t)(found - values) : 0;
    }
    return values[sum % BASE];
}

char pl_imei_check(struct pl_slice data)
{
    enum { DIGITS = 15 };
    uint32_t sum = 0;
    if (data.len != DIGITS || !pl_all_digits(data))
        return 0;
    for (size_t i = 0; i + 1 < data.len; i++) {
        const uint32_t value = (uint32_t)(data.ptr[i] - '0') * (i % 2 ? 2 : 1);
        sum += value / 10 + value % 10;
    }
    return (char)('0' + (10 - sum % 10) % 10);
}
