// Check symbols of Reed-Solomon codes over GF(2^m), by polynomial division with rows that the compiler can vectorise.
#include "bar/reed_solomon.h"

#include <string.h>

// The generator's coefficients from the q-binomial theorem: the product of (x + a^i), i = 1 … n, has the coefficients
// c_0 = 1, c_j = c_(j-1) a^j (1 + a^(n-j+1)) / (1 + a^j). That takes n steps instead of n^2.
static void make_generator(uint32_t bits, uint32_t polynomial, uint32_t count, uint16_t *out)
{
    uint16_t power[1u << PL_RS_MAX_BITS];
    uint16_t log[1u << PL_RS_MAX_BITS];
    uint32_t order = (1u << bits) - 1;
    uint32_t value = 1;
    for (uint32_t i = 0; i < order; i++) {
        power[i] = (uint16_t)value;
        log[value] = (uint16_t)i;
        value <<= 1;
        if (value > order)
            value ^= polynomial;
    }
    uint32_t coefficient_log = 0;
    for (uint32_t j = 1; j <= count; j++) {
        uint32_t numerator = log[power[(count - j + 1) % order] ^ 1u];
        uint32_t denominator = log[power[j % order] ^ 1u];
        coefficient_log = (coefficient_log + j + numerator + order - denominator) % order;
        out[j - 1] = power[coefficient_log];
    }
}

void pl_rs_init(struct pl_rs *rs, uint32_t bits, uint32_t polynomial, uint32_t count)
{
    rs->bits = bits;
    rs->count = count;
    make_generator(bits, polynomial, count, rs->shifted[0]);
    for (uint32_t b = 1; b < bits; b++) {
        const uint16_t *from = rs->shifted[b - 1];
        uint16_t *to = rs->shifted[b];
        for (uint32_t i = 0; i < count; i++) {
            uint32_t doubled = (uint32_t)from[i] << 1;
            to[i] = (uint16_t)(doubled ^ ((0u - (doubled >> bits)) & polynomial));
        }
    }
}

static void add_row(uint16_t *restrict to, const uint16_t *restrict row, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] ^= row[i];
}

void pl_rs_encode(const struct pl_rs *rs, uint16_t *words, size_t length)
{
    uint16_t rest[PL_RS_MAX_SYMBOLS];
    uint32_t count = rs->count;
    memcpy(rest, words, length * sizeof rest[0]);
    memset(rest + length, 0, count * sizeof rest[0]);
    for (size_t i = 0; i < length; i++) {
        uint32_t lead = rest[i];
        while (lead != 0) {
            uint32_t bit = (uint32_t)__builtin_ctz(lead);
            lead &= lead - 1;
            add_row(rest + i + 1, rs->shifted[bit], count);
        }
    }
    memcpy(words + length, rest + length, count * sizeof rest[0]);
}
