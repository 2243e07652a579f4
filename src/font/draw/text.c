// Drawing text elements: plain fields, and calls of blocks and directions.
#include "font/draw/text.h"

#include "base/ckd.h"
#include "font/draw/draw_block.h"
#include "font/draw/draw_directed.h"
#include "font/draw/draw_line.h"
#include "font/draw/place.h"

#define LONGEST_TEXT 65536 // characters; a printer takes 3072 bytes

// Dots by which inverted text that ends at x is further right than its width says. Cells leave their gap and two dots
// more, E another one of its own; outlines begin a dot later.
static int32_t inverted_shift(const struct pl_text_font *font)
{
    const struct pl_face *face = font->main.face;
    if (face->kind != PL_FACE_DEVICE)
        return face->kind == PL_FACE_FONT0 || face->kind == PL_FACE_FILE;
    int32_t gap = face->device->gap + (face->device->resident == PL_FONT_OCR_B);
    return -(gap * font->main.width + 2);
}

// A rectangle as long as the line, from `top` to `bottom`, and where it is on the label.
static struct pl_box fill_along(const struct pl_text_target *target, const struct pl_place *place, int64_t width,
                                int64_t top, int64_t bottom, enum pl_ink ink)
{
    struct pl_box box = {pl_clamp_i32(pl_floor_2048(place->u), -(1 << 24), 1 << 24), (int32_t)top,
                         pl_clamp_i32(pl_ceil_2048(place->u + width), -(1 << 24), 1 << 24), (int32_t)bottom};
    struct pl_box at = pl_frame_box(place->frame, box);
    int32_t scale = (int32_t)target->scale;
    if (target->samples)
        pl_samples_fill(target->samples, at, ink);
    else
        pl_bitmap_fill(target->canvas, (struct pl_box){at.x0 * scale, at.y0 * scale, at.x1 * scale, at.y1 * scale},
                       ink);
    return at;
}

// A bar below the baseline.
static void draw_underline(const struct pl_text_target *target, const struct pl_text_font *font,
                           const struct pl_place *place, int64_t width, struct pl_box *ink)
{
    int64_t thickness = PL_MAX(font->cell_height / 16, 1), top = place->v + thickness;
    *ink = pl_box_union(*ink, fill_along(target, place, width, top, top + thickness, target->ink));
}

// A line, as bold as asked for and with its bar.
static enum pl_errc draw_with_effects(struct pl_writer *writer, const struct pl_layout *layout,
                                      const struct pl_text_target *target, const struct pl_items *items,
                                      const struct pl_text *text, const struct pl_place *place, struct pl_box *ink,
                                      struct pl_error *err)
{
    for (uint32_t again = 0; again <= text->bold; again++)
        PL_TRY(pl_line_draw(writer, layout, target, items, place->frame, place->u + again * INT64_C(2048), place->v,
                            (struct pl_stretch){0, 0}, ink, err));
    if (text->underline)
        draw_underline(target, layout->font, place, items->width, ink);
    return PL_OK;
}

static enum pl_errc draw_plain(struct pl_writer *writer, const struct pl_text_target *target,
                               const struct pl_element *element, const struct pl_text_font *font,
                               struct pl_layout *layout, struct pl_pen *pen, struct pl_text_result *result,
                               struct pl_error *err)
{
    struct pl_items items;
    PL_TRY(pl_layout_line(layout, 0, layout->length, &items, err));
    pl_line_report_missing(writer, target, layout, items.missing, pl_element_data_source(element));
    // The justification does not move symbols of ^GS (measured on a printer).
    bool right = pl_place_is_right(element, layout) && font->main.face->kind != PL_FACE_SYMBOL;
    bool upright = pl_is_upright(element->rotation);
    int64_t width = pl_ceil_2048(items.width);
    // A symbol is rotated about the end of its gap, but the text after it continues at the end of its cell.
    if (font->main.face->kind == PL_FACE_SYMBOL && items.count > 0 && !items.at[items.count - 1].space &&
        !layout->symbols_apart)
        width += (int64_t)PL_SYMBOL_GAP * font->main.width;
    struct pl_place place;
    if (element->at.pivot) {
        place = pl_place_pivot(element, width, pen);
        place.v = font->baseline;
    } else if (element->at.typeset) {
        place = pl_place_baseline(target, element, font, pen);
        if (right)
            place.u -= items.width;
    } else {
        int32_t x = pl_place_x(target, element);
        if (right)
            x = pl_clamp_i32(x - (upright ? width : font->cell_height), INT32_MIN / 2, INT32_MAX / 2);
        if (right && element->rotation == PL_ROT_I && target->profile->inverted_right_by_gap)
            x += inverted_shift(font);
        int64_t less = target->profile->turned_text_less_a_dot;
        place.frame = pl_place_corner(x, pl_place_y(target, element), element->rotation, PL_MAX(0, width - less),
                                      font->cell_height);
        place.u = 0;
        place.v = font->baseline;
    }
    if (element->replaces) {
        int64_t top = (int64_t)place.v - font->baseline;
        result->paper = fill_along(target, &place, items.width, top, top + font->cell_height, PL_INK_WHITE);
    }
    PL_TRY(draw_with_effects(writer, layout, target, &items, &element->text, &place, &result->ink, err));
    int64_t end = place.u + items.width;
    if (font->main.face->kind == PL_FACE_SYMBOL)
        end = pl_ceil_2048(end) * 2048; // symbols are bitmaps on whole dots
    pl_place_move_pen(pen, place.frame, end, place.v);
    return PL_OK;
}

