// Drawing text elements: where lines stand, and their glyphs one after the other.
#include "font/text.h"

#include "base/ckd.h"
#include "font/layout.h"

#define LONGEST_TEXT 65536          // characters; a printer takes 3072 bytes
#define FARTHEST (INT64_C(1) << 26) // dots from the label's corner at which glyphs are still looked at

static int64_t floor_2048(int64_t value)
{
    return value >> 11;
}

static int64_t ceil_2048(int64_t value)
{
    return (value + 2047) >> 11;
}

struct point {
    int64_t x, y;
};

// A point of a turned frame on the label.
static struct point on_label(struct pl_frame frame, int64_t u, int64_t v)
{
    switch (frame.rotation) {
    case PL_ROT_R:
        return (struct point){frame.x - v, frame.y + u};
    case PL_ROT_I:
        return (struct point){frame.x - u, frame.y - v};
    case PL_ROT_B:
        return (struct point){frame.x + v, frame.y - u};
    case PL_ROT_N:
        break;
    }
    return (struct point){frame.x + u, frame.y + v};
}

// Draws glyphs along a baseline that starts at (u in 1/2048, v) of the frame. `stretch` is added after each space.
struct stretch {
    int64_t each;  // dots
    int64_t extra; // the first so many spaces get one dot more
};

static enum pl_errc draw_item(const struct pl_layout *layout, const struct pl_text_target *target,
                              const struct pl_item *item, struct pl_frame frame, int64_t u, int64_t v,
                              struct pl_box *ink, struct pl_error *err)
{
    // ceil(pen - 1/2), as the reference rounds; it places the symbols of ^GS as pictures, rounded down, and large text
    // not on whole dots at all.
    int64_t along = u + item->x, whole = floor_2048(along + 1023), phase = 0;
    struct pl_text_target solid;
    if (item->face.face->kind == PL_FACE_SYMBOL) {
        whole = floor_2048(along);
    } else if (pl_is_large_text(&item->face)) {
        along += 2048 / PL_PHASES / 2;
        whole = floor_2048(along);
        phase = (along - whole * 2048) * PL_PHASES / 2048;
        if (target->any_coverage) {
            solid = *target;
            solid.any_coverage = false;
            target = &solid;
        }
    }
    struct point at = on_label(frame, whole, v + floor_2048(item->y + 1024));
    if (at.x <= -FARTHEST || at.x >= FARTHEST || at.y <= -FARTHEST || at.y >= FARTHEST)
        return PL_OK;
    if (target->watch)
        target->watch->seen(target->watch->user, layout->chars[item->cluster], (int32_t)at.x, (int32_t)at.y,
                            frame.rotation);
    struct pl_glyph_place place = {(int32_t)at.x, (int32_t)at.y, (uint32_t)phase, frame.rotation};
    return pl_glyph_draw(layout->writer, target, &item->face, item->glyph, place, ink, err);
}

static enum pl_errc draw_items(const struct pl_layout *layout, const struct pl_text_target *target,
                               const struct pl_items *items, struct pl_frame frame, int64_t u, int64_t v,
                               struct stretch stretch, struct pl_box *ink, struct pl_error *err)
{
    for (uint32_t i = 0; i < items->count; i++) {
        const struct pl_item *item = &items->at[i];
        if (!item->space) {
            PL_TRY(draw_item(layout, target, item, frame, u, v, ink, err));
        } else {
            u += stretch.each * 2048;
            if (stretch.extra > 0) {
                u += 2048;
                stretch.extra--;
            }
        }
        u += item->advance;
    }
    return PL_OK;
}

static void report_missing(const struct pl_text_target *target, struct pl_writer *writer, uint32_t missing,
                           struct pl_source source)
{
    if (missing == 0 || !target->diags)
        return;
    bool cjk = missing >= 0x2E80 && missing <= 0x3FFFF && !(missing >= 0xFB00 && missing <= 0xFEFF);
    if (cjk && !writer->fonts->has_cjk)
        pl_diag_add(
            target->diags, PL_DIAG_GLYPH_MISSING, source, 0,
            "No font has U+%04X; a box was drawn. Install fonts-droid-fallback for Chinese, Japanese and Korean.",
            (unsigned)missing);
    else
        pl_diag_add(target->diags, PL_DIAG_GLYPH_MISSING, source, 0, "No font has U+%04X; a box was drawn.",
                    (unsigned)missing);
}

