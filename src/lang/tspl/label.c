// The image: elements from CLS on, printed by PRINT in sets and copies. Commands with counters are carried out again
// for each set.
#include "lang/tspl/label.h"

#include "lang/tspl/args.h"

struct pl_element *tspl_new_element(struct tspl *t, const struct tspl_args *a, enum pl_element_kind kind)
{
    struct pl_element *e = PL_ARENA_NEW(t->arena, struct pl_element);
    if (!e)
        return NULL;
    e->kind = kind;
    e->source = a->source;
    return e;
}

static enum pl_errc grow(struct tspl *t)
{
    uint32_t capacity = t->item_capacity ? t->item_capacity * 2 : 32;
    // Labels that were printed keep the array that they have.
    struct pl_element **grown = PL_ARENA_ARRAY(t->arena, struct pl_element *, capacity);
    if (!grown)
        return pl_fail_memory(t->err);
    if (t->item_count)
        memcpy(grown, t->items, t->item_count * sizeof(struct pl_element *));
    t->items = grown;
    t->item_capacity = capacity;
    return PL_OK;
}

enum pl_errc tspl_add(struct tspl *t, struct pl_element *element)
{
    if (!element)
        return pl_fail_memory(t->err);
    if (t->item_count >= t->options->limits.elements_per_label) {
        if (!t->full)
            pl_diag_add(t->diags, PL_DIAG_LIMIT_REACHED, element->source, 0,
                        "The label has more than %u elements; the rest was left out.",
                        t->options->limits.elements_per_label);
        t->full = true;
        return PL_OK;
    }
    if (t->item_count == t->item_capacity)
        PL_TRY(grow(t));
    if (!t->quiet)
        t->image_start = PL_MIN(t->image_start, element->source.offset);
    t->items[t->item_count++] = element;
    t->fresh++;
    return PL_OK;
}

void tspl_clear(struct tspl *t)
{
    t->items = NULL;
    t->item_count = t->item_capacity = t->fresh = 0;
    t->deferred_count = 0;
    t->full = false;
    t->image_start = UINT32_MAX;
}

enum pl_errc tspl_defer(struct tspl *t, const struct tspl_lexer *at, uint32_t first)
{
    if (t->deferred_count == t->deferred_capacity) {
        uint32_t capacity = t->deferred_capacity ? t->deferred_capacity * 2 : 8;
        struct tspl_deferred *grown = PL_ARENA_ARRAY(t->arena, struct tspl_deferred, capacity);
        if (!grown)
            return pl_fail_memory(t->err);
        if (t->deferred_count)
            memcpy(grown, t->deferred, t->deferred_count * sizeof *grown);
        t->deferred = grown;
        t->deferred_capacity = capacity;
    }
    t->deferred[t->deferred_count++] =
        (struct tspl_deferred){.lex = *at, .printer = t->printer, .first = first, .count = t->item_count - first};
    return PL_OK;
}

// The elements with those of deferred commands made anew.
static enum pl_errc resolve(struct tspl *t, struct pl_element ***out, uint32_t *count)
{
    *out = t->items;
    *count = t->item_count;
    if (t->deferred_count == 0)
        return PL_OK;
    struct pl_element **list = pl_arena_copy(t->arena, t->items, t->item_count * sizeof(struct pl_element *));
    if (!list)
        return pl_fail_memory(t->err);
    struct pl_element **items = t->items;
    uint32_t all = t->item_count, capacity = t->item_capacity, fresh = t->fresh;
    bool full = t->full;
    struct tspl_printer printer = t->printer;
    enum pl_errc code = PL_OK;
    t->quiet = true;
    for (uint32_t i = 0; i < t->deferred_count && code == PL_OK; i++) {
        const struct tspl_deferred *d = &t->deferred[i];
        t->items = NULL;
        t->item_count = t->item_capacity = 0;
        t->printer = d->printer;
        code = tspl_repeat(t, d);
        for (uint32_t k = 0; k < d->count; k++)
            list[d->first + k] = k < t->item_count ? t->items[k] : NULL;
        if (code == PL_OK)
            code = pl_job_check(t->job, t->err);
    }
    t->quiet = false;
    t->printer = printer;
    t->items = items;
    t->item_count = all;
    t->item_capacity = capacity;
    t->fresh = fresh;
    t->full = full;
    uint32_t n = 0;
    for (uint32_t i = 0; i < all; i++)
        if (list[i])
            list[n++] = list[i];
    *out = list;
    *count = n;
    return code;
}

