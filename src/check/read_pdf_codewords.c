// Codewords of PDF417 and MicroPDF417 from dots. A word that one scan line of its row spoils is taken from another
// line; the check words find errors and do not correct them.
#include "bar/encode/pdf417_parts.h"
#include "check/readers.h"

enum { PRIME = 929 };

static uint32_t bits_at(const struct pl_bitmap *crop, uint32_t x, uint32_t y, uint32_t module, uint32_t count)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t middle = x + (uint64_t)i * module + module / 2;
        value = value << 1 | (middle < crop->width && pl_bitmap_get(crop, (uint32_t)middle, y));
    }
    return value;
}

// All are compared, without a way out: compilers make vectors of that, which is the faster way.
static uint32_t word_of(uint32_t pattern, uint32_t cluster)
{
    uint32_t word = PL_READ_NO_WORD;
    for (uint32_t i = 0; i < PRIME; i++)
        word = pl_pdf_patterns[cluster][i] == pattern ? i : word;
    return word;
}

uint32_t pl_read_pdf_codeword(const struct pl_bitmap *crop, uint32_t x, uint32_t y, uint32_t height, uint32_t module,
                              uint32_t cluster)
{
    uint32_t step = height > 5 ? height / 5 : 1;
    for (uint32_t i = 0; i < height; i += step) {
        // From the middle outwards.
        uint32_t at = i % 2 ? height / 2 - (i + 1) / 2 : height / 2 + i / 2;
        if (at >= height)
            continue;
        uint32_t word = word_of(bits_at(crop, x, y + at, module, PL_READ_PDF_MODULES), cluster);
        if (word != PL_READ_NO_WORD)
            return word;
    }
    return PL_READ_NO_WORD;
}

// The words, data first, are a polynomial that is 0 at 3, 9, 27, ... as often as there are checks.
bool pl_read_pdf_checks_hold(const uint16_t *words, uint32_t total, uint32_t checks)
{
    uint32_t root = 1;
    for (uint32_t i = 0; i < checks; i++) {
        uint32_t value = 0;
        root = root * 3 % PRIME;
        for (uint32_t k = 0; k < total; k++)
            value = (value * root + words[k]) % PRIME;
        if (value)
            return false;
    }
    return true;
}
