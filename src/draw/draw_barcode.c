// Barcodes on the canvas: where the block of bars stands in each rotation, bars by whole words, interpretation lines.
#include "bar/bar.h"
#include "base/ckd.h"
#include "draw/draw.h"

struct work {
    const struct pl_draw *draw;
    const struct pl_element *element;
    const struct pl_bar_layout *layout;
    struct pl_frame frame; // of the block of bars, in dots of the label
};

// Far outside of any label; keeps all later sums in range.
static int32_t bounded(int64_t value)
{
    return pl_clamp_i32(value, -(1 << 24), 1 << 24);
}

// The anchor is the corner that rotates with the block, or its middle.
static struct pl_frame place_about_pivot(const struct pl_element *element, const struct pl_bar_layout *layout)
{
    const struct pl_placement *at = &element->at;
    int64_t w = layout->width, h = layout->height;
    int64_t before = at->justify == PL_JUSTIFY_RIGHT ? w : at->justify == PL_JUSTIFY_CENTER ? w / 2 : 0;
    struct pl_frame frame = {bounded(at->x), bounded(at->y), layout->picture ? PL_ROT_N : element->rotation};
    if (at->middle) {
        struct pl_box half = pl_frame_box(frame, (struct pl_box){0, 0, bounded(w / 2), bounded(h / 2)});
        frame.x -= half.x0 == frame.x ? half.x1 - frame.x : half.x0 - frame.x;
        frame.y -= half.y0 == frame.y ? half.y1 - frame.y : half.y0 - frame.y;
    }
    return pl_frame_moved(frame, -bounded(before));
}

// ^FO names the corner of the block that lies top left on the label, ^FT the lower left corner of the unturned bars.
static struct pl_frame place(const struct pl_profile_draw *rules, const struct pl_element *element,
                             const struct pl_bar_layout *layout)
{
    const struct pl_placement *at = &element->at;
    enum pl_rotation rotation = layout->ignores_rotation ? PL_ROT_N : element->rotation;
    int64_t w = layout->width, h = layout->height, x = at->x, y = at->y;
    if (layout->has_place) {
        x = layout->place_x;
        y = layout->place_y;
    }
    bool right = at->justify == PL_JUSTIFY_RIGHT;
    if (at->pivot && !layout->has_place)
        return place_about_pivot(element, layout);
    if (at->typeset && !layout->has_place) {
        y += layout->baseline_dy;
        int64_t back = right ? w : 0; // along the reading direction
        int64_t drop = layout->linear ? rules->bars_ft_drop : 0;
        switch (rotation) {
        case PL_ROT_N:
            return (struct pl_frame){bounded(x - back), bounded(y - h + drop), rotation};
        case PL_ROT_R:
            return (struct pl_frame){bounded(x + h), bounded(y - back), rotation};
        case PL_ROT_I:
            return (struct pl_frame){bounded(x + back), bounded(y + h), rotation};
        default:
            return (struct pl_frame){bounded(x - h + drop), bounded(y + back), rotation};
        }
    }
    y += layout->corner_dy;
    bool upright = pl_is_upright(rotation);
    if (right)
        x -= upright ? w : h;
    switch (rotation) {
    case PL_ROT_N:
        return (struct pl_frame){bounded(x), bounded(y), rotation};
    case PL_ROT_R:
        return (struct pl_frame){bounded(x + h), bounded(y), rotation};
    case PL_ROT_I:
        return (struct pl_frame){bounded(x + w), bounded(y + h), rotation};
    default:
        return (struct pl_frame){bounded(x), bounded(y + w), rotation};
    }
}

// Bars that begin left of the label or above it are moved to its edge; the caption stays where it would be.
static struct pl_frame frame_of_bars(const struct work *w)
{
    const struct pl_profile_draw *rules = &w->draw->profile->draw;
    struct pl_frame frame = w->frame;
    if (!rules->bars_stay_on_label || !w->layout->linear)
        return frame;
    struct pl_box box =
        pl_frame_box(frame, (struct pl_box){0, 0, bounded(w->layout->width), bounded(w->layout->height)});
    frame.x += PL_MAX(0, -box.x0);
    frame.y += PL_MAX(0, w->draw->top - box.y0);
    return frame;
}

// Rows of dots that linear bars at the label's edge lose, at their top as they are read.
static uint32_t lost_rows(const struct work *w, struct pl_frame bars)
{
    if (!w->draw->profile->draw.edge_takes_bar_dot || !w->layout->linear)
        return 0;
    int64_t height = w->layout->height;
    return (bars.rotation == PL_ROT_R && bars.x - height <= 0) ||
           (bars.rotation == PL_ROT_I && bars.y - height <= w->draw->top);
}

