// Barcodes inside graphics: found in the dots of the page, read, and their data checked.
#include "base/ckd.h"
#include "check/find.h"
#include "check/gs1.h"
#include "render/check_keys.h"

// From this size on a graphic can hold a barcode that somebody must scan, and is searched; from the larger one on it is
// said that nothing was found.
#define LEAST_MM 3.0
#define LARGE_MM 15.0
// Graphics of a label that are searched, and their dots in all.
enum { GRAPHICS_MOST = 16, DOTS_MOST = 16 << 20 };

struct search {
    const struct pl_check_run *run;
    struct pl_check_keys *keys;
    struct pl_bitmap dots; // of the page
    struct pl_job job;
    uint32_t graphics;
    uint64_t searched; // dots
    bool late, reported;
};

static enum pl_errc page_dots(struct search *s)
{
    const struct pl_drawn_page *drawn = &s->run->page->drawn;
    s->dots = drawn->bits;
    if (!drawn->is_grey)
        return PL_OK;
    return pl_grey_to_bits(&s->run->worker->scratch, &drawn->grey, &s->dots, s->run->err);
}

// The part of the page without the barcodes that have fields of their own.
static enum pl_errc take_part(struct search *s, struct pl_box box, struct pl_bitmap *out)
{
    const struct pl_drawn_page *drawn = &s->run->page->drawn;
    PL_TRY(pl_bitmap_new(&s->run->worker->scratch, (uint32_t)(box.x1 - box.x0), (uint32_t)(box.y1 - box.y0), out,
                         s->run->err));
    pl_bitmap_blit(out, &s->dots, -box.x0, -box.y0, PL_INK_BLACK);
    for (uint32_t i = 0; i < drawn->report_count; i++) {
        const struct pl_element_report *r = &drawn->reports[i];
        if (r->part_count == 0)
            continue;
        const struct pl_box covers = pl_box_intersect(pl_box_union(r->box, r->quiet_zone), box);
        if (!pl_box_is_empty(covers))
            pl_bitmap_fill(
                out, (struct pl_box){covers.x0 - box.x0, covers.y0 - box.y0, covers.x1 - box.x0, covers.y1 - box.y0},
                PL_INK_WHITE);
    }
    if (s->run->page->mirrored)
        pl_bitmap_mirror(out);
    return PL_OK;
}

// Keys outlive the memory of a search.
static enum pl_errc keep(const struct pl_check_run *run, struct pl_slice *value)
{
    const void *copy = pl_arena_copy(run->page->arena, value->ptr, PL_MAX(value->len, (size_t)1));
    if (!copy)
        return pl_fail_memory(run->err);
    value->ptr = copy;
    return PL_OK;
}

// What a field with this data would be told.
static enum pl_errc check_found(struct search *s, uint32_t index, const struct pl_found_symbol *found)
{
    const struct pl_check_run *run = s->run;
    const struct pl_source source = run->page->drawn.reports[index].element->source;
    const struct pl_rule_result rule = pl_rules_check(run->document->rules->rules, found->symbology, found->data);
    if (rule.match == PL_RULE_BROKEN && !rule.by_word) {
        struct pl_diag *d = pl_check_find(run, index, PL_DIAG_CHECK_DIGIT_WRONG, source, 0, "%s", rule.message);
        if (d && (rule.unread || rule.unsure || rule.word))
            d->severity = rule.unsure ? PL_SEV_INFO : PL_SEV_WARNING;
    }
    struct pl_slice value = found->data;
    if (rule.match == PL_RULE_HOLDS && rule.rule == PL_RULE_KEY && found->symbology != PL_CHECK_UPCE) {
        PL_TRY(keep(run, &value));
        pl_check_keys_add(s->keys, (struct pl_check_key){.digits = value, .index = index, .kind = PL_KEY_ITEM});
    }
    const bool link = pl_check_may_hold_link(found->symbology) && pl_gs1_is_link(found->data);
    if (run->document->rules->gs1 == PL_GS1_NOT_CHECKED || !(link || found->gs1))
        return PL_OK;
    struct pl_gs1_result *result = PL_ARENA_NEW(&run->worker->scratch, struct pl_gs1_result);
    if (!result)
        return pl_fail_memory(run->err);
    PL_TRY(pl_gs1_check(found->data, link ? PL_GS1_LINK : PL_GS1_ELEMENTS, &run->worker->scratch, result, run->err));
    for (uint32_t i = 0; i < result->finding_count; i++) {
        struct pl_diag *d = pl_check_find(run, index, pl_check_gs1_diag(result->findings[i].code), source, 0,
                                          "In the graphic: %s", result->findings[i].message);
        if (d && pl_check_gs1_doubtful(result, &result->findings[i]))
            d->severity = PL_SEV_WARNING;
    }
    for (uint32_t i = 0; i < result->element_count; i++) {
        value = result->elements[i].value;
        PL_TRY(keep(run, &value));
        pl_check_keys_add_element(s->keys, index, found->symbology, result->elements[i].ai, value);
    }
    return PL_OK;
}

