// The structure of North American coupon codes: (8110) paper, (8112) positive offer. Fields follow one another, each
// with a digit before it that says how long it is (GS1 US: North American Coupon Application Guideline).
#include "check/gs1_internal.h"

struct cursor {
    struct pl_slice data;
    size_t at;
    uint32_t start; // the date of the first day; 0: it is not given
    size_t end;     // where the date of the last day is; 0: it is not given
    struct pl_gs1_fault fault;
};

static void fail(struct cursor *c, size_t at, const char *message)
{
    if (!c->fault.message)
        c->fault = (struct pl_gs1_fault){.code = PL_GS1_E_VALUE, .at = at, .message = message};
}

// Digits of a fixed number; their value up to nine digits.
static uint32_t take(struct cursor *c, size_t digits, const char *message)
{
    uint32_t value = 0;
    for (size_t i = 0; i < digits && !c->fault.message; i++, c->at++) {
        if (c->at >= c->data.len || !pl_is_digit(c->data.ptr[c->at])) {
            fail(c, c->at, message);
            return 0;
        }
        value = (value % 100000000) * 10 + (uint32_t)(c->data.ptr[c->at] - '0');
    }
    return value;
}

// A digit from `low` to `high`, and as many digits as it says, and `more`.
static void take_long(struct cursor *c, uint32_t low, uint32_t high, size_t more, const char *message)
{
    size_t at = c->at;
    uint32_t length = take(c, 1, message);
    if (!c->fault.message && (length < low || length > high))
        fail(c, at, message);
    if (!c->fault.message)
        take(c, length + more, message);
}

// The date as a number, which grows with it in one century; 0: it is none.
static uint32_t take_date(struct cursor *c)
{
    size_t at = c->at;
    const uint32_t date = take(c, 6, "a date of the coupon is cut short");
    if (c->fault.message)
        return 0;
    struct pl_gs1_fault f = pl_gs1_lint(PL_GS1_YYMMDD, pl_slice_sub(c->data, at, 6));
    if (f.message) {
        f.at += at;
        c->fault = f;
    }
    return date;
}

static void take_purchase(struct cursor *c)
{
    size_t at;
    take_long(c, 1, 5, 0, "a purchase requirement of the coupon has a length of 1 to 5 and that many digits");
    at = c->at;
    uint32_t code = take(c, 1, "the purchase requirement code of the coupon is missing");
    if (!c->fault.message && code > 4 && code != 9)
        fail(c, at, "the purchase requirement code of a coupon is 0 to 4 or 9");
    take(c, 3, "the family code of the coupon has three digits");
}

// Save value code, applies to, store coupon, do not multiply.
static void take_flags(struct cursor *c)
{
    const size_t at = c->at;
    take(c, 4, "the miscellaneous fields of the coupon have four digits");
    if (c->fault.message)
        return;
    const uint8_t *flags = c->data.ptr + at;
    if (!memchr("01256", flags[0], 5))
        fail(c, at, "the save value code of a coupon is 0, 1, 2, 5 or 6");
    else if (flags[1] > '2')
        fail(c, at + 1, "a coupon's save value applies to item 0 to 2");
    else if (flags[3] > '1')
        fail(c, at + 3, "the last of the miscellaneous fields of a coupon is 0 or 1");
}

static void take_optional(struct cursor *c)
{
    static const char sizes[] =
        "the company prefix of the coupon has a length of 0 to 6 or 9 and that many digits and six";
    size_t at = c->at;
    uint32_t kind = take(c, 1, "an optional field of a coupon begins with a digit");
    switch (kind) {
    case 1: // second purchase, which has rules
    case 2: // third purchase
        at = c->at;
        if (kind == 1 && take(c, 1, "the purchase rules of the coupon are missing") > 3)
            fail(c, at, "the additional purchase rules code of a coupon is 0 to 3");
        take_purchase(c);
        if (c->at < c->data.len && c->data.ptr[c->at] == '9')
            c->at++;
        else
            take_long(c, 0, 6, 6, sizes);
        break;
    case 3: // expiry
        c->end = c->at;
        take_date(c);
        break;
    case 4: // start
        c->start = take_date(c);
        break;
    case 5:
        take_long(c, 0, 9, 6, "the serial number of the coupon has a length of 0 to 9 and that many digits and six");
        break;
    case 6:
        take_long(c, 1, 7, 6, "the retailer of the coupon has a length of 1 to 7 and that many digits and six");
        break;
    case 9:
        take_flags(c);
        break;
    default:
        fail(c, at, "a coupon has the optional fields 1 to 6 and 9");
    }
}

struct pl_gs1_fault pl_gs1_lint_coupon(struct pl_slice part)
{
    struct cursor c = {.data = part};
    take_long(&c, 0, 6, 6, "the company prefix of the coupon has a length of 0 to 6 and that many digits and six");
    take(&c, 6, "the offer code of the coupon has six digits");
    take_long(&c, 1, 5, 0, "the save value of the coupon has a length of 1 to 5 and that many digits");
    take_purchase(&c);
    while (c.at < part.len && !c.fault.message)
        take_optional(&c);
    struct cursor end = {.data = part, .at = c.end};
    if (!c.fault.message && c.end && take_date(&end) < c.start)
        fail(&c, c.end, "the coupon expires before it begins");
    return c.fault;
}

struct pl_gs1_fault pl_gs1_lint_coupon_offer(struct pl_slice part)
{
    struct cursor c = {.data = part};
    if (take(&c, 1, "the format of the coupon is missing") > 1)
        fail(&c, 0, "the format of a positive offer coupon is 0 or 1");
    take_long(&c, 0, 6, 6, "the funder of the coupon has a length of 0 to 6 and that many digits and six");
    take(&c, 6, "the offer code of the coupon has six digits");
    take_long(&c, 0, 9, 6, "the serial number of the coupon has a length of 0 to 9 and that many digits and six");
    if (!c.fault.message && c.at < part.len)
        fail(&c, c.at, "nothing follows the serial number of a positive offer coupon");
    return c.fault;
}
