// Lines, boxes and areas.
#include "lang/tspl/cmd_table.h"

#define THICKEST 10000

// A solid rectangle.
enum pl_errc tspl_cmd_area(struct tspl *t, const struct tspl_args *a)
{
    int32_t x, y, w = 0, h = 0;
    if (!tspl_needs(t, a, a->row->draws) || !tspl_place(t, a, 0, &x, &y))
        return PL_OK;
    if (!tspl_int(t, a, 2, 0, TSPL_FAR, &w) || !tspl_int(t, a, 3, 0, TSPL_FAR, &h) || w == 0 || h == 0)
        return PL_OK;
    struct pl_element *e = tspl_new_element(t, a, PL_ELEMENT_BOX);
    if (!e)
        return pl_fail_memory(t->err);
    e->at.x = x;
    e->at.y = y;
    e->reverse = a->row->kind == TSPL_REVERSED;
    e->shape =
        (struct pl_shape){.width = w, .height = h, .thickness = PL_MIN(w, h), .white = a->row->kind == TSPL_WHITE};
    return tspl_add(t, e);
}

// Two corners in either order: the upper left one and the way to the other.
struct span {
    int32_t x, y, w, h;
    bool falls; // from upper left to lower right
};

static bool corners(struct tspl *t, const struct tspl_args *a, struct span *out)
{
    int32_t x0, y0, x1, y1;
    if (!tspl_place(t, a, 0, &x0, &y0) || !tspl_place(t, a, 2, &x1, &y1))
        return false;
    *out = (struct span){.x = PL_MIN(x0, x1),
                         .y = PL_MIN(y0, y1),
                         .w = PL_MAX(x0, x1) - PL_MIN(x0, x1),
                         .h = PL_MAX(y0, y1) - PL_MIN(y0, y1),
                         .falls = (x0 <= x1) == (y0 <= y1)};
    return true;
}

enum pl_errc tspl_cmd_box(struct tspl *t, const struct tspl_args *a)
{
    struct span s;
    int32_t thickness = 1, radius = 0;
    if (!tspl_needs(t, a, a->row->draws) || !corners(t, a, &s))
        return PL_OK;
    (void)tspl_int(t, a, 4, 1, THICKEST, &thickness);
    (void)tspl_int(t, a, 5, 0, THICKEST, &radius);
    struct pl_element *e = tspl_new_element(t, a, PL_ELEMENT_BOX);
    if (!e)
        return pl_fail_memory(t->err);
    e->at.x = s.x;
    e->at.y = s.y;
    e->shape = (struct pl_shape){.width = PL_MAX(s.w, 1),
                                 .height = PL_MAX(s.h, 1),
                                 .thickness = pl_frame_thickness(s.w, s.h, thickness),
                                 .radius = radius};
    return tspl_add(t, e);
}

enum pl_errc tspl_cmd_ellipse(struct tspl *t, const struct tspl_args *a)
{
    const bool circle = a->row->kind;
    int32_t x, y, w = 0, h = 0, thickness = 1;
    if (!tspl_needs(t, a, a->row->draws) || !tspl_place(t, a, 0, &x, &y))
        return PL_OK;
    if (!tspl_int(t, a, 2, 1, TSPL_FAR, &w))
        return PL_OK;
    h = w;
    if (!circle && !tspl_int(t, a, 3, 1, TSPL_FAR, &h))
        return PL_OK;
    (void)tspl_int(t, a, circle ? 3 : 4, 1, THICKEST, &thickness);
    struct pl_element *e = tspl_new_element(t, a, PL_ELEMENT_ELLIPSE);
    if (!e)
        return pl_fail_memory(t->err);
    e->at.x = x;
    e->at.y = y;
    e->shape = (struct pl_shape){.width = w, .height = h, .thickness = thickness, .circle = circle};
    return tspl_add(t, e);
}

enum pl_errc tspl_cmd_diagonal(struct tspl *t, const struct tspl_args *a)
{
    struct span s;
    int32_t thickness = 1;
    if (!tspl_needs(t, a, a->row->draws) || !corners(t, a, &s))
        return PL_OK;
    (void)tspl_int(t, a, 4, 1, THICKEST, &thickness);
    struct pl_element *e = tspl_new_element(t, a, PL_ELEMENT_DIAGONAL);
    if (!e)
        return pl_fail_memory(t->err);
    // The line's middle goes through both points.
    e->at.x = s.x - thickness / 2;
    e->at.y = s.y - thickness / 2;
    e->shape = (struct pl_shape){.width = s.w + thickness,
                                 .height = s.h + thickness,
                                 .thickness = thickness,
                                 .leans_left = s.falls,
                                 .stroke = true};
    return tspl_add(t, e);
}