// The place of a line or block: its frame, and the first baseline in it.
struct place {
    struct pl_frame frame;
    int64_t u; // 1/2048 dots: where a line begins
    int64_t v; // dots: the (first) baseline
};

// ^FO: (x, y) is the corner of the turned box of the given size.
static struct pl_frame corner_frame(int32_t x, int32_t y, enum pl_rotation rotation, int64_t width, int64_t height)
{
    struct pl_frame frame = {x, y, rotation};
    if (rotation == PL_ROT_R || rotation == PL_ROT_I)
        frame.x = pl_clamp_i32(rotation == PL_ROT_R ? x + height : x + width, INT32_MIN / 2, INT32_MAX / 2);
    if (rotation == PL_ROT_I || rotation == PL_ROT_B)
        frame.y = pl_clamp_i32(rotation == PL_ROT_I ? y + height : y + width, INT32_MIN / 2, INT32_MAX / 2);
    return frame;
}

// The anchor in 1/2048 dots, which may be where the last field ended.
static void anchor(const struct pl_element *element, const struct pl_pen *pen, int64_t *x_2048, int64_t *y_2048)
{
    *x_2048 = (int64_t)element->at.x * 2048;
    *y_2048 = (int64_t)element->at.y * 2048;
    if (element->at.x_goes_on && pen->set)
        *x_2048 = pen->x_2048;
    if (element->at.y_goes_on && pen->set)
        *y_2048 = pen->y_2048;
}

// ^FT: the baseline starts at the anchor, whose fraction along the baseline is kept.
static struct place baseline_place(const struct pl_element *element, const struct pl_pen *pen)
{
    int64_t x, y;
    anchor(element, pen, &x, &y);
    struct place place = {.v = 0};
    bool upright = element->rotation == PL_ROT_N || element->rotation == PL_ROT_I;
    int64_t along = upright ? x : y, across = upright ? y : x;
    bool backwards = element->rotation == PL_ROT_I || element->rotation == PL_ROT_B;
    int64_t whole = backwards ? ceil_2048(along) : floor_2048(along);
    place.u = backwards ? whole * 2048 - along : along - whole * 2048;
    int32_t a = pl_clamp_i32(whole, INT32_MIN / 2, INT32_MAX / 2);
    int32_t b = pl_clamp_i32(floor_2048(across), INT32_MIN / 2, INT32_MAX / 2);
    place.frame = (struct pl_frame){upright ? a : b, upright ? b : a, element->rotation};
    return place;
}

static void move_pen(struct pl_pen *pen, struct pl_frame frame, int64_t u_2048, int64_t v)
{
    int64_t whole = floor_2048(u_2048), rest = u_2048 - whole * 2048;
    struct point at = on_label(frame, whole, v);
    *pen = (struct pl_pen){true, at.x * 2048, at.y * 2048};
    switch (frame.rotation) {
    case PL_ROT_N:
        pen->x_2048 += rest;
        break;
    case PL_ROT_R:
        pen->y_2048 += rest;
        break;
    case PL_ROT_I:
        pen->x_2048 -= rest;
        break;
    case PL_ROT_B:
        pen->y_2048 -= rest;
        break;
    }
}

static bool is_right_justified(const struct pl_element *element, const struct pl_layout *layout)
{
    return element->at.justify == PL_JUSTIFY_RIGHT || (element->at.justify == PL_JUSTIFY_AUTO && layout->base_rtl);
}

static enum pl_errc draw_plain(struct pl_writer *writer, const struct pl_text_target *target,
                               const struct pl_element *element, const struct pl_text_font *font,
                               struct pl_layout *layout, struct pl_pen *pen, struct pl_text_result *result,
                               struct pl_error *err)
{
    struct pl_items items;
    PL_TRY(pl_layout_line(layout, 0, layout->length, &items, err));
    report_missing(target, writer, items.missing, element->source);
    bool right = is_right_justified(element, layout);
    bool upright = element->rotation == PL_ROT_N || element->rotation == PL_ROT_I;
    int64_t width = ceil_2048(items.width);
    struct place place;
    if (element->at.typeset) {
        place = baseline_place(element, pen);
        if (right)
            place.u -= items.width;
    } else {
        int32_t x = element->at.x;
        if (right)
            x = pl_clamp_i32(x - (upright ? width : font->cell_height), INT32_MIN / 2, INT32_MAX / 2);
        place.frame = corner_frame(x, element->at.y, element->rotation, PL_MAX(0, width - 1), font->cell_height);
        place.u = 0;
        place.v = font->baseline;
    }
    PL_TRY(
        draw_items(layout, target, &items, place.frame, place.u, place.v, (struct stretch){0, 0}, &result->ink, err));
    int64_t end = place.u + items.width;
    if (font->main.face->kind == PL_FACE_SYMBOL)
        end = ceil_2048(end) * 2048; // symbols are pictures of whole dots
    move_pen(pen, place.frame, end, place.v);
    return PL_OK;
}

