// Lines, boxes and areas.
#include "lang/tspl/cmd_table.h"

#define THICKEST 10000

// A solid rectangle.
enum pl_errc tspl_cmd_area(struct tspl *t, const struct tspl_args *a)
{
    int32_t x, y, w = 0, h = 0;
    if (!tspl_place(t, a, 0, &x, &y) || !tspl_int(t, a, 2, 0, TSPL_FAR, &w) || !tspl_int(t, a, 3, 0, TSPL_FAR, &h) ||
        w == 0 || h == 0)
        return PL_OK;
    struct pl_element *e = pl_element_new_solid(&t->labels, a->source, (struct pl_box){x, y, x + w, y + h});
    if (!e)
        return pl_fail_memory(t->err);
    e->reverse = a->row->kind == TSPL_REVERSED;
    e->shape.white = a->row->kind == TSPL_WHITE;
    return tspl_add(t, e);
}

// Two corners in either order.
static bool corners(struct tspl *t, const struct tspl_args *a, struct pl_box *out)
{
    return tspl_place(t, a, 0, &out->x0, &out->y0) && tspl_place(t, a, 2, &out->x1, &out->y1);
}

enum pl_errc tspl_cmd_box(struct tspl *t, const struct tspl_args *a)
{
    struct pl_box at;
    int32_t thickness = 1, radius = 0;
    if (!corners(t, a, &at))
        return PL_OK;
    (void)tspl_int(t, a, 4, 1, THICKEST, &thickness);
    (void)tspl_int(t, a, 5, 0, THICKEST, &radius);
    struct pl_element *e =
        pl_element_new(&t->labels, PL_ELEMENT_BOX, a->source, PL_MIN(at.x0, at.x1), PL_MIN(at.y0, at.y1));
    if (!e)
        return pl_fail_memory(t->err);
    const int32_t w = abs(at.x1 - at.x0), h = abs(at.y1 - at.y0);
    e->shape = (struct pl_shape){.width = PL_MAX(w, 1),
                                 .height = PL_MAX(h, 1),
                                 .thickness = pl_frame_thickness(w, h, thickness),
                                 .radius = radius};
    return tspl_add(t, e);
}

enum pl_errc tspl_cmd_ellipse(struct tspl *t, const struct tspl_args *a)
{
    const bool circle = a->row->kind;
    int32_t x, y, w = 0, h = 0, thickness = 1;
    if (!tspl_place(t, a, 0, &x, &y) || !tspl_int(t, a, 2, 1, TSPL_FAR, &w))
        return PL_OK;
    h = w;
    if (!circle && !tspl_int(t, a, 3, 1, TSPL_FAR, &h))
        return PL_OK;
    (void)tspl_int(t, a, circle ? 3 : 4, 1, THICKEST, &thickness);
    struct pl_element *e = pl_element_new(&t->labels, PL_ELEMENT_ELLIPSE, a->source, x, y);
    if (!e)
        return pl_fail_memory(t->err);
    e->shape = (struct pl_shape){.width = w, .height = h, .thickness = thickness, .circle = circle};
    return tspl_add(t, e);
}

enum pl_errc tspl_cmd_diagonal(struct tspl *t, const struct tspl_args *a)
{
    struct pl_box at;
    int32_t thickness = 1;
    if (!corners(t, a, &at))
        return PL_OK;
    (void)tspl_int(t, a, 4, 1, THICKEST, &thickness);
    struct pl_element *e = pl_element_new(&t->labels, PL_ELEMENT_DIAGONAL, a->source,
                                          PL_MIN(at.x0, at.x1) - thickness / 2, PL_MIN(at.y0, at.y1) - thickness / 2);
    if (!e)
        return pl_fail_memory(t->err);
    e->shape = pl_line_shape(at, thickness);
    return tspl_add(t, e);
}
