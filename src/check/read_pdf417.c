// PDF417 from dots, where every codeword can be read: much faster than zxing-cpp, which reads the others, since it
// corrects errors.
#include "bar/encode/pdf417_parts.h"
#include "check/readers.h"

enum { MIN_ROWS = 3, MAX_ROWS = 90, MAX_COLUMNS = 30, LEVELS = 9 };

struct symbol {
    const struct pl_bitmap *crop;
    uint32_t module, columns, rows, height; // of a row, in dots
    uint32_t level;                         // of security
};

// Codeword `column` of a row; 0 is the left indicator.
static uint32_t word_at(const struct symbol *s, uint32_t row, uint32_t column)
{
    return pl_read_pdf_codeword(s->crop, PL_READ_PDF_MODULES * (column + 1) * s->module, row * s->height, s->height,
                                s->module, row % 3);
}

// Do the left indicators of all rows say that there are so many rows and columns? The second row has the level.
static bool indicators_agree(struct symbol *s)
{
    uint32_t second = word_at(s, 1, 0);
    if (second >= 3 * LEVELS)
        return false;
    s->level = second / 3;
    const uint32_t facts[3] = {(s->rows - 1) / 3, 3 * s->level + (s->rows - 1) % 3, s->columns - 1};
    for (uint32_t row = 0; row < s->rows; row++)
        if (word_at(s, row, 0) != row / 3 * 30 + facts[row % 3])
            return false;
    return true;
}

static bool read_words(const struct symbol *s, struct pl_read_text *out)
{
    uint16_t words[PL_PDF_MAX_WORDS];
    uint32_t count = 0, total = s->rows * s->columns, checks = 2u << s->level;
    if (total > PL_PDF_MAX_WORDS || checks >= total)
        return false;
    for (uint32_t row = 0; row < s->rows; row++)
        for (uint32_t column = 1; column <= s->columns; column++) {
            uint32_t word = word_at(s, row, column);
            if (word == PL_READ_NO_WORD)
                return false;
            words[count++] = (uint16_t)word;
        }
    // The first word is the number of data words, itself among them.
    if (words[0] == 0 || words[0] > total - checks || !pl_read_pdf_checks_hold(words, total, checks))
        return false;
    return pl_read_pdf_words(words + 1, words[0] - 1u, false, out);
}

bool pl_read_pdf417(const struct pl_bitmap *crop, uint32_t module, struct pl_read_text *out)
{
    // Start, indicators and stop; the truncated kind has no right indicator and ends with one bar.
    static const uint32_t around[] = {4 * PL_READ_PDF_MODULES + 1, 2 * PL_READ_PDF_MODULES + 1};
    uint32_t modules = crop->width / module;
    for (int kind = 0; kind < 2; kind++) {
        uint32_t columns = modules > around[kind] ? (modules - around[kind]) / PL_READ_PDF_MODULES : 0;
        if (columns == 0 || columns > MAX_COLUMNS || columns * PL_READ_PDF_MODULES + around[kind] != modules)
            continue;
        for (uint32_t rows = MIN_ROWS; rows <= MAX_ROWS; rows++) {
            struct symbol s = {crop, module, columns, rows, crop->height / rows, 0};
            out->length = 0;
            if (crop->height % rows == 0 && indicators_agree(&s) && read_words(&s, out))
                return true;
        }
    }
    return false;
}
