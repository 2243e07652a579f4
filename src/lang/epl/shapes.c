// LO, LW, LE, LS and X: boxes, lines and frames.
#include "base/ckd.h"
#include "lang/epl/state.h"

// A filled box.
enum pl_errc epl_cmd_area(struct epl *e, const struct epl_args *a)
{
    int32_t at[4];
    if (!epl_numbers(e, a, 4, at) || at[2] == 0 || at[3] == 0)
        return PL_OK;
    struct pl_element *box = epl_new_element(e, a, PL_ELEMENT_BOX, at[0], at[1]);
    if (!box)
        return pl_fail_memory(e->err);
    box->shape = pl_solid_shape(at[2], at[3]);
    box->shape.white = a->row->kind == EPL_WHITE;
    box->reverse = a->row->kind == EPL_INVERTED;
    return epl_add_element(e, box, NULL);
}

// Between two corners: x, y, thickness, x, y.
enum pl_errc epl_cmd_box(struct epl *e, const struct epl_args *a)
{
    int32_t at[5];
    if (!epl_numbers(e, a, 5, at) || at[2] == 0)
        return PL_OK;
    struct pl_element *box = epl_new_element(e, a, PL_ELEMENT_BOX, PL_MIN(at[0], at[3]), PL_MIN(at[1], at[4]));
    if (!box)
        return pl_fail_memory(e->err);
    int32_t width = abs(at[3] - at[0]), height = abs(at[4] - at[1]);
    box->shape =
        (struct pl_shape){.width = width, .height = height, .thickness = pl_frame_thickness(width, height, at[2])};
    return epl_add_element(e, box, NULL);
}

// The middle of the line goes from one point to the other.
enum pl_errc epl_cmd_diagonal(struct epl *e, const struct epl_args *a)
{
    int32_t at[5];
    if (!epl_numbers(e, a, 5, at) || at[2] == 0)
        return PL_OK;
    int32_t half = at[2] / 2;
    struct pl_element *line =
        epl_new_element(e, a, PL_ELEMENT_DIAGONAL, PL_MIN(at[0], at[3]) - half, PL_MIN(at[1], at[4]) - half);
    if (!line)
        return pl_fail_memory(e->err);
    line->shape = pl_line_shape((struct pl_box){at[0], at[1], at[3], at[4]}, at[2]);
    return epl_add_element(e, line, NULL);
}