static enum pl_errc new_label(struct tspl *t, struct pl_label **out)
{
    if (t->label_count == t->label_capacity) {
        uint32_t capacity = t->label_capacity ? t->label_capacity * 2 : 8;
        struct pl_label *grown = PL_ARENA_ARRAY(t->arena, struct pl_label, capacity);
        if (!grown)
            return pl_fail_memory(t->err);
        if (t->label_count)
            memcpy(grown, t->labels, t->label_count * sizeof *grown);
        t->labels = grown;
        t->label_capacity = capacity;
    }
    *out = &t->labels[t->label_count++];
    return PL_OK;
}

// Takes a copy from the last label that has several, so that a new label has room. False: there is none.
static bool give_up_copy(struct tspl *t)
{
    uint32_t i = t->options->collapse_copies ? 0 : t->label_count;
    while (i > 0 && t->labels[i - 1].copies <= 1)
        i--;
    if (i == 0)
        return false;
    t->labels[i - 1].copies--;
    t->printed--;
    return true;
}

// How many of the labels that are asked for the limits allow.
static enum pl_errc find_room(struct tspl *t, struct pl_source source, bool collapse, uint64_t *wanted)
{
    uint32_t limit = t->options->limits.labels, copies = t->options->limits.copies;
    uint64_t room = limit > t->printed ? limit - t->printed : 0;
    if (room == 0 && give_up_copy(t))
        room = 1;
    if (room == 0)
        return pl_fail(t->err, PL_E_LIMIT, "the input has more than %u labels", limit);
    uint64_t copies_room = copies > t->copied + 1 ? copies - t->copied : 1; // the label itself is no copy
    room = PL_MIN(room, copies_room);
    if (*wanted > room && !collapse) {
        pl_diag_add(t->diags, PL_DIAG_COPIES_CUT, source, 0,
                    "PRINT asks for %llu labels; the limit leaves room for %llu.", (unsigned long long)*wanted,
                    (unsigned long long)room);
        *wanted = room;
    }
    *wanted = PL_MIN(*wanted, UINT32_MAX);
    if (*wanted > 1 && !collapse)
        t->copied += *wanted;
    return PL_OK;
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

static enum pl_errc print_one(struct tspl *t, struct pl_source source, uint32_t copies)
{
    struct pl_element **elements;
    uint32_t count;
    struct pl_label *label = NULL;
    PL_TRY(pl_job_check(t->job, t->err));
    PL_TRY(resolve(t, &elements, &count));
    PL_TRY(new_label(t, &label));
    *label = (struct pl_label){
        .elements = (const struct pl_element *const *)elements, .element_count = count, .copies = copies};
    fill_label(t, label, source);
    return PL_OK;
}

// Keeps the label for PRINT -1.
static enum pl_errc end_image(struct tspl *t)
{
    t->last = pl_arena_copy(t->arena, &t->labels[t->label_count - 1], sizeof(struct pl_label));
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
    if (t->item_count == 0) {
        step_counters(t, (int64_t)sets);
        pl_diag_add(t->diags, PL_DIAG_NOTHING_PRINTABLE, source, 0,
                    "PRINT: the image is empty; the blank label is not shown.");
        return PL_OK;
    }
    bool counts = t->deferred_count > 0, collapse = t->options->collapse_copies && !counts;
    uint64_t wanted = sets * copies;
    PL_TRY(find_room(t, source, collapse, &wanted));
    uint64_t left = wanted, each = counts ? copies : wanted;
    while (left > 0) {
        PL_TRY(print_one(t, source, (uint32_t)PL_MIN(left, each)));
        uint32_t copies_made = t->labels[t->label_count - 1].copies;
        left -= copies_made;
        t->printed += collapse ? 1 : copies_made;
        step_counters(t, counts ? 1 : (int64_t)sets);
        if (t->no_memory)
            return pl_fail_memory(t->err);
    }
    return end_image(t);
}

enum pl_errc tspl_print_last(struct tspl *t, struct pl_source source, uint64_t copies)
{
    if (!t->last) {
        pl_diag_add(t->diags, PL_DIAG_NOTHING_PRINTABLE, source, 0, "PRINT -1: nothing was printed before it.");
        return PL_OK;
    }
    PL_TRY(find_room(t, source, t->options->collapse_copies, &copies));
    struct pl_label *label = NULL;
    PL_TRY(new_label(t, &label));
    *label = *t->last;
    label->copies = (uint32_t)copies;
    label->index = t->image_count++;
    t->printed += t->options->collapse_copies ? 1 : copies;
    return PL_OK;
}
