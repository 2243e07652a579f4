// The report on a finished page: where each element came to lie, what it overlaps, whether barcodes have their quiet
// zone.
#include <stdlib.h>

#include "base/ckd.h"
#include "draw/page.h"

static int32_t clamped(int64_t value)
{
    return pl_clamp_i32(value, INT32_MIN, INT32_MAX);
}

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
        return (struct pl_box){clamped(h - y1), clamped(x0), clamped(h - y0), clamped(x1)};
    case PL_ROT_I:
        return (struct pl_box){clamped(w - x1), clamped(h - y1), clamped(w - x0), clamped(h - y0)};
    case PL_ROT_B:
        return (struct pl_box){clamped(y0), clamped(w - x1), clamped(y1), clamped(w - x0)};
    case PL_ROT_N:
    default:
        return (struct pl_box){clamped(x0), clamped(y0), clamped(x1), clamped(y1)};
    }
}

// Where the print area lies on the page: nothing is printed outside of it.
static struct pl_box print_area(const struct pl_page_map *map)
{
    struct pl_page_map physical = *map;
    physical.dot_size = 1;
    return pl_page_map_box(&physical, (struct pl_box){0, 0, (int32_t)map->area_width, (int32_t)map->height});
}

static bool contains(struct pl_box outer, struct pl_box inner)
{
    return inner.x0 >= outer.x0 && inner.y0 >= outer.y0 && inner.x1 <= outer.x1 && inner.y1 <= outer.y1;
}

static bool page_has_ink(const struct pl_drawn_page *page, struct pl_box box)
{
    return page->is_grey ? pl_grey_has_ink(&page->grey, box) : pl_bitmap_has_ink(&page->bits, box);
}

static struct pl_box widened(struct pl_box b, uint32_t left, uint32_t right, uint32_t top, uint32_t bottom)
{
    return (struct pl_box){clamped((int64_t)b.x0 - left), clamped((int64_t)b.y0 - top), clamped((int64_t)b.x1 + right),
                           clamped((int64_t)b.y1 + bottom)};
}

static struct pl_box quiet_zone(const struct pl_drawn *d)
{
    return widened(d->bars, d->quiet_left, d->quiet_right, d->quiet_top, d->quiet_bottom);
}

static bool quiet_zone_ok(const struct pl_page_map *map, const struct pl_drawn_page *page, struct pl_box area,
                          const struct pl_element_report *r)
{
    const struct pl_drawn *d = &r->drawn;
    struct pl_box s = d->bars;
    if (pl_box_is_empty(s)) // a barcode that was not drawn cannot be read
        return r->element->kind != PL_ELEMENT_BARCODE;
    struct pl_box all = quiet_zone(d);
    if (!contains(area, pl_page_map_box(map, all)))
        return false;
    // Four strips around the symbol; the ones above and below take the corners.
    const struct pl_box strips[4] = {{all.x0, s.y0, s.x0, s.y1},
                                     {s.x1, s.y0, all.x1, s.y1},
                                     {all.x0, all.y0, all.x1, s.y0},
                                     {all.x0, s.y1, all.x1, all.y1}};
    for (unsigned i = 0; i < 4; i++) {
        if (!pl_box_is_empty(strips[i]) && page_has_ink(page, pl_page_map_box(map, strips[i])))
            return false;
    }
    return true;
}

// The part of a frame's box without ink: what lies in there does not meet the frame.
static struct pl_box hollow(const struct pl_element_report *r)
{
    const struct pl_element *e = r->element;
    struct pl_box b = r->drawn.ink;
    if ((e->kind != PL_ELEMENT_BOX && e->kind != PL_ELEMENT_ELLIPSE) || pl_box_is_empty(b))
        return (struct pl_box){0, 0, 0, 0};
    int64_t t = PL_MAX(e->shape.thickness, 1), w = (int64_t)b.x1 - b.x0, h = (int64_t)b.y1 - b.y0;
    int64_t dx = t, dy = t;
    if (e->kind == PL_ELEMENT_ELLIPSE) { // the largest box in the inner ellipse: 1 - 1/sqrt(2) of its half axes is lost
        dx += (w - 2 * t) * 147 / 1000 + 1;
        dy += (h - 2 * t) * 147 / 1000 + 1;
    }
    return (struct pl_box){clamped(b.x0 + dx), clamped(b.y0 + dy), clamped(b.x1 - dx), clamped(b.y1 - dy)};
}

