// ^GB, ^GC, ^GE and ^GD on the canvas.
#include "base/ckd.h"
#include "draw/draw.h"
#include "raster/curves.h"
#include "raster/shapes.h"

// A shape that begins at (x, y) of a bitmap.
struct place {
    int32_t x, y, width, height, thickness, radius;
};

static void put_shape(struct pl_bitmap *to, const struct pl_element *element, struct place at, enum pl_ink ink)
{
    if (element->kind == PL_ELEMENT_BOX && element->shape.radius > 0)
        pl_shape_round_box(to, at.x, at.y, at.width, at.height, at.thickness, at.radius, ink);
    else if (element->kind == PL_ELEMENT_BOX)
        pl_shape_box(to, at.x, at.y, at.width, at.height, at.thickness, element->shape.rounding, ink);
    else if (element->kind == PL_ELEMENT_ELLIPSE)
        pl_shape_ellipse(to, at.x, at.y, at.width, at.height, at.thickness, ink);
    else if (element->shape.stroke)
        pl_shape_stroke(to, at.x, at.y, at.width, at.height, at.thickness, element->shape.leans_left, ink);
    else
        pl_shape_diagonal(to, at.x, at.y, at.width, at.height, at.thickness, element->shape.leans_left, ink);
}

// The same by the firmware's steps, and the box of its ink, seen from `at`. A frame with sharp corners has none.
static struct pl_box put_curve(const struct pl_draw *draw, const struct pl_element *element, struct place at,
                               enum pl_ink ink)
{
    struct pl_curve_target to = {draw->canvas, draw->samples, at.x, at.y, ink};
    if (element->kind == PL_ELEMENT_BOX)
        return pl_curve_box(&to, at.width, at.height, at.thickness, element->shape.rounding);
    if (element->kind == PL_ELEMENT_ELLIPSE)
        return pl_curve_ellipse(&to, at.width, at.height, at.thickness);
    return pl_curve_diagonal(&to, at.width, at.height, at.thickness, element->shape.leans_left);
}

static int32_t scaled(int32_t dots)
{
    return pl_clamp_i32((int64_t)dots * PL_SAMPLE_SCALE, INT32_MIN, INT32_MAX);
}

// A frame with sharp corners lies on whole dots.
static void put_frame(struct pl_samples *to, struct place at, enum pl_ink ink)
{
    int64_t x1 = (int64_t)at.x + at.width, y1 = (int64_t)at.y + at.height, t = at.thickness;
    struct pl_box all = {at.x, at.y, pl_clamp_i32(x1, INT32_MIN, INT32_MAX), pl_clamp_i32(y1, INT32_MIN, INT32_MAX)};
    if (2 * t >= at.width || 2 * t >= at.height) {
        pl_samples_fill(to, all, ink);
        return;
    }
    int32_t inner_x0 = at.x + (int32_t)t, inner_y0 = at.y + (int32_t)t;
    int32_t inner_x1 = all.x1 - (int32_t)t, inner_y1 = all.y1 - (int32_t)t;
    pl_samples_fill(to, (struct pl_box){all.x0, all.y0, all.x1, inner_y0}, ink);
    pl_samples_fill(to, (struct pl_box){all.x0, inner_y1, all.x1, all.y1}, ink);
    pl_samples_fill(to, (struct pl_box){all.x0, inner_y0, inner_x0, inner_y1}, ink);
    pl_samples_fill(to, (struct pl_box){inner_x1, inner_y0, all.x1, inner_y1}, ink);
}

// A shape with round or slanting edges: drawn at four times the size, a few rows of dots at a time.
static enum pl_errc put_smooth(const struct pl_draw *draw, const struct pl_element *element, struct place at,
                               int64_t extent, enum pl_ink ink, struct pl_error *err)
{
    enum { ROWS = 16 };
    const struct pl_bitmap *canvas = draw->canvas;
    int64_t x0 = PL_MAX(at.x, 0), x1 = PL_MIN(at.x + extent, (int64_t)canvas->width);
    int64_t y0 = PL_MAX(at.y, 0), y1 = PL_MIN((int64_t)at.y + at.height, (int64_t)canvas->height);
    struct pl_bitmap band;
    if (x0 >= x1 || y0 >= y1)
        return PL_OK;
    PL_TRY(pl_bitmap_new(draw->arena, (uint32_t)(x1 - x0) * PL_SAMPLE_SCALE, ROWS * PL_SAMPLE_SCALE, &band, err));
    for (int64_t top = y0; top < y1; top += ROWS) {
        struct place there = {scaled(pl_clamp_i32(at.x - x0, INT32_MIN, INT32_MAX)),
                              scaled(pl_clamp_i32(at.y - top, INT32_MIN, INT32_MAX)),
                              scaled(at.width),
                              scaled(at.height),
                              scaled(at.thickness),
                              scaled(at.radius)};
        if (top != y0)
            memset(band.words, 0, (size_t)band.stride * band.height * sizeof(uint64_t));
        put_shape(&band, element, there, PL_INK_BLACK);
        pl_samples_blit(draw->samples, &band, x0 * PL_SAMPLE_SCALE, top * PL_SAMPLE_SCALE, ink);
        PL_TRY(pl_job_check(draw->job, err));
    }
    return PL_OK;
}

