// PDF417 (ISO/IEC 15438): size, padding, check codewords, rows.
#include "bar/encode/pdf417.h"

#include "bar/encode/pdf417_parts.h"

#include <stdlib.h>

#include "base/ckd.h"

enum {
    PAD = 900,
    MAX_COLUMNS = 30,
    MAX_ROWS = 90,
    MIN_ROWS = 3,
    START = 0x1FEA8, // 17 modules
    STOP = 0x3FA29,  // 18 modules
};

static uint32_t rows_for(uint32_t words, uint32_t columns)
{
    return PL_MAX((words + columns - 1) / columns, (uint32_t)MIN_ROWS);
}

// Nearest to twice as wide as high, with rows three modules high.
static uint32_t choose_columns(uint32_t words)
{
    uint32_t best = 0;
    int32_t best_distance = INT32_MAX;
    for (uint32_t columns = 1; columns <= MAX_COLUMNS; columns++) {
        uint32_t rows = rows_for(words, columns);
        if (rows > MAX_ROWS || rows * columns > PL_PDF_MAX_WORDS)
            continue;
        int32_t distance = abs((int32_t)(17 * columns + 69) - (int32_t)(6 * rows));
        if (distance < best_distance) {
            best_distance = distance;
            best = columns;
        }
    }
    return best;
}

bool pl_pdf417_shape(const struct pl_pdf417_options *options, uint32_t words, struct pl_pdf_shape *out)
{
    uint32_t columns = options->columns, rows = options->rows, security = PL_MIN(options->security, 8u);
    uint32_t total = words + (2u << security);
    if (columns == 0 && rows == 0)
        columns = choose_columns(total);
    else if (columns == 0)
        columns = (total + rows - 1) / rows;
    if (columns < 1 || columns > MAX_COLUMNS)
        return false;
    if (rows == 0)
        rows = rows_for(total, columns);
    *out = (struct pl_pdf_shape){.columns = columns,
                                 .rows = rows,
                                 .checks = 2u << security,
                                 .detail = security,
                                 .truncated = options->truncated};
    return rows >= MIN_ROWS && rows <= MAX_ROWS && rows * columns <= PL_PDF_MAX_WORDS && rows * columns >= total;
}

enum pl_errc pl_pdf417_draw(const struct pl_pdf_shape *shape, uint16_t *words, struct pl_arena *arena,
                            struct pl_bitmap *modules, struct pl_error *err)
{
    uint32_t columns = shape->columns, rows = shape->rows;
    pl_pdf_add_checks(words, rows * columns - shape->checks, shape->checks);
    uint32_t width = 17 * columns + (shape->truncated ? 35 : 69);
    PL_TRY(pl_bitmap_new(arena, width, rows, modules, err));
    const uint32_t facts[3] = {(rows - 1) / 3, 3 * shape->detail + (rows - 1) % 3, columns - 1};
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t *patterns = pl_pdf_patterns[row % 3];
        uint32_t x = 0, group = row / 3 * 30;
        pl_pdf_put_bits(modules, row, &x, START, 17);
        pl_pdf_put_bits(modules, row, &x, patterns[group + facts[row % 3]], 17);
        for (uint32_t i = 0; i < columns; i++)
            pl_pdf_put_bits(modules, row, &x, patterns[*words++], 17);
        if (shape->truncated) {
            pl_pdf_put_bits(modules, row, &x, 1, 1);
        } else {
            pl_pdf_put_bits(modules, row, &x, patterns[group + facts[(row + 2) % 3]], 17);
            pl_pdf_put_bits(modules, row, &x, STOP, 18);
        }
    }
    return PL_OK;
}

enum pl_errc pl_pdf417_encode(struct pl_slice data, const struct pl_pdf417_options *options, struct pl_arena *arena,
                              struct pl_bitmap *modules, struct pl_error *err)
{
    if (data.len == 0)
        return pl_fail(err, PL_E_INVALID, "there is no data for a PDF417 symbol");
    uint16_t words[PL_PDF_MAX_WORDS + 1];
    struct pl_pdf_words out = {.words = words, .length = 1, .capacity = PL_PDF_MAX_WORDS, .rules = options->rules};
    PL_TRY(pl_pdf_compact(data, false, arena, &out, err));
    struct pl_pdf_shape shape;
    if (out.overflow || !pl_pdf417_shape(options, out.length, &shape))
        return pl_fail(err, PL_E_INVALID, "the data does not fit into a PDF417 symbol of the size asked for");
    uint32_t length = shape.rows * shape.columns - shape.checks;
    while (out.length < length)
        words[out.length++] = PAD;
    words[0] = (uint16_t)length;
    return pl_pdf417_draw(&shape, words, arena, modules, err);
}
