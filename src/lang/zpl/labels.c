// The life of a label: begun by ^XA, filled with elements, ended by ^XZ, printed once, in copies or in serial numbers.
#include "lang/zpl/state.h"

static void reset_field(struct zpl *z)
{
    z->field = (struct zpl_field){.number = -1};
}

static void reset_label(struct zpl *z)
{
    z->label = (struct zpl_label){.quantity = 1};
    z->label.pending_tail = &z->label.pending;
    z->label.pictures_tail = &z->label.pictures;
}

void zpl_label_drop(struct zpl *z)
{
    reset_field(z);
    reset_label(z);
    z->diags->label = -1;
}

enum pl_errc zpl_label_begin(struct zpl *z, struct pl_source source)
{
    if (z->label.open) {
        bool drawn = z->label.drawn.count > z->label.carried || z->field.has_data || z->field.graphic;
        if (!drawn)
            return PL_OK;
        pl_diag_add(z->diags, PL_DIAG_NESTED_FORMAT, source, 0,
                    "^XA is inside a format that has no ^XZ yet; that format was ended here.");
        PL_TRY(zpl_label_end(z, (struct pl_source){.offset = source.offset}));
    }
    reset_field(z);
    reset_label(z);
    z->label.open = true;
    z->label.start = source.offset;
    z->diags->label = (int32_t)z->labels.count;
    for (uint32_t i = 0; i < z->kept_count; i++)
        PL_TRY(zpl_add_element(z, z->kept[i], NULL));
    z->label.carried = z->label.drawn.count;
    return PL_OK;
}

// The label's elements with pending ones put in, for the `step`-th serial number, without gaps.
static enum pl_errc resolve_elements(struct zpl *z, uint64_t step, uint32_t limit, const struct pl_element *const **out,
                                     uint32_t *count)
{
    struct zpl_label *l = &z->label;
    struct pl_element **list = PL_ARENA_ARRAY(z->arena, struct pl_element *, limit ? limit : 1);
    if (!list)
        return pl_fail_memory(z->err);
    if (limit)
        memcpy(list, l->drawn.items, limit * sizeof(*list));
    for (struct zpl_pending *p = l->pending; p; p = p->next) {
        if (p->slot >= limit)
            continue;
        PL_TRY(pl_job_check_often(z->job, &z->since_check, z->err));
        PL_TRY(zpl_pending_resolve(z, p, step, &list[p->slot]));
    }
    *out = (const struct pl_element *const *)list;
    *count = pl_elements_pack(list, limit);
    return PL_OK;
}

static void fill_label(struct zpl *z, struct pl_label *label, const struct pl_element *const *elements, uint32_t count,
                       struct pl_source source)
{
    *label = (struct pl_label){.elements = elements,
                               .element_count = count,
                               .index = z->format_count,
                               .copies = 1,
                               .upside_down = z->printer.upside_down,
                               .mirrored = z->printer.mirrored,
                               .print_width = z->printer.print_width,
                               .length = z->printer.label_length,
                               .dot_size = z->printer.half_density ? 2 : 1,
                               .source = source,
                               .tags = z->label.tags};
}

// ^LT moves a label when it is printed: a picture that is saved from it is not moved, and will be moved with the label
// that shows it. Elements are shared, so the picture gets its own.
static enum pl_errc copy_elements(struct zpl *z, const struct pl_element *const **elements, uint32_t count)
{
    const struct pl_element **list = PL_ARENA_ARRAY(z->arena, const struct pl_element *, count ? count : 1);
    if (!list)
        return pl_fail_memory(z->err);
    for (uint32_t i = 0; i < count; i++) {
        list[i] = pl_arena_copy(z->arena, (*elements)[i], sizeof(struct pl_element));
        if (!list[i])
            return pl_fail_memory(z->err);
    }
    *elements = list;
    return PL_OK;
}

// ^LT concerns the whole format, wherever it stands in it; ^FM's symbols have places of their own.
static enum pl_errc move_label(struct zpl *z)
{
    int32_t top = z->printer.top;
    for (uint32_t i = z->label.carried; top && i < z->label.drawn.count; i++) {
        struct pl_element *e = z->label.drawn.items[i];
        if (!e)
            continue;
        e->at.y += top;
        uint32_t n = e->kind == PL_ELEMENT_BARCODE ? e->barcode.position_count : 0;
        if (n == 0)
            continue;
        int32_t(*moved)[2] = pl_arena_copy(z->arena, e->barcode.positions, n * sizeof(*moved));
        if (!moved)
            return pl_fail_memory(z->err);
        for (uint32_t k = 0; k < n; k++)
            moved[k][1] += top;
        e->barcode.positions = (const int32_t(*)[2])moved;
    }
    return PL_OK;
}

