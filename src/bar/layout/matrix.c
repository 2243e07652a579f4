// Matrix and stacked symbols of our own encoders: options, module sizes, what is said when data does not fit.
#include "bar/encode/aztec.h"
#include "bar/encode/datamatrix.h"
#include "bar/encode/datamatrix_legacy.h"
#include "bar/encode/pdf417.h"
#include "bar/layout/build.h"
#include "bar/layout/builders.h"
#include "base/ckd.h"

#define PLACES_MAX 60 // of a row of symbols

// Hands on an encoder's refusal as a diagnostic, which ends the build.
static enum pl_errc take_result(struct pl_bar_build *b, enum pl_errc code, const struct pl_error *reason)
{
    return code != PL_OK ? pl_bar_refused(b, code, reason, PL_BAR_TOO_LONG, b->out->symbology) : PL_OK;
}

static bool no_data(struct pl_bar_build *b)
{
    return pl_content_length(&b->barcode->content) == 0;
}

enum pl_errc pl_bar_build_aztec(struct pl_bar_build *b)
{
    const struct pl_barcode *barcode = b->barcode;
    if (no_data(b))
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    struct pl_aztec_options options = {.percent = barcode->aztec.percent,
                                       .percent_rounds_up = b->context->profile->aztec_percent_rounds_up,
                                       .layers = barcode->aztec.layers,
                                       .compact = barcode->aztec.compact,
                                       .rune = barcode->aztec.rune,
                                       .reader_init = barcode->aztec.reader_init,
                                       .append_count = pl_bar_or_zero(barcode->aztec.append_count),
                                       .append_id = barcode->aztec.append_id};
    struct pl_bitmap modules;
    struct pl_error reason = {0};
    PL_BAR_TRY(
        b, take_result(b, pl_aztec_encode(barcode->content, &options, b->context->arena, &modules, &reason), &reason));
    uint32_t times = pl_bar_matrix_module(b, b->barcode->aztec.magnification);
    PL_TRY(pl_bar_set_text(b, barcode->data));
    return pl_bar_set_matrix(b, &modules, times, times);
}

// A size that is no symbol's leaves the choice to the data.
static void say_no_such_size(struct pl_bar_build *b)
{
    pl_bar_note(b, PL_DIAG_BARCODE_OPTION,
                "Data Matrix has no symbol of the columns and rows asked for (%d, %d); the data chose.",
                PL_MAX(b->barcode->datamatrix.columns, 0), PL_MAX(b->barcode->datamatrix.rows, 0));
}

// Qualities 0 to 140 are other symbols altogether, with convolutional codes and odd sizes.
static enum pl_errc encode_legacy(struct pl_bar_build *b, struct pl_bitmap *modules, struct pl_error *reason)
{
    const struct pl_barcode *barcode = b->barcode;
    static const uint32_t qualities[] = {140, 100, 80, 50, 0};
    uint32_t quality = pl_bar_or_zero(barcode->datamatrix.quality), i = 0;
    while (qualities[i] > quality)
        i++;
    struct pl_datamatrix_legacy_options options = {
        .quality = qualities[i],
        .format = barcode->datamatrix.format >= 1 && barcode->datamatrix.format <= 6
                      ? (uint32_t)barcode->datamatrix.format
                      : 6,
        .side = PL_MAX(pl_bar_or_zero(barcode->datamatrix.columns), pl_bar_or_zero(barcode->datamatrix.rows))};
    if (options.side > 0 && (options.side > 49 || options.side < 9 || options.side % 2 == 0)) {
        // Beyond the largest it is automatic, by the manual; any other is a bad parameter (measured on a printer).
        if (options.side <= 49 && pl_bar_invalid(b, PL_BAR_BAD_PARAMETER, "Data Matrix has no symbol of %u by %u.",
                                                 options.side, options.side))
            return PL_OK;
        say_no_such_size(b);
        options.side = 0;
    }
    PL_BAR_TRY(b, pl_bar_report_findings(b));
    if (qualities[i] != quality)
        pl_bar_note(b, PL_DIAG_BARCODE_OPTION, "Data Matrix has no quality %u; %u was used.", quality, qualities[i]);
    b->out->symbology = "datamatrixLegacy";
    return pl_datamatrix_legacy_encode(barcode->content.bytes, &options, b->context->arena, modules, reason);
}

static enum pl_errc encode_200(struct pl_bar_build *b, struct pl_bitmap *modules, struct pl_error *reason)
{
    const struct pl_barcode *barcode = b->barcode;
    struct pl_datamatrix_options options = {.columns = pl_bar_or_zero(barcode->datamatrix.columns),
                                            .rows = pl_bar_or_zero(barcode->datamatrix.rows),
                                            .rectangular = barcode->datamatrix.rectangular,
                                            .tail_in_ascii = b->context->profile->datamatrix_tail_in_ascii};
    if (!pl_datamatrix_has_size(options.rows, options.columns))
        say_no_such_size(b);
    PL_BAR_TRY(b, pl_bar_report_findings(b));
    // FNC1 at the beginning says that the data is a GS1 element string.
    if (pl_content_at(&barcode->content, 0) == PL_MARK_FNC1)
        b->out->symbology = "gs1-datamatrix";
    return pl_datamatrix_encode(barcode->content, &options, b->context->arena, modules, reason);
}

