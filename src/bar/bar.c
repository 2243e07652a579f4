// The table of symbologies and the way from a spec to a layout: one row each, only odd ones have a file of their own.
#include "bar/bar.h"

#include "bar/bar_zint.h"
#include "bar/build.h"
#include "bar/code128.h"
#include "base/ckd.h"

#define DIGITS "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

static const char *const names[PL_SYM_COUNT] = {
#define NAME(id, name, command) [PL_SYM_##id] = name,
    PL_SYMBOLOGIES(NAME)
#undef NAME
};

// Lengths: what a label can hold at all, or less where the symbology (or libzint's table) ends earlier.
static const struct pl_bar_symbology table[PL_SYM_COUNT] = {
    [PL_SYM_AZTEC] = {.build = pl_bar_build_aztec},
    [PL_SYM_CODE11] = {.build = pl_bar_build_code11,
                       .alphabet = DIGITS "-",
                       .max_length = 119,
                       .zint = PL_ZINT_CODE11,
                       .ratio = true,
                       .quiet_left = 10,
                       .quiet_right = 10},
    [PL_SYM_INTERLEAVED_2OF5] = {.build = pl_bar_build_2of5,
                                 .alphabet = DIGITS,
                                 .max_length = 88,
                                 .zint = PL_ZINT_INTERLEAVED,
                                 .ratio = true,
                                 .quiet_left = 10,
                                 .quiet_right = 10},
    [PL_SYM_CODE39] = {.build = pl_bar_build_code39,
                       .alphabet = DIGITS LETTERS "-. $/+%",
                       .max_length = 84,
                       .zint = PL_ZINT_CODE39,
                       .upper = true,
                       .ratio = true,
                       .quiet_left = 10,
                       .quiet_right = 10},
    [PL_SYM_CODE49] = {.build = pl_bar_build_code49, .max_length = 81, .quiet_left = 10, .quiet_right = 1},
    [PL_SYM_PLANET] = {.build = pl_bar_build_postal, .alphabet = DIGITS, .max_length = 37, .zint = PL_ZINT_PLANET},
    [PL_SYM_PDF417] =
        {.build = pl_bar_build_pdf417, .max_length = 3072, .quiet_left = 2, .quiet_right = 2, .quiet_vertical = 2},
    [PL_SYM_EAN8] = {.build = pl_bar_build_upcean, .zint = PL_ZINT_EAN, .quiet_left = 7, .quiet_right = 7},
    [PL_SYM_UPCE] = {.build = pl_bar_build_upcean, .quiet_left = 9, .quiet_right = 7},
    [PL_SYM_CODE93] = {.build = pl_bar_build_code93,
                       .alphabet = DIGITS LETTERS "-. $/+%&'()",
                       .max_length = 106,
                       .zint = PL_ZINT_CODE93,
                       .upper = true,
                       .quiet_left = 10,
                       .quiet_right = 10},
    [PL_SYM_CODABLOCK] = {.build = pl_bar_build_codablock, .quiet_left = 10, .quiet_right = 10},
    [PL_SYM_CODE128] = {.build = pl_bar_build_code128, .quiet_left = 10, .quiet_right = 10},
    [PL_SYM_MAXICODE] = {.build = pl_bar_build_maxicode,
                         .max_length = 160,
                         .zint = PL_ZINT_MAXICODE,
                         .quiet_left = 1,
                         .quiet_right = 1,
                         .quiet_vertical = 1},
    [PL_SYM_EAN13] = {.build = pl_bar_build_upcean, .zint = PL_ZINT_EAN, .quiet_left = 11, .quiet_right = 7},
    [PL_SYM_MICROPDF417] =
        {.build = pl_bar_build_micropdf417, .max_length = 366, .quiet_left = 1, .quiet_right = 1, .quiet_vertical = 1},
    [PL_SYM_INDUSTRIAL_2OF5] = {.build = pl_bar_build_2of5,
                                .alphabet = DIGITS,
                                .max_length = 45,
                                .zint = PL_ZINT_INDUSTRIAL,
                                .ratio = true,
                                .quiet_left = 10,
                                .quiet_right = 10},
    [PL_SYM_STANDARD_2OF5] = {.build = pl_bar_build_2of5,
                              .alphabet = DIGITS,
                              .max_length = 45,
                              .zint = PL_ZINT_IATA,
                              .ratio = true,
                              .quiet_left = 10,
                              .quiet_right = 10},
    [PL_SYM_CODABAR] = {.build = pl_bar_build_codabar,
                        .alphabet = DIGITS "-$:/.+ABCD",
                        .max_length = 58,
                        .zint = PL_ZINT_CODABAR,
                        .upper = true,
                        .ratio = true,
                        .quiet_left = 10,
                        .quiet_right = 10},
    [PL_SYM_LOGMARS] = {.build = pl_bar_build_code39,
                        .alphabet = DIGITS LETTERS "-. $/+%",
                        .max_length = 84,
                        .zint = PL_ZINT_CODE39,
                        .upper = true,
                        .ratio = true,
                        .quiet_left = 10,
                        .quiet_right = 10},
    [PL_SYM_MSI] = {.build = pl_bar_build_msi,
                    .alphabet = DIGITS,
                    .max_length = 61,
                    .zint = PL_ZINT_MSI,
                    .ratio = true,
                    .quiet_left = 12,
                    .quiet_right = 12},
    [PL_SYM_PLESSEY] = {.build = pl_bar_build_plessey,
                        .alphabet = DIGITS "ABCDEF",
                        .max_length = 65,
                        .zint = PL_ZINT_PLESSEY,
                        .upper = true,
                        .ratio = true,
                        .quiet_left = 12,
                        .quiet_right = 12},
    [PL_SYM_QR] = {.build = pl_bar_build_qr, .quiet_left = 4, .quiet_right = 4, .quiet_vertical = 4},
    [PL_SYM_DATABAR] = {.build = pl_bar_build_databar, .zint = PL_ZINT_DATABAR},
    [PL_SYM_UPC_EAN_EXTENSION] = {.build = pl_bar_build_extension,
                                  .zint = PL_ZINT_EAN,
                                  .quiet_left = 9,
                                  .quiet_right = 5},
    [PL_SYM_TLC39] = {.build = pl_bar_build_tlc39, .quiet_left = 10, .quiet_right = 10},
    [PL_SYM_UPCA] = {.build = pl_bar_build_upcean, .zint = PL_ZINT_UPCA, .quiet_left = 9, .quiet_right = 9},
    [PL_SYM_DATAMATRIX] =
        {.build = pl_bar_build_datamatrix, .max_length = 3116, .quiet_left = 1, .quiet_right = 1, .quiet_vertical = 1},
    [PL_SYM_POSTAL] = {.build = pl_bar_build_postal, .alphabet = DIGITS, .max_length = 37, .zint = PL_ZINT_POSTNET},
};

