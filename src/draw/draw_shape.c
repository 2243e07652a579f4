// ^GB, ^GC, ^GE and ^GD on the canvas.
#include "base/ckd.h"
#include "draw/draw.h"
#include "raster/shapes.h"

static int32_t scaled(int32_t dots, uint32_t scale)
{
    return pl_clamp_i32((int64_t)dots * scale, INT32_MIN, INT32_MAX);
}

void pl_draw_shape(const struct pl_draw *draw, const struct pl_element *element, struct pl_drawn *drawn)
{
    const struct pl_shape *shape = &element->shape;
    const struct pl_placement *at = &element->at;
    const struct pl_profile_draw *rules = &draw->profile->draw;
    int64_t w = PL_MAX(shape->width, 0), h = PL_MAX(shape->height, 0);
    bool curved = element->kind == PL_ELEMENT_ELLIPSE || (element->kind == PL_ELEMENT_BOX && shape->rounding != 0);
    int64_t t = PL_MAX(shape->thickness, curved ? (int32_t)rules->curve_least_border : 1);
    if (element->kind == PL_ELEMENT_BOX) {
        // A border thicker than the box makes the box as large as the border.
        w = PL_MAX(w, t);
        h = PL_MAX(h, t);
    }
    w = PL_MIN(w, PL_SHAPE_MAX), h = PL_MIN(h, PL_SHAPE_MAX), t = PL_MIN(t, PL_SHAPE_MAX);
    int64_t extent = element->kind == PL_ELEMENT_DIAGONAL ? w + t : w;
    int64_t left = at->justify == PL_JUSTIFY_RIGHT ? (int64_t)at->x - extent : at->x;
    int64_t top = at->typeset ? (int64_t)at->y - h + rules->graphic_ft_drop : at->y;
    int32_t x = pl_clamp_i32(left, INT32_MIN / 2, INT32_MAX / 2), y = pl_clamp_i32(top, INT32_MIN / 2, INT32_MAX / 2);

    // Under ^FR the shape is a mask whatever its colour.
    enum pl_ink ink = shape->white && !element->reverse ? PL_INK_WHITE : draw->ink;
    uint32_t s = draw->scale;
    int32_t sx = scaled(x, s), sy = scaled(y, s), sw = scaled((int32_t)w, s), sh = scaled((int32_t)h, s),
            st = scaled((int32_t)t, s);
    switch (element->kind) {
    case PL_ELEMENT_BOX:
        pl_shape_box(draw->canvas, sx, sy, sw, sh, st, shape->rounding, ink);
        break;
    case PL_ELEMENT_ELLIPSE:
        pl_shape_ellipse(draw->canvas, sx, sy, sw, sh, st, ink);
        break;
    case PL_ELEMENT_DIAGONAL:
        pl_shape_diagonal(draw->canvas, sx, sy, sw, sh, st, shape->leans_left, ink);
        break;
    case PL_ELEMENT_TEXT:
    case PL_ELEMENT_BARCODE:
    case PL_ELEMENT_IMAGE:
        return;
    }
    drawn->ink = (struct pl_box){x, y, x + (int32_t)extent, y + (int32_t)h};
    if (rules->shape_moves_pen)
        *draw->pen = (struct pl_pen){true, ((int64_t)x + extent) * 2048, ((int64_t)y + h) * 2048};
}