enum pl_errc pl_bar_build_datamatrix(struct pl_bar_build *b)
{
    const struct pl_barcode *barcode = b->barcode;
    if (no_data(b))
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    struct pl_bitmap modules;
    struct pl_error reason = {0};
    bool legacy = barcode->datamatrix.quality < 200;
    enum pl_errc code = legacy ? encode_legacy(b, &modules, &reason) : encode_200(b, &modules, &reason);
    if (b->ended)
        return code;
    // The panel calls data that the older symbols cannot hold a bad parameter (measured on a printer).
    if (code != PL_OK)
        return pl_bar_refused(b, code, &reason, legacy ? PL_BAR_BAD_PARAMETER : PL_BAR_TOO_LONG, b->out->symbology);
    // Without a module size the default height is shared out between the rows.
    uint32_t side = barcode->height > 0 ? (uint32_t)barcode->height
                                        : (barcode->default_height + modules.height / 2) / modules.height;
    side = (uint32_t)pl_clamp_i64(side, 1, PL_BAR_MODULE_MAX);
    PL_TRY(pl_bar_set_text(b, barcode->data));
    return pl_bar_set_matrix(b, &modules, side, side);
}

// Row height of PDF417 and MicroPDF417 in dots; without one the default height is that of the symbol.
static uint32_t row_height(const struct pl_bar_build *b, uint32_t rows)
{
    uint32_t height = b->barcode->height > 0 ? (uint32_t)b->barcode->height : b->barcode->default_height / rows;
    return (uint32_t)pl_clamp_i64(height, 1, 9999);
}

// A row of symbols: one per place, in a chain of layouts; a place may be left out.
static enum pl_errc set_series(struct pl_bar_build *b, const struct pl_bitmap *modules, uint32_t count)
{
    enum {
        TWO_COLUMNS = 55,
        ADDRESS_WIDTH = 10
    }; // in modules; wider symbols of MicroPDF417 have three addresses a row
    const struct pl_barcode *barcode = b->barcode;
    struct pl_bar_layout *last = NULL, *whole = b->out;
    for (uint32_t i = 0; i < count; i++) {
        if (barcode->positions[i][0] < 0)
            continue;
        struct pl_bar_layout *one = last ? PL_ARENA_NEW(b->context->arena, struct pl_bar_layout) : whole;
        if (!one)
            return pl_fail_memory(b->err);
        b->out = one;
        one->module = b->module;
        enum pl_errc code = pl_bar_set_matrix(b, &modules[i], b->module, row_height(b, modules[i].height));
        b->out = whole;
        if (code != PL_OK)
            return code;
        if (barcode->symbology == PL_SYM_MICROPDF417 && b->context->profile->micropdf417_series_is_narrow)
            one->width -= (modules[i].width > TWO_COLUMNS ? 3u : 2u) * ADDRESS_WIDTH * b->module;
        one->has_place = true;
        one->place_x = barcode->positions[i][0];
        one->place_y = barcode->positions[i][1];
        if (last)
            last->next = one;
        last = one;
    }
    return pl_bar_set_text(b, barcode->data);
}

// Modules for as many symbols as there are places, or for the one symbol of a barcode without places.
static enum pl_errc new_symbols(struct pl_bar_build *b, uint32_t *most, struct pl_bitmap **modules)
{
    *most = b->barcode->position_count ? PL_MIN(b->barcode->position_count, (uint32_t)PLACES_MAX) : 1;
    *modules = PL_ARENA_ARRAY(b->context->arena, struct pl_bitmap, *most);
    return *modules ? PL_OK : pl_fail_memory(b->err);
}

static enum pl_errc set_symbols(struct pl_bar_build *b, const struct pl_bitmap *modules, uint32_t count)
{
    if (b->barcode->position_count)
        return set_series(b, modules, count);
    PL_TRY(pl_bar_set_text(b, b->barcode->data));
    return pl_bar_set_matrix(b, modules, b->module, row_height(b, modules->height));
}

struct pl_pdf_rules pl_bar_pdf_rules(const struct pl_bar_build *b)
{
    const struct pl_profile_bar *profile = b->context->profile;
    return (struct pl_pdf_rules){.least_digits = profile->pdf417_least_digits,
                                 .latch_run = profile->pdf417_latch_run,
                                 .pads_in_turn = profile->micropdf417_pads_in_turn};
}

