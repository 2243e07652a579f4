// Graphics and saved pictures on the canvas.
#include "base/ckd.h"
#include "draw/draw.h"

static int32_t to_dots(int64_t value)
{
    return pl_clamp_i32(value, INT32_MIN / 2, INT32_MAX / 2);
}

void pl_draw_image(const struct pl_draw *draw, const struct pl_element *element, const struct pl_bitmap *bits,
                   struct pl_drawn *drawn)
{
    const struct pl_image *image = &element->image;
    const struct pl_placement *at = &element->at;
    int64_t mx = PL_MAX(image->mx, 1u), my = PL_MAX(image->my, 1u);
    // The anchor is the whole area, blank rows and padding included.
    int64_t w = bits->width * mx, h = bits->height * my;
    int32_t x = to_dots(at->justify == PL_JUSTIFY_RIGHT ? at->x - w : at->x);
    int32_t y = to_dots(at->typeset ? at->y - h + draw->profile->draw.graphic_ft_drop : at->y);
    int64_t s = draw->scale;
    if (mx == 1 && my == 1 && s == 1)
        pl_bitmap_blit(draw->canvas, bits, x, y, draw->ink);
    else
        pl_bitmap_blit_enlarged(draw->canvas, bits, 0, bits->height, x * s, y * s, (uint32_t)(mx * s),
                                (uint32_t)(my * s), draw->ink);
    // The exact ink is looked for only where someone asks: for the report, or because the area does not lie on the
    // canvas.
    struct pl_box ink = {0, 0, (int32_t)bits->width, (int32_t)bits->height};
    bool inside =
        x >= 0 && y >= 0 && (x + w) * s <= (int64_t)draw->canvas->width && (y + h) * s <= (int64_t)draw->canvas->height;
    if (draw->want_report || !inside)
        ink = pl_bitmap_ink_box(bits);
    if (pl_box_is_empty(ink))
        return;
    drawn->ink = (struct pl_box){to_dots(x + ink.x0 * mx), to_dots(y + ink.y0 * my), to_dots(x + ink.x1 * mx),
                                 to_dots(y + ink.y1 * my)};
}