static uint32_t clamp(int64_t value, uint32_t low, uint32_t high)
{
    return (uint32_t)pl_clamp_i64(value, low, high);
}

// Postal codes ask for room in inches, not in modules: 1/8 to the sides, 1/25 above and below.
static void set_quiet_zones(struct pl_bar_build *b)
{
    struct pl_bar_layout *out = b->out;
    if (b->row->build == pl_bar_build_postal) {
        out->quiet_left = out->quiet_right = (b->context->dpmm * 3175 + 999) / 1000;
        out->quiet_top = out->quiet_bottom = (b->context->dpmm * 1016 + 999) / 1000;
        return;
    }
    out->quiet_left = b->quiet_left * out->module;
    out->quiet_right = b->quiet_right * out->module;
    out->quiet_top = out->quiet_bottom = b->quiet_vertical * out->module;
}

enum pl_errc pl_bar_layout(const struct pl_barcode *spec, const struct pl_bar_context *context,
                           struct pl_bar_layout *out, struct pl_error *err)
{
    memset(out, 0, sizeof *out);
    if ((unsigned)spec->symbology >= PL_SYM_COUNT)
        return pl_fail(err, PL_E_BUG, "no such symbology: %d", (int)spec->symbology);
    const struct pl_bar_symbology *row = &table[spec->symbology];
    struct pl_bar_build b = {.spec = spec,
                             .context = context,
                             .row = row,
                             .out = out,
                             .err = err,
                             .quiet_left = row->quiet_left,
                             .quiet_right = row->quiet_right,
                             .quiet_vertical = row->quiet_vertical};
    b.module = clamp(spec->module, 1, PL_BAR_MODULE_MAX);
    b.height = clamp(spec->height > 0 ? (int64_t)spec->height : (int64_t)spec->by_height, 1, PL_BAR_HEIGHT_MAX);
    out->module = b.module;
    out->symbology = names[spec->symbology];
    PL_TRY(b.row->build(&b));
    set_quiet_zones(&b);
    return PL_OK;
}

