// Barcodes on the finished page: bars, quiet zones, what the edge cuts off.
#include "draw/symbol_checks.h"

#include "base/ckd.h"
#include "draw/page_words.h"

// Is there a dot without ink? What lies outside of the page does not count.
static bool page_has_paper(const struct pl_drawn_page *page, struct pl_box box)
{
    struct pl_page_words w;
    if (!pl_page_words_of(page, box, &w))
        return false;
    for (uint32_t y = w.y0; y < w.y1; y++)
        for (uint32_t i = w.first; i <= w.last; i++)
            if (~pl_page_word(page, y, i) & pl_page_mask(&w, i))
                return true;
    return false;
}

// Ink in a box of the page that is not the symbol's own caption, which may stand in its quiet zone: POSTNET's does.
static bool other_ink(const struct pl_drawn_page *page, struct pl_box box, struct pl_box caption)
{
    struct pl_box own = pl_box_intersect(box, caption);
    if (pl_box_is_empty(own))
        return pl_page_has_ink(page, box);
    return pl_page_has_ink(page, (struct pl_box){box.x0, box.y0, box.x1, own.y0}) ||
           pl_page_has_ink(page, (struct pl_box){box.x0, own.y1, box.x1, box.y1}) ||
           pl_page_has_ink(page, (struct pl_box){box.x0, own.y0, own.x0, own.y1}) ||
           pl_page_has_ink(page, (struct pl_box){own.x1, own.y0, box.x1, own.y1});
}

struct zone {
    const struct pl_drawn_page *page;
    struct pl_box bars, all, caption;
    bool inverted;
    bool corners; // those above and below count, too
};

// Does something stand in this part of the zone?
static bool is_taken(const struct zone *z, struct pl_box box)
{
    return z->inverted ? page_has_paper(z->page, box) : other_ink(z->page, box, z->caption);
}

// The strip beside the bars that is `depth` dots deep: 0 left, 1 right, 2 above, 3 below.
static struct pl_box strip(const struct zone *z, unsigned side, int32_t depth)
{
    const struct pl_box b = z->bars, a = z->corners ? z->all : z->bars;
    switch (side) {
    case 0:
        return (struct pl_box){pl_saturate_i32((int64_t)b.x0 - depth), b.y0, b.x0, b.y1};
    case 1:
        return (struct pl_box){b.x1, b.y0, pl_saturate_i32((int64_t)b.x1 + depth), b.y1};
    case 2:
        return (struct pl_box){a.x0, pl_saturate_i32((int64_t)b.y0 - depth), a.x1, b.y0};
    default:
        return (struct pl_box){a.x0, b.y1, a.x1, pl_saturate_i32((int64_t)b.y1 + depth)};
    }
}

// A linear symbol is read along its middle: bearer bars may touch its upper and lower end, and their ends its quiet
// zone.
struct pl_box pl_bars_without_ends(struct pl_box bars, struct pl_box all)
{
    int32_t down = PL_MAX((bars.y1 - bars.y0) / 25, 2), across = PL_MAX((bars.x1 - bars.x0) / 25, 2);
    if (all.y0 == bars.y0 && all.y1 == bars.y1 && all.x0 < bars.x0 && bars.y1 - bars.y0 > 3 * down)
        return (struct pl_box){bars.x0, bars.y0 + down, bars.x1, bars.y1 - down};
    if (all.x0 == bars.x0 && all.x1 == bars.x1 && all.y0 < bars.y0 && bars.x1 - bars.x0 > 3 * across)
        return (struct pl_box){bars.x0 + across, bars.y0, bars.x1 - across, bars.y1};
    return bars;
}

// How many dots along a side have ink in the inner half of the zone.
static uint32_t quiet_span(const struct zone *z, unsigned side, int32_t depth)
{
    const struct pl_box half = strip(z, side, PL_MAX((depth + 1) / 2, 1));
    uint32_t span = 0;
    if (side < 2)
        for (int32_t y = half.y0; y < half.y1; y++)
            span += is_taken(z, (struct pl_box){half.x0, y, half.x1, y + 1});
    else
        for (int32_t x = half.x0; x < half.x1; x++)
            span += is_taken(z, (struct pl_box){x, half.y0, x + 1, half.y1});
    return span;
}

// A side of the zone that is lost comes before one of which a larger part is missing at one place.
static bool is_worse(const struct pl_element_report *found, const struct pl_element_report *before)
{
    const bool lost = pl_quiet_side_is_lost(found);
    if (before->quiet_missing && lost != pl_quiet_side_is_lost(before))
        return lost;
    return !before->quiet_missing ||
           (uint64_t)found->quiet_missing * before->quiet_depth > (uint64_t)before->quiet_missing * found->quiet_depth;
}

