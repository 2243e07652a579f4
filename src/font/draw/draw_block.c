// Drawing ^FB and ^TB: lines in their block, alignment, overprinting, clipping.
#include "font/draw/draw_block.h"

#include "base/ckd.h"
#include "font/draw/draw_line.h"
#include "font/draw/place.h"
#include "font/line/block_lines.h"

// Keeps ^TB's text inside its box: a canvas of the box's own.
struct clip {
    struct pl_text_target target;
    struct pl_bitmap bits;
    struct pl_box whole; // the block's box
    struct pl_box box;   // the part of it on the canvas
};

static enum pl_errc begin_clip(struct clip *clip, const struct pl_text_target *target, struct pl_box box,
                               struct pl_error *err)
{
    uint32_t scale = target->samples ? 1 : target->scale;
    struct pl_box all = {0, 0, (int32_t)(target->canvas->width / scale), (int32_t)(target->canvas->height / scale)};
    clip->target = *target;
    clip->whole = box;
    clip->box = pl_box_intersect(box, all);
    if (pl_box_is_empty(clip->box)) {
        clip->box = (struct pl_box){0, 0, 0, 0};
        clip->bits = (struct pl_bitmap){0, 0, 0, NULL};
    } else {
        PL_TRY(pl_bitmap_new(target->arena, (uint32_t)(clip->box.x1 - clip->box.x0) * target->scale,
                             (uint32_t)(clip->box.y1 - clip->box.y0) * target->scale, &clip->bits, err));
    }
    clip->target.canvas = &clip->bits;
    clip->target.samples = NULL;
    clip->target.ink = PL_INK_BLACK;
    clip->target.left = target->left - clip->box.x0;
    clip->target.top = target->top - clip->box.y0;
    return PL_OK;
}

// Whether ink goes beyond the lower edge of a block or its sides, as the text reads.
static bool is_cut(struct pl_box ink, struct pl_box block, enum pl_rotation rotation)
{
    bool left = ink.x0<block.x0, right = ink.x1> block.x1, above = ink.y0<block.y0, below = ink.y1> block.y1;
    switch (rotation) {
    case PL_ROT_R:
        return left || above || below;
    case PL_ROT_I:
        return above || left || right;
    case PL_ROT_B:
        return right || above || below;
    case PL_ROT_N:
        break;
    }
    return below || left || right;
}

// Actual ink of clipped text, if the whole block is on the canvas; otherwise `box`.
static struct pl_box ink_left(const struct clip *clip, uint32_t scale, struct pl_box box)
{
    const struct pl_box b = clip->box, w = clip->whole;
    if (b.x0 != w.x0 || b.y0 != w.y0 || b.x1 != w.x1 || b.y1 != w.y1)
        return box;
    struct pl_box ink = pl_bitmap_ink_box(&clip->bits);
    int32_t s = (int32_t)scale;
    if (pl_box_is_empty(ink))
        return (struct pl_box){0, 0, 0, 0};
    return (struct pl_box){b.x0 + ink.x0 / s, b.y0 + ink.y0 / s, b.x0 + (ink.x1 + s - 1) / s,
                           b.y0 + (ink.y1 + s - 1) / s};
}

// The ink is that of the whole block: the canvas may be a part of the label, and what lies outside is to be told.
static void end_clip(const struct clip *clip, const struct pl_text_target *target, enum pl_rotation rotation,
                     struct pl_text_result *result)
{
    int32_t x = clip->box.x0 * (int32_t)target->scale, y = clip->box.y0 * (int32_t)target->scale;
    if (clip->bits.height > 0 && target->samples)
        pl_samples_blit(target->samples, &clip->bits, x, y, target->ink);
    else if (clip->bits.height > 0)
        pl_bitmap_blit(target->canvas, &clip->bits, x, y, target->ink);
    struct pl_box ink = result->ink;
    if (pl_box_is_empty(ink))
        return;
    struct pl_box moved = {ink.x0 + clip->box.x0, ink.y0 + clip->box.y0, ink.x1 + clip->box.x0, ink.y1 + clip->box.y0};
    result->ink = pl_box_intersect(moved, clip->whole);
    if (is_cut(moved, clip->whole, rotation) || pl_box_is_empty(result->ink)) {
        result->clipped = true;
        result->ink = ink_left(clip, target->scale, result->ink);
    }
}