static struct pl_box on_label(const struct work *w, int64_t u0, int64_t v0, int64_t u1, int64_t v1)
{
    return pl_frame_box(w->frame, (struct pl_box){bounded(u0), bounded(v0), bounded(u1), bounded(v1)});
}

// Upright or upside down: one row of bits is made and laid over all rows of the band.
static enum pl_errc draw_rows(const struct work *w, const struct pl_bar_band *band, struct pl_box box,
                              struct pl_error *err)
{
    const struct pl_draw *draw = w->draw;
    struct pl_bitmap *canvas = draw->canvas;
    struct pl_box page = {0, 0, (int32_t)canvas->width, (int32_t)canvas->height}, area = pl_box_intersect(box, page);
    if (pl_box_is_empty(area))
        return PL_OK;
    struct pl_arena_mark mark = pl_arena_mark(draw->arena);
    struct pl_bitmap line;
    PL_TRY(pl_bitmap_new(draw->arena, canvas->width, 1, &line, err));
    for (uint32_t i = 0; i < band->run_count; i++) {
        const struct pl_bar_run *run = &band->runs[i];
        struct pl_box bar = on_label(w, run->x, 0, (int64_t)run->x + run->width, 1);
        bar.y0 = 0;
        bar.y1 = 1;
        pl_bitmap_fill(&line, bar, PL_INK_BLACK);
    }
    uint32_t first = (uint32_t)area.x0 / 64, last = (uint32_t)(area.x1 - 1) / 64;
    for (int32_t y = area.y0; y < area.y1; y++) {
        uint64_t *row = pl_bitmap_row(canvas, (uint32_t)y);
        switch (draw->ink) {
        case PL_INK_BLACK:
            for (uint32_t k = first; k <= last; k++)
                row[k] |= line.words[k];
            break;
        case PL_INK_WHITE:
            for (uint32_t k = first; k <= last; k++)
                row[k] &= ~line.words[k];
            break;
        case PL_INK_XOR:
            for (uint32_t k = first; k <= last; k++)
                row[k] ^= line.words[k];
            break;
        }
    }
    pl_arena_release(draw->arena, mark);
    return PL_OK;
}

static enum pl_errc draw_bands(const struct work *w, struct pl_box *ink, struct pl_error *err)
{
    const struct pl_bar_layout *layout = w->layout;
    struct work moved = *w;
    moved.frame = frame_of_bars(w);
    int64_t lost = lost_rows(w, moved.frame);
    w = &moved;
    bool upright = pl_is_upright(w->frame.rotation);
    for (uint32_t i = 0; i < layout->band_count; i++) {
        const struct pl_bar_band *band = &layout->bands[i];
        if (band->run_count == 0 || band->height == 0)
            continue;
        const struct pl_bar_run *last = &band->runs[band->run_count - 1];
        int64_t top = PL_MAX(band->y, lost), bottom = (int64_t)band->y + band->height;
        if (top >= bottom)
            continue;
        struct pl_box box = on_label(w, band->runs[0].x, top, (int64_t)last->x + last->width, bottom);
        *ink = pl_box_union(*ink, box);
        if (upright) {
            PL_TRY(draw_rows(w, band, box, err));
            continue;
        }
        for (uint32_t k = 0; k < band->run_count; k++) {
            const struct pl_bar_run *run = &band->runs[k];
            struct pl_box bar = on_label(w, run->x, top, (int64_t)run->x + run->width, bottom);
            pl_bitmap_fill(w->draw->canvas, bar, w->draw->ink);
        }
    }
    return PL_OK;
}

// The size at which the line is as wide as it shall be: a scalable font's advances grow with it.
static enum pl_errc fit(struct pl_writer *writer, const struct pl_text_target *target, struct pl_bar_text *text,
                        struct pl_error *err)
{
    enum { TRIAL = 200 };
    text->font.height = text->font.width = TRIAL;
    struct pl_text_metrics metrics;
    PL_TRY(pl_text_measure(writer, target, &text->font, text->chars, text->length, &metrics, err));
    int64_t size = metrics.advance_2048 > 0 ? (int64_t)text->fit_width * 2048 * TRIAL / metrics.advance_2048 : TRIAL;
    text->font.height = text->font.width = pl_clamp_i32(size, 10, 1000);
    return PL_OK;
}

