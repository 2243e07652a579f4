// The image: elements from CLS on, printed by PRINT in sets and copies. Commands with counters are carried out again
// for each set.
#include "lang/tspl/state.h"

enum pl_errc tspl_add(struct tspl *t, struct pl_element *element)
{
    if (!element)
        return pl_fail_memory(t->err);
    if (!t->quiet)
        t->image_start = PL_MIN(t->image_start, element->source.offset);
    t->fresh++;
    return pl_elements_add(&t->labels, &t->drawn, element, t->quiet ? NULL : &element->source, NULL);
}

void tspl_clear(struct tspl *t)
{
    t->drawn = (struct pl_elements){0};
    t->fresh = 0;
    t->deferred_count = 0;
    t->image_start = UINT32_MAX;
}

enum pl_errc tspl_defer(struct tspl *t, const struct tspl_lexer *at, uint32_t first)
{
    if (!PL_ARENA_GROW(t->arena, t->deferred, t->deferred_count, t->deferred_capacity, 8))
        return pl_fail_memory(t->err);
    t->deferred[t->deferred_count++] =
        (struct tspl_deferred){.lex = *at, .printer = t->printer, .first = first, .count = t->drawn.count - first};
    return PL_OK;
}

// The elements with those of deferred commands made anew.
static enum pl_errc resolve(struct tspl *t, struct pl_element ***out, uint32_t *count)
{
    *out = t->drawn.items;
    *count = t->drawn.count;
    if (t->deferred_count == 0)
        return PL_OK;
    struct pl_element **list = pl_arena_copy(t->arena, *out, *count * sizeof *list);
    if (!list)
        return pl_fail_memory(t->err);
    struct pl_elements drawn = t->drawn;
    uint32_t fresh = t->fresh;
    struct tspl_printer printer = t->printer;
    enum pl_errc code = PL_OK;
    t->quiet = true;
    for (uint32_t i = 0; i < t->deferred_count && code == PL_OK; i++) {
        const struct tspl_deferred *d = &t->deferred[i];
        t->drawn = (struct pl_elements){0};
        t->printer = d->printer;
        code = tspl_repeat(t, d);
        for (uint32_t k = 0; k < d->count; k++)
            list[d->first + k] = k < t->drawn.count ? t->drawn.items[k] : NULL;
        if (code == PL_OK)
            code = pl_job_check(t->job, t->err);
    }
    t->quiet = false;
    t->printer = printer;
    t->drawn = drawn;
    t->fresh = fresh;
    *out = list;
    *count = pl_elements_pack(list, *count);
    return code;
}

static void step_counters(struct tspl *t, int64_t times)
{
    for (uint32_t i = 0; i < TSPL_COUNTERS; i++)
        (void)tspl_counter_add(t, &t->counters[i], times);
}

static void fill_label(struct tspl *t, struct pl_label *label, struct pl_source source)
{
    const struct tspl_printer *p = &t->printer;
    label->index = t->image_count;
    label->mirrored = p->mirrored;
    label->upside_down = p->upside_down;
    label->print_width = p->width;
    label->length = p->length;
    label->dot_size = 1;
    label->source = source;
    if (t->image_start < source.offset) {
        label->source.length += source.offset - t->image_start;
        label->source.offset = t->image_start;
    }
}

static enum pl_errc print_one(struct tspl *t, struct pl_source source, uint32_t copies, bool collapse)
{
    struct pl_element **elements;
    uint32_t count;
    struct pl_lang_settings settings;
    PL_TRY(pl_job_check(t->job, t->err));
    PL_TRY(resolve(t, &elements, &count));
    pl_tspl_settings(t, &settings);
    struct pl_label label = {.elements = (const struct pl_element *const *)elements,
                             .element_count = count,
                             .copies = copies,
                             .printing = pl_lang_printing(&settings)};
    fill_label(t, &label, source);
    return pl_label_list_add(&t->labels, &label, collapse);
}

// Keeps the label for PRINT -1.
static enum pl_errc end_image(struct tspl *t)
{
    t->last = pl_arena_copy(t->arena, &t->labels.items[t->labels.count - 1], sizeof(struct pl_label));
    if (!t->last)
        return pl_fail_memory(t->err);
    t->image_count++;
    t->image_start = UINT32_MAX;
    t->diags->label = -1;
    return PL_OK;
}

enum pl_errc tspl_print(struct tspl *t, struct pl_source source, uint64_t sets, uint64_t copies)
{
    t->fresh = 0;
    if (t->drawn.count == 0) {
        step_counters(t, (int64_t)sets);
        pl_diag_add(t->diags, PL_DIAG_NOTHING_PRINTABLE, source, 0,
                    "PRINT: the image is empty; the blank label is not shown.");
        return PL_OK;
    }
    bool counts = t->deferred_count > 0, collapse = t->options->collapse_copies && !counts;
    uint64_t wanted = sets * copies;
    PL_TRY(pl_label_list_room(&t->labels, source, "PRINT", collapse, &wanted));
    uint64_t left = wanted, each = counts ? copies : wanted;
    while (left > 0) {
        uint32_t now = (uint32_t)PL_MIN(left, each);
        PL_TRY(print_one(t, source, now, collapse));
        left -= now;
        step_counters(t, counts ? 1 : (int64_t)sets);
        if (t->no_memory)
            return pl_fail_memory(t->err);
    }
    return end_image(t);
}

enum pl_errc tspl_print_last(struct tspl *t, struct pl_source source, uint64_t copies)
{
    if (!t->last)
        return PL_REPORTED(
            pl_diag_add(t->diags, PL_DIAG_NOTHING_PRINTABLE, source, 0, "PRINT -1: nothing was printed before it."));
    PL_TRY(pl_label_list_room(&t->labels, source, "PRINT", t->options->collapse_copies, &copies));
    struct pl_label label = *t->last;
    label.copies = (uint32_t)copies;
    label.index = t->image_count++;
    return pl_label_list_add(&t->labels, &label, t->options->collapse_copies);
}
