// CODABLOCK: rows of equal height with bars between them.
#include "bar/encode/codablock.h"
#include "bar/layout/build.h"
#include "bar/layout/builders.h"
#include "base/ckd.h"

#define CODABLOCK_ROW_HEIGHT 8

// The bar between two rows: from the start pattern to the stop pattern, which go on through it; the outer two are
// whole.
static struct pl_bar_run *separator(struct pl_bar_build *b, const struct pl_codablock *code, const uint32_t *widths,
                                    bool outer, uint32_t *count, uint32_t width)
{
    struct pl_bar_run *runs = PL_ARENA_ARRAY(b->context->arena, struct pl_bar_run, code->elements + 1);
    if (!runs)
        return NULL;
    *count = 0;
    if (outer) {
        runs[(*count)++] = (struct pl_bar_run){0, width};
        return runs;
    }
    uint32_t x = 0;
    for (uint32_t i = 0; i < code->elements; i++) {
        bool inner = i >= code->start_elements && i < code->elements - code->stop_elements;
        struct pl_bar_run *last = *count ? &runs[*count - 1] : NULL;
        if (inner || i % 2 == 0) {
            if (last && last->x + last->width == x)
                last->width += widths[i];
            else
                runs[(*count)++] = (struct pl_bar_run){x, widths[i]};
        }
        x += widths[i];
    }
    return runs;
}

enum pl_errc pl_bar_build_codablock(struct pl_bar_build *b)
{
    const struct pl_barcode *barcode = b->barcode;
    if (pl_content_length(&barcode->content) == 0)
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    struct pl_codablock_options options = {.variant = barcode->codablock.variant ? barcode->codablock.variant : 'F',
                                           .columns = pl_bar_or_zero(barcode->codablock.columns),
                                           .rows = pl_bar_or_zero(barcode->codablock.rows),
                                           .checks = barcode->codablock.checks};
    struct pl_codablock code;
    struct pl_error reason = {0};
    enum pl_errc result = pl_codablock_encode(barcode->content, &options, b->context->arena, &code, &reason);
    if (result != PL_OK)
        return pl_bar_refused(b, result, &reason, PL_BAR_TOO_LONG, "CODABLOCK");

    uint32_t m = b->module, wide = pl_bar_wide(b);
    uint32_t height =
        (uint32_t)pl_clamp_i64(barcode->height > 0 ? barcode->height : CODABLOCK_ROW_HEIGHT, m + 1, PL_BAR_HEIGHT_MAX);
    uint32_t *widths = PL_ARENA_ARRAY(b->context->arena, uint32_t, (size_t)code.rows * code.elements);
    if (!widths)
        return pl_fail_memory(b->err);
    for (size_t i = 0; i < (size_t)code.rows * code.elements; i++)
        widths[i] = !code.ratio ? code.widths[i] * m : code.widths[i] > 1 ? wide : m;
    PL_TRY(pl_bar_reserve_bands(b, code.rows * 2 + 1));
    uint32_t width = 0, count;
    for (uint32_t i = 0; i < code.elements; i++)
        width += widths[i];
    for (uint32_t row = 0; row <= code.rows; row++) {
        const uint32_t *own = widths + (size_t)PL_MIN(row, code.rows - 1) * code.elements;
        struct pl_bar_run *runs = separator(b, &code, own, row == 0 || row == code.rows, &count, width);
        if (!runs)
            return pl_fail_memory(b->err);
        pl_bar_put_band(b, (int64_t)row * height, m, runs, count);
        if (row == code.rows)
            break;
        uint32_t end;
        runs = pl_bar_new_runs(b, own, code.elements, 0, &count, &end);
        if (!runs)
            return pl_fail_memory(b->err);
        pl_bar_put_band(b, (int64_t)row * height + m, height - m, runs, count);
    }
    b->out->width = width;
    b->out->height = code.rows * height + m;
    static const char *const names[] = {"codablockA", "codablockE", "codablockF"};
    b->out->symbology = names[options.variant == 'A' ? 0 : options.variant == 'E' ? 1 : 2];
    return pl_bar_set_text(b, barcode->data);
}