static bool is_sharp(const struct pl_shape *shape)
{
    return shape->rounding == 0 && shape->radius <= 0;
}

// A radius and a stroke are no shapes of the firmware whose steps are known.
static bool has_steps(const struct pl_shape *shape)
{
    return shape->radius <= 0 && !shape->stroke;
}

// A diagonal that slants by its thickness, and not as a line drawn with a pen.
static bool is_slanted(const struct pl_element *element)
{
    return element->kind == PL_ELEMENT_DIAGONAL && !element->shape.stroke;
}

static struct place size_shape(const struct pl_profile_draw *rules, const struct pl_element *element)
{
    const struct pl_shape *shape = &element->shape;
    bool box = element->kind == PL_ELEMENT_BOX;
    bool curved = element->kind == PL_ELEMENT_ELLIPSE || (box && !is_sharp(shape));
    int32_t t = PL_MAX(shape->thickness, curved ? (int32_t)rules->curve_least_border : 1);
    int32_t least = box ? t : 0; // a border thicker than the box makes the box as large as the border
    int32_t w = PL_MAX(shape->width, least), h = PL_MAX(shape->height, least);
    return (struct place){.width = PL_MIN(w, PL_SHAPE_MAX),
                          .height = PL_MIN(h, PL_SHAPE_MAX),
                          .thickness = PL_MIN(t, PL_SHAPE_MAX),
                          .radius = PL_MIN(shape->radius, PL_SHAPE_MAX)};
}

// Gives the shape, which is so wide with what a diagonal adds, its place on the label.
static void place_shape(const struct pl_draw *draw, const struct pl_placement *at, int64_t extent, struct place *place)
{
    const struct pl_profile_draw *rules = &draw->profile->draw;
    int64_t left = at->justify == PL_JUSTIFY_RIGHT ? (int64_t)at->x - extent : at->x;
    int64_t top = at->typeset ? (int64_t)at->y - place->height : at->y;
    if (rules->graphic_stays_on_label && top <= draw->top)
        top = draw->top; // moved there before the drop of ^FT, which it does not get then
    else if (at->typeset)
        top += rules->graphic_ft_drop;
    if (rules->graphic_stays_on_label)
        left = PL_MAX(left, 0);
    place->x = pl_clamp_i32(left, INT32_MIN / 2, INT32_MAX / 2);
    place->y = pl_clamp_i32(top, INT32_MIN / 2, INT32_MAX / 2);
}

enum pl_errc pl_draw_shape(const struct pl_draw *draw, const struct pl_element *element, struct pl_drawn *drawn,
                           struct pl_error *err)
{
    const struct pl_shape *shape = &element->shape;
    const struct pl_profile_draw *rules = &draw->profile->draw;
    struct place place = size_shape(rules, element);
    int64_t extent = is_slanted(element) ? (int64_t)place.width + place.thickness : place.width;
    place_shape(draw, &element->at, extent, &place);
    int32_t x = place.x, y = place.y;

    // Under ^FR the shape is a mask whatever its colour.
    enum pl_ink ink = shape->white && !element->reverse ? PL_INK_WHITE : draw->ink;
    bool sharp = element->kind == PL_ELEMENT_BOX && is_sharp(shape);
    struct pl_box ink_box = {0, 0, (int32_t)extent, place.height};
    if (is_slanted(element))
        ink_box = pl_shape_diagonal_box(place.width, place.height, place.thickness);
    else if (element->kind == PL_ELEMENT_ELLIPSE)
        ink_box = pl_shape_ellipse_box(place.width, place.height);
    if (rules->curves_by_recurrence && !sharp && has_steps(shape))
        ink_box = put_curve(draw, element, place, ink);
    else if (!draw->samples)
        put_shape(draw->canvas, element, place, ink);
    else if (sharp)
        put_frame(draw->samples, place, ink);
    else
        PL_TRY(put_smooth(draw, element, place, extent, ink, err));
    drawn->ink = (struct pl_box){x + ink_box.x0, y + ink_box.y0, x + ink_box.x1, y + ink_box.y1};
    if (rules->shape_moves_pen)
        *draw->pen = (struct pl_pen){true, ((int64_t)x + extent) * 2048, ((int64_t)y + place.height) * 2048};
    return PL_OK;
}
