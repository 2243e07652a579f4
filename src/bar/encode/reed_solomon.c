// Check symbols of Reed-Solomon codes over GF(2^m), by polynomial division with rows that the compiler can vectorise.
#include "bar/encode/reed_solomon.h"

#include <assert.h>
#include <string.h>

enum { LANE = 8 }; // symbols of a vector

// Eight symbols at once, wherever they lie; both compilers have this, with or without vector instructions.
typedef uint16_t lane __attribute__((vector_size(16), aligned(2), may_alias));

struct field {
    uint32_t order;
    uint16_t power[1u << PL_RS_MAX_BITS];
    uint16_t log[1u << PL_RS_MAX_BITS];
};

static void make_field(struct field *f, uint32_t bits, uint32_t polynomial)
{
    f->order = (1u << bits) - 1;
    uint32_t value = 1;
    for (uint32_t i = 0; i < f->order; i++) {
        f->power[i] = (uint16_t)value;
        f->log[value] = (uint16_t)i;
        value <<= 1;
        value ^= (0u - (value >> bits)) & polynomial;
    }
}

// The generator's coefficients from the q-binomial theorem: the product of (x + a^i), i = 1 … n, has the coefficients
// c_0 = 1, c_j = c_(j-1) a^j (1 + a^(n-j+1)) / (1 + a^j). That takes n steps instead of n^2. Where the first root is
// a^0, each root is divided by a, so c_j by a^j.
static void make_generator(uint32_t bits, uint32_t polynomial, uint32_t first, uint32_t count, uint16_t *out)
{
    struct field f;
    make_field(&f, bits, polynomial);
    uint32_t exponent = 0;
    for (uint32_t j = 1; j <= count; j++) {
        exponent += j - 1 + first;
        exponent -= exponent >= f.order ? f.order : 0;
        exponent += f.log[f.power[count - j + 1] ^ 1u];
        exponent -= exponent >= f.order ? f.order : 0;
        exponent += f.order - f.log[f.power[j] ^ 1u];
        exponent -= exponent >= f.order ? f.order : 0;
        out[j - 1] = f.power[exponent];
    }
}

static void double_row(uint16_t *restrict to, const uint16_t *restrict from, uint32_t count, uint32_t bits,
                       uint32_t polynomial)
{
    uint16_t low = (uint16_t)((1u << bits) - 1), turn = (uint16_t)(polynomial & low);
    for (uint32_t i = 0; i < count; i++) {
        uint16_t carry = (uint16_t)(0u - (uint32_t)(from[i] >> (bits - 1)));
        to[i] = (uint16_t)(((from[i] << 1) & low) ^ (carry & turn));
    }
}

static void add_rows(uint16_t *restrict to, const uint16_t *restrict a, const uint16_t *restrict b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = a[i] ^ b[i];
}

const struct pl_rs *pl_rs_new(struct pl_arena *arena, uint32_t bits, uint32_t polynomial, uint32_t first,
                              uint32_t count)
{
    uint32_t stride = (count + LANE - 1) / LANE * LANE, groups = (bits + 3) / 4;
    struct pl_rs *rs = PL_ARENA_NEW(arena, struct pl_rs);
    uint16_t *rows = pl_arena_array(arena, (size_t)groups * 16 * stride, sizeof *rows, 16);
    if (rs == NULL || rows == NULL)
        return NULL;
    *rs = (struct pl_rs){.bits = bits, .count = count, .stride = stride, .rows = rows};
    memset(rows + stride, 0, stride * sizeof *rows);
    make_generator(bits, polynomial, first, count, rows + stride); // group 0, value 1
    for (uint32_t group = 0; group < groups; group++) {
        uint16_t *table = rows + (size_t)group * 16 * stride;
        memset(table, 0, stride * sizeof *rows);
        if (group > 0)
            double_row(table + stride, table - 8 * stride, stride, bits, polynomial);
        uint32_t values = bits - 4 * group >= 4 ? 16 : 1u << (bits - 4 * group);
        for (uint32_t value = 2; value < values; value++) {
            uint32_t rest = value & (value - 1), bit = value ^ rest;
            if (rest == 0)
                double_row(table + value * stride, table + bit / 2 * stride, stride, bits, polynomial);
            else
                add_rows(table + value * stride, table + bit * stride, table + rest * stride, stride);
        }
    }
    return rs;
}

static void add_two(uint16_t *to, const uint16_t *a, const uint16_t *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += LANE)
        *(lane *)(to + i) ^= *(const lane *)(a + i) ^ *(const lane *)(b + i);
}

static void add_three(uint16_t *to, const uint16_t *a, const uint16_t *b, const uint16_t *c, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += LANE)
        *(lane *)(to + i) ^= *(const lane *)(a + i) ^ *(const lane *)(b + i) ^ *(const lane *)(c + i);
}

void pl_rs_encode(const struct pl_rs *rs, uint16_t *words, size_t length)
{
    uint16_t rest[PL_RS_MAX_SYMBOLS + LANE];
    uint32_t stride = rs->stride;
    memcpy(rest, words, length * sizeof rest[0]);
    memset(rest + length, 0, stride * sizeof rest[0]);
    const uint16_t *low = rs->rows, *middle = low + 16 * (size_t)stride, *high = middle + 16 * (size_t)stride;
    for (size_t i = 0; i < length; i++) {
        uint32_t lead = rest[i];
        uint16_t *to = rest + i + 1;
        const uint16_t *first = low + (lead & 15) * stride;
        if (rs->bits > 8)
            add_three(to, first, middle + (lead >> 4 & 15) * stride, high + (lead >> 8) * stride, stride);
        else if (rs->bits > 4)
            add_two(to, first, middle + (lead >> 4) * stride, stride);
        else
            add_two(to, first, low, stride); // the row of zero
    }
    memcpy(words + length, rest + length, rs->count * sizeof rest[0]);
}

void pl_rs_encode_bytes(const struct pl_rs *rs, const uint8_t *data, size_t step, size_t length, uint8_t *checks,
                        size_t check_step)
{
    uint16_t words[PL_RS_MAX_BYTES];
    assert(length + rs->count <= PL_RS_MAX_BYTES);
    for (size_t i = 0; i < length; i++)
        words[i] = data[i * step];
    pl_rs_encode(rs, words, length);
    for (size_t i = 0; i < rs->count; i++)
        checks[i * check_step] = (uint8_t)words[length + i];
}
