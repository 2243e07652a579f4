// The label: elements, their places, and labels when it is printed. Commands with counters are carried out again for
// each copy.
#include <stdio.h>

#include "base/fmt.h"
#include "lang/cpcl/state.h"

enum pl_errc cpcl_check_job(struct cpcl *e)
{
    if (++e->since_check < 64)
        return PL_OK;
    e->since_check = 0;
    return pl_job_check(e->job, e->err);
}

void cpcl_label_clear(struct cpcl *e)
{
    e->items = NULL; // labels refer to them
    e->item_count = e->item_capacity = 0;
    e->full = false;
    e->counted = NULL;
    e->counted_tail = &e->counted;
    e->last.row = NULL;
    e->diags->label = -1;
}

struct pl_element *cpcl_new_element(struct cpcl *e, const struct cpcl_args *a, enum pl_element_kind kind)
{
    struct pl_element *element = PL_ARENA_NEW(e->arena, struct pl_element);
    if (!element)
        return NULL;
    element->kind = kind;
    element->source = a->source;
    return element;
}

static enum pl_errc grow(struct cpcl *e)
{
    uint32_t capacity = e->item_capacity ? e->item_capacity * 2 : 32;
    struct pl_element **grown = PL_ARENA_ARRAY(e->arena, struct pl_element *, capacity);
    if (!grown)
        return pl_fail_memory(e->err);
    if (e->item_count)
        memcpy(grown, e->items, e->item_count * sizeof(*grown));
    e->items = grown;
    e->item_capacity = capacity;
    return PL_OK;
}

enum pl_errc cpcl_add(struct cpcl *e, struct pl_element *element)
{
    if (e->item_count >= e->options->limits.elements_per_label) {
        if (!e->full && !e->quiet)
            pl_diag_add(e->diags, PL_DIAG_LIMIT_REACHED, element->source, 0,
                        "The label has more than %u fields; the rest was left out.",
                        e->options->limits.elements_per_label);
        e->full = true;
        return PL_OK;
    }
    if (e->item_count == e->item_capacity)
        PL_TRY(grow(e));
    cpcl_page_begin(e, element->source.offset);
    e->items[e->item_count++] = element;
    return PL_OK;
}

int32_t cpcl_page_width(const struct cpcl *e)
{
    return pl_clamp_i32(e->settings.page_width ? e->settings.page_width : e->options->width, 1, CPCL_FAR);
}

// Fields that read upwards are justified between y and the top, those that read downwards between y and the end.
int32_t cpcl_edge(const struct cpcl *e, enum pl_rotation rotation)
{
    const struct cpcl_settings *s = &e->settings;
    if (s->edge >= 0)
        return s->edge;
    if (pl_is_upright(rotation))
        return cpcl_page_width(e);
    return rotation == PL_ROT_B ? 0 : (int32_t)PL_MIN(s->page_height, (uint32_t)CPCL_FAR);
}

void cpcl_place(struct cpcl *e, struct pl_element *element, int32_t x, int32_t y, enum pl_rotation rotation)
{
    const struct cpcl_settings *s = &e->settings;
    bool upright = pl_is_upright(rotation);
    int32_t edge = cpcl_edge(e, rotation), *along = upright ? &x : &y;
    element->rotation = rotation;
    element->at = (struct pl_placement){.pivot = true, .justify = s->justify};
    if (s->justify == PL_JUSTIFY_CENTER)
        *along = (*along + edge) / 2;
    else if (s->justify == PL_JUSTIFY_RIGHT)
        *along = edge;
    if (s->justify == PL_JUSTIFY_RIGHT && rotation == PL_ROT_I)
        element->at.justify = PL_JUSTIFY_LEFT; // upside down, its first character is the rightmost
    element->at.x = x + s->offset_x + s->origin_x;
    element->at.y = y + s->origin_y;
}

// ---- copies

// The digits at the end of the data, counted on by `by`; zeros before them stay.
static enum pl_errc count_data(struct cpcl *e, struct pl_slice data, int64_t by, struct pl_slice *out)
{
    enum { MOST_DIGITS = 18 };
    size_t digits = 0;
    while (digits < data.len && digits < MOST_DIGITS && pl_is_digit(data.ptr[data.len - 1 - digits]))
        digits++;
    *out = data;
    if (digits == 0)
        return PL_OK;
    size_t head = data.len - digits;
    int64_t value = 0, ring = 1;
    for (size_t i = head; i < data.len; i++) {
        value = value * 10 + (data.ptr[i] - '0');
        ring *= 10;
    }
    value = ((value + by % ring) % ring + ring) % ring;
    uint8_t *text = pl_arena_copy(e->arena, data.ptr, data.len);
    if (!text)
        return pl_fail_memory(e->err);
    for (size_t i = data.len; i > head; i--, value /= 10)
        text[i - 1] = (uint8_t)('0' + value % 10);
    *out = pl_slice_make(text, data.len);
    return PL_OK;
}

