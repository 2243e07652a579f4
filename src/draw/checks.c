// The report on a finished page: where each element came to lie, and what it overlaps.
#include <stdlib.h>

#include "base/ckd.h"
#include "draw/page.h"
#include "draw/symbol_checks.h"

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

// The inside of a frame, which has no ink, and the half axes of its corners.
struct hollow {
    int64_t x0, y0, x1, y1;
    double rx, ry;
};

static struct hollow hollow_of(const struct pl_element_report *r)
{
    const struct pl_element *e = r->element;
    struct pl_box b = r->drawn.ink;
    int64_t t = PL_MAX(e->shape.thickness, 1);
    struct hollow in = {.x0 = b.x0 + t, .y0 = b.y0 + t, .x1 = b.x1 - t, .y1 = b.y1 - t};
    double w = (double)(in.x1 - in.x0), h = (double)(in.y1 - in.y0), less = PL_MIN(w, h);
    if (e->kind == PL_ELEMENT_ELLIPSE) {
        in.rx = w / 2;
        in.ry = h / 2;
    } else if (e->shape.radius > 0)
        in.rx = in.ry = PL_MIN((double)PL_MAX(e->shape.radius - t, 0), less / 2);
    else // as pl_shape_box rounds the inside: rounding / 16 of the shorter side
        in.rx = in.ry = e->shape.rounding * less / 16;
    return in;
}

// How far the position lies in the round part at one of the two ends of a side.
static double into_round(double at, double length, double radius)
{
    return at < radius ? radius - at : at > length - radius ? at - (length - radius) : 0;
}

static bool hollow_has(const struct hollow *in, int32_t x, int32_t y)
{
    double dx = into_round((double)(x - in->x0), (double)(in->x1 - in->x0), in->rx);
    double dy = into_round((double)(y - in->y0), (double)(in->y1 - in->y0), in->ry);
    return dx <= 0 || dy <= 0 || dx * dx / (in->rx * in->rx) + dy * dy / (in->ry * in->ry) <= 1;
}

// What lies inside a frame does not meet it. The inside has no dents, so a box lies in it if its four corners do.
static bool hollow_holds(const struct pl_element_report *r, struct pl_box inner)
{
    if (r->element->kind != PL_ELEMENT_BOX && r->element->kind != PL_ELEMENT_ELLIPSE)
        return false;
    struct hollow in = hollow_of(r);
    if (in.x0 >= in.x1 || in.y0 >= in.y1 || inner.x0 < in.x0 || inner.y0 < in.y0 || inner.x1 > in.x1 ||
        inner.y1 > in.y1)
        return false;
    return in.rx <= 0 || (hollow_has(&in, inner.x0, inner.y0) && hollow_has(&in, inner.x1, inner.y0) &&
                          hollow_has(&in, inner.x0, inner.y1) && hollow_has(&in, inner.x1, inner.y1));
}

static bool meet(const struct pl_element_report *a, const struct pl_element_report *b)
{
    return !pl_box_is_empty(pl_box_intersect(a->drawn.ink, b->drawn.ink)) && !hollow_holds(a, b->drawn.ink) &&
           !hollow_holds(b, a->drawn.ink);
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
            else
                a->overlaps_left_out++;
            if (b->overlap_count < PL_REPORT_OVERLAPS)
                found[order[k].index][b->overlap_count++] = order[i].index;
            else
                b->overlaps_left_out++;
        }
    }
    for (uint32_t i = 0; i < n; i++)
        qsort(found[i], page->reports[i].overlap_count, sizeof(uint32_t), compare_indexes);
    return PL_OK;
}

enum pl_errc pl_page_check(const struct pl_page_map *map, struct pl_drawn_page *page, const struct pl_page_tools *tools,
                           struct pl_error *err)
{
    const struct pl_box area = page->area = print_area(map);
    struct pl_page_map unturned = *map;
    unturned.rotation = PL_ROT_N;
    for (uint32_t i = 0; i < page->report_count; i++) {
        struct pl_element_report *r = &page->reports[i];
        PL_TRY(pl_job_check(tools->job, err));
        r->box = pl_page_map_box(map, r->drawn.ink);
        r->head_end = pl_page_map_box(&unturned, r->drawn.ink).x1 - map->offset_x;
        r->symbol = pl_page_map_box(map, r->drawn.symbol);
        unsigned turns = (unsigned)r->drawn.rotation + (map->upside_down ? 2u : 0u) + (unsigned)map->rotation;
        r->rotation = (enum pl_rotation)(turns % 4);
        r->inside_label = pl_box_is_empty(r->box) || contains(area, r->box);
        r->quiet_zone_ok = true;
        if (r->element->kind == PL_ELEMENT_BARCODE)
            PL_TRY(pl_symbol_check(map, page, area, tools, r, err));
    }
    return find_overlaps(page, tools, err);
}
