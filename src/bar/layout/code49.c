// Code 49: rows of 70 modules between separators.
#include "bar/encode/code49.h"
#include "bar/layout/build.h"
#include "bar/layout/builders.h"
#include "base/ckd.h"

// Measured on a printer: rows and inner separators begin 10 modules in, the outer separators are 81 modules wide.
#define LEAD 10
#define ROW 70
#define OUTER 81

// Row by row: its separator above, then itself; one more separator closes the symbol.
static enum pl_errc stack_rows(struct pl_bar_build *b, const struct pl_bitmap *modules, struct pl_bitmap *page)
{
    uint32_t rows = modules->height;
    PL_TRY(pl_bitmap_new(b->context->arena, OUTER, rows * 2 + 1, page, b->err));
    for (uint32_t i = 0; i <= rows; i++) {
        bool outer = i == 0 || i == rows;
        for (uint32_t x = 0; x < (outer ? OUTER : ROW); x++)
            pl_bitmap_set(page, outer ? x : LEAD + x, i * 2);
        for (uint32_t x = 0; i < rows && x < ROW && x < modules->width; x++)
            if (pl_bitmap_get(modules, x, i))
                pl_bitmap_set(page, LEAD + x, i * 2 + 1);
    }
    return PL_OK;
}

enum pl_errc pl_bar_build_code49(struct pl_bar_build *b)
{
    const struct pl_barcode *barcode = b->barcode;
    size_t length = pl_content_length(&barcode->content);
    if (length > PL_CODE49_LENGTH_MAX)
        return pl_bar_give_up(b, PL_BAR_TOO_LONG, "The data is longer than the %u characters that %s can hold.",
                              PL_CODE49_LENGTH_MAX, b->out->symbology);
    if (length == 0)
        return pl_bar_give_up(b, PL_BAR_TOO_SHORT, "There is no data to encode.");
    for (size_t i = 0; i < length; i++) {
        uint32_t code = pl_content_at(&barcode->content, i);
        if (code > 127 && pl_mark_kind(code) != PL_MARK_SHIFT)
            return pl_bar_give_up(b, PL_BAR_BAD_CHARACTER, "Code 49 holds ASCII only.");
    }
    struct pl_code49 symbol;
    struct pl_error reason = {0};
    enum pl_errc code =
        pl_code49_encode(barcode->content, barcode->code49.start_mode, b->context->arena, &symbol, &reason);
    if (code != PL_OK)
        return pl_bar_refused(b, code, &reason, PL_BAR_TOO_LONG, "Code 49");
    if (symbol.used < length)
        pl_bar_note(b, PL_DIAG_BARCODE_DATA,
                    "In mode %c of Code 49 the data is no valid sequence from character %zu on; the symbol ends before "
                    "it.",
                    '0' + barcode->code49.start_mode, symbol.used + 1);
    uint32_t rows = symbol.modules.height, m = b->module;
    // The row height is a number of modules.
    uint32_t high = (uint32_t)pl_clamp_i64(
        barcode->height > 0 ? (int64_t)barcode->height : (int64_t)barcode->default_height, 1, PL_BAR_HEIGHT_MAX / 8);
    struct pl_bitmap page;
    PL_TRY(stack_rows(b, &symbol.modules, &page));
    PL_TRY(pl_bar_reserve_bands(b, rows * 2 + 1));
    uint32_t y = 0;
    for (uint32_t i = 0; i < rows * 2 + 1; i++) {
        uint32_t height = (i % 2 ? high : 1) * m;
        PL_TRY(pl_bar_add_band(b, &page, i, (int32_t)y, height));
        y += height;
    }
    b->out->width = OUTER * m;
    b->out->height = y;
    PL_TRY(pl_bar_set_text(b, symbol.text));
    return pl_bar_add_caption(b, symbol.text, 0, 0);
}
