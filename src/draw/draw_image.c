// Graphics and saved pictures on the canvas.
#include "base/ckd.h"
#include "draw/draw.h"

static int32_t to_dots(int64_t value)
{
    return pl_clamp_i32(value, INT32_MIN / 2, INT32_MAX / 2);
}

static void put_image(struct pl_bitmap *to, const struct pl_bitmap *bits, int32_t x, int32_t y, uint32_t mx,
                      uint32_t my, enum pl_ink ink)
{
    if (mx == 1 && my == 1)
        pl_bitmap_blit(to, bits, x, y, ink);
    else
        pl_bitmap_blit_enlarged(to, bits, 0, bits->height, x, y, mx, my, ink);
}

// Reversing dots that may have samples: by a mask.
static enum pl_errc reverse_image(const struct pl_draw *draw, const struct pl_bitmap *bits, int32_t x, int32_t y,
                                  uint32_t mx, uint32_t my, struct pl_error *err)
{
    struct pl_bitmap mask;
    PL_TRY(pl_bitmap_new(draw->arena, draw->canvas->width, draw->canvas->height, &mask, err));
    put_image(&mask, bits, x, y, mx, my, PL_INK_BLACK);
    pl_samples_reverse(draw->samples, &mask, 0, mask.height);
    return PL_OK;
}

enum pl_errc pl_draw_image(const struct pl_draw *draw, const struct pl_element *element, const struct pl_bitmap *bits,
                           struct pl_drawn *drawn, struct pl_error *err)
{
    const struct pl_image *image = &element->image;
    const struct pl_placement *at = &element->at;
    int64_t mx = PL_MAX(image->mx, 1u), my = PL_MAX(image->my, 1u);
    // The anchor is the whole area, blank rows and padding included.
    int64_t w = bits->width * mx, h = bits->height * my;
    const struct pl_profile_draw *rules = &draw->profile->draw;
    int64_t left = at->x, top = at->typeset ? at->y - h + rules->graphic_ft_drop : at->y;
    bool move_first = rules->picture_moves_first && !at->typeset;
    if (move_first)
        left = PL_MAX(left, 0);
    if (at->justify == PL_JUSTIFY_RIGHT)
        left -= w;
    if (rules->graphic_stays_on_label) {
        left = move_first ? left : PL_MAX(left, 0);
        top = PL_MAX(top, draw->top);
    }
    int32_t x = to_dots(left), y = to_dots(top);
    if (draw->samples && draw->ink != PL_INK_BLACK)
        PL_TRY(reverse_image(draw, bits, x, y, (uint32_t)mx, (uint32_t)my, err));
    else
        put_image(draw->canvas, bits, x, y, (uint32_t)mx, (uint32_t)my, draw->ink);
    // The exact ink is looked for only where someone asks: for the report, or because the area does not lie on the
    // canvas.
    struct pl_box ink = {0, 0, (int32_t)bits->width, (int32_t)bits->height};
    bool inside = x >= 0 && y >= 0 && x + w <= draw->canvas->width && y + h <= draw->canvas->height;
    if (draw->want_report || !inside)
        ink = pl_bitmap_ink_box(bits);
    if (pl_box_is_empty(ink))
        return PL_OK;
    drawn->ink = (struct pl_box){to_dots(x + ink.x0 * mx), to_dots(y + ink.y0 * my), to_dots(x + ink.x1 * mx),
                                 to_dots(y + ink.y1 * my)};
    return PL_OK;
}
