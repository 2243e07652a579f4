// Matrix and stacked symbols of our own encoders: options of the command, module sizes, what is said when data does not
// fit.
#include "bar/build.h"
#include "bar/encoder.h"
#include "base/ckd.h"

// Hands on an encoder's refusal as a diagnostic. *ended: nothing to draw.
static enum pl_errc take_result(struct pl_bar_build *b, enum pl_errc code, const struct pl_error *reason, bool *ended)
{
    *ended = code != PL_OK;
    if (code == PL_E_INVALID)
        return pl_bar_give_up(b, PL_BAR_TOO_LONG, "%s cannot hold the data: %s.", b->out->symbology, reason->message);
    if (code != PL_OK)
        return pl_fail(b->err, code, "%s", reason->message);
    return PL_OK;
}

static bool no_data(struct pl_bar_build *b)
{
    return b->spec->data.len == 0;
}

static uint32_t or_zero(int32_t value)
{
    return value > 0 ? (uint32_t)value : 0;
}

enum pl_errc pl_bar_build_datamatrix(struct pl_bar_build *b)
{
    const struct pl_barcode *spec = b->spec;
    if (no_data(b))
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    struct pl_datamatrix_options options = {.columns = or_zero(spec->columns),
                                            .rows = or_zero(spec->rows),
                                            .rectangular = spec->aspect == 2,
                                            .escape = spec->escape ? (uint8_t)spec->escape : '~'};
    struct pl_bitmap modules;
    struct pl_error reason = {0};
    bool ended;
    PL_TRY(take_result(b, pl_datamatrix_encode(spec->data, &options, b->context->arena, &modules, &reason), &reason,
                       &ended));
    if (ended)
        return PL_OK;
    // Without a module size the height of ^BY is shared out between the rows.
    uint32_t side = spec->height > 0 ? (uint32_t)spec->height : (spec->by_height + modules.height / 2) / modules.height;
    side = (uint32_t)pl_clamp_i64(side, 1, PL_BAR_MODULE_MAX);
    PL_TRY(pl_bar_set_text(b, spec->data));
    return pl_bar_set_matrix(b, &modules, side, side);
}

// Row height of PDF417 and MicroPDF417 in dots; without one the height of ^BY is that of the symbol.
static uint32_t row_height(const struct pl_bar_build *b, uint32_t rows)
{
    uint32_t height = b->spec->height > 0 ? (uint32_t)b->spec->height : b->spec->by_height / rows;
    return (uint32_t)pl_clamp_i64(height, 1, 9999);
}

enum pl_errc pl_bar_build_pdf417(struct pl_bar_build *b)
{
    const struct pl_barcode *spec = b->spec;
    if (no_data(b))
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    struct pl_pdf417_options options = {.columns = or_zero(spec->columns),
                                        .rows = or_zero(spec->rows),
                                        .security = PL_MIN(or_zero(spec->error_correction), 8u),
                                        .truncated = spec->truncated};
    struct pl_bitmap modules;
    struct pl_error reason = {0};
    bool ended;
    PL_TRY(
        take_result(b, pl_pdf417_encode(spec->data, &options, b->context->arena, &modules, &reason), &reason, &ended));
    if (ended)
        return PL_OK;
    PL_TRY(pl_bar_set_text(b, spec->data));
    return pl_bar_set_matrix(b, &modules, b->module, row_height(b, modules.height));
}

enum pl_errc pl_bar_build_micropdf417(struct pl_bar_build *b)
{
    const struct pl_barcode *spec = b->spec;
    if (no_data(b))
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    struct pl_micropdf417_options options = {.mode = PL_MAX(spec->size_mode, 0)};
    struct pl_bitmap modules;
    struct pl_error reason = {0};
    bool ended;
    PL_TRY(take_result(b, pl_micropdf417_encode(spec->data, &options, b->context->arena, &modules, &reason), &reason,
                       &ended));
    if (ended)
        return PL_OK;
    PL_TRY(pl_bar_set_text(b, spec->data));
    return pl_bar_set_matrix(b, &modules, b->module, row_height(b, modules.height));
}
