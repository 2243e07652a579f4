// Interpretation lines, and the text that a symbol says.
#include "bar/layout/build.h"
#include "bar/layout/builders.h"
#include "base/ckd.h"
#include "base/utf8.h"

// UTF-8 (or Latin-1, where it is not UTF-8) to characters; control bytes are left out.
static enum pl_errc read_chars(struct pl_bar_build *b, struct pl_slice bytes, const uint32_t **chars, uint32_t *length)
{
    uint32_t *list = PL_ARENA_ARRAY(b->context->arena, uint32_t, bytes.len + 1);
    if (!list)
        return pl_fail_memory(b->err);
    bool utf8 = pl_utf8_valid(bytes);
    uint32_t n = 0;
    for (size_t i = 0; i < bytes.len;) {
        uint32_t c = utf8 ? pl_utf8_next(bytes, &i) : bytes.ptr[i++];
        if (c >= 0x20 && (c < 0x7F || c > 0x9F))
            list[n++] = c;
    }
    *chars = list;
    *length = n;
    return PL_OK;
}

enum pl_errc pl_bar_set_text(struct pl_bar_build *b, struct pl_slice bytes)
{
    const uint32_t *chars;
    uint32_t length;
    PL_TRY(read_chars(b, bytes, &chars, &length));
    uint8_t *text = pl_arena_alloc(b->context->arena, (size_t)length * 4 + 1, 1);
    if (!text)
        return pl_fail_memory(b->err);
    size_t n = 0;
    for (uint32_t i = 0; i < length; i++)
        n += pl_utf8_put(chars[i], text + n);
    b->out->text = pl_slice_make(text, n);
    return PL_OK;
}

struct pl_font_ref pl_bar_caption_font(const struct pl_bar_build *b)
{
    // The enlargement of font A ends at 10, as on the printer.
    int32_t m = (int32_t)PL_MIN(b->module, 10u);
    return (struct pl_font_ref){.resident = PL_FONT_A, .height = 9 * m, .width = 5 * m};
}

enum pl_errc pl_bar_add_text(struct pl_bar_build *b, const struct pl_font_ref *font, struct pl_slice bytes, int32_t u,
                             int32_t v)
{
    struct pl_bar_layout *out = b->out;
    if (out->text_count == PL_COUNTOF(out->texts))
        return pl_fail(b->err, PL_E_BUG, "too many texts in one barcode");
    struct pl_bar_text *text = &out->texts[out->text_count];
    *text = (struct pl_bar_text){.font = *font, .u = u, .v = v};
    PL_TRY(read_chars(b, bytes, &text->chars, &text->length));
    if (text->length)
        out->text_count++;
    return PL_OK;
}

static int32_t bounded(int64_t value)
{
    return pl_clamp_i32(value, INT32_MIN / 2, INT32_MAX / 2);
}

// A line in the font that the barcode names.
static void place_in_font(const struct pl_bar_build *b, struct pl_bar_text *text)
{
    const struct pl_barcode *barcode = b->barcode;
    enum pl_caption_place place = barcode->text_place;
    uint32_t width = b->out->width;
    int32_t gap = barcode->text_gap ? barcode->text_gap : barcode->text_above ? 8 : 6;
    text->font = barcode->text_font;
    text->centred = place == PL_CAPTION_CENTRED;
    text->ends = place == PL_CAPTION_RIGHT;
    text->u = place == PL_CAPTION_LEFT ? 0 : (int32_t)(place == PL_CAPTION_RIGHT ? width : width / 2);
    text->v = barcode->text_above ? -gap : (int32_t)b->out->height + gap;
    text->anchor = barcode->text_above ? PL_BAR_TEXT_CELL_BOTTOM : PL_BAR_TEXT_CELL_TOP;
}

// Font A: cells of 9 x 5 dots, 6 apart, the baseline below the seventh row, all enlarged by the module.
static void place_in_cells(const struct pl_bar_build *b, struct pl_bar_text *text)
{
    struct pl_bar_layout *out = b->out;
    const struct pl_profile_bar *rules = b->context->profile;
    uint32_t n = text->length, first = n / 2 + 1;
    int64_t m = b->module, step = 6 * m, room = (int64_t)out->width - (int64_t)n * step;
    if (b->row->build == pl_bar_build_upcean && rules->upc_caption_less_a_module)
        room -= m;
    int64_t left = room >= 0 ? room / 2 : -((1 - room) / 2);
    text->font = pl_bar_caption_font(b);
    text->u = bounded(left);
    text->v = bounded(b->barcode->text_above ? -8 - 2 * m : (int64_t)out->height + 6 + 7 * m);
    if (room % 2 == 0 || !rules->caption_splits_half_dot)
        return;
    text->u++;
    if (first >= n)
        return;
    text->length = first;
    struct pl_bar_text *rest = &out->texts[out->text_count++];
    *rest = *text;
    rest->chars += first;
    rest->length = n - first;
    rest->u = bounded(left + (int64_t)first * step);
}

enum pl_errc pl_bar_add_caption(struct pl_bar_build *b, struct pl_slice bytes, uint32_t mark_before,
                                uint32_t mark_after)
{
    struct pl_bar_layout *out = b->out;
    if (!b->barcode->text)
        return PL_OK;
    if (b->barcode->plain_caption)
        mark_before = mark_after = 0;
    const uint32_t *chars;
    uint32_t length;
    PL_TRY(read_chars(b, bytes, &chars, &length));
    uint32_t *line = PL_ARENA_ARRAY(b->context->arena, uint32_t, (size_t)length + 2);
    if (!line)
        return pl_fail_memory(b->err);
    uint32_t n = 0;
    if (mark_before)
        line[n++] = mark_before;
    for (uint32_t i = 0; i < length; i++)
        line[n++] = chars[i];
    if (mark_after)
        line[n++] = mark_after;
    if (n == 0)
        return PL_OK;
    struct pl_bar_text *text = &out->texts[out->text_count++];
    *text = (struct pl_bar_text){.chars = line, .length = n};
    if (b->barcode->has_text_font)
        place_in_font(b, text);
    else
        place_in_cells(b, text);
    return PL_OK;
}
