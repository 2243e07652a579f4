// The schemes of the GS1 EPC Tag Data Standard with a partition (section 14): header, filter, partition, company
// prefix, reference, serial number. The partition says how many bits and digits of the key are the company's; a table
// gives those of the company, and those of the reference follow, since their sum is the same for a scheme. The longer
// schemes have serial numbers of characters, seven bits each. Of the schemes without a partition the key is read.
#include "check/epc.h"

#include <stdio.h>

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

enum { HEAD_BITS = 14, SHORT_BITS = 96 }; // header, filter and partition; a scheme of 96 bits

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

// The schemes that version 2 of the standard added: behind header, toggle and filter the key stands as it is, four bits
// a digit, and then its serial number in one of many forms.
static const struct {
    uint8_t header;
    const char *name, *ai;
    uint8_t digits; // 0: the key is not read
    uint8_t first;  // digit of the key, in half bytes
} added[] = {
    {0xF0, "CPI+", "8010", 0, 0},   {0xF1, "GRAI+", "8003", 14, 3},
    {0xF2, "SGLN+", "414", 13, 3},  {0xF3, "ITIP+", "8006", 0, 0},
    {0xF4, "GSRN+", "8018", 18, 3}, {0xF5, "GSRNP+", "8017", 18, 3},
    {0xF6, "GDTI+", "253", 13, 3},  {0xF7, "SGTIN+", "01", 14, 3},
    {0xF8, "SGCN+", "255", 0, 0},   {0xF9, "SSCC+", "00", 18, 3},
    {0xFA, "GIAI+", "8004", 0, 0},  {0xFB, "DSGTIN+", "01", 14, 8}, // a date of 20 bits stands before it
};

static enum pl_epc_state read_added(const uint8_t *bytes, size_t bits, struct pl_epc *out)
{
    size_t row = 0;
    while (row < sizeof added / sizeof *added && added[row].header != bytes[0])
        row++;
    if (row == sizeof added / sizeof *added)
        return PL_EPC_OTHER;
    out->scheme = added[row].name;
    out->ai = added[row].ai;
    for (uint32_t i = 0; i < added[row].digits; i++) {
        const uint32_t at = (added[row].first + i) * 4u;
        const uint64_t digit = at + 4 <= bits ? bits_at(bytes, at, 4) : 10;
        if (digit > 9)
            return PL_EPC_NOT_DECODED;
        out->key[i] = (char)('0' + digit);
    }
    return added[row].digits ? PL_EPC_KEY_READ : PL_EPC_NOT_DECODED;
}

enum pl_epc_state pl_epc_read(const uint8_t *bytes, size_t bits, struct pl_epc *out)
{
    const struct scheme *s = NULL;
    *out = (struct pl_epc){0};
    if (bits < 8)
        return PL_EPC_OTHER;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        s = schemes[i].header == bytes[0] ? &schemes[i] : s;
    if (!s)
        return read_added(bytes, bits, out);
    const uint32_t used = HEAD_BITS + s->bits + (uint32_t)s->serial_bits;
    out->scheme = s->name;
    out->ai = s->ai;
    out->bits = s->text ? used : SHORT_BITS;
    // Behind a scheme of 96 bits there may be zeros up to the size of the tag's memory.
    if (bits < out->bits || bits > PL_EPC_BYTES * 8u || (!s->text && !is_zero(bytes, SHORT_BITS, (uint32_t)bits)))
        return PL_EPC_LENGTH;
    out->problem = read_number(s, bytes, (uint32_t)bits_at(bytes, 11, 3), out);
    if (!out->problem && !is_zero(bytes, used, (uint32_t)bits))
        out->problem = "bits behind its number are not zero";
    return PL_EPC_READ;
}
