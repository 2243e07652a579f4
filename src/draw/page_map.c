// Where the format's dots lie on the finished page: boxes and bits moved there.
#include "base/ckd.h"
#include "draw/page.h"

struct pl_box pl_page_map_box(const struct pl_page_map *map, struct pl_box box)
{
    if (pl_box_is_empty(box))
        return (struct pl_box){0, 0, 0, 0};
    int64_t d = map->dot_size, w = map->width, h = map->height;
    int64_t x0 = box.x0 * d + map->offset_x, x1 = box.x1 * d + map->offset_x, y0 = box.y0 * d, y1 = box.y1 * d;
    int64_t t;
    if (map->mirrored != map->upside_down) { // both together leave left and right as they are
        t = w - x0;
        x0 = w - x1;
        x1 = t;
    }
    if (map->upside_down) {
        t = h - y0;
        y0 = h - y1;
        y1 = t;
    }
    switch (map->rotation) {
    case PL_ROT_R:
        return (struct pl_box){pl_saturate_i32(h - y1), pl_saturate_i32(x0), pl_saturate_i32(h - y0),
                               pl_saturate_i32(x1)};
    case PL_ROT_I:
        return (struct pl_box){pl_saturate_i32(w - x1), pl_saturate_i32(h - y1), pl_saturate_i32(w - x0),
                               pl_saturate_i32(h - y0)};
    case PL_ROT_B:
        return (struct pl_box){pl_saturate_i32(y0), pl_saturate_i32(w - x1), pl_saturate_i32(y1),
                               pl_saturate_i32(w - x0)};
    case PL_ROT_N:
    default:
        return (struct pl_box){pl_saturate_i32(x0), pl_saturate_i32(y0), pl_saturate_i32(x1), pl_saturate_i32(y1)};
    }
}

enum pl_errc pl_page_finish_bits(const struct pl_page_map *map, const struct pl_page_tools *tools,
                                 const struct pl_bitmap *canvas, struct pl_drawn_page *page, struct pl_error *err)
{
    if (canvas->words != page->bits.words) {
        if (map->dot_size == 1) {
            pl_bitmap_blit(&page->bits, canvas, map->offset_x, 0, PL_INK_BLACK);
        } else {
            pl_bitmap_blit_enlarged(&page->bits, canvas, 0, canvas->height, map->offset_x, 0, map->dot_size,
                                    map->dot_size, PL_INK_BLACK);
        }
    }
    PL_TRY(pl_job_check(tools->job, err));
    if (map->mirrored)
        pl_bitmap_mirror(&page->bits);
    if (map->upside_down)
        pl_bitmap_turn_over(&page->bits);
    if (map->rotation == PL_ROT_N)
        return PL_OK;
    struct pl_bitmap turned;
    PL_TRY(pl_bitmap_turn(tools->arena, &page->bits, map->rotation, &turned, err));
    page->bits = turned;
    return PL_OK;
}