static void follow_profile(struct pl_layout *layout, const struct pl_profile_font *profile)
{
    layout->symbols_apart = !profile->symbols_share_a_place;
    layout->whole_advances = profile->whole_advances;
    layout->hyphenates = profile->blocks_hyphenate;
    layout->wide_gaps_take_lines = profile->wide_gaps_take_lines;
    layout->blank_missing = profile->missing_is_blank;
}

// Copies the characters with a cent sign for each backslash; the field's data stays as it is.
static enum pl_errc with_cents(struct pl_arena *arena, const uint32_t *chars, uint32_t length, const uint32_t **out,
                               struct pl_error *err)
{
    enum { CENT = 0xA2 };
    uint32_t *drawn = PL_ARENA_ARRAY(arena, uint32_t, length);
    if (!drawn)
        return pl_fail_memory(err);
    for (uint32_t i = 0; i < length; i++)
        drawn[i] = chars[i] == '\\' ? CENT : chars[i];
    *out = drawn;
    return PL_OK;
}

// The font of text, which may have a length to keep to.
static enum pl_errc fit_font(struct pl_writer *writer, const struct pl_text_target *target, const struct pl_text *text,
                             struct pl_font_ref *font, struct pl_error *err)
{
    uint32_t length = PL_MIN(text->length, (uint32_t)LONGEST_TEXT);
    int64_t room = (int64_t)text->fit_width * 2048, gaps = (int64_t)text->gap * 2048 * length;
    struct pl_text_metrics metrics;
    *font = text->font;
    if (room <= 0 || length == 0)
        return PL_OK;
    for (uint32_t i = 0; i < text->choice_count; i++) {
        *font = text->choices[i];
        PL_TRY(pl_text_measure(writer, target, font, text->chars, length, &metrics, err));
        if (metrics.advance_2048 + gaps <= room)
            return PL_OK;
    }
    if (text->choice_count > 0)
        return PL_OK;
    PL_TRY(pl_text_measure(writer, target, font, text->chars, length, &metrics, err));
    if (metrics.advance_2048 > 0)
        font->width = pl_clamp_i32(font->width * (room - gaps) / metrics.advance_2048, 1, 32000);
    return PL_OK;
}

static enum pl_errc find_font(struct pl_writer *writer, const struct pl_text_target *target, const struct pl_text *text,
                              struct pl_text_font *out, struct pl_error *err)
{
    struct pl_font_ref ref;
    PL_TRY(fit_font(writer, target, text, &ref, err));
    return pl_text_font_resolve(&writer->faces, &ref, target->dpmm, target->arena, out, err);
}

