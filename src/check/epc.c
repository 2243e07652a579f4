// The schemes of the GS1 EPC Tag Data Standard with a partition (section 14): header, filter, partition, company
// prefix, reference, serial number. The partition says how many bits and digits of the key are the company's; a table
// gives those of the company, and those of the reference follow, since their sum is the same for a scheme. The longer
// schemes have serial numbers of characters, seven bits each.
#include "check/epc.h"

#include <stdio.h>
#include <string.h>

#include "check/gs1_internal.h"

enum order {
    COMPANY_FIRST,
    REFERENCE_DIGIT_FIRST, // the first digit of the reference stands before the company's: GTIN, SSCC
    NO_FIXED_LENGTH        // GIAI: the reference has as many digits as it needs, and no check digit
};

struct scheme {
    uint8_t header;
    const char *name, *ai;
    uint8_t bits, digits; // of company and reference
    uint8_t serial_bits;  // behind them; the rest is zero
    enum order order;
    char before; // the key begins with it; 0: nothing
    bool text;   // its serial number has characters; of GIAI the reference
};

static const struct scheme schemes[] = {
    {0x2C, "GDTI-96", "253", 41, 12, 41, COMPANY_FIRST, 0, false},
    {0x2D, "GSRN-96", "8018", 58, 17, 0, COMPANY_FIRST, 0, false},
    {0x2E, "GSRNP-96", "8017", 58, 17, 0, COMPANY_FIRST, 0, false},
    {0x30, "SGTIN-96", "01", 44, 13, 38, REFERENCE_DIGIT_FIRST, 0, false},
    {0x31, "SSCC-96", "00", 58, 17, 0, REFERENCE_DIGIT_FIRST, 0, false},
    {0x32, "SGLN-96", "414", 41, 12, 41, COMPANY_FIRST, 0, false},
    {0x33, "GRAI-96", "8003", 44, 12, 38, COMPANY_FIRST, '0', false},
    {0x34, "GIAI-96", "8004", 82, 25, 0, NO_FIXED_LENGTH, 0, false},
    {0x36, "SGTIN-198", "01", 44, 13, 140, REFERENCE_DIGIT_FIRST, 0, true},
    {0x37, "GRAI-170", "8003", 44, 12, 112, COMPANY_FIRST, '0', true},
    {0x38, "GIAI-202", "8004", 188, 30, 0, NO_FIXED_LENGTH, 0, true},
    {0x39, "SGLN-195", "414", 41, 12, 140, COMPANY_FIRST, 0, true},
    {0x3E, "GDTI-174", "253", 41, 12, 119, COMPANY_FIRST, 0, true},
};

enum { HEAD_BITS = 14, SHORT_BYTES = 12 }; // header, filter and partition; a scheme of 96 bits

static uint64_t bits_at(const uint8_t *bytes, uint32_t at, uint32_t count)
{
    uint64_t value = 0;
    for (uint32_t i = at; i < at + count; i++)
        value = value << 1 | (bytes[i / 8] >> (7 - i % 8) & 1u);
    return value;
}

static uint64_t power_of_ten(uint32_t digits)
{
    uint64_t value = 1;
    for (uint32_t i = 0; i < digits; i++)
        value *= 10;
    return value;
}

// So many digits, with zeros before them.
static char *put_digits(char *out, uint64_t value, uint32_t digits)
{
    for (uint32_t i = digits; i-- > 0; value /= 10)
        out[i] = (char)('0' + value % 10);
    return out + digits;
}

