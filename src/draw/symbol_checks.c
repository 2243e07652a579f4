// Barcodes on the finished page: bars, quiet zones, what the edge cuts off, and what is printed over them.
#include "draw/symbol_checks.h"

#include "base/ckd.h"
#include "draw/loop.h"

static int32_t clamped(int64_t value)
{
    return pl_clamp_i32(value, INT32_MIN, INT32_MAX);
}

static bool page_has_ink(const struct pl_drawn_page *page, struct pl_box box)
{
    return !pl_box_is_empty(box) &&
           (page->is_grey ? pl_grey_has_ink(&page->grey, box) : pl_bitmap_has_ink(&page->bits, box));
}

// Ink in a box of the page that is not the symbol's own caption, which may stand in its quiet zone: POSTNET's does.
static bool other_ink(const struct pl_drawn_page *page, struct pl_box box, struct pl_box caption)
{
    struct pl_box own = pl_box_intersect(box, caption);
    if (pl_box_is_empty(own))
        return page_has_ink(page, box);
    return page_has_ink(page, (struct pl_box){box.x0, box.y0, box.x1, own.y0}) ||
           page_has_ink(page, (struct pl_box){box.x0, own.y1, box.x1, box.y1}) ||
           page_has_ink(page, (struct pl_box){box.x0, own.y0, own.x0, own.y1}) ||
           page_has_ink(page, (struct pl_box){own.x1, own.y0, box.x1, own.y1});
}

struct zone {
    const struct pl_drawn_page *page;
    struct pl_box bars, all, caption;
};

// The strip beside the bars that is `depth` dots deep: 0 left, 1 right, 2 above, 3 below, where the corners count.
static struct pl_box strip(const struct zone *z, unsigned side, int32_t depth)
{
    const struct pl_box b = z->bars, a = z->all;
    switch (side) {
    case 0:
        return (struct pl_box){clamped((int64_t)b.x0 - depth), b.y0, b.x0, b.y1};
    case 1:
        return (struct pl_box){b.x1, b.y0, clamped((int64_t)b.x1 + depth), b.y1};
    case 2:
        return (struct pl_box){a.x0, clamped((int64_t)b.y0 - depth), a.x1, b.y0};
    default:
        return (struct pl_box){a.x0, b.y1, a.x1, clamped((int64_t)b.y1 + depth)};
    }
}

// How many dots of the quiet zone other ink takes at the side where it takes most.
static uint32_t quiet_missing(const struct zone *z)
{
    const int32_t depths[4] = {z->bars.x0 - z->all.x0, z->all.x1 - z->bars.x1, z->bars.y0 - z->all.y0,
                               z->all.y1 - z->bars.y1};
    uint32_t worst = 0;
    for (unsigned side = 0; side < 4; side++) {
        int32_t clear = 0, taken = depths[side];
        if (taken <= 0 || !other_ink(z->page, strip(z, side, taken), z->caption))
            continue;
        while (taken - clear > 1) { // `clear` dots are without ink, `taken` dots are not
            int32_t middle = clear + (taken - clear) / 2;
            if (other_ink(z->page, strip(z, side, middle), z->caption))
                taken = middle;
            else
                clear = middle;
        }
        worst = PL_MAX(worst, (uint32_t)(depths[side] - clear));
    }
    return worst;
}

static struct pl_box with_quiet_zone(const struct pl_drawn *d, struct pl_box bars)
{
    return (struct pl_box){clamped((int64_t)bars.x0 - d->quiet_left), clamped((int64_t)bars.y0 - d->quiet_top),
                           clamped((int64_t)bars.x1 + d->quiet_right), clamped((int64_t)bars.y1 + d->quiet_bottom)};
}

static uint32_t outside(int32_t from, int32_t to, int32_t low, int32_t high)
{
    int64_t inside = PL_MAX((int64_t)PL_MIN(to, high) - PL_MAX(from, low), 0);
    return (uint32_t)((int64_t)to - from - inside);
}

static void check_cut(struct pl_element_report *r, struct pl_box bars, struct pl_box area)
{
    bool upright = r->rotation == PL_ROT_N || r->rotation == PL_ROT_I;
    uint32_t across = outside(bars.x0, bars.x1, area.x0, area.x1), down = outside(bars.y0, bars.y1, area.y0, area.y1);
    r->cut_length = PL_MAX(r->cut_length, upright ? across : down);
    r->cut_height = PL_MAX(r->cut_height, upright ? down : across);
}

enum pl_errc pl_symbol_check(const struct pl_page_map *map, const struct pl_drawn_page *page, struct pl_box area,
                             const struct pl_page_tools *tools, struct pl_element_report *r, struct pl_error *err)
{
    const struct pl_drawn *d = &r->drawn;
    r->module = d->module * map->dot_size;
    r->quiet_zone_ok = false;
    if (pl_box_is_empty(d->bars)) // a barcode that was not drawn cannot be read
        return PL_OK;
    const struct pl_box *parts = d->part_count ? d->parts : &d->bars;
    uint32_t count = d->part_count ? d->part_count : 1;
    struct pl_box *boxes = PL_ARENA_ARRAY(tools->arena, struct pl_box, count);
    if (!boxes)
        return pl_fail_memory(err);
    struct pl_box caption = pl_page_map_box(map, d->caption);
    r->bars = pl_page_map_box(map, d->bars);
    r->quiet_zone = pl_page_map_box(map, with_quiet_zone(d, d->bars));
    for (uint32_t i = 0; i < count; i++) {
        if (pl_box_is_empty(parts[i]))
            continue;
        struct zone zone = {page, pl_page_map_box(map, parts[i]), pl_page_map_box(map, with_quiet_zone(d, parts[i])),
                            caption};
        boxes[r->part_count++] = zone.bars;
        r->quiet_missing = PL_MAX(r->quiet_missing, quiet_missing(&zone));
        check_cut(r, zone.bars, area);
    }
    r->parts = boxes;
    r->quiet_zone_ok = r->quiet_missing == 0;
    return PL_OK;
}