// ^IS: pictures become objects only now, so that none can show itself.
static enum pl_errc save_pictures(struct zpl *z, struct pl_source source)
{
    for (struct zpl_picture *p = z->label.pictures; p; p = p->next) {
        struct pl_label *picture = PL_ARENA_NEW(z->arena, struct pl_label);
        if (!picture)
            return pl_fail_memory(z->err);
        const struct pl_element *const *elements;
        uint32_t count;
        PL_TRY(resolve_elements(z, 0, p->element_count, &elements, &count));
        if (z->printer.top)
            PL_TRY(copy_elements(z, &elements, count));
        fill_label(z, picture, elements, count, source);
        picture->upside_down = picture->mirrored = false;
        picture->print_width = picture->length = 0;
        if (!PL_ARENA_GROW(z->arena, z->pictures, z->picture_count, z->picture_capacity, 4))
            return pl_fail_memory(z->err);
        struct pl_object object = {.name = p->name, .kind = PL_OBJECT_PICTURE, .data = picture, .cost = 64};
        struct pl_error why;
        enum pl_errc code = pl_store_put(z->store, &object, &why);
        if (code == PL_E_MEMORY)
            return pl_fail_memory(z->err);
        if (code != PL_OK)
            pl_diag_add(z->diags, PL_DIAG_STORE_FULL, p->source, 0, "^IS: the picture was not saved: %s.", why.message);
        else
            z->pictures[z->picture_count++] = picture;
    }
    return PL_OK;
}

// ^MCN: what the next label starts with.
static enum pl_errc keep_elements(struct zpl *z, const struct pl_element *const *elements, uint32_t count)
{
    z->kept_count = 0;
    if (!z->printer.keep_image || count == 0)
        return PL_OK;
    z->kept = PL_ARENA_ARRAY(z->arena, struct pl_element *, count);
    if (!z->kept)
        return pl_fail_memory(z->err);
    for (uint32_t i = 0; i < count; i++) {
        if (!elements[i]->variable)
            z->kept[z->kept_count++] = (struct pl_element *)elements[i];
    }
    return PL_OK;
}

// One label per serial number, or one with its copies.
static enum pl_errc print_labels(struct zpl *z, struct pl_source source)
{
    struct zpl_label *l = &z->label;
    const struct pl_element *const *elements;
    uint32_t count;
    PL_TRY(resolve_elements(z, 0, l->drawn.count, &elements, &count));
    PL_TRY(keep_elements(z, elements, count));
    if (count <= l->carried || l->suppressed)
        return PL_OK;
    uint64_t wanted = l->quantity;
    bool collapse = z->options->collapse_copies && !l->has_serial;
    PL_TRY(pl_label_list_room(&z->labels, source, "^PQ", collapse, &wanted));
    uint64_t per_step = !l->has_serial ? wanted : l->replicates > 0 ? l->replicates : 1;
    uint64_t left = wanted;
    for (uint64_t step = 0; left > 0; step++) {
        if (step > 0) {
            PL_TRY(pl_job_check(z->job, z->err));
            PL_TRY(resolve_elements(z, step, l->drawn.count, &elements, &count));
        }
        struct pl_label label;
        fill_label(z, &label, elements, count, source);
        label.copies = (uint32_t)(left < per_step ? left : per_step);
        left -= label.copies;
        PL_TRY(pl_label_list_add(&z->labels, &label, collapse));
    }
    z->format_count++;
    return PL_OK;
}

enum pl_errc zpl_label_end(struct zpl *z, struct pl_source end)
{
    if (!z->label.open)
        return PL_OK;
    PL_TRY(zpl_field_end(z, end.offset));
    struct pl_source source = {.offset = z->label.start, .command = "^XA"};
    source.length = end.offset + end.length > source.offset ? end.offset + end.length - source.offset : 0;
    PL_TRY(zpl_tags_resolve(z));
    PL_TRY(save_pictures(z, source));
    PL_TRY(move_label(z));
    PL_TRY(print_labels(z, source));
    zpl_label_drop(z);
    return PL_OK;
}
