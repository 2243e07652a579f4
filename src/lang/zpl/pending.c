// A field with its data: the element that it draws, on each label of a serial number.
#include "lang/zpl/barcode_field.h"
#include "lang/zpl/state.h"

// A numbered field with the data that is bound to its number. False: it does not print.
static bool bind_number(struct zpl *z, const struct zpl_pending *p, uint64_t step, struct zpl_pending *bound)
{
    const struct zpl_number *n = zpl_number_find(z, p->number);
    const struct zpl_pending *binding = n ? n->last : NULL;
    // A field that only hands its data to others does not print itself.
    if (!binding && step == 0)
        zpl_note_unbound(z, p->element, p->number, "nothing was drawn");
    if (!binding || (p->has_data && (n->waiting < p->slot || p->bare)))
        return false;
    if (binding != p) {
        p->element->data_offset = binding->element->source.offset;
        p->element->data_length = binding->element->source.length;
    }
    *bound = *p;
    bound->data = binding->data;
    bound->marks.hex = binding->marks.hex;
    bound->charset = binding->charset;
    if (zpl_serial_counts(&binding->serial))
        bound->serial = binding->serial;
    bound->has_data = true;
    return true;
}

static enum pl_errc resolve(struct zpl *z, const struct zpl_pending *p, uint64_t step, struct pl_element **out,
                            bool *changes)
{
    *out = NULL;
    *changes = false;
    struct zpl_pending bound;
    const struct zpl_pending *from = p;
    if (p->number >= 0) {
        if (!bind_number(z, p, step, &bound))
            return PL_OK;
        from = &bound;
    }
    if (!from->has_data)
        return PL_OK;
    struct pl_slice bytes;
    PL_TRY(zpl_data_bytes(z, from, step, &bytes, changes));
    if (bytes.len == 0) {
        if (p->element->kind == PL_ELEMENT_BARCODE && step == 0)
            pl_diag_add(z->diags, PL_DIAG_FIELD_EMPTY, pl_element_data_source(p->element), 0,
                        "%s: the data of the field is empty; no barcode was drawn.", p->element->source.command);
        return PL_OK;
    }
    struct pl_element *e = p->element;
    if (e->kind == PL_ELEMENT_TEXT && e->text.block.kind == PL_BLOCK_LINES && e->text.block.width == 0 &&
        z->profile->block_needs_width) {
        if (step == 0)
            pl_diag_add(z->diags, PL_DIAG_PARAMETER_MISSING, e->source, 1,
                        "^FB: the block has no width; nothing was drawn.");
        return PL_OK;
    }
    if (*changes) {
        e = PL_ARENA_NEW(z->arena, struct pl_element);
        if (!e)
            return pl_fail_memory(z->err);
        *e = *p->element;
    }
    if (e->kind == PL_ELEMENT_BARCODE) {
        PL_TRY(zpl_barcode_read(p->barcode, bytes, z->arena, &e->barcode, z->err));
        zpl_hint_at_utf8(z, bytes, &from->charset, pl_element_data_source(e));
    } else
        PL_TRY(zpl_text_chars(z, bytes, &from->charset, e->text.block.kind, pl_element_data_source(e), &e->text));
    if (e->kind == PL_ELEMENT_TEXT)
        e->text.plain_zeros = z->profile->zero_of_ci13_is_plain && from->charset.set == 13 && !from->serial.has_number;
    *out = e;
    return PL_OK;
}

enum pl_errc zpl_pending_resolve(struct zpl *z, struct zpl_pending *p, uint64_t step, struct pl_element **out)
{
    if (!p->settled) {
        bool changes;
        PL_TRY(resolve(z, p, step, &p->ready, &changes));
        p->settled = !changes;
    }
    *out = p->ready;
    return PL_OK;
}

enum pl_errc zpl_tags_resolve(struct zpl *z)
{
    enum { EPC_MOST = 256 }; // digits, with escapes: no tag has more
    for (struct zpl_tag *t = z->label.waiting_tags; t; t = t->next) {
        const struct zpl_number *n = zpl_number_find(z, t->number);
        struct pl_slice data = {0};
        bool changes = false;
        if (!n || !n->last)
            continue;
        if (n->last->data.len <= EPC_MOST && !n->last->marks.embed)
            PL_TRY(zpl_data_bytes(z, n->last, 0, &data, &changes));
        t->tag.hex = changes ? (struct pl_slice){0} : data;
        t->tag.empty = n->last->data.len == 0 && !changes;
    }
    return PL_OK;
}
