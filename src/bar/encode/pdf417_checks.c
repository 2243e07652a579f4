// PDF417: Reed-Solomon check codewords over the numbers mod 929, and the writing of patterns.
#include <string.h>

#include "bar/encode/pdf417_generators.h"
#include "bar/encode/pdf417_parts.h"

static const uint16_t *find_generator(uint32_t checks)
{
    for (uint32_t i = 0; i < pl_pdf_generator_count; i++)
        if (pl_pdf_generator_index[i].checks == checks)
            return pl_pdf_generators + pl_pdf_generator_index[i].offset;
    return NULL;
}

void pl_pdf_add_checks(uint16_t *words, uint32_t length, uint32_t checks)
{
    const uint16_t *generator = find_generator(checks);
    if (generator == NULL)
        return;
    // Sums are reduced only when read: 928 products below 929^2 stay below 2^32.
    uint32_t rest[PL_PDF_MAX_WORDS + 1];
    for (uint32_t i = 0; i < length; i++)
        rest[i] = words[i];
    memset(rest + length, 0, checks * sizeof rest[0]);
    for (uint32_t i = 0; i < length; i++) {
        uint32_t lead = rest[i] % 929;
        uint32_t *to = rest + i + 1;
        for (uint32_t j = 0; j < checks; j++)
            to[j] += lead * generator[j];
    }
    for (uint32_t i = length; i < length + checks; i++)
        words[i] = (uint16_t)((929 - rest[i] % 929) % 929);
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