// ---- overprints

// Barcodes of one page that are drawn once more to see what is printed over them: a label may have very many.
#define OVERPRINT_CHECKS 64

// The first element whose box meets the bars.
static bool find_overprinter(const struct pl_drawn_page *page, const struct pl_element_report *r, uint32_t *out)
{
    for (uint32_t i = 0; i < r->overlap_count; i++) {
        const struct pl_element_report *other = &page->reports[r->overlaps[i]];
        *out = r->overlaps[i];
        if (!pl_box_is_empty(pl_box_intersect(other->box, r->bars)))
            return true;
    }
    return r->overlaps_left_out > 0;
}

static uint32_t count_changed(const struct pl_drawn_page *page, const struct pl_bitmap *alone, struct pl_box box)
{
    box = pl_box_intersect(box, (struct pl_box){0, 0, (int32_t)alone->width, (int32_t)alone->height});
    uint32_t changed = 0;
    if (pl_box_is_empty(box))
        return 0;
    uint32_t first = (uint32_t)box.x0 / 64, last = (uint32_t)(box.x1 - 1) / 64;
    uint64_t left = ~UINT64_C(0) >> box.x0 % 64, right = ~UINT64_C(0) << (63 - (box.x1 - 1) % 64);
    for (int32_t y = box.y0; y < box.y1; y++) {
        for (uint32_t k = first; k <= last; k++) {
            uint64_t want = pl_bitmap_row(alone, (uint32_t)y)[k], is = 0;
            if (!page->is_grey)
                is = pl_bitmap_row(&page->bits, (uint32_t)y)[k];
            else
                for (uint32_t x = k * 64; x < k * 64 + 64 && x < alone->width; x++)
                    is |= (uint64_t)(pl_grey_get(&page->grey, x, (uint32_t)y) < 128) << (63 - x % 64);
            uint64_t differ = (want ^ is) & (k == first ? left : ~UINT64_C(0)) & (k == last ? right : ~UINT64_C(0));
            changed += (uint32_t)__builtin_popcountll(differ);
        }
    }
    return changed;
}

// The page with nothing on it but this one.
static enum pl_errc draw_alone(const struct pl_draw_loop *from, const struct pl_page_map *map,
                               const struct pl_element *element, struct pl_bitmap *out, struct pl_error *err)
{
    struct pl_page_options options = *from->options;
    struct pl_drawn_page alone = {0};
    struct pl_bitmap canvas;
    struct pl_diags none = {0};
    struct pl_page_tools tools = *from->tools;
    options.want_report = options.grey = false;
    tools.diags = &none; // all was said
    PL_TRY(pl_bitmap_new(tools.arena, map->width, map->height, &alone.bits, err));
    canvas = alone.bits;
    if (map->dot_size != 1 || map->area_width != map->width)
        PL_TRY(pl_bitmap_new(tools.arena, (map->area_width + map->dot_size - 1) / map->dot_size,
                             (map->height + map->dot_size - 1) / map->dot_size, &canvas, err));
    struct pl_draw_loop loop = {.scene = from->scene, .tools = &tools, .options = &options, .canvas = &canvas};
    PL_TRY(pl_loop_draw_alone(&loop, element, err));
    PL_TRY(pl_page_finish_bits(map, &tools, &canvas, &alone, err));
    *out = alone.bits;
    return PL_OK;
}

enum pl_errc pl_page_check_overprints(const struct pl_draw_loop *loop, const struct pl_page_map *map,
                                      struct pl_drawn_page *page, struct pl_error *err)
{
    struct pl_arena *arena = loop->tools->arena;
    uint32_t checked = 0;
    for (uint32_t i = 0; i < page->report_count && checked < OVERPRINT_CHECKS; i++) {
        struct pl_element_report *r = &page->reports[i];
        uint32_t other = 0;
        if (r->part_count == 0 || !find_overprinter(page, r, &other))
            continue;
        // Its smooth picture has other dots than the printer's.
        if (page->is_grey && r->element->barcode.symbology == PL_SYM_MAXICODE)
            continue;
        PL_TRY(pl_job_check(loop->tools->job, err));
        struct pl_arena_mark mark = pl_arena_mark(arena);
        struct pl_bitmap alone;
        PL_TRY(draw_alone(loop, map, r->element, &alone, err));
        for (uint32_t k = 0; k < r->part_count; k++)
            r->overprinted += count_changed(page, &alone, r->parts[k]);
        r->overprinter = other;
        pl_arena_release(arena, mark);
        checked++;
    }
    return PL_OK;
}
