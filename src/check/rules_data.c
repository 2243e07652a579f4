// Rules for data: what knows it, what must hold. Sources:
//   UPS 1Z: the modified modulo 10 that UPS tells its shippers (answers.google.com thread 207899 quotes it).
//   UPS MaxiCode: Zebra's ZPL guide, ^BD (message header, transportation data, mandatory fields).
//   USPS IMpb: Publication 199 and Parcel Labeling Guide, appendix A (420, channel identifiers 91 to 95, modulo 10).
//   USPS IMb: USPS-B-3200, 2.1.3 (20 digits and 0, 5, 9 or 11; the second is 0 to 4).
//   UPU S10-12 (weights 8 6 4 2 3 5 9 7).
//   FedEx: 12 digits by weights 1 3 7 modulo 11 (the same thread); "96" by FedEx Ground's Bar Code and Label Layout
//   Specification FY04.A (modulo 10 over the last 15 digits). The 34 digits end with the tracking number.
// Rules without a source that could be read (`unread`): FedEx Ground of 15 digits (modulo 10); DHL: Leitcode and
// Identcode
//   (weights 4 9), waybill (modulo 7), licence plate (JJD, JD, JVGL and 16 to 20 digits). They agree with real labels.
//   Amazon: the number of a box by the guide of its former interface (MWS); the FNSKU as sellers describe it.
#include <stdio.h>

#include "base/fmt.h"
#include "check/gs1.h"
#include "check/read.h"
#include "check/rules.h"
#include "check/rules_numbers.h"

#define GS 0x1D
#define RS 0x1E
#define EOT 0x04

// The first byte that is no digit, or the length.
static size_t digits_of(struct pl_slice s)
{
    size_t n = 0;
    while (n < s.len && pl_is_digit(s.ptr[n]))
        n++;
    return n;
}

static struct pl_rule_result other(void)
{
    return (struct pl_rule_result){.match = PL_RULE_OTHER};
}

static struct pl_rule_result holds(void)
{
    return (struct pl_rule_result){.match = PL_RULE_HOLDS};
}

static struct pl_rule_result broken(size_t offset, const char *message)
{
    struct pl_rule_result r = {.match = PL_RULE_BROKEN, .offset = (uint32_t)offset};
    snprintf(r.message, sizeof r.message, "%s", message);
    return r;
}

static struct pl_rule_result not_read(struct pl_rule_result r)
{
    r.unread = true;
    return r;
}

// The check digit stands at `at` of the data.
static struct pl_rule_result digit_at(struct pl_slice data, size_t at, char want, const char *what)
{
    if ((char)data.ptr[at] == want)
        return holds();
    struct pl_rule_result r = {.match = PL_RULE_BROKEN, .offset = (uint32_t)at};
    snprintf(r.message, sizeof r.message, "The check digit of %s must be %c.", what, want);
    return r;
}

char pl_rule_ups_check(struct pl_slice fifteen)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < fifteen.len; i++) {
        // Letters count 2 for A, 3 for B, and so on, the last digit of it.
        uint32_t value = pl_is_digit(fifteen.ptr[i]) ? (uint32_t)(fifteen.ptr[i] - '0') : (fifteen.ptr[i] - 63u) % 10;
        sum += i % 2 ? 2 * value : value;
    }
    return (char)('0' + (10 - sum % 10) % 10);
}

static char s10_check(struct pl_slice eight)
{
    static const uint8_t weights[8] = {8, 6, 4, 2, 3, 5, 9, 7};
    uint32_t sum = 0;
    for (size_t i = 0; i < eight.len && i < 8; i++)
        sum += (uint32_t)(eight.ptr[i] - '0') * weights[i];
    uint32_t check = 11 - sum % 11;
    return (char)('0' + (check == 10 ? 0 : check == 11 ? 5 : check));
}

static char fedex_check(struct pl_slice eleven)
{
    static const uint8_t weights[3] = {1, 3, 7};
    uint32_t sum = 0;
    for (size_t i = 0; i < eleven.len; i++)
        sum += (uint32_t)(eleven.ptr[eleven.len - 1 - i] - '0') * weights[i % 3];
    return (char)('0' + sum % 11 % 10);
}