// The line of mode D is in font 0 and as wide as 94 % of the bars.
static enum pl_errc add_gs1_line(struct pl_bar_build *b, struct pl_slice text)
{
    struct pl_bar_layout *out = b->out;
    if (!b->spec->text)
        return PL_OK;
    struct pl_font_ref font = {.letter = '0', .height = 10, .width = 10};
    uint32_t before = out->text_count;
    PL_TRY(pl_bar_add_text(b, &font, text, (int32_t)(out->width / 2), (int32_t)out->height + 6));
    if (out->text_count == before)
        return PL_OK;
    struct pl_bar_text *line = &out->texts[before];
    line->centred = true;
    line->fit_width = out->width * 94 / 100;
    line->anchor = PL_BAR_TEXT_CELL_TOP;
    if (b->spec->text_above) {
        line->v = -8;
        line->anchor = PL_BAR_TEXT_CELL_BOTTOM;
    }
    return PL_OK;
}

enum pl_errc pl_bar_build_code128(struct pl_bar_build *b)
{
    char mode = b->spec->mode ? b->spec->mode : 'N';
    struct pl_code128 code;
    struct pl_error reason = {0};
    enum pl_errc result = pl_code128_encode(b->spec->data, mode, b->context->arena, &code, &reason);
    if (result != PL_OK)
        return pl_bar_refused(b, result, &reason,
                              b->spec->data.len > PL_CODE128_DATA_MAX ? PL_BAR_TOO_LONG : PL_BAR_TOO_SHORT, "Code 128");
    if (code.dropped) {
        if (pl_bar_invalid(b, PL_BAR_BAD_CHARACTER, "The data has characters that the subset does not have."))
            return PL_OK;
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "%u character%s cannot be encoded in the subset and %s left out.",
                    code.dropped, code.dropped > 1 ? "s" : "", code.dropped > 1 ? "were" : "was");
    }
    if (code.padded || code.cut)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "The UCC case code has 19 digits and a check digit; %.*s was encoded.",
                    (int)code.text_length, (const char *)code.text);
    struct pl_bitmap modules;
    PL_TRY(pl_code128_modules(&code, b->context->arena, &modules, b->err));
    PL_TRY(pl_bar_set_modules(b, &modules));
    struct pl_slice text = pl_slice_make(code.text, code.text_length);
    PL_TRY(pl_bar_set_text(b, text));
    // FNC1 behind the start character is what makes a Code 128 a GS1-128, whatever the mode.
    if (code.count > 1 && code.values[1] == PL_C128_FNC1)
        b->out->symbology = "gs1-128";
    return mode == 'D' && !b->spec->has_text_font ? add_gs1_line(b, text) : pl_bar_add_caption(b, text, 0, 0);
}
