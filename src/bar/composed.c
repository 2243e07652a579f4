// ^BB and ^BT: CODABLOCK, whose rows stand between bars, and TLC39, a Code 39 with a MicroPDF417 over it.
#include "bar/build.h"
#include "bar/encoder.h"
#include "base/ckd.h"

#define CODABLOCK_ROW_HEIGHT 8

static uint32_t or_zero(int32_t value)
{
    return value > 0 ? (uint32_t)value : 0;
}

// Runs of bars out of widths in dots.
static struct pl_bar_run *new_runs(struct pl_bar_build *b, const uint32_t *widths, uint32_t count, uint32_t from,
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

static void add_band(struct pl_bar_build *b, int64_t y, uint32_t height, const struct pl_bar_run *runs, uint32_t count)
{
    struct pl_bar_band *band = (struct pl_bar_band *)&b->out->bands[b->out->band_count++];
    *band = (struct pl_bar_band){(int32_t)y, height, runs, count};
}

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
    const struct pl_barcode *spec = b->spec;
    if (spec->data.len == 0)
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    struct pl_codablock_options options = {.mode = spec->mode ? spec->mode : 'F',
                                           .columns = or_zero(spec->columns),
                                           .rows = or_zero(spec->rows),
                                           .checks = spec->security};
    struct pl_codablock code;
    struct pl_error reason = {0};
    enum pl_errc result = pl_codablock_encode(spec->data, &options, b->context->arena, &code, &reason);
    if (result != PL_OK)
        return pl_bar_refused(b, result, &reason, PL_BAR_TOO_LONG, "CODABLOCK");

    uint32_t m = b->module, wide = pl_bar_wide(b);
    uint32_t height =
        (uint32_t)pl_clamp_i64(spec->height > 0 ? spec->height : CODABLOCK_ROW_HEIGHT, m + 1, PL_BAR_HEIGHT_MAX);
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
        add_band(b, (int64_t)row * height, m, runs, count);
        if (row == code.rows)
            break;
        uint32_t end;
        runs = new_runs(b, own, code.elements, 0, &count, &end);
        if (!runs)
            return pl_fail_memory(b->err);
        add_band(b, (int64_t)row * height + m, height - m, runs, count);
    }
    b->out->width = width;
    b->out->height = code.rows * height + m;
    static const char *const names[] = {"codablockA", "codablockE", "codablockF"};
    b->out->symbology = names[options.mode == 'A' ? 0 : options.mode == 'E' ? 1 : 2];
    return pl_bar_set_text(b, spec->data);
}

// The link flag: a Code 39 T without its start and stop.
static enum pl_errc add_flag(struct pl_bar_build *b, uint32_t narrow, uint32_t wide, uint32_t at,
                             struct pl_bar_run **runs, uint32_t *count, uint32_t *end)
{
    uint32_t *widths, total;
    PL_TRY(pl_bar_code39_elements(b, pl_slice_cstr("T"), narrow, wide, &widths, &total));
    *runs = new_runs(b, widths + 10, 9, at, count, end); // behind start and its gap
    return *runs ? PL_OK : pl_fail_memory(b->err);
}

enum pl_errc pl_bar_build_tlc39(struct pl_bar_build *b)
{
    const struct pl_barcode *spec = b->spec;
    if (spec->data.len == 0)
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    struct pl_tlc39 code;
    struct pl_error reason = {0};
    enum pl_errc result = pl_tlc39_encode(spec->data, b->context->arena, &code, &reason);
    if (result != PL_OK)
        return pl_bar_refused(b, result, &reason, PL_BAR_BAD_CHARACTER, "TLC39");

    // Defaults by density (manual, ^BT).
    uint32_t dpmm = b->context->dpmm;
    uint32_t narrow = spec->narrow > 0 ? PL_MIN((uint32_t)spec->narrow, 10u) : dpmm >= 24 ? 4 : 2;
    uint32_t tenths = (uint32_t)pl_clamp_i64(spec->narrow_ratio_tenths > 0 ? spec->narrow_ratio_tenths : 20, 20, 30);
    uint32_t bars = spec->height > 0 ? PL_MIN((uint32_t)spec->height, 9999u) : dpmm >= 24 ? 120 : dpmm >= 12 ? 60 : 40;
    uint32_t micro = spec->micro_module > 0 ? PL_MIN((uint32_t)spec->micro_module, 10u) : dpmm >= 24 ? 4 : 2;
    uint32_t row = spec->micro_height > 0 ? PL_MIN((uint32_t)spec->micro_height, 255u) : dpmm >= 24 ? 8 : 4;
    uint32_t wide = narrow * tenths / 10;

    uint32_t *widths, elements, count, end, flag_count, flag_end;
    PL_TRY(pl_bar_code39_elements(b, code.number, narrow, wide, &widths, &elements));
    struct pl_bar_run *runs = new_runs(b, widths, elements, 0, &count, &end), *flag = NULL;
    if (!runs)
        return pl_fail_memory(b->err);
    b->module = narrow;
    b->out->module = narrow;
    if (!code.has_micro) {
        if (spec->data.len > code.number.len)
            pl_bar_note(b, PL_DIAG_BARCODE_DATA,
                        "TLC39 wants a comma and more behind the six digits; %.*s alone was encoded.",
                        (int)code.number.len, (const char *)code.number.ptr);
        PL_TRY(pl_bar_reserve_bands(b, 1));
        add_band(b, 0, bars, runs, count);
        b->out->width = end;
        b->out->height = bars;
        return pl_bar_set_text(b, code.number);
    }
    PL_TRY(add_flag(b, narrow, wide, end + 10 * narrow, &flag, &flag_count, &flag_end));
    // The 2D part is one narrow module in; a dot stays white above it and a narrow module below it, as on printers.
    struct pl_bar_layout *out = b->out;
    PL_TRY(pl_bar_set_matrix(b, &code.micro, micro, row));
    uint32_t micro_bands = out->band_count, micro_width = out->width, top = 1 + out->height + narrow;
    struct pl_bar_band *bands = PL_ARENA_ARRAY(b->context->arena, struct pl_bar_band, micro_bands + 2);
    if (!bands)
        return pl_fail_memory(b->err);
    for (uint32_t i = 0; i < micro_bands; i++) {
        bands[i] = out->bands[i];
        bands[i].y += 1;
        for (uint32_t k = 0; k < bands[i].run_count; k++)
            ((struct pl_bar_run *)bands[i].runs)[k].x += narrow;
    }
    out->bands = bands;
    out->band_count = micro_bands;
    add_band(b, top, bars, runs, count);
    add_band(b, top, bars, flag, flag_count);
    out->width = PL_MAX(micro_width + narrow, flag_end);
    out->height = top + bars;
    out->module = narrow;
    return pl_bar_set_text(b, spec->data);
}