// ^FP V and R: characters below each other, or from right to left.
static enum pl_errc draw_directed(struct pl_writer *writer, const struct pl_text_target *target,
                                  const struct pl_element *element, const struct pl_text_font *font,
                                  struct pl_layout *layout, struct pl_pen *pen, struct pl_text_result *result,
                                  struct pl_error *err)
{
    bool vertical = element->text.direction == PL_DIR_VERTICAL;
    if (vertical)
        layout->gap = 0; // printers ignore it there
    struct pl_items items;
    PL_TRY(pl_layout_line(layout, 0, layout->length, &items, err));
    report_missing(target, writer, items.missing, element->source);
    int64_t widest = 0;
    for (uint32_t i = 0; i < items.count; i++)
        widest = PL_MAX(widest, items.at[i].advance);
    int64_t width = ceil_2048(vertical ? widest : items.width);
    int64_t height = vertical ? (int64_t)font->cell_height * PL_MAX(1, items.count) : font->cell_height;
    struct place place = baseline_place(element, pen);
    // From the right under ^FO the last character stands at x; under ^FT the first one does.
    int64_t u = place.u;
    if (!element->at.typeset) {
        place.frame = corner_frame(element->at.x, element->at.y, element->rotation, width, height);
        place.v = font->baseline;
        u = !vertical && items.count > 0 ? items.width - items.at[0].advance : 0;
    }
    for (uint32_t i = 0; i < items.count; i++) {
        struct pl_items one = {&items.at[i], 1, items.at[i].advance, 0};
        if (!vertical && i > 0)
            u -= items.at[i].advance;
        PL_TRY(draw_items(layout, target, &one, place.frame, u,
                          place.v + (vertical ? (int64_t)i * font->cell_height : 0), (struct stretch){0, 0},
                          &result->ink, err));
    }
    move_pen(pen, place.frame, u, place.v);
    return PL_OK;
}

// What keeps ^TB's text inside its box: a canvas of the box's own.
struct clip {
    struct pl_text_target target;
    struct pl_bitmap bits;
    struct pl_box box; // on the label
    bool active;
};

static enum pl_errc begin_clip(struct clip *clip, const struct pl_text_target *target, struct pl_box box,
                               struct pl_error *err)
{
    struct pl_box all = {0, 0, (int32_t)(target->canvas->width / target->scale),
                         (int32_t)(target->canvas->height / target->scale)};
    clip->target = *target;
    clip->box = pl_box_intersect(box, all);
    clip->active = true;
    if (pl_box_is_empty(clip->box)) {
        clip->box = (struct pl_box){0, 0, 0, 0};
        clip->bits = (struct pl_bitmap){0, 0, 0, NULL};
    } else {
        PL_TRY(pl_bitmap_new(target->arena, (uint32_t)(clip->box.x1 - clip->box.x0) * target->scale,
                             (uint32_t)(clip->box.y1 - clip->box.y0) * target->scale, &clip->bits, err));
    }
    clip->target.canvas = &clip->bits;
    clip->target.ink = PL_INK_BLACK;
    return PL_OK;
}

static void end_clip(const struct clip *clip, const struct pl_text_target *target, struct pl_box *ink)
{
    if (clip->bits.height > 0)
        pl_bitmap_blit(target->canvas, &clip->bits, clip->box.x0 * (int32_t)target->scale,
                       clip->box.y0 * (int32_t)target->scale, target->ink);
    struct pl_box moved = {ink->x0 + clip->box.x0, ink->y0 + clip->box.y0, ink->x1 + clip->box.x0,
                           ink->y1 + clip->box.y0};
    *ink = pl_box_is_empty(*ink) ? *ink : pl_box_intersect(moved, clip->box);
}

