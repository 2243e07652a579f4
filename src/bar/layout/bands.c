// From modules and elements to bands of bars in dots.
#include "bar/layout/build.h"
#include "base/ckd.h"
#include "raster/bits.h"

uint32_t pl_bar_wide(const struct pl_bar_build *b)
{
    return pl_barcode_wide(b->barcode, b->module);
}

enum pl_errc pl_bar_set_elements(struct pl_bar_build *b, const uint32_t *widths, uint32_t count)
{
    struct pl_bar_run *runs = PL_ARENA_ARRAY(b->context->arena, struct pl_bar_run, count / 2 + 1);
    struct pl_bar_band *band = PL_ARENA_NEW(b->context->arena, struct pl_bar_band);
    if (!runs || !band)
        return pl_fail_memory(b->err);
    uint32_t x = 0, n = 0, end = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i % 2 == 0) {
            runs[n++] = (struct pl_bar_run){x, widths[i]};
            end = x + widths[i];
        }
        x += widths[i];
    }
    *band = (struct pl_bar_band){0, b->height, runs, n};
    b->out->linear = true;
    b->out->bands = band;
    b->out->band_count = 1;
    b->out->width = end;
    b->out->height = b->height;
    return PL_OK;
}

enum pl_errc pl_bar_reserve_bands(struct pl_bar_build *b, uint32_t count)
{
    struct pl_bar_band *bands = PL_ARENA_ARRAY(b->context->arena, struct pl_bar_band, count);
    if (!bands)
        return pl_fail_memory(b->err);
    b->out->bands = bands;
    b->out->band_count = 0;
    return PL_OK;
}

// Runs of one row of modules, each `w` dots wide.
static enum pl_errc row_runs(struct pl_bar_build *b, const struct pl_bitmap *modules, uint32_t row, uint32_t w,
                             struct pl_bar_band *band)
{
    const uint64_t *words = pl_bitmap_row(modules, row);
    uint32_t runs = 0;
    uint64_t last = 0; // the module before the word
    for (uint32_t i = 0; i < modules->stride; i++) {
        runs += pl_count_bits64(words[i] & ~(words[i] >> 1 | last << 63));
        last = words[i];
    }
    struct pl_bar_run *list = PL_ARENA_ARRAY(b->context->arena, struct pl_bar_run, runs ? runs : 1);
    if (!list)
        return pl_fail_memory(b->err);
    uint32_t n = 0;
    bool before = false;
    for (uint32_t x = 0; x < modules->width; x++) {
        bool dark = pl_bitmap_get(modules, x, row);
        if (dark && !before)
            list[n++] = (struct pl_bar_run){x * w, w};
        else if (dark)
            list[n - 1].width += w;
        before = dark;
    }
    band->runs = list;
    band->run_count = n;
    return PL_OK;
}

enum pl_errc pl_bar_add_band(struct pl_bar_build *b, const struct pl_bitmap *modules, uint32_t row, int32_t y,
                             uint32_t height)
{
    // The array behind `bands` is ours (pl_bar_reserve_bands); it is const only for those who read the layout.
    struct pl_bar_band *band = (struct pl_bar_band *)&b->out->bands[b->out->band_count];
    band->y = y;
    band->height = height;
    PL_TRY(row_runs(b, modules, row, b->module, band));
    b->out->band_count++;
    return PL_OK;
}

enum pl_errc pl_bar_set_modules(struct pl_bar_build *b, const struct pl_bitmap *modules)
{
    PL_TRY(pl_bar_reserve_bands(b, 1));
    PL_TRY(pl_bar_add_band(b, modules, 0, 0, b->height));
    const struct pl_bar_band *band = &b->out->bands[0];
    const struct pl_bar_run *last = band->run_count ? &band->runs[band->run_count - 1] : NULL;
    b->out->width = last ? last->x + last->width : 0;
    b->out->height = b->height;
    b->out->linear = true;
    return PL_OK;
}

enum pl_errc pl_bar_set_matrix(struct pl_bar_build *b, const struct pl_bitmap *modules, uint32_t w, uint32_t h)
{
    PL_TRY(pl_bar_reserve_bands(b, modules->height));
    struct pl_bar_band *bands = (struct pl_bar_band *)b->out->bands;
    uint32_t n = 0;
    for (uint32_t y = 0; y < modules->height; y++) {
        const uint64_t *row = pl_bitmap_row(modules, y);
        if (y && memcmp(row, row - modules->stride, modules->stride * sizeof *row) == 0) {
            bands[n - 1].height += h;
            continue;
        }
        bands[n] = (struct pl_bar_band){.y = (int32_t)(y * h), .height = h};
        PL_TRY(row_runs(b, modules, y, w, &bands[n]));
        n++;
    }
    b->out->band_count = n;
    b->out->width = modules->width * w;
    b->out->height = modules->height * h;
    b->out->module = w;
    return PL_OK;
}

struct pl_bar_run *pl_bar_new_runs(struct pl_bar_build *b, const uint32_t *widths, uint32_t count, uint32_t from,
                                   uint32_t *run_count, uint32_t *end)
{
    struct pl_bar_run *runs = PL_ARENA_ARRAY(b->context->arena, struct pl_bar_run, count / 2 + 1);
    uint32_t x = from, n = 0;
    for (uint32_t i = 0; runs && i < count; i++) {
        if (i % 2 == 0)
            runs[n++] = (struct pl_bar_run){x, widths[i]};
        x += widths[i];
    }
    *run_count = n;
    *end = x;
    return runs;
}

void pl_bar_put_band(struct pl_bar_build *b, int64_t y, uint32_t height, const struct pl_bar_run *runs, uint32_t count)
{
    struct pl_bar_band *band = (struct pl_bar_band *)&b->out->bands[b->out->band_count++];
    *band = (struct pl_bar_band){(int32_t)y, height, runs, count};
}

uint32_t pl_bar_matrix_module(const struct pl_bar_build *b, int32_t magnification)
{
    uint32_t dots = magnification > 0 ? (uint32_t)magnification : pl_bar_matrix_default(b->context->dpmm);
    return PL_MIN(dots, (uint32_t)PL_BAR_MODULE_MAX);
}
