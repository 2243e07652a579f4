// The 96-bit schemes of the GS1 EPC Tag Data Standard (section 14): header, filter, partition, company prefix,
// reference, serial number. The partition says how many bits and digits of the key are the company's; a table gives
// those of the company, and those of the reference follow, since their sum is the same for a scheme.
#include "check/epc.h"

#include <stdio.h>
#include <string.h>

#include "check/gs1.h"

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
};

static const struct scheme schemes[] = {
    {0x2C, "GDTI-96", "253", 41, 12, 41, COMPANY_FIRST, 0},
    {0x2D, "GSRN-96", "8018", 58, 17, 0, COMPANY_FIRST, 0},
    {0x2E, "GSRNP-96", "8017", 58, 17, 0, COMPANY_FIRST, 0},
    {0x30, "SGTIN-96", "01", 44, 13, 38, REFERENCE_DIGIT_FIRST, 0},
    {0x31, "SSCC-96", "00", 58, 17, 0, REFERENCE_DIGIT_FIRST, 0},
    {0x32, "SGLN-96", "414", 41, 12, 41, COMPANY_FIRST, 0},
    {0x33, "GRAI-96", "8003", 44, 12, 38, COMPANY_FIRST, '0'},
    {0x34, "GIAI-96", "8004", 82, 25, 0, NO_FIXED_LENGTH, 0},
};

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

bool pl_epc_read(const uint8_t bytes[PL_EPC_BYTES], struct pl_epc *out)
{
    static const uint8_t COMPANY_BITS[] = {40, 37, 34, 30, 27, 24, 20};
    const struct scheme *s = NULL;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        s = schemes[i].header == bytes[0] ? &schemes[i] : s;
    *out = (struct pl_epc){0};
    if (!s)
        return false;
    out->scheme = s->name;
    out->ai = s->ai;
    const uint64_t partition = bits_at(bytes, 11, 3);
    if (partition >= sizeof COMPANY_BITS) {
        out->problem = "its partition is 7, and there are only those from 0 to 6";
        return true;
    }
    const uint32_t company_bits = COMPANY_BITS[partition], company_digits = 12 - (uint32_t)partition;
    const uint32_t reference_bits = s->bits - company_bits, rest = s->digits - company_digits;
    const uint64_t company = bits_at(bytes, 14, company_bits);
    const uint64_t reference = bits_at(bytes, 14 + company_bits, reference_bits);
    const uint32_t tail = 14u + s->bits;
    if (company >= power_of_ten(company_digits))
        out->problem = "its company prefix has more digits than its partition allows";
    else if (reference >= power_of_ten(rest))
        out->problem = "its reference has more digits than its partition allows";
    else if (s->serial_bits == 0 && bits_at(bytes, tail, 96 - tail) != 0)
        out->problem = "bits behind its number are not zero";
    if (out->problem)
        return true;
    write_key(s, company, company_digits, reference, out);
    if (s->serial_bits)
        snprintf(out->serial, sizeof out->serial, "%llu", (unsigned long long)bits_at(bytes, tail, s->serial_bits));
    return true;
}