// Room left and right of a line in its block, in 1/2048 dots, and what its spaces get.
static int64_t align_line(const struct pl_block *block, const struct pl_line *line, const struct pl_items *items,
                          int64_t space, bool overprinted, const struct pl_profile_font *rules,
                          struct pl_stretch *stretch)
{
    int64_t left = (int64_t)line->indent * 2048;
    int64_t slack = (int64_t)block->width * 2048 - left - items->width;
    *stretch = (struct pl_stretch){0, 0};
    if (slack < 0 && rules->narrow_block_is_left)
        return left;
    switch (block->align) {
    case PL_ALIGN_LEFT:
        return left;
    case PL_ALIGN_CENTER:
        // A line that no \& ends is centred with the space that follows it.
        slack = (slack - (line->hard || block->drops_rest ? 0 : space)) / 2;
        return left + (rules->whole_advances ? pl_floor_2048(slack) * 2048 : slack);
    case PL_ALIGN_RIGHT:
        return left + slack;
    case PL_ALIGN_JUSTIFY: {
        int64_t gaps = 0, dots = pl_floor_2048(slack);
        for (uint32_t i = 0; i < items->count; i++)
            gaps += items->at[i].space;
        // The last line only if it is full but for a space (measured on a printer).
        bool full = !line->last || slack <= space;
        if (gaps > 0 && dots > 0 && !line->hard && full && !overprinted)
            *stretch = (struct pl_stretch){dots / gaps, dots % gaps};
        return left;
    }
    }
    return left;
}

static void reverse_range(struct pl_item *items, uint32_t count)
{
    for (uint32_t a = 0, b = count; a + 1 < b; a++) {
        b--;
        struct pl_item swap = items[a];
        items[a] = items[b];
        items[b] = swap;
    }
}

// Glyphs of one letter and its marks keep their order.
static void reverse_items(struct pl_items *items)
{
    reverse_range(items->at, items->count);
    for (uint32_t start = 0, end; start < items->count; start = end) {
        end = start + 1;
        while (end < items->count && items->at[end].cluster == items->at[start].cluster)
            end++;
        reverse_range(items->at + start, end - start);
    }
}

// A block that is drawn.
struct work {
    struct pl_writer *writer;
    const struct pl_text_target *target;
    const struct pl_element *element;
    const struct pl_block *block;
    struct pl_layout *layout;
    struct pl_lines lines;
    bool boxed; // ^TB
    int32_t line_height, baseline;
    int64_t pitch, most, height; // of rows, rows, of all rows
    int64_t space;               // width of a space
    struct pl_place place;
    int64_t end_u, end_v; // where the last line ends
};

static void measure(struct work *w, const struct pl_text_font *font)
{
    const struct pl_block *block = w->block;
    bool short_lines = !w->boxed && font->short_pitch && w->target->profile->short_lines_of_s;
    w->line_height = short_lines ? font->short_pitch : font->pitch;
    w->baseline = short_lines ? font->short_baseline : font->baseline;
    w->pitch = w->boxed ? font->tb_pitch : PL_MAX(0, (int64_t)w->line_height + block->spacing);
    w->most = w->boxed ? INT32_MAX : PL_MAX(1, block->max_lines);
    w->height = w->boxed ? block->height : w->most * w->pitch;
}

// ^FO: the frame of the block.
static struct pl_frame frame_at_corner(const struct work *w)
{
    const struct pl_element *element = w->element;
    bool by_a_dot = w->target->profile->inverted_block_by_a_dot;
    int32_t x = pl_place_x(w->target, element), width = w->block->width;
    if (element->at.justify == PL_JUSTIFY_RIGHT) {
        x = pl_clamp_i32(x - (pl_is_upright(element->rotation) ? width : w->height), INT32_MIN / 2, INT32_MAX / 2);
        if (by_a_dot && element->rotation == PL_ROT_I)
            x++;
        else if (by_a_dot && element->rotation == PL_ROT_B)
            x = pl_clamp_i32((int64_t)x + w->line_height, INT32_MIN / 2, INT32_MAX / 2);
    }
    return pl_place_corner(x, pl_place_y(w->target, element), element->rotation, width, w->height);
}

static struct pl_place find_place(const struct work *w, const struct pl_text_font *font, const struct pl_pen *pen)
{
    const struct pl_placement *at = &w->element->at;
    struct pl_place place = at->pivot ? pl_place_pivot(w->element, w->block->width, pen)
                                      : pl_place_baseline(w->target, w->element, font, pen);
    if (at->pivot || !at->typeset) {
        place.v = w->baseline;
        if (!at->pivot)
            place.frame = frame_at_corner(w);
        return place;
    }
    place.v = w->boxed ? w->baseline - w->height : -(w->most - 1) * w->pitch;
    if (at->justify == PL_JUSTIFY_RIGHT) // the anchor is then where the block's last line ends
        place.u -= (int64_t)w->block->width * 2048;
    return place;
}

