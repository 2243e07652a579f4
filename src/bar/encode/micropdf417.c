// MicroPDF417 (ISO/IEC 24728): the 34 variants, padding, check codewords.
#include "base/ckd.h"

#include "bar/encode/pdf417.h"
#include "bar/encode/pdf417_parts.h"

enum { PAD = 900, LINKED = 918, VARIANTS = 34 };

// In the order of the standard's list.
static const struct pl_pdf_micro variants[VARIANTS] = {
    {1, 11, 7, 1, 0, 9},     {1, 14, 7, 8, 0, 8},     {1, 17, 7, 36, 0, 36},   {1, 20, 8, 19, 0, 19},
    {1, 24, 8, 9, 0, 17},    {1, 28, 8, 25, 0, 33},   {2, 8, 8, 1, 0, 1},      {2, 11, 9, 1, 0, 9},
    {2, 14, 9, 8, 0, 8},     {2, 17, 10, 36, 0, 36},  {2, 20, 11, 19, 0, 19},  {2, 23, 13, 9, 0, 17},
    {2, 26, 15, 27, 0, 35},  {3, 6, 12, 1, 1, 1},     {3, 8, 14, 7, 7, 7},     {3, 10, 16, 15, 15, 15},
    {3, 12, 18, 25, 25, 25}, {3, 15, 21, 37, 37, 37}, {3, 20, 26, 1, 17, 33},  {3, 26, 32, 1, 9, 17},
    {3, 32, 38, 21, 29, 37}, {3, 38, 44, 15, 31, 47}, {3, 44, 50, 1, 25, 49},  {4, 6, 12, 1, 1, 1},
    {4, 8, 14, 7, 7, 7},     {4, 10, 16, 15, 15, 15}, {4, 12, 18, 25, 25, 25}, {4, 15, 21, 37, 37, 37},
    {4, 20, 26, 1, 17, 33},  {4, 26, 32, 1, 9, 17},   {4, 32, 38, 21, 29, 37}, {4, 38, 44, 15, 31, 47},
    {4, 44, 50, 1, 25, 49},  {4, 4, 8, 47, 19, 43},
};

// With a free size: by rising capacity, one variant for each capacity.
static const uint8_t by_capacity[] = {0,  13, 1,  6,  2,  23, 7,  15, 4,  16, 8,  5,  9,  10,
                                      26, 11, 18, 12, 27, 19, 28, 20, 21, 29, 22, 30, 31, 32};

static uint32_t capacity(const struct pl_pdf_micro *v)
{
    return (uint32_t)v->columns * v->rows - v->checks;
}

static const struct pl_pdf_micro *choose(const struct pl_micropdf417_options *options, uint32_t words)
{
    if (options->size >= 0) {
        const struct pl_pdf_micro *v = options->size < VARIANTS ? &variants[options->size] : NULL;
        return v != NULL && capacity(v) >= words ? v : NULL;
    }
    if (options->columns == 0 && options->min_rows == 0) {
        for (size_t i = 0; i < PL_COUNTOF(by_capacity); i++)
            if (capacity(&variants[by_capacity[i]]) >= words)
                return &variants[by_capacity[i]];
        return NULL;
    }
    const struct pl_pdf_micro *best = NULL;
    for (int i = 0; i < VARIANTS; i++) {
        const struct pl_pdf_micro *v = &variants[i];
        bool fits = capacity(v) >= words && v->rows >= options->min_rows &&
                    (options->columns == 0 || v->columns == options->columns);
        if (fits && (best == NULL || capacity(v) < capacity(best)))
            best = v;
    }
    return best;
}

bool pl_micropdf417_shape(const struct pl_micropdf417_options *options, uint32_t words, struct pl_pdf_shape *out)
{
    const struct pl_pdf_micro *v = choose(options, words);
    if (v == NULL)
        return false;
    *out = (struct pl_pdf_shape){
        .micro = true, .columns = v->columns, .rows = v->rows, .checks = v->checks, .detail = (uint32_t)(v - variants)};
    return true;
}

enum pl_errc pl_micropdf417_draw(const struct pl_pdf_shape *shape, uint16_t *words, struct pl_arena *arena,
                                 struct pl_bitmap *modules, struct pl_error *err)
{
    const struct pl_pdf_micro *v = &variants[shape->detail];
    uint32_t columns = v->columns, width = 17 * columns + 21 + (columns > 2 ? 10 : 0);
    pl_pdf_add_checks(words, capacity(v), v->checks);
    PL_TRY(pl_bitmap_new(arena, width, v->rows, modules, err));
    pl_pdf_draw_micro(v, true, words, modules);
    return PL_OK;
}

// The series begins anew after 25 pads, but not in symbols of three columns.
static uint16_t pad_in_turn(uint32_t i, uint32_t columns)
{
    static const uint16_t series[] = {900, 838, 779, 867, 865, 898, 868, 839};
    enum { AGAIN = 25 };
    return series[(columns == 3 ? i : i % AGAIN) % PL_COUNTOF(series)];
}

void pl_micropdf417_pad(const struct pl_pdf_shape *shape, bool in_turn, uint16_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        words[i] = in_turn ? pad_in_turn(i, shape->columns) : PAD;
}

enum pl_errc pl_micropdf417_encode(struct pl_slice data, const struct pl_micropdf417_options *options,
                                   struct pl_arena *arena, struct pl_bitmap *modules, struct pl_error *err)
{
    if (data.len == 0)
        return pl_fail(err, PL_E_INVALID, "there is no data for a MicroPDF417 symbol");
    uint16_t words[44 * 4 + 1];
    struct pl_pdf_words out = {.words = words, .capacity = 44 * 4 - 50, .rules = options->rules};
    if (options->linked)
        pl_pdf_put(&out, LINKED);
    PL_TRY(pl_pdf_compact(data, true, arena, &out, err));
    struct pl_pdf_shape shape;
    if (out.overflow || !pl_micropdf417_shape(options, out.length, &shape))
        return pl_fail(err, PL_E_INVALID, "the data does not fit into a MicroPDF417 symbol of the size asked for");
    uint32_t room = shape.rows * shape.columns - shape.checks;
    pl_micropdf417_pad(&shape, options->rules.pads_in_turn, words + out.length, room - out.length);
    return pl_micropdf417_draw(&shape, words, arena, modules, err);
}
