// QR Code: its segments to a symbol, and where that stands.
#include "bar/encode/qr.h"
#include "bar/layout/build.h"
#include "bar/layout/builders.h"
#include "base/ckd.h"

static enum pl_qr_level level_of(char letter)
{
    return letter == 'H' ? PL_QR_H : letter == 'Q' ? PL_QR_Q : letter == 'L' ? PL_QR_L : PL_QR_M;
}

enum pl_errc pl_bar_build_qr(struct pl_bar_build *b)
{
    const struct pl_barcode *barcode = b->barcode;
    if (barcode->qr.segment_count == 0)
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    const struct pl_profile_bar *profile = b->context->profile;
    struct pl_qr_options options = {.level = level_of(barcode->qr.error_level),
                                    .mask = barcode->qr.mask,
                                    .model1 = barcode->qr.model1,
                                    .append_index = pl_bar_or_zero(barcode->qr.append_index),
                                    .append_count = pl_bar_or_zero(barcode->qr.append_count),
                                    .append_parity = barcode->qr.append_parity,
                                    .mask_as_printed = profile->qr_mask_as_printed,
                                    .keep_level = profile->qr_keeps_level,
                                    .keep_modes = profile->qr_keeps_modes,
                                    .split_by_bits = profile->qr_joins_by_bits};
    struct pl_qr_symbol symbol;
    struct pl_error reason = {0};
    enum pl_errc code =
        pl_qr_encode(barcode->qr.segments, barcode->qr.segment_count, &options, b->context->arena, &symbol, &reason);
    if (code != PL_OK)
        return pl_bar_refused(b, code, &reason, PL_BAR_TOO_LONG, "QR Code");
    if (options.model1 && symbol.version > 14)
        pl_bar_note(
            b, PL_DIAG_BARCODE_OPTION,
            "Model 1 ends with version 14 in the standard; version %u was drawn as printers do, and readers may "
            "refuse it.",
            symbol.version);
    uint32_t times = pl_bar_matrix_module(b, barcode->qr.magnification);
    PL_TRY(pl_bar_set_matrix(b, &symbol.modules, times, times));
    struct pl_bar_layout *out = b->out;
    out->ignores_rotation = true;
    out->corner_dy = (int32_t)PL_MIN(barcode->default_height, (uint32_t)PL_BAR_HEIGHT_MAX) + profile->qr_corner_drop;
    // Placed by its baseline the symbol is three modules above it; its size may be taken for the mode that was declared
    // even where a denser one was drawn.
    uint32_t placed = pl_qr_version_for(barcode->qr.segments, barcode->qr.segment_count, options.level);
    bool declared = barcode->qr.mode_declared && barcode->qr.segment_count == 1 &&
                    barcode->qr.segments[0].mode == PL_QR_BYTE && !options.model1 && profile->qr_baseline_as_declared;
    uint32_t modules = declared && placed > symbol.version ? placed * 4 + 17 : symbol.modules.width;
    out->baseline_dy = profile->qr_baseline_drop - (int32_t)((modules + 3 - symbol.modules.width) * times);
    struct pl_bar_string text;
    size_t length = 0;
    for (uint32_t i = 0; i < barcode->qr.segment_count; i++)
        length += barcode->qr.segments[i].data.len;
    PL_TRY(pl_bar_string_new(b, length, &text));
    for (uint32_t i = 0; i < barcode->qr.segment_count; i++)
        pl_bar_string_append(&text, barcode->qr.segments[i].data);
    return pl_bar_set_text(b, pl_bar_string_slice(&text));
}
