// The checks of single parts of GS1 data: check digits, dates, codes and numbers.
#include <stdio.h>

#include "bar/encode/checkdigit.h"
#include "base/fmt.h"
#include "check/gs1_internal.h"

typedef struct pl_gs1_fault fault_of(struct pl_slice part);

static const struct pl_gs1_fault none = {0};

static struct pl_gs1_fault fault(enum pl_gs1_code code, size_t at, const char *message)
{
    return (struct pl_gs1_fault){.code = code, .at = at, .message = message};
}

static struct pl_gs1_fault value_fault(size_t at, const char *message)
{
    return fault(PL_GS1_E_VALUE, at, message);
}

int pl_gs1_index82(uint8_t c)
{
    static const char set[] = "!\"%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
    const char *at = c ? strchr(set, c) : NULL;
    return at ? (int)(at - set) : -1;
}

char pl_gs1_check_digit(struct pl_slice digits)
{
    return pl_check_mod10(digits);
}

// GS1 General Specifications 7.9.5: prime weights from the right, modulo 1021, as two characters of 32.
bool pl_gs1_check_pair(struct pl_slice text, char out[2])
{
    static const uint8_t primes[] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29, 31, 37,
                                     41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83};
    static const char set32[] = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
    uint32_t sum = 0;
    if (text.len > sizeof primes)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        int value = pl_gs1_index82(text.ptr[text.len - 1 - i]);
        if (value < 0)
            return false;
        sum += (uint32_t)value * primes[i];
    }
    sum %= 1021;
    out[0] = set32[sum >> 5];
    out[1] = set32[sum & 31];
    return true;
}

static uint32_t number(struct pl_slice part, size_t at, size_t digits)
{
    uint32_t value = 0;
    for (size_t i = at; i < at + digits && i < part.len; i++)
        value = value * 10 + (uint32_t)(part.ptr[i] - '0');
    return value;
}

static struct pl_gs1_fault csum(struct pl_slice part)
{
    if (part.len < 2)
        return none;
    char want = pl_gs1_check_digit(pl_slice_sub(part, 0, part.len - 1));
    if ((char)part.ptr[part.len - 1] == want)
        return none;
    struct pl_gs1_fault f = fault(PL_GS1_E_CHECK_DIGIT, part.len - 1, "the check digit must be %s");
    snprintf(f.detail, sizeof f.detail, "%c", want);
    return f;
}

static struct pl_gs1_fault csum_alpha(struct pl_slice part)
{
    char want[2];
    if (part.len < 3)
        return fault(PL_GS1_E_TOO_SHORT, part.len,
                     "the data and its two check characters are three characters or more");
    if (!pl_gs1_check_pair(pl_slice_sub(part, 0, part.len - 2), want))
        return none; // the set of characters was checked before
    if (memcmp(part.ptr + part.len - 2, want, 2) == 0)
        return none;
    bool first = (char)part.ptr[part.len - 2] != want[0];
    struct pl_gs1_fault f = fault(PL_GS1_E_CHECK_DIGIT, part.len - (first ? 2 : 1), "the check characters must be %s");
    snprintf(f.detail, sizeof f.detail, "%c%c", want[0], want[1]);
    return f;
}

// A GS1 company prefix has four digits at least; which are given out is not known here.
static struct pl_gs1_fault prefix_from(struct pl_slice part, size_t from)
{
    for (size_t i = from; i < from + 4; i++)
        if (i >= part.len || !pl_is_digit(part.ptr[i]))
            return value_fault(i < part.len ? i : part.len, "a GS1 company prefix begins with four digits or more");
    return none;
}

static struct pl_gs1_fault prefix1(struct pl_slice part)
{
    return prefix_from(part, 0);
}

static struct pl_gs1_fault prefix2(struct pl_slice part)
{
    return prefix_from(part, 1);
}

