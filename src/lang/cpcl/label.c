// The label: elements, their places, and labels when it is printed. Commands with counters are carried out again for
// each copy.
#include "base/fmt.h"
#include "lang/cpcl/cpcl.h"
#include "lang/cpcl/state.h"

void cpcl_label_clear(struct cpcl *e)
{
    e->drawn = (struct pl_elements){0};
    e->counted = NULL;
    e->counted_tail = &e->counted;
    e->last.row = NULL;
    e->diags->label = -1;
}

enum pl_errc cpcl_add(struct cpcl *e, struct pl_element *element)
{
    cpcl_page_begin(e, element->source.offset);
    return pl_elements_add(&e->labels, &e->drawn, element, e->quiet ? NULL : &element->source, NULL);
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
    struct pl_elements drawn = e->drawn;
    struct cpcl_settings settings = e->settings;
    e->drawn = (struct pl_elements){0};
    e->settings = c->settings;
    e->replacement = &data;
    e->same_group = &c->group;
    e->quiet = true;
    enum pl_errc code = args.row->run(e, &args);
    for (uint32_t i = 0; i < c->count; i++)
        list[c->first + i] = i < e->drawn.count ? e->drawn.items[i] : NULL;
    e->quiet = false;
    e->replacement = NULL;
    e->same_group = NULL;
    e->settings = settings;
    e->drawn = drawn;
    return code;
}

static enum pl_errc elements_of(struct cpcl *e, uint64_t copy, const struct pl_element *const **out, uint32_t *count)
{
    struct pl_element **list = e->drawn.items;
    *count = e->drawn.count;
    if (copy > 0 && e->counted) {
        list = pl_arena_copy(e->arena, list, *count * sizeof *list);
        if (!list)
            return pl_fail_memory(e->err);
        for (const struct cpcl_counted *c = e->counted; c; c = c->next) {
            PL_TRY(pl_job_check_often(e->job, &e->since_check, e->err));
            PL_TRY(repeat(e, c, copy, list));
        }
        *count = pl_elements_pack(list, *count);
    }
    *out = (const struct pl_element *const *)list;
    return PL_OK;
}

// A label of so many copies that are the same.
static enum pl_errc print_copies(struct cpcl *e, uint64_t copy, uint32_t copies, struct pl_source source, bool collapse)
{
    uint32_t start = PL_MIN(e->start, source.offset), count = 0;
    const struct pl_element *const *elements = NULL;
    struct pl_lang_settings settings;
    pl_lang_cpcl.memory.settings(e, &settings);
    PL_TRY(pl_job_check(e->job, e->err));
    PL_TRY(elements_of(e, copy, &elements, &count));
    const struct pl_label label = {.elements = elements,
                                   .element_count = count,
                                   .index = e->format_count - 1,
                                   .copies = copies,
                                   .print_width = e->settings.page_width,
                                   .length = e->settings.page_height,
                                   .dot_size = 1,
                                   .upside_down = e->upside_down,
                                   .source = {start, source.offset + source.length - start, "PRINT"},
                                   .printing = pl_lang_printing(&settings)};
    return pl_label_list_add(&e->labels, &label, collapse);
}

enum pl_errc cpcl_print(struct cpcl *e, struct pl_source source)
{
    bool collapse = e->options->collapse_copies && !e->counted;
    uint64_t left = e->drawn.count > 0 ? e->quantity : 0, each = e->counted ? 1 : left;
    e->diags->label = (int32_t)e->labels.count;
    if (left > 0)
        PL_TRY(pl_label_list_room(&e->labels, source, "The header", collapse, &left));
    e->format_count += left > 0;
    for (uint64_t copy = 0; left > 0; copy++) {
        uint32_t now = (uint32_t)PL_MIN(left, each);
        PL_TRY(print_copies(e, copy, now, source, collapse));
        left -= now;
    }
    cpcl_label_clear(e);
    return PL_OK;
}

void cpcl_page_drawn(struct cpcl *e, int32_t bottom)
{
    if (e->mode != CPCL_LABEL)
        e->page.y = PL_MIN(PL_MAX(e->page.y, bottom), CPCL_FAR);
}

void cpcl_page_begin(struct cpcl *e, uint32_t offset)
{
    if (e->mode == CPCL_LABEL || e->page.begun)
        return;
    e->page.begun = true;
    e->start = offset;
    e->quantity = 1;
    e->diags->label = (int32_t)e->labels.count;
}
