// The lists of elements and labels that interpreters fill.
#include "lang/label_list.h"

#include "base/ckd.h"

struct pl_element *pl_element_new(const struct pl_label_list *labels, enum pl_element_kind kind,
                                  struct pl_source source, int32_t x, int32_t y)
{
    struct pl_element *e = PL_ARENA_NEW(labels->arena, struct pl_element);
    if (!e)
        return NULL;
    e->kind = kind;
    e->source = source;
    e->at.x = x;
    e->at.y = y;
    return e;
}

struct pl_element *pl_element_new_solid(const struct pl_label_list *labels, struct pl_source source, struct pl_box box)
{
    struct pl_element *e = pl_element_new(labels, PL_ELEMENT_BOX, source, box.x0, box.y0);
    if (e)
        e->shape = pl_solid_shape(box.x1 - box.x0, box.y1 - box.y0);
    return e;
}

enum pl_errc pl_elements_add(struct pl_label_list *labels, struct pl_elements *to, struct pl_element *element,
                             const struct pl_source *source, uint32_t *slot)
{
    uint32_t most = labels->options->limits.elements_per_label;
    if (slot)
        *slot = UINT32_MAX;
    if (to->count >= most) {
        if (!to->full && source)
            pl_diag_add(labels->diags, PL_DIAG_LIMIT_REACHED, *source, 0,
                        "The label has more than %u fields; the rest was left out.", most);
        to->full = true;
        return PL_OK;
    }
    if (!PL_ARENA_GROW(labels->arena, to->items, to->count, to->capacity, 32))
        return pl_fail_memory(labels->err);
    if (slot)
        *slot = to->count;
    to->items[to->count++] = element;
    return PL_OK;
}

uint32_t pl_elements_pack(struct pl_element **list, uint32_t count)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        if (list[i])
            list[n++] = list[i];
    return n;
}

// Takes a copy from the last label that has several: the limit cuts copies, and only distinct labels beyond it are an
// error. False if every label is there once only.
static bool give_up_copy(struct pl_label_list *labels)
{
    uint32_t i = labels->options->collapse_copies ? 0 : labels->count;
    while (i > 0 && labels->items[i - 1].copies <= 1)
        i--;
    if (i == 0)
        return false;
    struct pl_label *label = &labels->items[i - 1];
    if (labels->copies_taken_from != i) {
        int32_t current = labels->diags->label;
        labels->diags->label = (int32_t)i - 1;
        pl_diag_add(labels->diags, PL_DIAG_COPIES_CUT, label->source, 0,
                    "Copies of this label make room for the labels after it: the limit is %u labels.",
                    labels->options->limits.labels);
        labels->diags->label = current;
        labels->copies_taken_from = i;
    }
    label->copies--;
    labels->printed--;
    return true;
}

enum pl_errc pl_label_list_room(struct pl_label_list *labels, struct pl_source source, const char *command,
                                bool collapse, uint64_t *wanted)
{
    uint32_t limit = labels->options->limits.labels, copies = labels->options->limits.copies;
    uint64_t room = limit > labels->printed ? limit - labels->printed : 0;
    if (room == 0 && give_up_copy(labels))
        room = 1;
    // A printer prints what is written out, label by label; copies have no more room than elsewhere.
    bool prints = labels->options->after != NULL;
    if (room == 0 && prints && labels->printed < PL_LIMIT_JOB_LABELS)
        room = 1;
    if (room == 0)
        return pl_fail(labels->err, PL_E_LIMIT, "the input has more than %u labels",
                       prints ? PL_MAX(limit, (uint32_t)PL_LIMIT_JOB_LABELS) : limit);
    uint64_t copies_room = copies > labels->copied + 1 ? copies - labels->copied : 1; // the label itself is no copy
    if (copies_room < room) {
        room = copies_room;
        limit = copies;
    }
    if (*wanted > room && !collapse) {
        pl_diag_add(labels->diags, PL_DIAG_COPIES_CUT, source, 0,
                    "%s asks for %llu labels; the limit of %u labels leaves room for %llu.", command,
                    (unsigned long long)*wanted, limit, (unsigned long long)room);
        *wanted = room;
    }
    *wanted = PL_MIN(*wanted, UINT32_MAX);
    if (*wanted > 1 && !collapse)
        labels->copied += *wanted;
    return PL_OK;
}

enum pl_errc pl_label_list_add(struct pl_label_list *labels, const struct pl_label *label, bool collapse)
{
    if (!PL_ARENA_GROW(labels->arena, labels->items, labels->count, labels->capacity, 8))
        return pl_fail_memory(labels->err);
    labels->items[labels->count++] = *label;
    labels->printed += collapse ? 1 : label->copies;
    return PL_OK;
}

void pl_label_list_end(struct pl_label_list *labels, struct pl_slice input, const char *why, struct pl_scene *out)
{
    labels->diags->label = -1;
    if (labels->count == 0)
        pl_diag_add(labels->diags, PL_DIAG_NOTHING_PRINTABLE, (struct pl_source){0}, 0, "%s",
                    input.len == 0 ? "The input is empty." : why);
    out->labels = labels->items;
    out->label_count = labels->count;
}