// Gives the line its size, and moves it to the beginning of its baseline.
static enum pl_errc place_text(const struct work *w, const struct pl_text_target *target, struct pl_bar_text *text,
                               struct pl_error *err)
{
    struct pl_writer *writer = w->draw->writer;
    const struct pl_font_ref *font = &text->font;
    if (text->fit_width)
        PL_TRY(fit(writer, target, text, err));
    if (text->centred || text->ends || text->anchor != PL_BAR_TEXT_BASELINE) {
        struct pl_text_metrics metrics;
        PL_TRY(pl_text_measure(writer, target, font, text->chars, text->length, &metrics, err));
        if (text->centred)
            text->u = bounded(text->u - (metrics.advance_2048 / 2048) / 2);
        else if (text->ends)
            text->u = bounded(text->u - metrics.advance_2048 / 2048);
        if (text->anchor == PL_BAR_TEXT_CELL_TOP)
            text->v = bounded((int64_t)text->v + metrics.baseline);
        else if (text->anchor == PL_BAR_TEXT_CELL_BOTTOM)
            text->v = bounded((int64_t)text->v - metrics.cell_height + metrics.baseline);
    }
    bool cells = !font->file && font->resident >= PL_FONT_A && font->resident <= PL_FONT_OCR_A;
    if (cells && w->draw->profile->draw.caption_starts_early &&
        (w->frame.rotation == PL_ROT_I || w->frame.rotation == PL_ROT_B))
        text->u = bounded((int64_t)text->u - 1);
    return PL_OK;
}

static enum pl_errc draw_texts(const struct work *w, struct pl_bitmap *canvas, enum pl_ink paint, struct pl_box *ink,
                               struct pl_error *err)
{
    const struct pl_draw *draw = w->draw;
    if (!draw->writer)
        return PL_OK;
    struct pl_text_target target = pl_draw_text_target(draw, canvas, paint);
    for (uint32_t i = 0; i < w->layout->text_count; i++) {
        struct pl_bar_text line = w->layout->texts[i];
        PL_TRY(place_text(w, &target, &line, err));
        struct pl_box box = {0};
        PL_TRY(pl_text_draw_line(draw->writer, &target, &line.font, line.chars, line.length, w->frame, line.u, line.v,
                                 pl_element_data_source(w->element), &box, err));
        *ink = pl_box_union(*ink, box);
    }
    return PL_OK;
}

// Quiet zones turn with the symbol.
static void report(const struct work *w, struct pl_drawn *drawn)
{
    const struct pl_bar_layout *l = w->layout;
    const uint32_t sides[4] = {l->quiet_top, l->quiet_right, l->quiet_bottom, l->quiet_left}; // clockwise
    uint32_t turn = (uint32_t)w->frame.rotation;
    drawn->quiet_top = sides[(4 - turn) % 4];
    drawn->quiet_right = sides[(5 - turn) % 4];
    drawn->quiet_bottom = sides[(6 - turn) % 4];
    drawn->quiet_left = sides[(7 - turn) % 4];
    drawn->symbology = l->symbology;
    drawn->text = l->text;
    drawn->module = l->module;
    drawn->rotation = w->frame.rotation;
}

// Where the picture has ink, which may end before its edges do.
static struct pl_box picture_ink(const struct work *w)
{
    struct pl_box ink = pl_bitmap_ink_box(w->layout->picture);
    int32_t s = (int32_t)w->layout->picture_scale;
    return on_label(w, ink.x0 / s, ink.y0 / s, (ink.x1 + s - 1) / s, (ink.y1 + s - 1) / s);
}

// The other symbols of the series. Each is read by itself, so the bars of each are kept.
static enum pl_errc draw_series(const struct work *w, struct pl_drawn *drawn, struct pl_error *err)
{
    uint32_t count = 1;
    for (const struct pl_bar_layout *next = w->layout->next; next; next = next->next)
        count++;
    struct pl_box *parts = PL_ARENA_ARRAY(w->draw->arena, struct pl_box, count);
    if (!parts)
        return pl_fail_memory(err);
    parts[0] = drawn->symbol;
    drawn->part_count = 1;
    for (const struct pl_bar_layout *next = w->layout->next; next; next = next->next) {
        struct work more = {w->draw, w->element, next, place(&w->draw->profile->draw, w->element, next)};
        struct pl_box *part = &parts[drawn->part_count++];
        *part = (struct pl_box){0};
        PL_TRY(draw_bands(&more, part, err));
        drawn->symbol = pl_box_union(drawn->symbol, *part);
    }
    drawn->parts = parts;
    return PL_OK;
}