// Of two-digit years each fourth has a leap day: 2000 has one, and 1900 is no year of a label.
static uint32_t last_day(uint32_t year, size_t year_digits, uint32_t month)
{
    static const uint8_t days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year_digits == 2 ? year % 4 == 0 : (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

static struct pl_gs1_fault date(struct pl_slice part, size_t year_digits, bool day_zero)
{
    uint32_t year = number(part, 0, year_digits), month = number(part, year_digits, 2),
             day = number(part, year_digits + 2, 2);
    if (part.len != year_digits + 4)
        return none;
    if (month < 1 || month > 12)
        return fault(PL_GS1_E_DATE, year_digits, "the month is 01 to 12");
    if (day > last_day(year, year_digits, month) || (day == 0 && !day_zero))
        return fault(PL_GS1_E_DATE, year_digits + 2,
                     day == 0 ? "the day may not be 00 here" : "the month does not have this day");
    return none;
}

bool pl_gs1_is_same(const struct pl_gs1_element *a, const struct pl_gs1_element *b)
{
    if (pl_slice_eq(a->value, b->value))
        return true;
    if (a->row != b->row || a->row->parts[0].lints[0] != PL_GS1_YYMMD0 || date(a->value, 2, true).message ||
        date(b->value, 2, true).message || a->value.len != 6 || b->value.len != 6 ||
        memcmp(a->value.ptr, b->value.ptr, 4) != 0)
        return false;
    const uint32_t last = last_day(number(a->value, 0, 2), 2, number(a->value, 2, 2));
    const uint32_t days[] = {number(a->value, 4, 2), number(b->value, 4, 2)};
    return (days[0] ? days[0] : last) == (days[1] ? days[1] : last);
}

static struct pl_gs1_fault yymmd0(struct pl_slice part)
{
    return date(part, 2, true);
}

static struct pl_gs1_fault yymmdd(struct pl_slice part)
{
    return date(part, 2, false);
}

static struct pl_gs1_fault yyyymmdd(struct pl_slice part)
{
    return date(part, 4, false);
}

static struct pl_gs1_fault hh(struct pl_slice part)
{
    return number(part, 0, 2) > 23 ? fault(PL_GS1_E_DATE, 0, "the hour is 00 to 23") : none;
}

static struct pl_gs1_fault mi(struct pl_slice part)
{
    return number(part, 0, 2) > 59 ? fault(PL_GS1_E_DATE, 0, "minutes are 00 to 59") : none;
}

static struct pl_gs1_fault ss(struct pl_slice part)
{
    return number(part, 0, 2) > 59 ? fault(PL_GS1_E_DATE, 0, "seconds are 00 to 59") : none;
}

static struct pl_gs1_fault hhmi(struct pl_slice part)
{
    struct pl_gs1_fault f = hh(part);
    return f.message ? f : number(part, 2, 2) > 59 ? fault(PL_GS1_E_DATE, 2, "minutes are 00 to 59") : none;
}

static struct pl_gs1_fault country(struct pl_slice part)
{
    return pl_gs1_is_country(part) ? none : value_fault(0, "ISO 3166 has no country of this number");
}

static struct pl_gs1_fault country_999(struct pl_slice part)
{
    return pl_slice_eq_cstr(part, "999") ? none : country(part);
}

static struct pl_gs1_fault country_alpha2(struct pl_slice part)
{
    return pl_gs1_is_country_letters(part) ? none : value_fault(0, "ISO 3166 has no country of these letters");
}

static struct pl_gs1_fault currency(struct pl_slice part)
{
    return pl_gs1_is_currency(part) ? none : value_fault(0, "ISO 4217 has no currency of this number");
}

static struct pl_gs1_fault one_of(struct pl_slice part, const char *set, const char *message)
{
    return part.len == 1 && part.ptr[0] && strchr(set, part.ptr[0]) ? none : value_fault(0, message);
}

static struct pl_gs1_fault sex(struct pl_slice part)
{
    return one_of(part, "0129", "ISO 5218 has the codes 0, 1, 2 and 9");
}

static struct pl_gs1_fault yes_no(struct pl_slice part)
{
    return one_of(part, "01", "the flag is 0 or 1");
}

static struct pl_gs1_fault hyphen(struct pl_slice part)
{
    return one_of(part, "-", "only a hyphen may follow, for a temperature below zero");
}

static struct pl_gs1_fault winding(struct pl_slice part)
{
    return one_of(part, "019", "the winding direction is 0, 1 or 9");
}

static struct pl_gs1_fault importer(struct pl_slice part)
{
    return one_of(part, "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz",
                  "the importer index is a letter, a digit, a hyphen or an underscore");
}

// Form only: UN/ECE recommendation 21 has some 400 codes and adds to them.
static struct pl_gs1_fault package(struct pl_slice part)
{
    for (size_t i = 0; i < part.len; i++)
        if (!pl_is_digit(part.ptr[i]) && (part.ptr[i] < 'A' || part.ptr[i] > 'Z'))
            return value_fault(i, "a package type has capital letters and digits");
    return none;
}

static struct pl_gs1_fault media(struct pl_slice part)
{
    uint32_t value = number(part, 0, 2);
    return (value >= 1 && value <= 10) || value >= 80 ? none : value_fault(0, "the media type is 01 to 10 or 80 to 99");
}

static struct pl_gs1_fault percent(struct pl_slice part)
{
    for (size_t i = 0; i < part.len; i++) {
        if (part.ptr[i] != '%')
            continue;
        for (size_t k = i + 1; k <= i + 2; k++)
            if (k >= part.len || pl_hex_value(part.ptr[k]) < 0)
                return value_fault(i, "a percent sign must be followed by two hexadecimal digits");
        i += 2;
    }
    return none;
}

static struct pl_gs1_fault at_most(struct pl_slice part, const char *limit, const char *message)
{
    return part.len == 10 && memcmp(part.ptr, limit, 10) > 0 ? value_fault(0, message) : none;
}

static struct pl_gs1_fault latitude(struct pl_slice part)
{
    return at_most(part, "1800000000", "the latitude is at most 1800000000");
}

static struct pl_gs1_fault longitude(struct pl_slice part)
{
    return at_most(part, "3600000000", "the longitude is at most 3600000000");
}

static struct pl_gs1_fault piece(struct pl_slice part)
{
    uint32_t n = number(part, 0, 2), total = number(part, 2, 2);
    if (n == 0)
        return value_fault(0, "pieces are counted from 01");
    if (total == 0)
        return value_fault(2, "the total of pieces is 01 or more");
    return n > total ? value_fault(0, "the piece is beyond the total of pieces") : none;
}

static struct pl_gs1_fault n_of_m(struct pl_slice part)
{
    if (part.len != 3 || part.ptr[1] != '/')
        return value_fault(part.len < 2 ? part.len : 1, "a place in a sequence is written 1/2");
    if (part.ptr[0] < '1' || part.ptr[0] > '9')
        return value_fault(0, "the place in a sequence is 1 to 9");
    if (part.ptr[2] < '1' || part.ptr[2] > '9')
        return value_fault(2, "the length of a sequence is 1 to 9");
    return part.ptr[0] > part.ptr[2] ? value_fault(0, "the place is beyond the end of the sequence") : none;
}

static size_t leading_zeros(struct pl_slice part)
{
    size_t n = 0;
    while (n < part.len && part.ptr[n] == '0')
        n++;
    return n;
}

static struct pl_gs1_fault zero(struct pl_slice part)
{
    size_t n = leading_zeros(part);
    return n < part.len ? value_fault(n, "a zero is required here") : none;
}

static struct pl_gs1_fault nonzero(struct pl_slice part)
{
    return leading_zeros(part) == part.len ? value_fault(0, "the number may not be zero") : none;
}

static struct pl_gs1_fault no_zero_prefix(struct pl_slice part)
{
    return part.len > 1 && part.ptr[0] == '0' ? value_fault(0, "the number may not begin with a zero") : none;
}

static struct pl_gs1_fault has_non_digit(struct pl_slice part)
{
    for (size_t i = 0; i < part.len; i++)
        if (!pl_is_digit(part.ptr[i]))
            return none;
    return value_fault(0, "a character that is no digit is required");
}

// ISO 13616: the first four characters go to the end, letters count 10 to 35, and the remainder by 97 is 1.
static struct pl_gs1_fault iban(struct pl_slice part)
{
    uint32_t remainder = 0;
    if (part.len < 5)
        return fault(PL_GS1_E_TOO_SHORT, part.len, "an IBAN has five characters or more");
    if (!pl_gs1_is_country_letters(pl_slice_sub(part, 0, 2)) && !pl_slice_eq_cstr(pl_slice_sub(part, 0, 2), "XK"))
        return value_fault(0, "an IBAN begins with the letters of a country");
    for (size_t i = 0; i < part.len; i++) {
        size_t at = (i + 4) % part.len;
        uint8_t c = part.ptr[at];
        bool letter = pl_is_upper(c);
        if (!letter && !pl_is_digit(c))
            return value_fault(at, "an IBAN has digits and capital letters only");
        remainder = letter ? (remainder * 100 + (uint32_t)(c - 'A') + 10) % 97 : (remainder * 10 + c - '0') % 97;
    }
    return remainder == 1 ? none : fault(PL_GS1_E_CHECK_DIGIT, 2, "the check digits of the IBAN are wrong");
}

struct pl_gs1_fault pl_gs1_lint(enum pl_gs1_lint lint, struct pl_slice part)
{
    static fault_of *const table[PL_GS1_LINT_COUNT] = {
        [PL_GS1_CSUM] = csum,
        [PL_GS1_CSUM_ALPHA] = csum_alpha,
        [PL_GS1_PREFIX1] = prefix1,
        [PL_GS1_PREFIX2] = prefix2,
        [PL_GS1_YYMMD0] = yymmd0,
        [PL_GS1_YYMMDD] = yymmdd,
        [PL_GS1_YYYYMMDD] = yyyymmdd,
        [PL_GS1_HHMI] = hhmi,
        [PL_GS1_HH] = hh,
        [PL_GS1_MI] = mi,
        [PL_GS1_SS] = ss,
        [PL_GS1_COUNTRY] = country,
        [PL_GS1_COUNTRY_999] = country_999,
        [PL_GS1_COUNTRY_ALPHA2] = country_alpha2,
        [PL_GS1_CURRENCY] = currency,
        [PL_GS1_SEX] = sex,
        [PL_GS1_IBAN] = iban,
        [PL_GS1_PERCENT] = percent,
        [PL_GS1_LATITUDE] = latitude,
        [PL_GS1_LONGITUDE] = longitude,
        [PL_GS1_YES_NO] = yes_no,
        [PL_GS1_HYPHEN] = hyphen,
        [PL_GS1_IMPORTER] = importer,
        [PL_GS1_PACKAGE] = package,
        [PL_GS1_MEDIA] = media,
        [PL_GS1_N_OF_M] = n_of_m,
        [PL_GS1_PIECE] = piece,
        [PL_GS1_ZERO] = zero,
        [PL_GS1_NONZERO] = nonzero,
        [PL_GS1_NO_ZERO_PREFIX] = no_zero_prefix,
        [PL_GS1_HAS_NON_DIGIT] = has_non_digit,
        [PL_GS1_WINDING] = winding,
        [PL_GS1_COUPON] = pl_gs1_lint_coupon,
        [PL_GS1_COUPON_OFFER] = pl_gs1_lint_coupon_offer,
    };
    return (unsigned)lint < PL_GS1_LINT_COUNT && table[lint] ? table[lint](part) : none;
}
