// Where lines stand on the label, and drawing the glyphs of one.
#include "font/place.h"

#include "base/ckd.h"

#define FARTHEST (INT64_C(1) << 26) // dots from the label's corner at which glyphs are still looked at

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

static enum pl_errc draw_item(const struct pl_layout *layout, const struct pl_text_target *target,
                              const struct pl_item *item, struct pl_frame frame, int64_t u, int64_t v,
                              struct pl_box *ink, struct pl_error *err)
{
    // ceil(pen - 1/2), as the reference rounds; it places the symbols of ^GS as pictures, rounded down, and large text
    // not on whole dots at all.
    int64_t along = u + item->x, whole = pl_floor_2048(along + 1023), phase = 0;
    struct pl_text_target solid;
    if (item->face.face->kind == PL_FACE_SYMBOL) {
        whole = pl_floor_2048(along);
    } else if (pl_is_large_text(&item->face)) {
        along += 2048 / PL_PHASES / 2;
        whole = pl_floor_2048(along);
        phase = (along - whole * 2048) * PL_PHASES / 2048;
        if (target->any_coverage) {
            solid = *target;
            solid.any_coverage = false;
            target = &solid;
        }
    }
    struct point at = on_label(frame, whole, v + pl_floor_2048(item->y + 1024));
    if (at.x <= -FARTHEST || at.x >= FARTHEST || at.y <= -FARTHEST || at.y >= FARTHEST)
        return PL_OK;
    if (target->watch)
        target->watch->seen(target->watch->user, layout->chars[item->cluster], (int32_t)at.x, (int32_t)at.y,
                            frame.rotation);
    struct pl_glyph_place place = {(int32_t)at.x, (int32_t)at.y, (uint32_t)phase, frame.rotation};
    return pl_glyph_draw(layout->writer, target, &item->face, item->glyph, place, ink, err);
}

enum pl_errc pl_line_draw(const struct pl_layout *layout, const struct pl_text_target *target,
                          const struct pl_items *items, struct pl_frame frame, int64_t u, int64_t v,
                          struct pl_stretch stretch, struct pl_box *ink, struct pl_error *err)
{
    for (uint32_t i = 0; i < items->count; i++) {
        const struct pl_item *item = &items->at[i];
        if (i % PL_CHARS_PER_CHECK == PL_CHARS_PER_CHECK - 1)
            PL_TRY(pl_job_check(target->job, err));
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

void pl_line_report_missing(const struct pl_text_target *target, struct pl_writer *writer, uint32_t missing,
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

// ^FO: (x, y) is the corner of the turned box of the given size.
struct pl_frame pl_place_corner(int32_t x, int32_t y, enum pl_rotation rotation, int64_t width, int64_t height)
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
struct pl_place pl_place_baseline(const struct pl_element *element, const struct pl_pen *pen)
{
    int64_t x, y;
    anchor(element, pen, &x, &y);
    struct pl_place place = {.v = 0};
    bool upright = element->rotation == PL_ROT_N || element->rotation == PL_ROT_I;
    int64_t along = upright ? x : y, across = upright ? y : x;
    bool backwards = element->rotation == PL_ROT_I || element->rotation == PL_ROT_B;
    int64_t whole = backwards ? pl_ceil_2048(along) : pl_floor_2048(along);
    place.u = backwards ? whole * 2048 - along : along - whole * 2048;
    int32_t a = pl_clamp_i32(whole, INT32_MIN / 2, INT32_MAX / 2);
    int32_t b = pl_clamp_i32(pl_floor_2048(across), INT32_MIN / 2, INT32_MAX / 2);
    place.frame = (struct pl_frame){upright ? a : b, upright ? b : a, element->rotation};
    return place;
}

void pl_place_move_pen(struct pl_pen *pen, struct pl_frame frame, int64_t u_2048, int64_t v)
{
    int64_t whole = pl_floor_2048(u_2048), rest = u_2048 - whole * 2048;
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

bool pl_place_is_right(const struct pl_element *element, const struct pl_layout *layout)
{
    return element->at.justify == PL_JUSTIFY_RIGHT || (element->at.justify == PL_JUSTIFY_AUTO && layout->base_rtl);
}