static struct pl_rule_result ups_tracking(enum pl_check_symbology symbology, struct pl_slice data)
{
    (void)symbology;
    if (data.len < 3 || data.ptr[0] != '1' || (data.ptr[1] | 0x20) != 'z' || (data.ptr[1] == 'z' && data.len != 18))
        return other();
    if (data.ptr[1] == 'z')
        return broken(1, "A 1Z tracking number has capital letters and digits only.");
    for (size_t i = 2; i < data.len && i < 18; i++)
        if (!pl_is_digit(data.ptr[i]) && !pl_is_upper(data.ptr[i]))
            return broken(i, "A 1Z tracking number has capital letters and digits only.");
    if (data.len != 18)
        return broken(data.len < 18 ? data.len : 18, "A 1Z tracking number has 18 characters.");
    return digit_at(data, 17, pl_rule_ups_check(pl_slice_sub(data, 2, 15)), "the 1Z tracking number");
}

// A field up to GS or RS.
static struct pl_slice field(struct pl_slice data, size_t *at)
{
    size_t start = *at;
    while (*at < data.len && data.ptr[*at] != GS && data.ptr[*at] != RS)
        ++*at;
    return pl_slice_sub(data, start, *at - start);
}

// As a scanner gives it: [)> RS 01 GS 96, postal code GS country GS class GS, then the secondary message.
static struct pl_rule_result ups_maxicode(enum pl_check_symbology symbology, struct pl_slice data)
{
    static const char header[] = "[)>\x1e"
                                 "01\x1d";
    if (symbology != PL_CHECK_MAXICODE)
        return other();
    if (data.len < sizeof header - 1 || memcmp(data.ptr, header, sizeof header - 1) != 0)
        return broken(0, "The message of a UPS MaxiCode begins with [)> RS 01 GS 96.");
    if (data.len < 9 || !pl_is_digit(data.ptr[7]) || !pl_is_digit(data.ptr[8]))
        return broken(7, "The transportation header of a UPS MaxiCode has two digits of the year (96).");
    static const char *const names[] = {"postal code",     "country",      "class of service",
                                        "tracking number", "carrier code", "shipper number"};
    size_t at = 9;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t start = at;
        struct pl_slice f = field(data, &at);
        bool numbers = i == 1 || i == 2;
        bool wrong = i == 0    ? f.len == 0 || f.len > 9
                     : numbers ? f.len != 3 || !pl_all_digits(f)
                     : i == 3  ? f.len != 10 || f.ptr[0] != '1' || f.ptr[1] != 'Z'
                     : i == 4  ? !pl_slice_eq_cstr(f, "UPSN")
                               : f.len != 6;
        if (wrong) {
            struct pl_rule_result r = {.match = PL_RULE_BROKEN, .offset = (uint32_t)start};
            snprintf(r.message, sizeof r.message, "The %s in the UPS MaxiCode is missing or of the wrong form.",
                     names[i]);
            return r;
        }
        if (at < data.len && data.ptr[at] == GS)
            at++;
    }
    if (data.ptr[data.len - 1] != EOT)
        return broken(data.len, "The message of a UPS MaxiCode ends with RS EOT.");
    return holds();
}

// Where the ZIP code behind (420) ends. 0: `bad` says where it is wrong.
static size_t zip_end(struct pl_slice data, struct pl_rule_result *bad)
{
    size_t zip = digits_of(pl_slice_sub(data, 3, data.len));
    const uint8_t *gs = memchr(data.ptr, GS, data.len);
    if (!gs) // a routing code alone; or one without FNC1, which is found by the identifier behind it
        zip = zip > 9 + 20 && data.ptr[12] == '9' ? 9 : zip > 5 + 20 && data.ptr[8] == '9' ? 5 : zip;
    if (zip == 5 || zip == 9)
        return 3 + zip + (gs ? 1 : 0);
    *bad = broken(3 + (zip < 5 ? zip : zip < 9 ? 5 : 9), "A ZIP code has five or nine digits.");
    return 0;
}