static bool meet(const struct pl_element_report *a, const struct pl_element_report *b)
{
    if (pl_box_is_empty(pl_box_intersect(a->drawn.ink, b->drawn.ink)))
        return false;
    struct pl_box in_a = hollow(a), in_b = hollow(b);
    return !(!pl_box_is_empty(in_a) && contains(in_a, b->drawn.ink)) &&
           !(!pl_box_is_empty(in_b) && contains(in_b, a->drawn.ink));
}

struct by_top {
    int32_t top;
    uint32_t index;
};

static int compare_tops(const void *a, const void *b)
{
    const struct by_top *x = (const struct by_top *)a, *y = (const struct by_top *)b;
    if (x->top != y->top)
        return x->top < y->top ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static int compare_indexes(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// Elements sorted by their upper edge: each is compared with those that begin above its lower edge. Labels with very
// many elements on top of each other are cut short: work and lists stay bounded.
#define COMPARISONS_PER_ELEMENT 2000u

static enum pl_errc find_overlaps(struct pl_drawn_page *page, const struct pl_page_tools *tools, struct pl_error *err)
{
    struct pl_arena *arena = tools->arena;
    uint32_t n = page->report_count;
    struct by_top *order = PL_ARENA_ARRAY(arena, struct by_top, n);
    uint32_t(*found)[PL_REPORT_OVERLAPS] =
        (uint32_t(*)[PL_REPORT_OVERLAPS])pl_arena_array(arena, n, sizeof *found, _Alignof(uint32_t));
    if (!order || !found)
        return pl_fail_memory(err);
    uint32_t used = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!pl_box_is_empty(page->reports[i].drawn.ink))
            order[used++] = (struct by_top){page->reports[i].drawn.ink.y0, i};
        page->reports[i].overlaps = found[i];
    }
    qsort(order, used, sizeof *order, compare_tops);
    for (uint32_t i = 0; i < used; i++) {
        struct pl_element_report *a = &page->reports[order[i].index];
        PL_TRY(pl_job_check(tools->job, err));
        for (uint32_t k = i + 1, steps = 0; k < used && steps < COMPARISONS_PER_ELEMENT; k++, steps++) {
            struct pl_element_report *b = &page->reports[order[k].index];
            if (b->drawn.ink.y0 >= a->drawn.ink.y1)
                break;
            if (!meet(a, b))
                continue;
            if (a->overlap_count < PL_REPORT_OVERLAPS)
                found[order[i].index][a->overlap_count++] = order[k].index;
            if (b->overlap_count < PL_REPORT_OVERLAPS)
                found[order[k].index][b->overlap_count++] = order[i].index;
        }
    }
    for (uint32_t i = 0; i < n; i++)
        qsort(found[i], page->reports[i].overlap_count, sizeof(uint32_t), compare_indexes);
    return PL_OK;
}

enum pl_errc pl_page_check(const struct pl_page_map *map, struct pl_drawn_page *page, const struct pl_page_tools *tools,
                           struct pl_error *err)
{
    struct pl_box area = print_area(map);
    for (uint32_t i = 0; i < page->report_count; i++) {
        struct pl_element_report *r = &page->reports[i];
        PL_TRY(pl_job_check(tools->job, err));
        r->box = pl_page_map_box(map, r->drawn.ink);
        r->symbol = pl_page_map_box(map, r->drawn.symbol);
        unsigned turns = (unsigned)r->drawn.rotation + (map->upside_down ? 2u : 0u) + (unsigned)map->rotation;
        r->rotation = (enum pl_rotation)(turns % 4);
        r->inside_label = pl_box_is_empty(r->box) || contains(area, r->box);
        r->quiet_zone_ok = quiet_zone_ok(map, page, area, r);
        r->quiet_zone = pl_page_map_box(map, pl_box_is_empty(r->drawn.bars) ? r->drawn.bars : quiet_zone(&r->drawn));
    }
    return find_overlaps(page, tools, err);
}