// How many dots of the quiet zone other ink takes, at the worst side.
static void take_sides(const struct zone *z, struct pl_element_report *r)
{
    const int32_t depths[4] = {z->bars.x0 - z->all.x0, z->all.x1 - z->bars.x1, z->bars.y0 - z->all.y0,
                               z->all.y1 - z->bars.y1};
    for (unsigned side = 0; side < 4; side++) {
        int32_t clear = 0, taken = depths[side];
        if (taken <= 0 || !is_taken(z, strip(z, side, taken)))
            continue;
        while (taken - clear > 1) { // `clear` dots are without ink, `taken` dots are not
            int32_t middle = clear + (taken - clear) / 2;
            if (is_taken(z, strip(z, side, middle)))
                taken = middle;
            else
                clear = middle;
        }
        struct pl_element_report found = *r;
        found.quiet_missing = (uint32_t)(depths[side] - clear);
        found.quiet_depth = (uint32_t)depths[side];
        found.quiet_side = (uint8_t)side;
        found.quiet_span = quiet_span(z, side, depths[side]);
        found.quiet_length = (uint32_t)(side < 2 ? z->bars.y1 - z->bars.y0 : z->bars.x1 - z->bars.x0);
        if (is_worse(&found, r))
            *r = found;
    }
}

// Ink in a corner counts where there is none beside the bars: a line beside them that is longer than they are is not
// above them.
static void take_quiet_missing(struct zone *z, struct pl_element_report *r)
{
    take_sides(z, r);
    z->corners = true;
    if (!r->quiet_missing)
        take_sides(z, r);
}

static struct pl_box with_quiet_zone(const struct pl_drawn *d, struct pl_box bars)
{
    return (struct pl_box){
        pl_saturate_i32((int64_t)bars.x0 - d->quiet_left), pl_saturate_i32((int64_t)bars.y0 - d->quiet_top),
        pl_saturate_i32((int64_t)bars.x1 + d->quiet_right), pl_saturate_i32((int64_t)bars.y1 + d->quiet_bottom)};
}

struct pl_box pl_part_quiet_zone(const struct pl_element_report *r, uint32_t part)
{
    const struct pl_box bars = r->parts[part];
    return (struct pl_box){pl_saturate_i32((int64_t)bars.x0 - r->bars.x0 + r->quiet_zone.x0),
                           pl_saturate_i32((int64_t)bars.y0 - r->bars.y0 + r->quiet_zone.y0),
                           pl_saturate_i32((int64_t)bars.x1 - r->bars.x1 + r->quiet_zone.x1),
                           pl_saturate_i32((int64_t)bars.y1 - r->bars.y1 + r->quiet_zone.y1)};
}

static uint32_t outside(int32_t from, int32_t to, int32_t low, int32_t high)
{
    int64_t inside = PL_MAX((int64_t)PL_MIN(to, high) - PL_MAX(from, low), 0);
    return (uint32_t)((int64_t)to - from - inside);
}

static void check_cut(struct pl_element_report *r, struct pl_box bars, struct pl_box area)
{
    bool upright = pl_is_upright(r->rotation);
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
        struct zone zone = {
            page, pl_page_map_box(map, parts[i]), pl_page_map_box(map, with_quiet_zone(d, parts[i])), caption, false,
            false};
        boxes[r->part_count++] = zone.bars;
        check_cut(r, zone.bars, area);
        const struct pl_box bars = zone.bars, core = pl_bars_without_ends(bars, zone.all);
        zone.bars = core;
        zone.all = (struct pl_box){zone.all.x0 + core.x0 - bars.x0, zone.all.y0 + core.y0 - bars.y0,
                                   zone.all.x1 + core.x1 - bars.x1, zone.all.y1 + core.y1 - bars.y1};
        take_quiet_missing(&zone, r);
    }
    r->parts = boxes;
    r->quiet_zone_ok = r->quiet_missing == 0;
    return PL_OK;
}

void pl_symbol_check_inverted(const struct pl_drawn_page *page, struct pl_element_report *r)
{
    r->quiet_missing = 0;
    for (uint32_t i = 0; i < r->part_count; i++) {
        struct zone zone = {page, r->parts[i], pl_part_quiet_zone(r, i), {0}, true, false};
        take_quiet_missing(&zone, r);
    }
    r->quiet_zone_ok = r->quiet_missing == 0;
}