// 420 and a ZIP code of five or nine digits, which may be missing; FNC1; then 91 to 95 and more digits.
static struct pl_rule_result usps_impb(enum pl_check_symbology symbology, struct pl_slice data)
{
    size_t at = 0;
    struct pl_rule_result bad;
    if (symbology != PL_CHECK_GS1_128 && symbology != PL_CHECK_GS1_DATAMATRIX && symbology != PL_CHECK_CODE128)
        return other();
    if (data.len > 3 && memcmp(data.ptr, "420", 3) == 0) {
        at = zip_end(data, &bad);
        if (at == 0)
            return bad;
        if (at >= data.len)
            return holds();
    }
    struct pl_slice rest = pl_slice_sub(data, at, data.len);
    if (rest.len < 20 || rest.ptr[0] != '9' || rest.ptr[1] < '1' || rest.ptr[1] > '5')
        return at ? broken(at, "Behind the ZIP code comes 91 to 95 and the package identification code.") : other();
    size_t digits = digits_of(rest);
    if (digits < rest.len)
        return broken(at + digits, "A package identification code has digits only.");
    if (rest.len != 22 && rest.len != 26 && rest.len != 30 && rest.len != 34)
        return at ? broken(data.len, "A package identification code has 22, 26, 30 or 34 digits.") : other();
    return digit_at(data, data.len - 1, pl_gs1_check_digit(pl_slice_sub(rest, 0, rest.len - 1)),
                    "the package identification code");
}

static struct pl_rule_result usps_package(enum pl_check_symbology symbology, struct pl_slice data)
{
    struct pl_rule_result r = usps_impb(symbology, data);
    bool routed = data.len > 3 + 5 + 20 && memcmp(data.ptr, "420", 3) == 0;
    if (r.match == PL_RULE_HOLDS && symbology == PL_CHECK_CODE128 && routed)
        return broken(0, "An Intelligent Mail package barcode is GS1-128: FNC1 must come before the data and the 9.");
    return r;
}

static struct pl_rule_result usps_imb(enum pl_check_symbology symbology, struct pl_slice data)
{
    if (symbology != PL_CHECK_INTELLIGENT_MAIL)
        return other();
    size_t digits = digits_of(data);
    if (digits < data.len)
        return broken(digits, "An Intelligent Mail barcode has digits only.");
    if (data.len != 20 && data.len != 25 && data.len != 29 && data.len != 31)
        return broken(data.len, "An Intelligent Mail barcode has 20, 25, 29 or 31 digits.");
    if (data.ptr[1] > '4')
        return broken(1, "The second digit of an Intelligent Mail barcode is 0 to 4.");
    return holds();
}

static struct pl_rule_result s10(enum pl_check_symbology symbology, struct pl_slice data)
{
    (void)symbology;
    if (data.len != 13 || !pl_is_upper(data.ptr[0]) || !pl_is_upper(data.ptr[1]) || !pl_is_upper(data.ptr[11]) ||
        !pl_is_upper(data.ptr[12]) || !pl_all_digits(pl_slice_sub(data, 2, 9)))
        return other();
    return digit_at(data, 10, s10_check(pl_slice_sub(data, 2, 8)), "the postal item number");
}

