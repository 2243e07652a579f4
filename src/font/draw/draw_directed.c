// ^FP V and R: characters below each other, or from right to left.
#include "font/draw/draw_directed.h"

#include "base/ckd.h"
#include "font/draw/draw_line.h"
#include "font/draw/place.h"
#include "font/line/breaks.h"

// What is placed as one: a letter with its marks, or a whole line.
struct piece {
    struct pl_items items;
    int64_t first; // 1/2048 dots: width of what is read first in it
};

struct piece_list {
    struct piece *at;
    uint32_t count;
    int64_t width, widest;
    uint32_t missing;
};

static enum pl_errc make_pieces(struct pl_layout *layout, bool vertical, struct piece_list *out, struct pl_error *err)
{
    // Text that reads from right to left comes in that order already.
    bool whole = !vertical && (layout->base_rtl || layout->ordered);
    layout->own_levels = !whole;
    if (vertical) {
        // From top to bottom there are no neighbours to join with and no sides to turn to.
        layout->apart = true;
        layout->base_rtl = false;
    }
    out->at = PL_ARENA_ARRAY(layout->arena, struct piece, (size_t)layout->length + 1);
    if (!out->at)
        return pl_fail_memory(err);
    for (uint32_t start = 0, end; start < layout->length; start = end) {
        end = whole ? layout->length : start + 1;
        while (!layout->simple && end < layout->length && pl_breaks_joins(layout->chars[end - 1], layout->chars[end]))
            end++;
        if (end % PL_CHARS_PER_CHECK == 0)
            PL_TRY(pl_job_check(layout->job, err));
        struct piece *piece = &out->at[out->count];
        PL_TRY(pl_layout_line(layout, start, end, &piece->items, err));
        if (piece->items.count == 0)
            continue;
        piece->first = whole ? piece->items.at[piece->items.count - 1].advance : piece->items.width;
        out->width += piece->items.width;
        out->widest = PL_MAX(out->widest, piece->items.width);
        out->missing = out->missing ? out->missing : piece->items.missing;
        out->count++;
    }
    return PL_OK;
}

enum pl_errc pl_directed_draw(struct pl_writer *writer, const struct pl_text_target *target,
                              const struct pl_element *element, const struct pl_text_font *font,
                              struct pl_layout *layout, struct pl_pen *pen, struct pl_text_result *result,
                              struct pl_error *err)
{
    bool vertical = element->text.direction == PL_DIR_VERTICAL;
    if (vertical)
        layout->gap = 0; // printers ignore it there
    struct piece_list pieces = {NULL, 0, 0, 0, 0};
    PL_TRY(make_pieces(layout, vertical, &pieces, err));
    pl_line_report_missing(writer, target, layout, pieces.missing, pl_element_data_source(element));
    int64_t width = pl_ceil_2048(vertical ? pieces.widest : pieces.width);
    int64_t height = vertical ? (int64_t)font->cell_height * PL_MAX(1, pieces.count) : font->cell_height;
    struct pl_place place = pl_place_baseline(target, element, font, pen);
    // ^FP R: with ^FO the last character is at x, with ^FT the first.
    int64_t u = place.u + (!vertical && pieces.count > 0 ? pieces.at[0].first : 0);
    if (!element->at.typeset) {
        place.frame =
            pl_place_corner(pl_place_x(target, element), pl_place_y(target, element), element->rotation, width, height);
        place.v = font->baseline;
        u = vertical ? 0 : pieces.width;
    }
    for (uint32_t i = 0; i < pieces.count; i++) {
        if (i % PL_CHARS_PER_CHECK == PL_CHARS_PER_CHECK - 1)
            PL_TRY(pl_job_check(target->job, err));
        const struct pl_items *items = &pieces.at[i].items;
        if (!vertical)
            u -= items->width;
        PL_TRY(pl_line_draw(writer, layout, target, items, place.frame, u,
                            place.v + (vertical ? (int64_t)i * font->cell_height : 0), (struct pl_stretch){0, 0},
                            &result->ink, err));
    }
    pl_place_move_pen(pen, place.frame, u, place.v);
    return PL_OK;
}
