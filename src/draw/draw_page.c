// From a label to its page: print area, bands for smooth output, page transformations.
#include "base/ckd.h"
#include "draw/loop.h"

// Samples take up to 16 times the memory of bits: large pages are drawn in bands of at most so many dots.
#define BAND_DOTS (INT64_C(4) << 20)

static struct pl_page_map page_map(const struct pl_profile_draw *rules, const struct pl_label *label,
                                   const struct pl_page_options *options)
{
    struct pl_page_map map = {.width = options->width,
                              .height = options->height,
                              .dot_size = PL_MAX(label->dot_size, 1u),
                              .area_width = options->width,
                              .mirrored = label->mirrored,
                              .upside_down = label->upside_down,
                              .rotation = options->rotation};
    // A print width narrower than the page: nothing is printed beside it.
    if (label->print_width != 0 && label->print_width < options->width) {
        map.area_width = label->print_width;
        if (rules->narrow_print_is_centred)
            map.offset_x = (int32_t)((options->width - label->print_width) / 2);
    }
    return map;
}

// Can the label be drawn on the page's own bitmap? The print area begins at its left edge, and its rows have as many
// words.
static bool is_drawn_in_place(const struct pl_page_map *map)
{
    return map->dot_size == 1 && map->offset_x == 0 && (map->area_width + 63) / 64 == (map->width + 63) / 64;
}

// Bitonal: one pass on the page's own bitmap, or on one of the print area where that differs.
static enum pl_errc draw_bits(struct pl_draw_loop *loop, const struct pl_label *label, const struct pl_page_map *map,
                              struct pl_drawn *drawn, struct pl_drawn_page *page, struct pl_error *err)
{
    struct pl_arena *arena = loop->tools->arena;
    PL_TRY(pl_bitmap_new(arena, map->width, map->height, &page->bits, err));
    struct pl_bitmap canvas = page->bits;
    if (is_drawn_in_place(map))
        canvas.width = map->area_width;
    else
        PL_TRY(pl_bitmap_new(arena, (map->area_width + map->dot_size - 1) / map->dot_size,
                             (map->height + map->dot_size - 1) / map->dot_size, &canvas, err));
    loop->canvas = &canvas;
    loop->area_width = canvas.width;
    loop->area_height = canvas.height;
    PL_TRY(pl_loop_draw_pictures(loop, label, err));
    PL_TRY(pl_loop_draw(loop, label, drawn, NULL, err));
    return pl_page_finish_bits(map, loop->tools, &canvas, page, err);
}

// Smooth: on samples, band by band, which are counted down to a page of shades. Where that is not the finished one, it
// is laid on it at the end.
static enum pl_errc draw_grey(struct pl_draw_loop *loop, const struct pl_label *label, const struct pl_page_map *map,
                              struct pl_drawn *drawn, struct pl_drawn_page *page, struct pl_error *err)
{
    struct pl_arena *arena = loop->tools->arena;
    struct pl_grey_map to = {map->width,    map->height,      map->dot_size, (uint32_t)map->offset_x,
                             map->mirrored, map->upside_down, map->rotation};
    bool turn = map->dot_size != 1 || map->rotation != PL_ROT_N;
    bool move = !turn && (!is_drawn_in_place(map) || map->mirrored || map->upside_down);
    uint32_t columns = (map->area_width + map->dot_size - 1) / map->dot_size;
    uint32_t rows = (map->height + map->dot_size - 1) / map->dot_size;
    struct pl_bitmap black;
    struct pl_grey *grey = &page->grey;
    page->is_grey = true;
    PL_TRY(pl_grey_new(arena, turn ? columns : map->width, rows, grey, err));
    black = grey->black;
    if (move)
        PL_TRY(pl_bitmap_new(arena, columns, rows, &black, err));
    uint32_t band = (uint32_t)pl_clamp_i64(BAND_DOTS / ((int64_t)columns + 1), 1, rows);
    struct pl_pen *pens = NULL;
    if (band < rows && label->element_count) {
        pens = PL_ARENA_ARRAY(arena, struct pl_pen, label->element_count);
        if (!pens)
            return pl_fail_memory(err);
    }
    struct pl_samples samples;
    PL_TRY(pl_samples_new(arena, band, &samples, err));
    loop->canvas = &samples.black;
    loop->samples = &samples;
    loop->area_width = columns;
    loop->area_height = rows;
    samples.black = (struct pl_bitmap){columns, band, black.stride, black.words};
    PL_TRY(pl_loop_draw_pictures(loop, label, err));
    for (uint32_t top = 0; top < rows; top += band) {
        samples.black.words = pl_bitmap_row(&black, top);
        samples.black.height = PL_MIN(band, rows - top);
        loop->band_top = (int32_t)top;
        PL_TRY(pl_loop_draw(loop, label, drawn, pens, err));
        pl_samples_count(&samples, grey, top, move ? &to : NULL);
        if (samples.failed)
            return pl_fail_memory(err);
    }
    if (!turn)
        return PL_OK;
    struct pl_grey canvas = *grey;
    return pl_grey_turn(arena, loop->tools->scratch, &canvas, &to, loop->tools->job, grey, err);
}

enum pl_errc pl_page_draw(const struct pl_scene *scene, const struct pl_label *label,
                          const struct pl_page_options *options, const struct pl_page_tools *tools,
                          struct pl_drawn_page *page, struct pl_error *err)
{
    struct pl_draw_loop loop = {.scene = scene, .tools = tools, .options = options};
    struct pl_page_map map = page_map(&scene->profile->draw, label, options);
    *page = (struct pl_drawn_page){0};
    PL_TRY(pl_job_check(tools->job, err)); // before the page's memory is asked for and cleared
    struct pl_drawn *drawn = NULL;
    if ((options->want_report || options->grey) && label->element_count) {
        drawn = PL_ARENA_ARRAY(tools->arena, struct pl_drawn, label->element_count);
        if (!drawn)
            return pl_fail_memory(err);
    }
    PL_TRY(options->grey ? draw_grey(&loop, label, &map, drawn, page, err)
                         : draw_bits(&loop, label, &map, drawn, page, err));
    if (!options->want_report || label->element_count == 0)
        return PL_OK;
    page->reports = PL_ARENA_ARRAY(tools->arena, struct pl_element_report, label->element_count);
    if (!page->reports)
        return pl_fail_memory(err);
    page->report_count = label->element_count;
    for (uint32_t i = 0; i < label->element_count; i++)
        page->reports[i] = (struct pl_element_report){.element = label->elements[i], .drawn = drawn[i]};
    PL_TRY(pl_page_check(&map, page, tools, err));
    return options->want_checks ? pl_page_check_overprints(&loop, &map, page, err) : PL_OK;
}
