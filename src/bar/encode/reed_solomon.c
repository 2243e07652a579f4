// Check symbols of Reed-Solomon codes over GF(2^m), by polynomial division with rows that the compiler can vectorise.
#include "bar/encode/reed_solomon.h"

#include <string.h>

enum { LANE = 8 }; // symbols of a vector

// Eight symbols at once, wherever they lie; both compilers have this, with or without vector instructions.
typedef uint16_t lane __attribute__((vector_size(16), aligned(2), may_alias));

// Powers of the primitive element and their logarithms in the field of eight bits that both symbologies have (0x12D).
// The other fields are small or rare enough to be worked out on the way.
// clang-format off
static const uint8_t power_256[255] = {
    1, 2, 4, 8, 16, 32, 64, 128, 45, 90, 180, 69, 138, 57, 114, 228, 229, 231, 227, 235,
    251, 219, 155, 27, 54, 108, 216, 157, 23, 46, 92, 184, 93, 186, 89, 178, 73, 146, 9, 18,
    36, 72, 144, 13, 26, 52, 104, 208, 141, 55, 110, 220, 149, 7, 14, 28, 56, 112, 224, 237,
    247, 195, 171, 123, 246, 193, 175, 115, 230, 225, 239, 243, 203, 187, 91, 182, 65, 130, 41, 82,
    164, 101, 202, 185, 95, 190, 81, 162, 105, 210, 137, 63, 126, 252, 213, 135, 35, 70, 140, 53,
    106, 212, 133, 39, 78, 156, 21, 42, 84, 168, 125, 250, 217, 159, 19, 38, 76, 152, 29, 58,
    116, 232, 253, 215, 131, 43, 86, 172, 117, 234, 249, 223, 147, 11, 22, 44, 88, 176, 77, 154,
    25, 50, 100, 200, 189, 87, 174, 113, 226, 233, 255, 211, 139, 59, 118, 236, 245, 199, 163, 107,
    214, 129, 47, 94, 188, 85, 170, 121, 242, 201, 191, 83, 166, 97, 194, 169, 127, 254, 209, 143,
    51, 102, 204, 181, 71, 142, 49, 98, 196, 165, 103, 206, 177, 79, 158, 17, 34, 68, 136, 61,
    122, 244, 197, 167, 99, 198, 161, 111, 222, 145, 15, 30, 60, 120, 240, 205, 183, 67, 134, 33,
    66, 132, 37, 74, 148, 5, 10, 20, 40, 80, 160, 109, 218, 153, 31, 62, 124, 248, 221, 151,
    3, 6, 12, 24, 48, 96, 192, 173, 119, 238, 241, 207, 179, 75, 150};
static const uint8_t log_256[256] = {
    0, 0, 1, 240, 2, 225, 241, 53, 3, 38, 226, 133, 242, 43, 54, 210, 4, 195, 39, 114,
    227, 106, 134, 28, 243, 140, 44, 23, 55, 118, 211, 234, 5, 219, 196, 96, 40, 222, 115, 103,
    228, 78, 107, 125, 135, 8, 29, 162, 244, 186, 141, 180, 45, 99, 24, 49, 56, 13, 119, 153,
    212, 199, 235, 91, 6, 76, 220, 217, 197, 11, 97, 184, 41, 36, 223, 253, 116, 138, 104, 193,
    229, 86, 79, 171, 108, 165, 126, 145, 136, 34, 9, 74, 30, 32, 163, 84, 245, 173, 187, 204,
    142, 81, 181, 190, 46, 88, 100, 159, 25, 231, 50, 207, 57, 147, 14, 67, 120, 128, 154, 248,
    213, 167, 200, 63, 236, 110, 92, 176, 7, 161, 77, 124, 221, 102, 218, 95, 198, 90, 12, 152,
    98, 48, 185, 179, 42, 209, 37, 132, 224, 52, 254, 239, 117, 233, 139, 22, 105, 27, 194, 113,
    230, 206, 87, 158, 80, 189, 172, 203, 109, 175, 166, 62, 127, 247, 146, 66, 137, 192, 35, 252,
    10, 183, 75, 216, 31, 83, 33, 73, 164, 144, 85, 170, 246, 65, 174, 61, 188, 202, 205, 157,
    143, 169, 82, 72, 182, 215, 191, 251, 47, 178, 89, 151, 101, 94, 160, 123, 26, 112, 232, 21,
    51, 238, 208, 131, 58, 69, 148, 18, 15, 16, 68, 17, 121, 149, 129, 19, 155, 59, 249, 70,
    214, 250, 168, 71, 201, 156, 64, 60, 237, 130, 111, 20, 93, 122, 177, 150};
// clang-format on
#define POLYNOMIAL_256 0x12D

struct field {
    uint32_t order;
    uint16_t power[1u << PL_RS_MAX_BITS];
    uint16_t log[1u << PL_RS_MAX_BITS];
};

static void make_field(struct field *f, uint32_t bits, uint32_t polynomial)
{
    f->order = (1u << bits) - 1;
    if (polynomial == POLYNOMIAL_256) {
        for (uint32_t i = 0; i < 255; i++)
            f->power[i] = power_256[i];
        for (uint32_t i = 0; i < 256; i++)
            f->log[i] = log_256[i];
        return;
    }
    uint32_t value = 1;
    for (uint32_t i = 0; i < f->order; i++) {
        f->power[i] = (uint16_t)value;
        f->log[value] = (uint16_t)i;
        value <<= 1;
        value ^= (0u - (value >> bits)) & polynomial;
    }
}

// The generator's coefficients from the q-binomial theorem: the product of (x + a^i), i = 1 … n, has the coefficients
// c_0 = 1, c_j = c_(j-1) a^j (1 + a^(n-j+1)) / (1 + a^j). That takes n steps instead of n^2.
static void make_generator(uint32_t bits, uint32_t polynomial, uint32_t count, uint16_t *out)
{
    struct field f;
    make_field(&f, bits, polynomial);
    uint32_t exponent = 0;
    for (uint32_t j = 1; j <= count; j++) {
        exponent += j;
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

const struct pl_rs *pl_rs_new(struct pl_arena *arena, uint32_t bits, uint32_t polynomial, uint32_t count)
{
    uint32_t stride = (count + LANE - 1) / LANE * LANE, groups = (bits + 3) / 4;
    struct pl_rs *rs = PL_ARENA_NEW(arena, struct pl_rs);
    uint16_t *rows = pl_arena_array(arena, (size_t)groups * 16 * stride, sizeof *rows, 16);
    if (rs == NULL || rows == NULL)
        return NULL;
    *rs = (struct pl_rs){.bits = bits, .count = count, .stride = stride, .rows = rows};
    memset(rows + stride, 0, stride * sizeof *rows);
    make_generator(bits, polynomial, count, rows + stride); // group 0, value 1
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
