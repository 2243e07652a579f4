// MicroPDF417 from dots. A word that one scan line of its row spoils is taken from another line; the check words are
// used to find errors, not to correct them.
#include "bar/encode/pdf417_parts.h"
#include "check/readers.h"

enum { PRIME = 929, MAX_ROWS = 44, UNKNOWN = 0xFFFF };

static uint32_t bits_at(const struct pl_bitmap *crop, uint32_t x, uint32_t y, uint32_t module, uint32_t count)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; i++)
        value = value << 1 | pl_read_module(crop, x + i, y, module);
    return value;
}

static uint32_t word_of(uint32_t pattern, uint32_t cluster)
{
    for (uint32_t i = 0; i < PRIME; i++)
        if (pl_pdf_patterns[cluster][i] == pattern)
            return i;
    return UNKNOWN;
}

// The first scan line of the row that gives a word.
static uint32_t read_word(const struct pl_bitmap *crop, uint32_t x, uint32_t y, uint32_t height, uint32_t module,
                          uint32_t cluster)
{
    uint32_t step = height > 5 ? height / 5 : 1;
    for (uint32_t i = 0; i < height; i += step) {
        // From the middle outwards.
        uint32_t at = i % 2 ? height / 2 - (i + 1) / 2 : height / 2 + i / 2;
        if (at >= height)
            continue;
        uint32_t word = word_of(bits_at(crop, x, y + at, module, 17), cluster);
        if (word != UNKNOWN)
            return word;
    }
    return UNKNOWN;
}

// The words, data first, are a polynomial that is 0 at 3, 9, 27, ... as often as there are checks.
static bool checks_hold(const uint16_t *words, uint32_t total, uint32_t checks)
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

struct size {
    uint8_t columns, rows, checks;
};

// All words, if the first row is of cluster `start`.
static bool read_words(const struct pl_bitmap *crop, const struct size *size, uint32_t module, uint32_t start,
                       uint16_t *words)
{
    uint32_t height = crop->height / size->rows;
    for (uint32_t row = 0; row < size->rows; row++) {
        uint32_t x = 10;
        for (uint32_t i = 0; i < size->columns; i++, x += 17) {
            x += size->columns > 2 && i == size->columns - 2u ? 10 : 0;
            uint32_t word = read_word(crop, x, row * height, height, module, (start + row) % 3);
            if (word == UNKNOWN)
                return false;
            *words++ = (uint16_t)word;
        }
    }
    return true;
}

static bool read_as(const struct pl_bitmap *crop, const struct size *size, uint32_t module, struct pl_read_text *out)
{
    uint16_t words[MAX_ROWS * 4];
    uint32_t total = (uint32_t)size->rows * size->columns;
    for (uint32_t start = 0; start < 3; start++)
        if (read_words(crop, size, module, start, words) && checks_hold(words, total, size->checks))
            return pl_read_pdf_words(words, total - size->checks, true, out);
    return false;
}

bool pl_read_micropdf417(const struct pl_bitmap *crop, uint32_t module, struct pl_read_text *out)
{
    static const struct size sizes[] = {{1, 11, 7},  {1, 14, 7},  {1, 17, 7},  {1, 20, 8},  {1, 24, 8},  {1, 28, 8},
                                        {2, 8, 8},   {2, 11, 9},  {2, 14, 9},  {2, 17, 10}, {2, 20, 11}, {2, 23, 13},
                                        {2, 26, 15}, {3, 6, 12},  {3, 8, 14},  {3, 10, 16}, {3, 12, 18}, {3, 15, 21},
                                        {3, 20, 26}, {3, 26, 32}, {3, 32, 38}, {3, 38, 44}, {3, 44, 50}, {4, 6, 12},
                                        {4, 8, 14},  {4, 10, 16}, {4, 12, 18}, {4, 15, 21}, {4, 20, 26}, {4, 26, 32},
                                        {4, 32, 38}, {4, 38, 44}, {4, 44, 50}, {4, 4, 8}};
    uint32_t modules = crop->width / module;
    uint32_t columns = modules == 38 ? 1 : modules == 55 ? 2 : modules == 82 ? 3 : modules == 99 ? 4 : 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        out->length = 0;
        if (sizes[i].columns == columns && crop->height % sizes[i].rows == 0 && read_as(crop, &sizes[i], module, out))
            return true;
    }
    return false;
}
