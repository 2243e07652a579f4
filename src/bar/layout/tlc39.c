// TLC39: Code 39 with a MicroPDF417 over it. Right of the bars, as high as they are, is the flag that links the two.
#include "bar/encode/tlc39.h"
#include "bar/layout/build.h"
#include "bar/layout/builders.h"
#include "base/ckd.h"

// The link flag: a Code 39 T without its start and stop.
static enum pl_errc add_flag(struct pl_bar_build *b, uint32_t narrow, uint32_t wide, uint32_t at,
                             struct pl_bar_run **runs, uint32_t *count, uint32_t *end)
{
    uint32_t *widths, total;
    PL_TRY(pl_bar_code39_elements(b, pl_slice_cstr("T"), narrow, wide, &widths, &total));
    *runs = pl_bar_new_runs(b, widths + 10, 9, at, count, end); // behind start and its gap
    return *runs ? PL_OK : pl_fail_memory(b->err);
}

// With a printer the flag is longer than the bars at each end: a line from corner to corner of the bars ends at the
// flag's corner, so a slanted scan meets both. It never leaves the symbol's box, which grows with it below the bars,
// and above the bars it is not longer where the 2D part reaches it: it would cover modules.
static void put_flag(struct pl_bar_build *b, struct pl_bar_band bars, uint32_t bars_end, struct pl_bar_band flag,
                     uint32_t flag_end, uint32_t micro_end)
{
    uint32_t below = b->context->profile->tlc39_flag_is_longer ? bars.height * (flag_end - bars_end) / bars_end : 0;
    uint32_t above = micro_end < flag.runs[0].x ? PL_MIN(below, (uint32_t)bars.y) : 0;
    pl_bar_put_band(b, bars.y - (int64_t)above, above + bars.height + below, flag.runs, flag.run_count);
    b->out->height = (uint32_t)bars.y + bars.height + below;
}

enum pl_errc pl_bar_build_tlc39(struct pl_bar_build *b)
{
    const struct pl_barcode *barcode = b->barcode;
    struct pl_slice number = barcode->content.bytes;
    if (number.len == 0)
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    struct pl_tlc39 code;
    struct pl_error reason = {0};
    enum pl_errc result =
        pl_tlc39_encode(number, barcode->tlc39.second, pl_bar_pdf_rules(b), b->context->arena, &code, &reason);
    if (result != PL_OK)
        return pl_bar_refused(b, result, &reason, PL_BAR_BAD_CHARACTER, "TLC39");

    // Defaults by density, as printers have them.
    uint32_t dpmm = b->context->dpmm;
    uint32_t narrow =
        barcode->tlc39.narrow > 0 ? PL_MIN((uint32_t)barcode->tlc39.narrow, 10u) : pl_bar_tlc39_module(dpmm);
    uint32_t tenths =
        (uint32_t)pl_clamp_i64(barcode->tlc39.ratio_tenths > 0 ? barcode->tlc39.ratio_tenths : 20, 20, 30);
    uint32_t bars = barcode->height > 0 ? PL_MIN((uint32_t)barcode->height, 9999u) : pl_bar_tlc39_height(dpmm);
    uint32_t micro = barcode->tlc39.micro_module > 0 ? PL_MIN((uint32_t)barcode->tlc39.micro_module, 10u)
                                                     : pl_bar_tlc39_module(dpmm);
    uint32_t row =
        barcode->tlc39.micro_height > 0 ? PL_MIN((uint32_t)barcode->tlc39.micro_height, 255u) : pl_bar_tlc39_row(dpmm);
    uint32_t wide = narrow * tenths / 10;

    uint32_t *widths, elements, count, end, flag_count, flag_end;
    PL_TRY(pl_bar_code39_elements(b, number, narrow, wide, &widths, &elements));
    struct pl_bar_run *runs = pl_bar_new_runs(b, widths, elements, 0, &count, &end), *flag = NULL;
    if (!runs)
        return pl_fail_memory(b->err);
    b->module = narrow;
    b->out->module = narrow;
    if (!code.has_micro) {
        PL_TRY(pl_bar_reserve_bands(b, 1));
        pl_bar_put_band(b, 0, bars, runs, count);
        b->out->width = end;
        b->out->height = bars;
        return pl_bar_set_text(b, number);
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
    pl_bar_put_band(b, top, bars, runs, count);
    put_flag(b, out->bands[out->band_count - 1], end, (struct pl_bar_band){.runs = flag, .run_count = flag_count},
             flag_end, narrow + micro_width);
    out->width = PL_MAX(micro_width + narrow, flag_end);
    out->module = narrow;
    return pl_bar_set_text(b, barcode->data);
}
