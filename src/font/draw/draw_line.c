// Drawing the glyphs of a line.
#include "font/draw/draw_line.h"

#include "font/draw/glyph.h"
#include "font/draw/place.h"

#define FARTHEST (INT64_C(1) << 26) // dots from the label's corner at which glyphs are still looked at

static enum pl_errc draw_item(struct pl_writer *writer, const struct pl_layout *layout,
                              const struct pl_text_target *target, const struct pl_item *item, struct pl_frame frame,
                              int64_t u, int64_t v, struct pl_box *ink, struct pl_error *err)
{
    // ceil(pen - 1/2), as the reference rounds; it places the symbols of ^GS as bitmaps, rounded down, and large text
    // not on whole dots at all.
    int64_t along = u + item->x, whole = pl_floor_2048(along + 1023), phase = 0;
    struct pl_text_target solid;
    if (item->face.face->kind == PL_FACE_SYMBOL) {
        whole = pl_floor_2048(along);
    } else if (pl_is_large_text(&item->face, target->profile->largest_on_whole_dots)) {
        along += 2048 / PL_PHASES / 2;
        whole = pl_floor_2048(along);
        phase = (along - whole * 2048) * PL_PHASES / 2048;
        if (target->any_coverage) {
            solid = *target;
            solid.any_coverage = false;
            target = &solid;
        }
    }
    struct pl_point at = pl_place_on_label(frame, whole, v + pl_floor_2048(item->y + 1024));
    if (at.x <= -FARTHEST || at.x >= FARTHEST || at.y <= -FARTHEST || at.y >= FARTHEST)
        return PL_OK;
    if (target->watch)
        target->watch->seen(target->watch->user, layout->chars[item->cluster], (int32_t)at.x, (int32_t)at.y,
                            frame.rotation);
    struct pl_glyph_place place = {(int32_t)at.x, (int32_t)at.y, (uint32_t)phase, frame.rotation};
    return pl_glyph_draw(writer, target, &item->face, item->glyph, place, ink, err);
}

enum pl_errc pl_line_draw(struct pl_writer *writer, const struct pl_layout *layout, const struct pl_text_target *target,
                          const struct pl_items *items, struct pl_frame frame, int64_t u, int64_t v,
                          struct pl_stretch stretch, struct pl_box *ink, struct pl_error *err)
{
    for (uint32_t i = 0; i < items->count; i++) {
        const struct pl_item *item = &items->at[i];
        if (i % PL_CHARS_PER_CHECK == PL_CHARS_PER_CHECK - 1)
            PL_TRY(pl_job_check(target->job, err));
        if (!item->space && !item->blank) {
            PL_TRY(draw_item(writer, layout, target, item, frame, u, v, ink, err));
        } else if (item->space) {
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

void pl_line_report_missing(const struct pl_writer *writer, const struct pl_text_target *target,
                            const struct pl_layout *layout, uint32_t missing, struct pl_source source)
{
    if (missing == 0 || !target->diags)
        return;
    bool cjk = missing >= 0x2E80 && missing <= 0x3FFFF && !(missing >= 0xFB00 && missing <= 0xFEFF);
    if (layout->blank_missing)
        pl_diag_add(target->diags, PL_DIAG_GLYPH_MISSING, source, 0,
                    "No font has U+%04X; as on a printer, nothing was drawn for it.", (unsigned)missing);
    else if (cjk && writer->faces.fonts->system_lacks_cjk)
        pl_diag_add(
            target->diags, PL_DIAG_GLYPH_MISSING, source, 0,
            "No font has U+%04X; a box was drawn. Install fonts-droid-fallback for Chinese, Japanese and Korean.",
            (unsigned)missing);
    else
        pl_diag_add(target->diags, PL_DIAG_GLYPH_MISSING, source, 0, "No font has U+%04X; a box was drawn.",
                    (unsigned)missing);
}
