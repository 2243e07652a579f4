// The image buffer: elements as they are drawn, those that wait for variables, and labels when it is printed.
#include "base/ckd.h"
#include "lang/epl/epl.h"
#include "lang/epl/state.h"

void epl_buffer_clear(struct epl *e)
{
    e->buffer = (struct epl_buffer){0};
    e->buffer.pending_tail = &e->buffer.pending;
    e->diags->label = -1;
}

// The first command that draws begins the label.
static void begin(struct epl *e, uint32_t offset)
{
    struct epl_buffer *b = &e->buffer;
    if (!b->begun) {
        b->begun = true;
        b->start = offset;
        e->diags->label = (int32_t)e->labels.count;
    }
    b->printed = false;
}

struct pl_element *epl_new_element(struct epl *e, const struct epl_args *a, enum pl_element_kind kind, int32_t x,
                                   int32_t y)
{
    struct pl_element *element =
        pl_element_new(&e->labels, kind, a->source, e->settings.ref_x + x, e->settings.ref_y + y);
    if (!element)
        return NULL;
    begin(e, a->source.offset);
    const struct epl_token *t = a->token;
    if (e->lex.mapped && t->item_count >= 2) {
        const uint32_t base = a->source.offset;
        element->placed_by = (struct pl_place_source){
            .source = a->source,
            .x_offset = base + (uint32_t)(t->item[0].ptr - t->line.ptr),
            .x_length = (uint32_t)t->item[0].len,
            .y_offset = base + (uint32_t)(t->item[1].ptr - t->line.ptr),
            .y_length = (uint32_t)t->item[1].len,
            .x = x,
            .y = y,
            .unit_dots = 1,
        };
    }
    return element;
}

enum pl_errc epl_add_element(struct epl *e, struct pl_element *element, uint32_t *slot)
{
    return pl_elements_add(&e->labels, &e->buffer.drawn, element, element ? &element->source : NULL, slot);
}

// The black box behind reversed text: two dots before and above it, a pitch for each character, four dots higher than
// the cells (measured on a printer).
static struct pl_element *black_box(struct epl *e, const struct epl_pending *p, const struct pl_element *text)
{
    int64_t places = text->text.length;
    if (text->text.font.resident == PL_FONT_TSPL_24) // fonts 8 and 9
        places += pl_text_squares(&text->text);
    int32_t width = pl_clamp_i32(places * p->pitch, 0, 65535);
    const struct pl_frame place = {text->at.x, text->at.y, text->rotation};
    const struct pl_box box = pl_frame_box(place, (struct pl_box){-2, -2, width - 2, p->height + 2});
    return pl_element_new_solid(&e->labels, text->source, box);
}

// GG: the bits of the graphic of that name, if there is one.
static enum pl_errc show_graphic(struct epl *e, struct pl_slice bytes, struct pl_element *element)
{
    struct pl_object_name name;
    const struct pl_object *stored =
        epl_object_name(pl_slice_trim(bytes), "PCX", &name) ? pl_store_lookup(e->store, &name) : NULL;
    if (!stored || stored->kind != PL_OBJECT_BITMAP)
        return PL_REPORTED(pl_diag_add(e->diags, PL_DIAG_OBJECT_NOT_FOUND, element->source, 0,
                                       "GG: no graphic %.*s was stored.", (int)PL_MIN(bytes.len, (size_t)16),
                                       (const char *)bytes.ptr));
    element->image = (struct pl_image){.bits = stored->data, .mx = 1, .my = 1, .name = bytes};
    return PL_OK;
}

// What the element shows of its data.
static enum pl_errc set_content(struct epl *e, const struct epl_pending *p, struct pl_slice bytes,
                                struct pl_element *element)
{
    if (element->kind == PL_ELEMENT_TEXT)
        return epl_text_chars(e, &p->settings, bytes, element->source, &element->text);
    if (element->kind == PL_ELEMENT_IMAGE)
        return show_graphic(e, bytes, element);
    return p->code ? epl_code_content(e, p->code, bytes, element) : epl_matrix_content(e, p->matrix, bytes, element);
}

// The element with its data for a set of labels; *out is NULL where there is nothing to draw.
static enum pl_errc resolve(struct epl *e, const struct epl_pending *p, uint64_t step, struct pl_element **out,
                            bool *changes)
{
    struct pl_element *element = p->element;
    struct pl_slice bytes;
    *out = NULL;
    PL_TRY(epl_data_bytes(e, p, step, &bytes, changes));
    if (bytes.len == 0) {
        if (element->kind == PL_ELEMENT_BARCODE && step == 0)
            pl_diag_add(e->diags, PL_DIAG_FIELD_EMPTY, element->source, 0,
                        "%s: the data is empty; no barcode was drawn.", element->source.command);
        return PL_OK;
    }
    if (step > 0 || epl_data_waits(p)) {
        element = pl_arena_copy(e->arena, element, sizeof *element);
        if (!element)
            return pl_fail_memory(e->err);
    }
    PL_TRY(set_content(e, p, bytes, element));
    if (element->kind != PL_ELEMENT_IMAGE || element->image.bits)
        *out = element;
    return PL_OK;
}