static void write_key(const struct scheme *s, uint64_t company, uint32_t company_digits, uint64_t reference,
                      struct pl_epc *out)
{
    uint32_t rest = s->digits - company_digits;
    char *at = out->key;
    if (s->order == NO_FIXED_LENGTH)
        for (rest = 1; reference >= power_of_ten(rest); rest++)
            ;
    if (s->order == REFERENCE_DIGIT_FIRST)
        at = put_digits(at, reference / power_of_ten(--rest), 1);
    else if (s->before)
        *at++ = s->before;
    const char *first = s->before ? at : out->key;
    at = put_digits(at, company, company_digits);
    at = put_digits(at, reference % power_of_ten(rest), rest);
    if (s->order != NO_FIXED_LENGTH) {
        *at = pl_gs1_check_digit(pl_slice_make(first, (size_t)(at - first)));
        at++;
    }
    *at = '\0';
}

static bool is_zero(const uint8_t *bytes, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (bits_at(bytes, i, 1))
            return false;
    return true;
}

// Characters of seven bits until the first that is zero, as many as there is room for. NULL: they are right.
static const char *put_text(const uint8_t *bytes, uint32_t at, uint32_t bits, char *out, uint32_t room)
{
    const uint32_t most = bits / 7;
    uint32_t n = 0;
    for (; n < most && bits_at(bytes, at + n * 7, 7); n++) {
        const char c = (char)bits_at(bytes, at + n * 7, 7);
        if (pl_gs1_index82((uint8_t)c) < 0)
            return "it has a character that GS1 does not have";
        if (n == room)
            return "it has too many characters";
        out[n] = c;
    }
    out[n] = '\0';
    if (n == 0)
        return "its serial number is empty";
    return is_zero(bytes, at + n * 7, at + bits) ? NULL : "bits behind its number are not zero";
}

static const char *read_number(const struct scheme *s, const uint8_t *bytes, uint32_t partition, struct pl_epc *out)
{
    static const uint8_t COMPANY_BITS[] = {40, 37, 34, 30, 27, 24, 20};
    if (partition >= sizeof COMPANY_BITS)
        return "its partition is 7, and there are only those from 0 to 6";
    const uint32_t company_bits = COMPANY_BITS[partition], company_digits = 12 - partition;
    const uint32_t reference_bits = s->bits - company_bits, rest = s->digits - company_digits;
    const uint64_t company = bits_at(bytes, HEAD_BITS, company_bits);
    if (company >= power_of_ten(company_digits))
        return "its company prefix has more digits than its partition allows";
    if (s->text && s->order == NO_FIXED_LENGTH)
        return put_text(bytes, HEAD_BITS + company_bits, reference_bits, put_digits(out->key, company, company_digits),
                        rest);
    const uint64_t reference = bits_at(bytes, HEAD_BITS + company_bits, reference_bits);
    if (reference >= power_of_ten(rest))
        return "its reference has more digits than its partition allows";
    write_key(s, company, company_digits, reference, out);
    const uint32_t tail = HEAD_BITS + s->bits;
    if (s->text)
        return put_text(bytes, tail, s->serial_bits, out->serial, sizeof out->serial - 1);
    if (s->serial_bits)
        snprintf(out->serial, sizeof out->serial, "%llu", (unsigned long long)bits_at(bytes, tail, s->serial_bits));
    return NULL;
}

bool pl_epc_read(const uint8_t *bytes, size_t size, struct pl_epc *out)
{
    const struct scheme *s = NULL;
    *out = (struct pl_epc){0};
    for (size_t i = 0; size && i < sizeof schemes / sizeof *schemes; i++)
        s = schemes[i].header == bytes[0] ? &schemes[i] : s;
    if (!s || size > PL_EPC_BYTES)
        return false;
    const uint32_t used = HEAD_BITS + s->bits + (uint32_t)s->serial_bits, all = (uint32_t)size * 8;
    if (s->text ? all < used : size != SHORT_BYTES)
        return false;
    out->scheme = s->name;
    out->ai = s->ai;
    out->problem = read_number(s, bytes, (uint32_t)bits_at(bytes, 11, 3), out);
    if (!out->problem && !is_zero(bytes, used, all))
        out->problem = "bits behind its number are not zero";
    return true;
}