static struct pl_rule_result fedex(enum pl_check_symbology symbology, struct pl_slice data)
{
    // The twelve digits of UPC-A are an item's.
    if (pl_check_shape_of(symbology) != PL_SHAPE_LINEAR || !pl_all_digits(data) || symbology == PL_CHECK_UPCA ||
        symbology == PL_CHECK_EAN13)
        return other();
    // Of 34 digits the last 14 are the number; mostly the first two of them are zeros, which do not count.
    const size_t digits = data.len == 34 ? 14 : 12;
    if (data.len == 12 || data.len == 34)
        return digit_at(data, data.len - 1, fedex_check(pl_slice_sub(data, data.len - digits, digits - 1)),
                        "the FedEx tracking number");
    if (data.len == 22 && data.ptr[0] == '9' && data.ptr[1] == '6')
        return digit_at(data, 21, pl_gs1_check_digit(pl_slice_sub(data, 7, 14)), "the FedEx Ground number");
    if (data.len >= 20 && data.len <= 24 && data.ptr[0] == '9' && data.ptr[1] == '6')
        return broken(data.len, "A FedEx Ground number that begins with 96 has 22 digits.");
    if (data.len == 16) // Ground used to have 15, Express has 12 or 14
        return not_read(broken(15, "A FedEx number in a barcode of its own has 12, 14 or 15 digits, not 16."));
    if (data.len == 15)
        return not_read(digit_at(data, 14, pl_gs1_check_digit(pl_slice_sub(data, 0, 14)), "the FedEx Ground number"));
    return other();
}

// Leitcode and Identcode of Deutsche Post: weights 4 and 9 from the left.
static char post_check(struct pl_slice digits)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < digits.len; i++)
        sum += (uint32_t)(digits.ptr[i] - '0') * (i % 2 ? 9 : 4);
    return (char)('0' + (10 - sum % 10) % 10);
}

static bool is_leitcode(struct pl_slice data)
{
    return data.len == 14 && pl_all_digits(data) && (char)data.ptr[13] == post_check(pl_slice_sub(data, 0, 13));
}

static struct pl_rule_result dhl(enum pl_check_symbology symbology, struct pl_slice data)
{
    static const char *const plates[] = {"JJD", "JVGL", "JD"};
    if (symbology == PL_CHECK_INTERLEAVED_2OF5 && pl_all_digits(data) && (data.len == 12 || data.len == 14))
        return not_read(digit_at(data, data.len - 1, post_check(pl_slice_sub(data, 0, data.len - 1)),
                                 data.len == 12 ? "the Identcode" : "the Leitcode"));
    if (symbology == PL_CHECK_CODE128 && data.len == 10 && pl_all_digits(data)) {
        uint32_t rest = 0;
        for (size_t i = 0; i < 9; i++)
            rest = (rest * 10 + (uint32_t)(data.ptr[i] - '0')) % 7;
        return not_read(digit_at(data, 9, (char)('0' + rest), "the waybill number"));
    }
    for (size_t i = 0; i < sizeof plates / sizeof *plates; i++) {
        size_t head = strlen(plates[i]);
        if (data.len <= head || memcmp(data.ptr, plates[i], head) != 0)
            continue;
        size_t digits = digits_of(pl_slice_sub(data, head, data.len));
        if (head + digits < data.len || digits < 16 || digits > 20)
            return not_read(broken(head + digits, "A licence plate of DHL ends with 16 to 20 digits."));
        return holds();
    }
    return other();
}

// Small letters are taken for a mistake in data of this length, and for data of another kind in shorter data.
static bool begins_with(struct pl_slice data, const char *start, size_t least)
{
    bool exact = true;
    for (size_t i = 0; start[i]; i++) {
        if (i >= data.len || pl_upper(data.ptr[i]) != (uint8_t)start[i])
            return false;
        exact = exact && data.ptr[i] == (uint8_t)start[i];
    }
    return exact || data.len >= least;
}

// An FNSKU is X00 and seven characters. A box has the number of its shipment, U and its own number.
static struct pl_rule_result amazon(enum pl_check_symbology symbology, struct pl_slice data)
{
    static const char BOX[] = "The number of a box for Amazon is that of its shipment (FBA...), U and six digits.";
    const bool item = begins_with(data, "X00", 10), box = begins_with(data, "FBA", 12);
    size_t n = 0;
    if (symbology != PL_CHECK_CODE128 || (!item && !box))
        return other();
    while (n < data.len && (pl_is_digit(data.ptr[n]) || pl_is_upper(data.ptr[n])))
        n++;
    if (item)
        return n == data.len && n == 10
                   ? holds()
                   : not_read(broken(n < 10 ? n : 10, "An FNSKU has ten capital letters and digits, with X00 first."));
    if (n < data.len)
        return not_read(broken(n, BOX));
    size_t digits = 0;
    while (pl_is_digit(data.ptr[n - 1 - digits])) // it begins with a letter
        digits++;
    // Older shipments have three digits.
    if (data.ptr[n - 1 - digits] != 'U' || (digits != 6 && digits != 3) || n - digits < 3 + 2)
        return not_read(broken(n - digits, BOX));
    return holds();
}