// Adds what belongs to the element before it: the box behind reversed text.
static enum pl_errc put_resolved(struct epl *e, const struct epl_pending *p, struct pl_element *element,
                                 struct pl_element **list)
{
    if (p->box_slot != UINT32_MAX) {
        list[p->box_slot] = element ? black_box(e, p, element) : NULL;
        if (element && !list[p->box_slot])
            return pl_fail_memory(e->err);
    }
    list[p->slot] = element;
    return PL_OK;
}

// Keeps places for an element that is known when the label is printed, and for the box behind it.
static enum pl_errc keep_pending(struct epl *e, const struct epl_pending *p)
{
    struct epl_pending *kept = PL_ARENA_NEW(e->arena, struct epl_pending);
    if (!kept)
        return pl_fail_memory(e->err);
    *kept = *p;
    if (p->element->kind == PL_ELEMENT_TEXT && p->element->reverse)
        PL_TRY(epl_add_element(e, NULL, &kept->box_slot));
    PL_TRY(epl_add_element(e, p->element, &kept->slot));
    if (kept->slot == UINT32_MAX) {
        e->buffer.drawn.count -= kept->box_slot != UINT32_MAX; // the box had the last place: nothing would fill it
        return PL_OK;
    }
    e->buffer.drawn.items[kept->slot] = NULL;
    *e->buffer.pending_tail = kept;
    e->buffer.pending_tail = &kept->next;
    return PL_OK;
}

enum pl_errc epl_add_data(struct epl *e, struct epl_pending *p)
{
    struct pl_element *element, *black = NULL;
    bool changes;
    p->box_slot = UINT32_MAX;
    p->settings = e->settings;
    if (epl_data_waits(p))
        return keep_pending(e, p);
    PL_TRY(resolve(e, p, 0, &element, &changes));
    if (!element)
        return PL_OK;
    if (element->kind == PL_ELEMENT_TEXT && element->reverse) {
        black = black_box(e, p, element);
        PL_TRY(black ? epl_add_element(e, black, NULL) : pl_fail_memory(e->err));
    }
    return epl_add_element(e, element, NULL);
}

// Those that wait, for a set. *changes: the next set differs.
static enum pl_errc resolve_pending(struct epl *e, uint64_t step, struct pl_element **list, bool *changes)
{
    for (const struct epl_pending *p = e->buffer.pending; p; p = p->next) {
        struct pl_element *element;
        bool differs;
        PL_TRY(pl_job_check_often(e->job, &e->since_check, e->err));
        PL_TRY(resolve(e, p, step, &element, &differs));
        PL_TRY(put_resolved(e, p, element, list));
        *changes = *changes || differs;
    }
    return PL_OK;
}

// Elements of a set, without gaps.
static enum pl_errc resolve_elements(struct epl *e, uint64_t step, const struct pl_element *const **out,
                                     uint32_t *count, bool *changes)
{
    struct pl_element **list = e->buffer.drawn.items;
    *changes = false;
    *count = e->buffer.drawn.count;
    if (e->buffer.pending) {
        list = pl_arena_copy(e->arena, list, *count * sizeof *list);
        if (!list)
            return pl_fail_memory(e->err);
        PL_TRY(resolve_pending(e, step, list, changes));
        *count = pl_elements_pack(list, *count);
    }
    *out = (const struct pl_element *const *)list;
    return PL_OK;
}

// A label of the set `step`; *elements are those of the first set.
static enum pl_errc print_set(struct epl *e, uint64_t step, uint32_t copies, struct pl_source source, bool collapse,
                              const struct pl_element *const *elements, uint32_t count)
{
    uint32_t start = PL_MIN(e->buffer.start, source.offset);
    struct pl_lang_settings settings;
    bool changes;
    if (step > 0) {
        PL_TRY(pl_job_check(e->job, e->err));
        PL_TRY(resolve_elements(e, step, &elements, &count, &changes));
    }
    pl_lang_epl.memory.settings(e, &settings);
    const struct pl_label label = {.elements = elements,
                                   .element_count = count,
                                   .index = e->format_count - 1,
                                   .copies = copies,
                                   .print_width = e->settings.width,
                                   .length = e->settings.length,
                                   .dot_size = 1,
                                   .source = {start, source.offset + source.length - start, "P"},
                                   .printing = pl_lang_printing(&settings)};
    return pl_label_list_add(&e->labels, &label, collapse);
}

enum pl_errc epl_print(struct epl *e, uint32_t sets, uint32_t copies, struct pl_source source)
{
    const struct pl_element *const *elements;
    uint32_t count;
    bool changes;
    e->diags->label = (int32_t)e->labels.count;
    PL_TRY(resolve_elements(e, 0, &elements, &count, &changes));
    e->buffer.printed = true;
    uint64_t left = count > 0 ? (uint64_t)sets * copies : 0, per_set = changes ? copies : left;
    bool collapse = e->options->collapse_copies && !changes;
    if (left > 0)
        PL_TRY(pl_label_list_room(&e->labels, source, source.command, collapse, &left));
    e->format_count += left > 0;
    for (uint64_t step = 0; left > 0; step++) {
        uint32_t now = (uint32_t)PL_MIN(left, per_set);
        PL_TRY(print_set(e, step, now, source, collapse, elements, count));
        left -= now;
    }
    e->diags->label = -1;
    return PL_OK;
}