// Room left and right of a line in its block, in 1/2048 dots, and what its spaces get.
static int64_t align_line(const struct pl_block *block, const struct pl_line *line, const struct pl_items *items,
                          int64_t space, bool overprinted, struct stretch *stretch)
{
    int64_t left = (int64_t)line->indent * 2048;
    int64_t slack = (int64_t)block->width * 2048 - left - items->width;
    *stretch = (struct stretch){0, 0};
    switch (block->align) {
    case PL_ALIGN_LEFT:
        return left;
    case PL_ALIGN_CENTER:
        // A line that no \& ends is centred with the space that follows it.
        return left + (slack - (line->hard ? 0 : space)) / 2;
    case PL_ALIGN_RIGHT:
        return left + slack;
    case PL_ALIGN_JUSTIFY: {
        int64_t gaps = 0, dots = floor_2048(slack);
        for (uint32_t i = 0; i < items->count; i++)
            gaps += items->at[i].space;
        if (gaps > 0 && dots > 0 && !line->hard && !line->last && !overprinted)
            *stretch = (struct stretch){dots / gaps, dots % gaps};
        return left;
    }
    }
    return left;
}

static void reverse_items(struct pl_items *items)
{
    for (uint32_t a = 0, b = items->count; a + 1 < b; a++) {
        b--;
        struct pl_item swap = items->at[a];
        items->at[a] = items->at[b];
        items->at[b] = swap;
    }
}

static enum pl_errc draw_block(struct pl_writer *writer, const struct pl_text_target *target,
                               const struct pl_element *element, const struct pl_text_font *font,
                               struct pl_layout *layout, struct pl_pen *pen, struct pl_text_result *result,
                               struct pl_error *err)
{
    const struct pl_block *block = &element->text.block;
    bool text_block = block->kind == PL_BLOCK_TB;
    struct pl_lines lines;
    PL_TRY(pl_block_break(layout, block, &lines, err));
    int64_t pitch = text_block ? font->tb_pitch : PL_MAX(0, (int64_t)font->pitch + block->spacing);
    int64_t most = text_block ? INT32_MAX : PL_MAX(1, block->max_lines);
    int64_t height = text_block ? block->height : most * pitch;
    struct place place = baseline_place(element, pen);
    if (element->at.typeset) {
        place.v = text_block ? font->baseline - height : -(most - 1) * pitch;
    } else {
        int32_t x = element->at.x;
        bool upright = element->rotation == PL_ROT_N || element->rotation == PL_ROT_I;
        if (element->at.justify == PL_JUSTIFY_RIGHT)
            x = pl_clamp_i32(x - (upright ? block->width : height), INT32_MIN / 2, INT32_MAX / 2);
        place.frame = corner_frame(x, element->at.y, element->rotation, block->width, height);
        place.v = font->baseline;
    }
    struct clip clip = {.active = false};
    const struct pl_text_target *on = target;
    struct pl_frame frame = place.frame;
    if (text_block) {
        int64_t top = place.v - font->baseline;
        struct pl_box content = {0, pl_clamp_i32(top, INT32_MIN / 4, INT32_MAX / 4),
                                 pl_clamp_i32(block->width, 0, INT32_MAX / 4),
                                 pl_clamp_i32(top + height, INT32_MIN / 4, INT32_MAX / 4)};
        PL_TRY(begin_clip(&clip, target, pl_frame_box(frame, content), err));
        on = &clip.target;
        frame.x -= clip.box.x0;
        frame.y -= clip.box.y0;
    }
    uint32_t glyph;
    int64_t space = pl_face_glyph(writer, font->main.face, ' ', &glyph)
                        ? pl_face_advance(writer, &font->main, glyph) + layout->gap
                        : 0;
    int64_t end_u = place.u, end_v = place.v;
    for (uint32_t i = 0; i < lines.count; i++) {
        PL_TRY(pl_job_check(target->job, err));
        int64_t row = PL_MIN((int64_t)i, most - 1);
        if (text_block && row * pitch >= block->height) {
            result->clipped = true;
            break;
        }
        struct pl_arena_mark mark = pl_arena_mark(target->arena);
        struct pl_items items;
        PL_TRY(pl_layout_line(layout, lines.at[i].start, lines.at[i].end, &items, err));
        if (i == 0 || items.missing)
            report_missing(target, writer, items.missing, element->source);
        if (element->text.direction == PL_DIR_REVERSE)
            reverse_items(&items);
        struct stretch stretch;
        bool overprinted = (int64_t)lines.count > most && row == most - 1;
        int64_t u = place.u + align_line(block, &lines.at[i], &items, space, overprinted, &stretch);
        if (text_block && is_right_justified(element, layout))
            u = place.u + (int64_t)block->width * 2048 - items.width;
        result->clipped = result->clipped || (int64_t)i >= most;
        end_u = u + items.width;
        end_v = place.v + row * pitch;
        PL_TRY(draw_items(layout, on, &items, frame, u, end_v, stretch, &result->ink, err));
        pl_arena_release(target->arena, mark);
    }
    if (text_block)
        end_clip(&clip, target, &result->ink);
    move_pen(pen, place.frame, end_u, end_v);
    return PL_OK;
}

