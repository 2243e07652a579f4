// Boxes, lines, circles and graphics as ZPL.
#include <stdio.h>

#include "base/ckd.h"
#include "rewrite/convert.h"

// ^GC where it is one, else ^GE; ^GD; ^GB with the roundness that is nearest to a radius. Too small to be said: 0.
static void shape_code(const struct pl_element *element, char *out, size_t size)
{
    const struct pl_shape *s = &element->shape;
    char colour = s->white ? 'W' : 'B';
    int32_t w = PL_MAX(s->width, 1), h = PL_MAX(s->height, 1), t = PL_MAX(s->thickness, 1);
    int32_t shorter = PL_MIN(w, h), rounding = s->rounding;
    if (s->radius > 0)
        rounding = pl_clamp_i32(((int64_t)s->radius * 16 + shorter / 2) / shorter, 0, 8);
    switch (element->kind) {
    case PL_ELEMENT_ELLIPSE:
        if (w == h)
            snprintf(out, size, "^GC%d,%d,%c", w, t, colour);
        else
            snprintf(out, size, "^GE%d,%d,%d,%c", w, h, t, colour);
        return;
    case PL_ELEMENT_DIAGONAL:
        snprintf(out, size, "^GD%d,%d,%d,%c,%c", w, h, t, colour, s->leans_left ? 'L' : 'R');
        return;
    default:
        snprintf(out, size, "^GB%d,%d,%d,%c,%d", w, h, t, colour, rounding);
    }
}

// A rectangle that is all white or all black, whatever it was drawn as.
static bool is_full(const struct pl_bitmap *bits)
{
    for (uint32_t y = 0; y < bits->height; y++) {
        uint32_t start, end;
        if (!pl_bitmap_next_run(bits, y, 0, &start, &end) || start != 0 || end != bits->width)
            return false;
    }
    return true;
}

enum pl_errc rw_put_shape(struct rw_conversion *c, const struct pl_element *element, const struct rw_ink *ink,
                          bool *done, struct pl_error *err)
{
    char black[96], code[96];
    struct pl_element plain = *element;
    *done = false;
    plain.shape.white = false;
    shape_code(&plain, black, sizeof black);
    shape_code(element, code, sizeof code);
    struct rw_trial trial = {.body = pl_slice_cstr(black), .reverse = element->reverse};
    PL_TRY(rw_try(c, ink, &trial, err));
    if (!trial.same && is_full(&ink->bits) && ink->x <= RW_FARTHEST &&
        ink->y <= RW_FARTHEST) { // what is left of it on the label
        trial = (struct rw_trial){.same = true, .x = ink->x, .y = ink->y, .reverse = element->reverse};
        snprintf(code, sizeof code, "^GB%u,%u,%u,%c,0", ink->bits.width, ink->bits.height,
                 PL_MIN(ink->bits.width, ink->bits.height), element->shape.white ? 'W' : 'B');
    }
    *done = trial.same;
    trial.body = pl_slice_cstr(code);
    if (*done)
        rw_put_field(c, &trial);
    return PL_OK;
}