static void erase(const struct pl_draw *draw, struct pl_box box)
{
    if (draw->samples)
        pl_samples_fill(draw->samples, box, PL_INK_WHITE);
    else
        pl_bitmap_fill(draw->canvas, box, PL_INK_WHITE);
}

// What is below the bars and the tails of guard bars, and below the text from its first cell to its last.
static enum pl_errc erase_below(const struct work *w, struct pl_drawn *drawn, struct pl_error *err)
{
    const struct pl_bar_layout *layout = w->layout;
    int64_t bottom = layout->height;
    for (uint32_t i = 0; i < layout->band_count; i++)
        bottom = PL_MAX(bottom, (int64_t)layout->bands[i].y + layout->bands[i].height);
    drawn->paper = on_label(w, 0, 0, layout->width, bottom);
    erase(w->draw, drawn->paper);
    if (!w->draw->writer)
        return PL_OK;
    struct pl_text_target target = pl_draw_text_target(w->draw, w->draw->canvas, w->draw->ink);
    for (uint32_t i = 0; i < layout->text_count; i++) {
        struct pl_bar_text line = layout->texts[i];
        struct pl_text_metrics cells;
        PL_TRY(place_text(w, &target, &line, err));
        PL_TRY(pl_text_measure(w->draw->writer, &target, &line.font, line.chars, line.length, &cells, err));
        int64_t top = (int64_t)line.v - cells.baseline, end = line.u + cells.advance_2048 / 2048;
        drawn->text_paper = pl_box_union(drawn->text_paper, on_label(w, line.u, top, end, top + cells.cell_height));
    }
    erase(w->draw, drawn->text_paper);
    return PL_OK;
}

enum pl_errc pl_draw_barcode(const struct pl_draw *draw, const struct pl_element *element, struct pl_drawn *drawn,
                             struct pl_error *err)
{
    struct pl_bar_context context = {.profile = &draw->profile->bar,
                                     .dpmm = draw->dpmm,
                                     .scale = draw->samples ? PL_SAMPLE_SCALE : 1,
                                     .arena = draw->arena,
                                     .diags = draw->diags,
                                     .source = element->source,
                                     .data_source = pl_element_data_source(element)};
    struct pl_bar_layout layout;
    PL_TRY(pl_bar_layout(&element->barcode, &context, &layout, err));
    struct work w = {draw, element, &layout, place(&draw->profile->draw, element, &layout)};
    report(&w, drawn);
    struct pl_box whole = on_label(&w, 0, 0, layout.width, layout.height);
    if (element->replaces)
        PL_TRY(erase_below(&w, drawn, err));
    if (layout.reversed_panel) {
        pl_bitmap_fill(draw->canvas, whole, draw->ink);
        drawn->symbol = drawn->ink = whole;
        enum pl_ink paint = draw->ink == PL_INK_BLACK   ? PL_INK_WHITE
                            : draw->ink == PL_INK_WHITE ? PL_INK_BLACK
                                                        : PL_INK_XOR;
        return draw_texts(&w, draw->canvas, paint, &drawn->ink, err);
    }
    if (layout.picture) {
        if (!draw->samples)
            pl_bitmap_blit(draw->canvas, layout.picture, w.frame.x, w.frame.y, draw->ink);
        else if (layout.picture_scale == 1)
            pl_samples_dots(draw->samples, layout.picture, w.frame.x, w.frame.y, draw->ink);
        else
            pl_samples_blit(draw->samples, layout.picture, (int64_t)w.frame.x * PL_SAMPLE_SCALE,
                            (int64_t)w.frame.y * PL_SAMPLE_SCALE, draw->ink);
        drawn->symbol = draw->want_report ? picture_ink(&w) : whole;
    }
    PL_TRY(draw_bands(&w, &drawn->symbol, err));
    if (layout.next)
        PL_TRY(draw_series(&w, drawn, err));
    drawn->ink = drawn->symbol;
    // The tails of the guard bars of UPC and EAN are no bars that can be read, and digits stand beside them by design.
    struct work bars = w;
    bars.frame = frame_of_bars(&w);
    drawn->moved_x = bars.frame.x - w.frame.x;
    drawn->moved_y = bars.frame.y - w.frame.y;
    drawn->bars = layout.next ? drawn->symbol
                              : pl_box_intersect(drawn->symbol, on_label(&bars, 0, 0, layout.width, layout.height));
    PL_TRY(draw_texts(&w, draw->captions ? draw->captions : draw->canvas, draw->ink, &drawn->caption, err));
    drawn->ink = pl_box_union(drawn->ink, drawn->caption);
    return PL_OK;
}