// The most columns and rows that the size has room for at this module.
static void room_for(const struct pl_bar_build *b, bool truncated, uint32_t *columns, uint32_t *rows)
{
    enum { MOST_COLUMNS = 30, MOST_ROWS = 90, COLUMN = 17 };
    const struct pl_pdf417_fit *fit = &b->barcode->pdf417.fit;
    uint32_t row = b->barcode->height > 0 ? (uint32_t)b->barcode->height : 4 * b->module;
    uint32_t around = truncated ? 2 * COLUMN + 1 : 4 * COLUMN + 1; // start, stop and row indicators
    *rows = fit->rows > 0 ? (uint32_t)PL_MIN(fit->rows, MOST_ROWS) : MOST_ROWS;
    *columns = fit->columns > 0 ? (uint32_t)PL_MIN(fit->columns, MOST_COLUMNS) : MOST_COLUMNS;
    if (fit->height > 0)
        *rows = PL_MIN(*rows, (uint32_t)fit->height / row);
    if (fit->width > 0) {
        uint32_t wide = (uint32_t)fit->width / b->module;
        *columns = PL_MIN(*columns, wide > around ? (wide - around) / COLUMN : 0);
    }
}

// Columns of this module for the data: the fewest whose rows fit the height. False: none do.
static enum pl_errc fit_columns(struct pl_bar_build *b, struct pl_pdf417_options *options, struct pl_bitmap *modules,
                                bool *fits)
{
    uint32_t columns, rows;
    room_for(b, options->truncated, &columns, &rows);
    *fits = false;
    for (options->columns = 1; options->columns <= columns && !*fits; options->columns++) {
        struct pl_arena_mark mark = pl_arena_mark(b->context->arena);
        struct pl_error reason = {0};
        enum pl_errc code = pl_pdf417_encode(b->barcode->content.bytes, options, b->context->arena, modules, &reason);
        if (code != PL_OK && code != PL_E_INVALID && code != PL_E_LIMIT) {
            *b->err = reason;
            return code;
        }
        *fits = code == PL_OK && modules->height <= rows;
        if (!*fits)
            pl_arena_release(b->context->arena, mark);
    }
    return PL_OK;
}

// The widest module at which the symbol fits.
static enum pl_errc build_fitting(struct pl_bar_build *b, struct pl_pdf417_options *options)
{
    struct pl_bitmap modules;
    bool fits = false;
    for (; b->module > 0 && (int32_t)b->module >= b->barcode->pdf417.fit.least_module && !fits; b->module--)
        PL_TRY(fit_columns(b, options, &modules, &fits));
    if (!fits)
        return pl_bar_give_up(b, PL_BAR_TOO_LONG, "The data does not fit into the size that the symbol may have.");
    b->module++;
    b->out->module = b->module;
    PL_TRY(pl_bar_set_text(b, b->barcode->data));
    return pl_bar_set_matrix(b, &modules, b->module,
                             b->barcode->height > 0 ? (uint32_t)b->barcode->height : 4 * b->module);
}

enum pl_errc pl_bar_build_pdf417(struct pl_bar_build *b)
{
    const struct pl_barcode *barcode = b->barcode;
    if (no_data(b))
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    struct pl_pdf417_options options = {.columns = pl_bar_or_zero(barcode->pdf417.columns),
                                        .rows = pl_bar_or_zero(barcode->pdf417.rows),
                                        .security = PL_MIN(pl_bar_or_zero(barcode->pdf417.security), 8u),
                                        .truncated = barcode->pdf417.truncated,
                                        .rules = pl_bar_pdf_rules(b)};
    if (barcode->pdf417.fit.least_module > 0)
        return build_fitting(b, &options);
    struct pl_bitmap *modules;
    uint32_t most, count = 1;
    PL_TRY(new_symbols(b, &most, &modules));
    struct pl_arena *arena = b->context->arena;
    struct pl_error reason = {0};
    enum pl_errc code =
        barcode->position_count
            ? pl_pdf417_encode_series(barcode->content.bytes, &options, most, arena, modules, &count, &reason)
            : pl_pdf417_encode(barcode->content.bytes, &options, arena, modules, &reason);
    PL_BAR_TRY(b, take_result(b, code, &reason));
    return set_symbols(b, modules, count);
}

enum pl_errc pl_bar_build_micropdf417(struct pl_bar_build *b)
{
    const struct pl_barcode *barcode = b->barcode;
    if (no_data(b))
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    bool smallest = barcode->micropdf417.columns >= 0;
    struct pl_micropdf417_options options = {.size = smallest ? -1 : PL_MAX(barcode->micropdf417.size_number, 0),
                                             .columns = pl_bar_or_zero(barcode->micropdf417.columns),
                                             .rules = pl_bar_pdf_rules(b)};
    struct pl_bitmap *modules;
    uint32_t most, count = 1;
    PL_TRY(new_symbols(b, &most, &modules));
    struct pl_arena *arena = b->context->arena;
    struct pl_error reason = {0};
    enum pl_errc code =
        barcode->position_count
            ? pl_micropdf417_encode_series(barcode->content.bytes, &options, most, arena, modules, &count, &reason)
            : pl_micropdf417_encode(barcode->content.bytes, &options, arena, modules, &reason);
    PL_BAR_TRY(b, take_result(b, code, &reason));
    return set_symbols(b, modules, count);
}