// The box of ^TB on the label.
static struct pl_box find_box(const struct work *w)
{
    const struct pl_element *element = w->element;
    int64_t top = w->place.v - w->baseline;
    int64_t cut = w->target->profile->box_right_less_a_row && element->rotation == PL_ROT_R;
    int32_t wide = pl_clamp_i32(w->block->width, 0, INT32_MAX / 4);
    int32_t left = element->at.justify == PL_JUSTIFY_RIGHT && element->at.typeset ? -wide : 0;
    struct pl_box content = {left, pl_clamp_i32(top + cut, INT32_MIN / 4, INT32_MAX / 4), left + wide,
                             pl_clamp_i32(top + w->height, INT32_MIN / 4, INT32_MAX / 4)};
    return pl_frame_box(w->place.frame, content);
}

static enum pl_errc draw_line(struct work *w, uint32_t i, const struct pl_text_target *on, struct pl_frame frame,
                              struct pl_box *ink, struct pl_error *err)
{
    const struct pl_line *line = &w->lines.at[i];
    struct pl_layout *layout = w->layout;
    struct pl_arena *arena = w->target->arena;
    int64_t row = PL_MIN((int64_t)i, w->most - 1);
    struct pl_arena_mark mark = pl_arena_mark(arena);
    struct pl_items items;
    PL_TRY(pl_layout_line(layout, line->start, line->end, &items, err));
    if (i == 0 || items.missing)
        pl_line_report_missing(w->writer, w->target, layout, items.missing, pl_element_data_source(w->element));
    if (line->adds_hyphen)
        PL_TRY(pl_layout_add_hyphen(layout, &items, err));
    // Right-to-left text has this order already.
    if (w->element->text.direction == PL_DIR_REVERSE && !layout->base_rtl && !layout->ordered)
        reverse_items(&items);
    struct pl_stretch stretch;
    bool overprinted = (int64_t)w->lines.count > w->most && row == w->most - 1 && !w->block->drops_rest;
    int64_t u = w->place.u + align_line(w->block, line, &items, w->space, overprinted, w->target->profile, &stretch);
    if (w->boxed && pl_place_is_right(w->element, layout))
        u = w->place.u + (int64_t)w->block->width * 2048 - items.width;
    w->end_u = u + items.width;
    w->end_v = w->place.v + row * w->pitch;
    PL_TRY(pl_line_draw(w->writer, layout, on, &items, frame, u, w->end_v, stretch, ink, err));
    pl_arena_release(arena, mark);
    return PL_OK;
}

static enum pl_errc draw_lines(struct work *w, const struct pl_text_target *on, struct pl_frame frame,
                               struct pl_text_result *result, struct pl_error *err)
{
    w->space = pl_layout_width_of(w->layout, ' ');
    w->end_u = w->place.u;
    w->end_v = w->place.v;
    for (uint32_t i = 0; i < w->lines.count; i++) {
        PL_TRY(pl_job_check(w->target->job, err));
        bool beyond = i >= w->most || (w->boxed && i * w->pitch >= w->block->height);
        result->clipped = result->clipped || beyond;
        if (beyond && (w->boxed || w->block->drops_rest))
            break;
        PL_TRY(draw_line(w, i, on, frame, &result->ink, err));
    }
    return PL_OK;
}

enum pl_errc pl_block_draw(struct pl_writer *writer, const struct pl_text_target *target,
                           const struct pl_element *element, const struct pl_text_font *font, struct pl_layout *layout,
                           struct pl_pen *pen, struct pl_text_result *result, struct pl_error *err)
{
    const struct pl_block *block = &element->text.block;
    struct work w = {.writer = writer,
                     .target = target,
                     .element = element,
                     .block = block,
                     .layout = layout,
                     .boxed = block->kind == PL_BLOCK_BOX};
    PL_TRY(pl_block_lines(layout, block, &w.lines, err));
    measure(&w, font);
    w.place = find_place(&w, font, pen);
    struct clip clip = {.bits = {0, 0, 0, NULL}};
    const struct pl_text_target *on = target;
    struct pl_frame frame = w.place.frame;
    if (w.boxed) {
        PL_TRY(begin_clip(&clip, target, find_box(&w), err));
        on = &clip.target;
        frame.x -= clip.box.x0;
        frame.y -= clip.box.y0;
    }
    PL_TRY(draw_lines(&w, on, frame, result, err));
    if (w.boxed)
        end_clip(&clip, target, element->rotation, result);
    pl_place_move_pen(pen, w.place.frame, w.end_u, w.end_v);
    return PL_OK;
}
