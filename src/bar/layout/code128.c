// Code 128: what the symbol says, and the line of a GS1-128.
#include "bar/encode/code128.h"
#include "bar/layout/build.h"
#include "bar/layout/builders.h"

// The line of a GS1-128 is in font 0 and as wide as 94 % of the bars.
static enum pl_errc add_gs1_line(struct pl_bar_build *b, struct pl_slice text)
{
    struct pl_bar_layout *out = b->out;
    if (!b->barcode->text)
        return PL_OK;
    struct pl_font_ref font = {.resident = PL_FONT_SCALABLE, .height = 10, .width = 10};
    uint32_t before = out->text_count;
    PL_TRY(pl_bar_add_text(b, &font, text, (int32_t)(out->width / 2), (int32_t)out->height + 6));
    if (out->text_count == before)
        return PL_OK;
    struct pl_bar_text *line = &out->texts[before];
    line->centred = true;
    line->fit_width = out->width * 94 / 100;
    line->anchor = PL_BAR_TEXT_CELL_TOP;
    if (b->barcode->text_above) {
        line->v = -8;
        line->anchor = PL_BAR_TEXT_CELL_BOTTOM;
    }
    return PL_OK;
}

static enum pl_errc encode(struct pl_bar_build *b, struct pl_code128 *code, struct pl_error *reason)
{
    struct pl_arena *arena = b->context->arena;
    const struct pl_content *content = &b->barcode->content;
    switch (b->barcode->code128.rule) {
    case PL_CODE128_VALUES:
        return pl_code128_encode_values(*content, arena, code, reason);
    case PL_CODE128_CASE:
        return pl_code128_encode_case(content->bytes, arena, code, reason);
    default:
        return pl_code128_encode(*content, b->barcode->code128.rule == PL_CODE128_GS1, arena, code, reason);
    }
}

enum pl_errc pl_bar_build_code128(struct pl_bar_build *b)
{
    const struct pl_barcode *barcode = b->barcode;
    struct pl_code128 code;
    struct pl_error reason = {0};
    enum pl_errc result = encode(b, &code, &reason);
    if (result != PL_OK)
        return pl_bar_refused(b, result, &reason,
                              pl_content_length(&barcode->content) > PL_CODE128_LENGTH_MAX ? PL_BAR_TOO_LONG
                                                                                           : PL_BAR_TOO_SHORT,
                              "Code 128");
    if (code.dropped) {
        if (pl_bar_invalid(b, PL_BAR_BAD_CHARACTER, "The data has characters that the subset does not have."))
            return PL_OK;
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "%u character%s cannot be encoded in the subset and %s left out.",
                    code.dropped, code.dropped > 1 ? "s" : "", code.dropped > 1 ? "were" : "was");
    }
    struct pl_slice text = barcode->caption.ptr                       ? barcode->caption
                           : barcode->code128.rule == PL_CODE128_CASE ? pl_slice_make(code.digits, sizeof code.digits)
                                                                      : barcode->content.bytes;
    if (code.padded || code.cut)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA, "The UCC case code has 19 digits and a check digit; %.*s was encoded.",
                    (int)text.len, (const char *)text.ptr);
    struct pl_bitmap modules;
    PL_TRY(pl_code128_modules(&code, b->context->arena, &modules, b->err));
    PL_TRY(pl_bar_set_modules(b, &modules));
    PL_TRY(pl_bar_set_text(b, text));
    // FNC1 behind the start character is what makes a Code 128 a GS1-128.
    if (code.count > 1 && code.values[1] == PL_C128_FNC1)
        b->out->symbology = "gs1-128";
    bool gs1_line = barcode->code128.rule == PL_CODE128_GS1 && !barcode->has_text_font;
    return gs1_line ? add_gs1_line(b, text) : pl_bar_add_caption(b, text, 0, 0);
}