// Numbers of pharmacies, medical devices and telephones.
static struct pl_rule_result number(enum pl_check_symbology symbology, struct pl_slice data)
{
    const bool code39 = symbology == PL_CHECK_CODE39;
    const char pzn = code39 ? pl_pzn_check(data) : 0;
    char want = pzn;
    const char *what = "the PZN";
    if (!want && (code39 || symbology == PL_CHECK_CODE128 || symbology == PL_CHECK_DATAMATRIX)) {
        what = "the HIBC";
        want = pl_hibc_check(data);
    }
    const bool imei = !want && pl_check_shape_of(symbology) == PL_SHAPE_LINEAR && (want = pl_imei_check(data)) != 0;
    if (!want)
        return other();
    struct pl_rule_result r = want == 'X' && pzn ? broken(data.len - 1, "There is no PZN with these digits.")
                                                 : digit_at(data, data.len - 1, want, imei ? "the IMEI" : what);
    r.word = pzn ? "PZN" : imei ? "IMEI" : NULL;
    r.by_word = imei;
    r.unread = !pzn; // HIBC and IMEI: other numbers may have their form
    return r;
}

// Keys without an application identifier, by the symbologies that hold nothing else.
static struct pl_rule_result key(enum pl_check_symbology symbology, struct pl_slice data)
{
    uint8_t upca[12];
    if (symbology == PL_CHECK_UPCE && data.len == 8 && pl_all_digits(data) && data.ptr[0] <= '1') {
        pl_read_upca_form(data.ptr, upca);
        return digit_at(data, 7, pl_gs1_check_digit(pl_slice_make(upca, 11)), "the GTIN");
    }
    bool item = (symbology == PL_CHECK_EAN13 && data.len == 13) || (symbology == PL_CHECK_EAN8 && data.len == 8) ||
                (symbology == PL_CHECK_UPCA && data.len == 12) ||
                (symbology == PL_CHECK_INTERLEAVED_2OF5 && data.len == 14);
    // A letter in place of the check digit: a right one is encoded.
    if (!item || !pl_all_digits(pl_slice_sub(data, 0, data.len - 1)) ||
        (symbology == PL_CHECK_INTERLEAVED_2OF5 && !pl_all_digits(data)))
        return other();
    struct pl_rule_result r =
        digit_at(data, data.len - 1, pl_gs1_check_digit(pl_slice_sub(data, 0, data.len - 1)), "the GTIN");
    r.unsure = symbology == PL_CHECK_INTERLEAVED_2OF5 && is_leitcode(data);
    return r;
}

struct pl_rule_result pl_rules_check(uint32_t rules, enum pl_check_symbology symbology, struct pl_slice data)
{
    static const struct {
        enum pl_rule rule;
        struct pl_rule_result (*check)(enum pl_check_symbology, struct pl_slice);
    } table[] = {{PL_RULE_UPS_MAXICODE, ups_maxicode},
                 {PL_RULE_UPS_TRACKING, ups_tracking},
                 {PL_RULE_USPS_IMB, usps_imb},
                 {PL_RULE_USPS_IMPB, usps_package},
                 {PL_RULE_S10, s10},
                 {PL_RULE_FEDEX, fedex},
                 {PL_RULE_DHL, dhl},
                 {PL_RULE_AMAZON, amazon},
                 {PL_RULE_KEY, key},
                 {PL_RULE_NUMBER, number}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (!(rules & table[i].rule))
            continue;
        struct pl_rule_result r = table[i].check(symbology, data);
        r.rule = table[i].rule;
        if (r.match != PL_RULE_OTHER)
            return r;
    }
    return other();
}