enum pl_errc pl_text_draw(struct pl_writer *writer, const struct pl_text_target *target,
                          const struct pl_element *element, struct pl_pen *pen, struct pl_text_result *result,
                          struct pl_error *err)
{
    const struct pl_text *text = &element->text;
    *result = (struct pl_text_result){0};
    uint64_t refused = pl_ft_refused(writer->faces.ft);
    struct pl_arena_mark mark = pl_arena_mark(target->arena);
    struct pl_text_font font;
    PL_TRY(find_font(writer, target, text, &font, err));
    if (font.asked_missing && target->diags)
        pl_diag_add(target->diags, PL_DIAG_FONT_NOT_FOUND, element->source, 0, "Font %s is not there; %s was used.",
                    font.asked_missing, font.main.face->kind == PL_FACE_FONT0 ? "font 0" : "another one");
    uint32_t length = text->length;
    if (length > LONGEST_TEXT) {
        length = LONGEST_TEXT;
        if (target->diags)
            pl_diag_add(target->diags, PL_DIAG_DATA_DROPPED, pl_element_data_source(element), 0,
                        "The field has %u characters; the first %d were printed.", (unsigned)text->length,
                        LONGEST_TEXT);
    }
    struct pl_layout layout;
    bool in_block = text->block.kind != PL_BLOCK_NONE;
    const uint32_t *chars = text->chars;
    if (text->shows_cents && length > 0)
        PL_TRY(with_cents(target->arena, text->chars, length, &chars, err));
    PL_TRY(pl_layout_init(&layout, &writer->faces, &font, target->arena, target->job, chars, length, in_block, err));
    layout.gap = (int64_t)text->gap * 2048;
    layout.plain_zeros = text->plain_zeros;
    layout.unshaped = text->no_shaping;
    if (text->no_bidi) {
        // Text without levels is ordered by nobody: ^FP R turns it round as any other.
        layout.ordered = layout.ordered || layout.levels || layout.base_rtl;
        layout.levels = layout.bases = NULL;
        layout.base_rtl = false;
    }
    follow_profile(&layout, target->profile);
    layout.tab_stops = text->block.kind != PL_BLOCK_LINES;
    layout.plain_spaces = in_block && !target->profile->block_spaces_take_gap;
    layout.blank_missing = layout.blank_missing && !text->default_glyph;
    if (in_block)
        PL_TRY(pl_block_draw(writer, target, element, &font, &layout, pen, result, err));
    else if (text->direction != PL_DIR_HORIZONTAL)
        PL_TRY(pl_directed_draw(writer, target, element, &font, &layout, pen, result, err));
    else
        PL_TRY(draw_plain(writer, target, element, &font, &layout, pen, result, err));
    if (target->diags && pl_ft_refused(writer->faces.ft) != refused)
        pl_diag_add(target->diags, PL_DIAG_LIMIT_REACHED, element->source, 0,
                    "A glyph of the font is too complex to be drawn; it was left out.");
    pl_arena_release(target->arena, mark);
    return PL_OK;
}

// Characters laid out as one line.
struct line {
    struct pl_text_font font;
    struct pl_layout layout;
    struct pl_items items;
};

static enum pl_errc lay_line(struct pl_writer *writer, const struct pl_text_target *target,
                             const struct pl_font_ref *ref, const uint32_t *chars, uint32_t length, struct line *line,
                             struct pl_error *err)
{
    PL_TRY(pl_text_font_resolve(&writer->faces, ref, target->dpmm, target->arena, &line->font, err));
    PL_TRY(pl_layout_init(&line->layout, &writer->faces, &line->font, target->arena, target->job, chars,
                          PL_MIN(length, (uint32_t)LONGEST_TEXT), false, err));
    follow_profile(&line->layout, target->profile);
    return pl_layout_line(&line->layout, 0, line->layout.length, &line->items, err);
}

enum pl_errc pl_text_draw_line(struct pl_writer *writer, const struct pl_text_target *target,
                               const struct pl_font_ref *ref, const uint32_t *chars, uint32_t length,
                               struct pl_frame frame, int32_t u, int32_t v, struct pl_source source, struct pl_box *ink,
                               struct pl_error *err)
{
    struct line line;
    struct pl_arena_mark mark = pl_arena_mark(target->arena);
    PL_TRY(lay_line(writer, target, ref, chars, length, &line, err));
    pl_line_report_missing(writer, target, &line.layout, line.items.missing, source);
    *ink = (struct pl_box){0, 0, 0, 0};
    PL_TRY(pl_line_draw(writer, &line.layout, target, &line.items, frame, (int64_t)u * 2048, v,
                        (struct pl_stretch){0, 0}, ink, err));
    pl_arena_release(target->arena, mark);
    return PL_OK;
}

enum pl_errc pl_text_measure(struct pl_writer *writer, const struct pl_text_target *target,
                             const struct pl_font_ref *ref, const uint32_t *chars, uint32_t length,
                             struct pl_text_metrics *out, struct pl_error *err)
{
    struct line line;
    struct pl_arena_mark mark = pl_arena_mark(target->arena);
    PL_TRY(lay_line(writer, target, ref, chars, length, &line, err));
    *out = (struct pl_text_metrics){line.items.width, line.font.cell_height, line.font.baseline};
    pl_arena_release(target->arena, mark);
    return PL_OK;
}