// Carries out a counted command again. Its elements go to the places of those of the first copy.
static enum pl_errc repeat(struct cpcl *e, const struct cpcl_counted *c, uint64_t copy, struct pl_element **list)
{
    struct cpcl_args args = c->args;
    struct pl_slice data;
    PL_TRY(count_data(e, c->data, c->step * (int64_t)copy, &data));
    struct pl_element **items = e->items;
    uint32_t count = e->item_count, capacity = e->item_capacity;
    struct cpcl_settings settings = e->settings;
    e->items = NULL;
    e->item_count = e->item_capacity = 0;
    e->settings = c->settings;
    e->replacement = &data;
    e->same_group = &c->group;
    e->quiet = true;
    enum pl_errc code = args.row->run(e, &args);
    for (uint32_t i = 0; i < c->count; i++)
        list[c->first + i] = i < e->item_count ? e->items[i] : NULL;
    e->quiet = false;
    e->replacement = NULL;
    e->same_group = NULL;
    e->settings = settings;
    e->items = items;
    e->item_count = count;
    e->item_capacity = capacity;
    return code;
}

static enum pl_errc elements_of(struct cpcl *e, uint64_t copy, const struct pl_element *const **out, uint32_t *count)
{
    *out = (const struct pl_element *const *)e->items;
    *count = e->item_count;
    if (copy == 0 || !e->counted)
        return PL_OK;
    struct pl_element **list = PL_ARENA_ARRAY(e->arena, struct pl_element *, e->item_count);
    if (!list)
        return pl_fail_memory(e->err);
    memcpy(list, e->items, e->item_count * sizeof(*list));
    for (const struct cpcl_counted *c = e->counted; c; c = c->next) {
        PL_TRY(cpcl_check_job(e));
        PL_TRY(repeat(e, c, copy, list));
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->item_count; i++)
        if (list[i])
            list[n++] = list[i];
    *out = (const struct pl_element *const *)list;
    *count = n;
    return PL_OK;
}

static enum pl_errc new_label(struct cpcl *e, struct pl_label **out)
{
    if (e->label_count == e->label_capacity) {
        uint32_t capacity = e->label_capacity ? e->label_capacity * 2 : 8;
        struct pl_label *grown = PL_ARENA_ARRAY(e->arena, struct pl_label, capacity);
        if (!grown)
            return pl_fail_memory(e->err);
        if (e->label_count)
            memcpy(grown, e->labels, e->label_count * sizeof(*grown));
        e->labels = grown;
        e->label_capacity = capacity;
    }
    *out = &e->labels[e->label_count++];
    return PL_OK;
}

// How many of the labels that are asked for there is room for.
static enum pl_errc cut_to_limits(struct cpcl *e, bool collapse, struct pl_source source, uint64_t *wanted)
{
    const struct pl_limits *limits = &e->options->limits;
    uint64_t room = limits->labels > e->printed ? limits->labels - e->printed : 0;
    if (room == 0)
        return pl_fail(e->err, PL_E_LIMIT, "the input has more than %u labels", limits->labels);
    uint64_t copies_room = limits->copies > e->copied + 1 ? limits->copies - e->copied : 1; // the label is no copy
    room = PL_MIN(room, copies_room);
    if (*wanted > room && !collapse) {
        pl_diag_add(e->diags, PL_DIAG_COPIES_CUT, source, 0,
                    "The label asks for %llu copies; the limit leaves room for %llu.", (unsigned long long)*wanted,
                    (unsigned long long)room);
        *wanted = room;
    }
    if (*wanted > 1 && !collapse)
        e->copied += *wanted;
    return PL_OK;
}

// A label of so many copies that are the same.
static enum pl_errc print_copies(struct cpcl *e, uint64_t copy, uint32_t copies, struct pl_source source)
{
    uint32_t start = PL_MIN(e->start, source.offset), count;
    const struct pl_element *const *elements;
    struct pl_label *label = NULL;
    PL_TRY(pl_job_check(e->job, e->err));
    PL_TRY(elements_of(e, copy, &elements, &count));
    PL_TRY(new_label(e, &label));
    *label = (struct pl_label){.elements = elements,
                               .element_count = count,
                               .index = e->format_count - 1,
                               .copies = copies,
                               .print_width = e->settings.page_width,
                               .length = e->settings.page_height,
                               .dot_size = 1,
                               .source = {start, source.offset + source.length - start, "PRINT"}};
    return PL_OK;
}

enum pl_errc cpcl_print(struct cpcl *e, struct pl_source source)
{
    bool collapse = e->options->collapse_copies && !e->counted;
    uint64_t left = e->item_count > 0 ? e->quantity : 0, each = e->counted ? 1 : left;
    e->diags->label = (int32_t)e->label_count;
    if (left > 0)
        PL_TRY(cut_to_limits(e, collapse, source, &left));
    e->printed += collapse && left > 0 ? 1 : left;
    e->format_count += left > 0;
    for (uint64_t copy = 0; left > 0; copy++) {
        uint32_t now = (uint32_t)PL_MIN(left, each);
        PL_TRY(print_copies(e, copy, now, source));
        left -= now;
    }
    cpcl_label_clear(e);
    return PL_OK;
}