enum pl_errc pl_text_draw(struct pl_writer *writer, const struct pl_text_target *target,
                          const struct pl_element *element, struct pl_pen *pen, struct pl_text_result *result,
                          struct pl_error *err)
{
    const struct pl_text *text = &element->text;
    *result = (struct pl_text_result){{0, 0, 0, 0}, false};
    struct pl_arena_mark mark = pl_arena_mark(target->arena);
    struct pl_text_font font;
    PL_TRY(pl_font_resolve(writer, &text->font, target->dpmm, target->arena, &font, err));
    if (font.asked_missing && target->diags)
        pl_diag_add(target->diags, PL_DIAG_FONT_NOT_FOUND, element->source, 0, "Font %s is not there; %s was used.",
                    font.asked_missing, font.main.face->kind == PL_FACE_FONT0 ? "font 0" : "another one");
    uint32_t length = text->length;
    if (length > LONGEST_TEXT) {
        length = LONGEST_TEXT;
        if (target->diags)
            pl_diag_add(target->diags, PL_DIAG_DATA_DROPPED, element->source, 0,
                        "The field has %u characters; the first %d were printed.", (unsigned)text->length,
                        LONGEST_TEXT);
    }
    struct pl_layout layout;
    bool in_block = text->block.kind != PL_BLOCK_NONE;
    PL_TRY(pl_layout_init(&layout, writer, &font, target->arena, target->job, text->chars, length, in_block, err));
    layout.gap = (int64_t)text->gap * 2048;
    layout.tab_stops = text->block.kind != PL_BLOCK_FB;
    if (in_block)
        PL_TRY(draw_block(writer, target, element, &font, &layout, pen, result, err));
    else if (text->direction != PL_DIR_HORIZONTAL)
        PL_TRY(draw_directed(writer, target, element, &font, &layout, pen, result, err));
    else
        PL_TRY(draw_plain(writer, target, element, &font, &layout, pen, result, err));
    pl_arena_release(target->arena, mark);
    return PL_OK;
}

enum pl_errc pl_text_draw_line(struct pl_writer *writer, const struct pl_text_target *target,
                               const struct pl_font_ref *ref, const uint32_t *chars, uint32_t length,
                               struct pl_frame frame, int32_t u, int32_t v, struct pl_source source, struct pl_box *ink,
                               struct pl_error *err)
{
    struct pl_text_font font;
    struct pl_layout layout;
    struct pl_items items;
    struct pl_arena_mark mark = pl_arena_mark(target->arena);
    PL_TRY(pl_font_resolve(writer, ref, target->dpmm, target->arena, &font, err));
    PL_TRY(pl_layout_init(&layout, writer, &font, target->arena, target->job, chars,
                          PL_MIN(length, (uint32_t)LONGEST_TEXT), false, err));
    PL_TRY(pl_layout_line(&layout, 0, layout.length, &items, err));
    report_missing(target, writer, items.missing, source);
    *ink = (struct pl_box){0, 0, 0, 0};
    PL_TRY(draw_items(&layout, target, &items, frame, (int64_t)u * 2048, v, (struct stretch){0, 0}, ink, err));
    pl_arena_release(target->arena, mark);
    return PL_OK;
}

enum pl_errc pl_text_measure(struct pl_writer *writer, const struct pl_text_target *target,
                             const struct pl_font_ref *ref, const uint32_t *chars, uint32_t length,
                             struct pl_text_metrics *out, struct pl_error *err)
{
    struct pl_text_font font;
    struct pl_layout layout;
    struct pl_items items;
    struct pl_arena_mark mark = pl_arena_mark(target->arena);
    PL_TRY(pl_font_resolve(writer, ref, target->dpmm, target->arena, &font, err));
    PL_TRY(pl_layout_init(&layout, writer, &font, target->arena, target->job, chars,
                          PL_MIN(length, (uint32_t)LONGEST_TEXT), false, err));
    PL_TRY(pl_layout_line(&layout, 0, layout.length, &items, err));
    *out = (struct pl_text_metrics){items.width, font.cell_height, font.baseline};
    pl_arena_release(target->arena, mark);
    return PL_OK;
}
