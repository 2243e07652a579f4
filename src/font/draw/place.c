// Where lines are on the label.
#include "font/draw/place.h"

#include "base/ckd.h"

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

struct pl_place pl_place_pivot(const struct pl_element *element, int64_t width, const struct pl_pen *pen)
{
    const struct pl_placement *at = &element->at;
    int64_t before = at->justify == PL_JUSTIFY_RIGHT ? width : at->justify == PL_JUSTIFY_CENTER ? width / 2 : 0;
    struct pl_frame frame = {pl_clamp_i32(at->x, INT32_MIN / 4, INT32_MAX / 4),
                             pl_clamp_i32(at->y, INT32_MIN / 4, INT32_MAX / 4), element->rotation};
    if (at->x_goes_on && pen->set)
        frame.x = pl_clamp_i32(pl_ceil_2048(pen->x_2048), INT32_MIN / 4, INT32_MAX / 4);
    if (at->y_goes_on && pen->set)
        frame.y = pl_clamp_i32(pl_floor_2048(pen->y_2048), INT32_MIN / 4, INT32_MAX / 4);
    return (struct pl_place){.frame = pl_frame_moved(frame, -pl_clamp_i32(before, 0, INT32_MAX / 4))};
}

int32_t pl_place_x(const struct pl_text_target *target, const struct pl_element *element)
{
    return target->profile->glyphs_stay_on_label ? PL_MAX(element->at.x, target->left) : element->at.x;
}

int32_t pl_place_y(const struct pl_text_target *target, const struct pl_element *element)
{
    return target->profile->glyphs_stay_on_label ? PL_MAX(element->at.y, target->top) : element->at.y;
}

// The anchor in 1/2048 dots, which may be where the last field ended.
static void anchor(const struct pl_text_target *target, const struct pl_element *element, const struct pl_pen *pen,
                   int64_t *x_2048, int64_t *y_2048)
{
    *x_2048 = (int64_t)pl_place_x(target, element) * 2048;
    *y_2048 = (int64_t)pl_place_y(target, element) * 2048;
    if (element->at.x_goes_on && pen->set)
        *x_2048 = pen->x_2048;
    if (element->at.y_goes_on && pen->set)
        *y_2048 = pen->y_2048;
}

// ^FT: the baseline starts at the anchor, whose fraction along the baseline is kept.
struct pl_place pl_place_baseline(const struct pl_text_target *target, const struct pl_element *element,
                                  const struct pl_text_font *font, const struct pl_pen *pen)
{
    int64_t x, y;
    anchor(target, element, pen, &x, &y);
    struct pl_place place = {.v = 0};
    bool upright = pl_is_upright(element->rotation);
    int64_t along = upright ? x : y, across = upright ? y : x;
    bool backwards = element->rotation == PL_ROT_I || element->rotation == PL_ROT_B;
    int64_t whole = backwards ? pl_ceil_2048(along) : pl_floor_2048(along);
    place.u = backwards ? whole * 2048 - along : along - whole * 2048;
    int32_t a = pl_clamp_i32(whole, INT32_MIN / 2, INT32_MAX / 2);
    int32_t b = pl_clamp_i32(pl_floor_2048(across), INT32_MIN / 2, INT32_MAX / 2);
    place.frame = (struct pl_frame){upright ? a : b, upright ? b : a, element->rotation};
    enum pl_face_kind kind = font->main.face->kind;
    bool cells = kind == PL_FACE_DEVICE || kind == PL_FACE_SYMBOL || kind == PL_FACE_BITMAP;
    if (cells && target->profile->cells_cover_anchor) {
        // The baseline's row lies on the anchor's dot, and what is read backwards begins with that dot.
        place.frame.x += backwards;
        place.frame.y += element->rotation == PL_ROT_N || element->rotation == PL_ROT_B;
    }
    return place;
}

void pl_place_move_pen(struct pl_pen *pen, struct pl_frame frame, int64_t u_2048, int64_t v)
{
    int64_t whole = pl_floor_2048(u_2048), rest = u_2048 - whole * 2048;
    struct pl_point at = pl_place_on_label(frame, whole, v);
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
