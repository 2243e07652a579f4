// MicroPDF417 from dots.
#include "check/readers.h"

enum { MAX_ROWS = 44 };

struct size {
    uint8_t columns, rows, checks;
};

struct symbol {
    const struct pl_bitmap *crop;
    struct pl_box box;
    uint32_t module;
};

// All words, if the first row is of cluster `start`.
static bool read_words(const struct symbol *s, const struct size *size, uint32_t start, uint16_t *words)
{
    uint32_t height = (uint32_t)(s->box.y1 - s->box.y0) / size->rows;
    for (uint32_t row = 0; row < size->rows; row++) {
        uint32_t x = 10;
        for (uint32_t i = 0; i < size->columns; i++, x += PL_READ_PDF_MODULES) {
            x += size->columns > 2 && i == size->columns - 2u ? 10 : 0;
            uint32_t word =
                pl_read_pdf_codeword(s->crop, (uint32_t)s->box.x0 + x * s->module, (uint32_t)s->box.y0 + row * height,
                                     height, s->module, (start + row) % 3);
            if (word == PL_READ_NO_WORD)
                return false;
            *words++ = (uint16_t)word;
        }
    }
    return true;
}

static bool read_as(const struct symbol *s, const struct size *size, struct pl_read_text *out)
{
    uint16_t words[MAX_ROWS * 4];
    uint32_t total = (uint32_t)size->rows * size->columns;
    for (uint32_t start = 0; start < 3; start++)
        if (read_words(s, size, start, words) && pl_read_pdf_checks_hold(words, total, size->checks))
            return pl_read_pdf_words(words, total - size->checks, true, out);
    return false;
}

bool pl_read_micropdf417_in(const struct pl_bitmap *crop, struct pl_box box, uint32_t module, struct pl_read_text *out)
{
    static const struct size sizes[] = {{1, 11, 7},  {1, 14, 7},  {1, 17, 7},  {1, 20, 8},  {1, 24, 8},  {1, 28, 8},
                                        {2, 8, 8},   {2, 11, 9},  {2, 14, 9},  {2, 17, 10}, {2, 20, 11}, {2, 23, 13},
                                        {2, 26, 15}, {3, 6, 12},  {3, 8, 14},  {3, 10, 16}, {3, 12, 18}, {3, 15, 21},
                                        {3, 20, 26}, {3, 26, 32}, {3, 32, 38}, {3, 38, 44}, {3, 44, 50}, {4, 6, 12},
                                        {4, 8, 14},  {4, 10, 16}, {4, 12, 18}, {4, 15, 21}, {4, 20, 26}, {4, 26, 32},
                                        {4, 32, 38}, {4, 38, 44}, {4, 44, 50}, {4, 4, 8}};
    const struct symbol symbol = {crop, box, module};
    uint32_t modules = (uint32_t)(box.x1 - box.x0) / module, height = (uint32_t)(box.y1 - box.y0);
    uint32_t columns = modules == 38 ? 1 : modules == 55 ? 2 : modules == 82 ? 3 : modules == 99 ? 4 : 0;
    const uint32_t before = out->length;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        out->length = before;
        if (sizes[i].columns == columns && height % sizes[i].rows == 0 && read_as(&symbol, &sizes[i], out))
            return true;
    }
    return false;
}

bool pl_read_micropdf417(const struct pl_bitmap *crop, uint32_t module, struct pl_read_text *out)
{
    return pl_read_micropdf417_in(crop, (struct pl_box){0, 0, (int32_t)crop->width, (int32_t)crop->height}, module,
                                  out);
}