// What is wrong with the symbol as such; `what` follows "The graphic has ".
static void tell_unreadable(struct search *s, uint32_t index, const struct pl_found_symbol *found, struct pl_box place,
                            const char *what, const char *why)
{
    const bool known = found->symbology != PL_CHECK_SYMBOLOGY_COUNT;
    const bool white = found->read && found->reversed;
    const int shown = white ? (int)PL_MIN(found->data.len, (size_t)200) : 0;
    struct pl_diag *d =
        pl_check_find(s->run, index, PL_DIAG_SYMBOL_UNREADABLE, s->run->page->drawn.reports[index].element->source, 0,
                      "The graphic has %s (%s) at %d,%d (%dx%d dots)%s%.*s%s", what,
                      known ? pl_check_symbology_name(found->symbology) : "linear", place.x0, place.y0,
                      place.x1 - place.x0, place.y1 - place.y0, why, shown, shown ? (const char *)found->data.ptr : "",
                      white ? ": most scanners read bars only black on white." : "");
    // Bars that are not read may be of a kind that has no reader, or no barcode at all.
    if (d && (found->read || !known))
        d->severity = PL_SEV_WARNING;
}

static enum pl_errc tell(struct search *s, uint32_t index, struct pl_box box, const struct pl_found_symbol *found)
{
    const struct pl_check_run *run = s->run;
    const int32_t width = box.x1 - box.x0;
    struct pl_box place = found->place;
    if (run->page->mirrored)
        place = (struct pl_box){width - place.x1, place.y0, width - place.x0, place.y1};
    place = (struct pl_box){place.x0 + box.x0, place.y0 + box.y0, place.x1 + box.x0, place.y1 + box.y0};
    if (!found->read)
        tell_unreadable(s, index, found, place, "what looks like a barcode", ", but it cannot be read.");
    else if (found->reversed)
        tell_unreadable(s, index, found, place, "a barcode", " white on black, with the data ");
    else if (found->covered)
        tell_unreadable(s, index, found, place, "a barcode", " that can be read in less than half of its height.");
    if (!found->read || found->reversed)
        return PL_OK;
    pl_check_find(run, index, PL_DIAG_GRAPHIC_BARCODE, run->page->drawn.reports[index].element->source, 0,
                  "The graphic has a barcode (%s) at %d,%d (%dx%d dots) with the data %.*s.",
                  pl_check_symbology_name(found->symbology), place.x0, place.y0, place.x1 - place.x0,
                  place.y1 - place.y0, (int)PL_MIN(found->data.len, (size_t)200), (const char *)found->data.ptr);
    return check_found(s, index, found);
}

static enum pl_errc look_at(struct search *s, uint32_t index, struct pl_box box, bool large)
{
    const struct pl_check_run *run = s->run;
    struct pl_find_result result = {0};
    struct pl_bitmap part;
    const uint64_t dots = (uint64_t)(box.x1 - box.x0) * (uint64_t)(box.y1 - box.y0);
    if (!s->late && s->graphics < GRAPHICS_MOST && s->searched + dots <= DOTS_MOST) {
        PL_TRY(take_part(s, box, &part));
        enum pl_errc code = pl_find_symbols(&part, &s->job, &run->worker->scratch, &result, run->err);
        s->late = code == PL_E_DEADLINE;
        if (code != PL_OK && !s->late)
            return code;
        s->graphics++;
        s->searched += dots;
    }
    for (uint32_t i = 0; i < result.count; i++)
        PL_TRY(tell(s, index, box, &result.items[i]));
    if (result.count || !large || s->reported)
        return PL_OK;
    s->reported = true; // once for a label
    pl_check_find(run, index, PL_DIAG_GRAPHIC_NOT_CHECKED, run->page->drawn.reports[index].element->source, 0,
                  result.searched && !s->late
                      ? "No barcode was found in this graphic: one that is in it is not checked. Use a barcode command."
                      : "A barcode inside this graphic is not checked: use a barcode command.");
    return PL_OK;
}

static enum pl_errc search_graphic(struct search *s, uint32_t index, struct pl_box box, bool large)
{
    struct pl_arena *scratch = &s->run->worker->scratch;
    struct pl_arena_mark mark = pl_arena_mark(scratch);
    enum pl_errc code = look_at(s, index, box, large);
    pl_arena_release(scratch, mark);
    return code;
}

enum pl_errc pl_check_graphics(const struct pl_check_run *run, struct pl_check_keys *keys)
{
    struct search s = {.run = run, .keys = keys, .job = run->document->job};
    const struct pl_drawn_page *drawn = &run->page->drawn;
    if (!run->document->options.verify)
        return PL_OK;
    const uint64_t now = s.job.deadline_ns ? pl_now_ns() : 0;
    if (s.job.deadline_ns > now) // the fields' own barcodes come first
        s.job.deadline_ns = now + (s.job.deadline_ns - now) / 4;
    PL_TRY(page_dots(&s));
    const struct pl_box page = {0, 0, (int32_t)s.dots.width, (int32_t)s.dots.height};
    for (uint32_t i = 0; i < drawn->report_count; i++) {
        const struct pl_box box = pl_box_intersect(drawn->reports[i].box, page);
        if (drawn->reports[i].element->kind != PL_ELEMENT_IMAGE || pl_box_is_empty(box))
            continue;
        const double width = pl_check_mm(run, (double)box.x1 - box.x0),
                     height = pl_check_mm(run, (double)box.y1 - box.y0);
        if (PL_MIN(width, height) >= LEAST_MM)
            PL_TRY(search_graphic(&s, i, box, PL_MIN(width, height) >= LARGE_MM));
    }
    return PL_OK;
}
