// PDF417: Reed-Solomon check codewords over the numbers mod 929, the writing of patterns, and the rows of MicroPDF417
// and CC-A.
#include <assert.h>
#include <string.h>

#include "bar/encode/pdf417_parts.h"

enum { FIELD = 929, ROOT = 3, MOST_CHECKS = 512 };

// 1 / a, by Fermat's little theorem.
static uint32_t inverse(uint32_t a)
{
    uint32_t product = 1;
    for (uint32_t exponent = FIELD - 2; exponent > 0; exponent >>= 1, a = a * a % FIELD)
        if (exponent & 1)
            product = product * a % FIELD;
    return product;
}

// The generator is the product of (x - 3^i), i = 1 … n. By the q-binomial theorem its coefficients are c_0 = 1,
// c_j = c_(j-1) 3^j (3^(n-j+1) - 1) / (1 - 3^j). They are negated, so that division adds; the leading 1 is left out.
static void make_generator(uint32_t count, uint16_t *out)
{
    uint16_t power[MOST_CHECKS + 1] = {1};
    uint32_t coefficient = 1;
    for (uint32_t i = 1; i <= count; i++)
        power[i] = (uint16_t)(power[i - 1] * ROOT % FIELD);
    for (uint32_t j = 1; j <= count; j++) {
        coefficient = coefficient * power[j] % FIELD * (power[count - j + 1] + FIELD - 1u) % FIELD;
        coefficient = coefficient * inverse(FIELD + 1u - power[j]) % FIELD;
        out[j - 1] = (uint16_t)(FIELD - coefficient);
    }
}

void pl_pdf_add_checks(uint16_t *words, uint32_t length, uint32_t checks)
{
    uint16_t generator[MOST_CHECKS];
    assert(checks <= MOST_CHECKS && length + checks <= PL_PDF_MAX_WORDS);
    make_generator(checks, generator);
    // Sums are reduced only when read: 928 products below 929^2 stay below 2^32.
    uint32_t rest[PL_PDF_MAX_WORDS + 1];
    for (uint32_t i = 0; i < length; i++)
        rest[i] = words[i];
    memset(rest + length, 0, checks * sizeof rest[0]);
    for (uint32_t i = 0; i < length; i++) {
        uint32_t lead = rest[i] % FIELD;
        uint32_t *to = rest + i + 1;
        for (uint32_t j = 0; j < checks; j++)
            to[j] += lead * generator[j];
    }
    for (uint32_t i = length; i < length + checks; i++)
        words[i] = (uint16_t)((FIELD - rest[i] % FIELD) % FIELD);
}

void pl_pdf_put_bits(struct pl_bitmap *modules, uint32_t row, uint32_t *x, uint32_t value, uint32_t bits)
{
    uint64_t *words = pl_bitmap_row(modules, row) + *x / 64;
    uint32_t used = *x % 64;
    uint64_t aligned = (uint64_t)value << (64 - bits);
    words[0] |= aligned >> used;
    if (used + bits > 64)
        words[1] |= aligned << (64 - used);
    *x += bits;
}

void pl_pdf_draw_micro(const struct pl_pdf_micro *v, bool shows_left, const uint16_t *words, struct pl_bitmap *modules)
{
    for (uint32_t row = 0; row < v->rows; row++) {
        // Address patterns count on through the rows, and the cluster goes with the left one.
        uint32_t left = (v->left - 1 + row) % 52, x = 0;
        const uint32_t *patterns = pl_pdf_patterns[left % 3];
        if (shows_left)
            pl_pdf_put_bits(modules, row, &x, pl_pdf_rap_side[left], 10);
        for (uint32_t column = 0; column < v->columns; column++) {
            if (v->columns > 2 && column + 2 == v->columns)
                pl_pdf_put_bits(modules, row, &x, pl_pdf_rap_centre[(v->centre - 1 + row) % 52], 10);
            pl_pdf_put_bits(modules, row, &x, patterns[*words++], 17);
        }
        pl_pdf_put_bits(modules, row, &x, pl_pdf_rap_side[(v->right - 1 + row) % 52], 10);
        pl_pdf_put_bits(modules, row, &x, 1, 1);
    }
}
