// The end of a field: from what its commands left to an element of the scene.
#include "lang/zpl/args.h"
#include "lang/zpl/barcode_field.h"

void zpl_field_touch(struct zpl *z, const struct zpl_args *a)
{
    if (z->field.open)
        return;
    z->field.open = true;
    z->field.start = a->source.offset;
}

static struct pl_element *new_element(struct zpl *z, enum pl_element_kind kind, uint32_t end)
{
    struct pl_element *e = PL_ARENA_NEW(z->arena, struct pl_element);
    if (!e)
        return NULL;
    const struct zpl_field *f = &z->field;
    const struct zpl_printer *pr = &z->printer;
    e->kind = kind;
    e->reverse = f->reverse || pr->reverse;
    e->variable = f->variable;
    e->at.x = pr->home_x + f->x - pr->shift;
    e->at.y = pr->home_y + f->y;
    e->at.typeset = f->typeset;
    e->at.x_goes_on = f->x_goes_on;
    e->at.y_goes_on = f->y_goes_on;
    if (z->lex.mapped)
        e->placed_by = f->placed_by;
    e->at.justify = f->has_justify ? f->justify : pr->fw_justify;
    e->source.offset = f->start;
    e->source.length = end > f->start ? end - f->start : 0;
    memcpy(e->source.command, f->command, sizeof(e->source.command));
    return e;
}

// Inside a format recalled from elsewhere all commands have the place of the recall.
static void settle_source(const struct zpl *z, struct pl_element *e)
{
    if (!z->lex.mapped) {
        e->source.offset = z->lex.recall.offset;
        e->source.length = z->lex.recall.length;
    }
}

// Emits only the graphic of the field.
static enum pl_errc graphic_end(struct zpl *z, uint32_t end)
{
    struct zpl_field *f = &z->field;
    if (f->graphic == ZPL_NO_GRAPHIC)
        return PL_OK;
    struct pl_element *e = new_element(z, f->graphic_kind, end);
    if (!e)
        return pl_fail_memory(z->err);
    memcpy(e->source.command, f->graphic_command, sizeof(e->source.command));
    settle_source(z, e);
    if (f->graphic == ZPL_SHAPE)
        e->shape = f->shape;
    else
        e->image = f->image;
    f->graphic = ZPL_NO_GRAPHIC;
    if (z->profile->graphic_takes_place_along) {
        f->has_position = f->typeset = f->x_goes_on = f->y_goes_on = false;
        f->x = f->y = 0;
        f->placed_by.source.length = 0;
    }
    return zpl_add_element(z, e, NULL);
}

enum pl_errc zpl_graphic_begin(struct zpl *z, const struct zpl_args *a, enum zpl_graphic graphic,
                               enum pl_element_kind kind)
{
    PL_TRY(graphic_end(z, a->source.offset));
    zpl_field_touch(z, a);
    struct zpl_field *f = &z->field;
    if (f->has_data && z->profile->graphic_replaces_data) {
        if (pl_slice_trim(f->data).len > 0)
            pl_diag_add(z->diags, PL_DIAG_DATA_DROPPED, a->source, 0,
                        "%s: comes after the data of its field and replaces it; the data was left out.",
                        a->source.command);
        f->has_data = f->serial.has_number = f->serial.has_mask = f->has_barcode = false;
        f->number = -1;
    }
    f->graphic = graphic;
    f->graphic_kind = kind;
    memcpy(f->graphic_command, a->source.command, sizeof(f->graphic_command));
    return PL_OK;
}

static enum pl_errc set_font(struct zpl *z, struct pl_font_ref *font)
{
    const struct zpl_field *f = &z->field;
    const struct zpl_printer *pr = &z->printer;
    if (f->has_font) {
        font->resident = (uint8_t)f->letter;
        font->file = f->file;
        font->height = f->height;
        font->width = f->width;
    } else {
        font->resident = (uint8_t)zpl_font_stand_in(z, pr->cf_letter);
        font->file = zpl_font_of_letter(z, pr->cf_letter);
        font->height = pr->cf_height;
        font->width = pr->cf_width;
    }
    if (f->symbols)
        font->resident = PL_FONT_SYMBOLS;
    return zpl_link_fonts(z, f->has_font ? f->missing_font : NULL, font);
}

static enum pl_errc make_text(struct zpl *z, uint32_t end, struct pl_element **out)
{
    const struct zpl_field *f = &z->field;
    const struct zpl_printer *pr = &z->printer;
    struct pl_element *e = new_element(z, PL_ELEMENT_TEXT, end);
    if (!e)
        return pl_fail_memory(z->err);
    struct pl_text *t = &e->text;
    PL_TRY(set_font(z, &t->font));
    e->rotation = f->has_rotation ? f->rotation : pr->fw_rotation;
    t->block = f->block;
    if (f->block.kind == PL_BLOCK_BOX && f->block_has_rotation)
        e->rotation = f->block_rotation;
    t->direction = f->direction;
    t->gap = f->gap;
    t->default_glyph = pr->default_glyph;
    t->no_bidi = !pr->bidi;
    t->no_shaping = !pr->shaping && z->profile->shaping_can_be_off;
    if (!e->source.command[0])
        strcpy(e->source.command, f->data_command[0] ? f->data_command : "^FN");
    *out = e;
    return PL_OK;
}

static enum pl_errc make_barcode(struct zpl *z, uint32_t end, struct pl_element **out)
{
    const struct zpl_field *f = &z->field;
    const struct zpl_printer *pr = &z->printer;
    struct pl_element *e = new_element(z, PL_ELEMENT_BARCODE, end);
    if (!e)
        return pl_fail_memory(z->err);
    e->rotation = f->barcode_has_rotation ? f->barcode_rotation : pr->fw_rotation;
    struct pl_barcode *b = &e->barcode;
    *b = f->barcode->symbol;
    b->module = pr->by_module;
    b->ratio_tenths = pr->by_ratio_tenths;
    b->default_height = pr->by_height;
    b->validate = pr->validate;
    if (b->has_text_font)
        PL_TRY(zpl_link_fonts(z, f->missing_font, &b->text_font));
    b->positions = (const int32_t(*)[2])f->positions;
    b->position_count = f->position_count;
    *out = e;
    return PL_OK;
}

// Does the field say nothing but a number and its data (the caller's side of a stored format)?
static bool is_bare(const struct zpl_field *f)
{
    return !f->has_position && !f->has_font && !f->has_barcode && !f->symbols && f->block.kind == PL_BLOCK_NONE;
}

// Notes what the field of a number gives to, or wants from, the others of its number.
static enum pl_errc add_number(struct zpl *z, const struct zpl_pending *p)
{
    struct zpl_label *l = &z->label;
    if (!l->numbers) {
        l->numbers = pl_arena_zalloc(z->arena, ZPL_NUMBER_BUCKETS * sizeof(*l->numbers), _Alignof(void *));
        if (!l->numbers)
            return pl_fail_memory(z->err);
    }
    struct zpl_number *n = zpl_number_find(z, p->number);
    if (!n) {
        n = PL_ARENA_NEW(z->arena, struct zpl_number);
        if (!n)
            return pl_fail_memory(z->err);
        n->number = p->number;
        n->waiting = UINT32_MAX;
        n->next = l->numbers[p->number % ZPL_NUMBER_BUCKETS];
        l->numbers[p->number % ZPL_NUMBER_BUCKETS] = n;
    }
    n->uses++;
    if (p->has_data)
        n->last = p;
    else
        n->waiting = PL_MIN(n->waiting, p->slot);
    return PL_OK;
}

static enum pl_errc add_pending(struct zpl *z, struct pl_element *e)
{
    const struct zpl_field *f = &z->field;
    struct zpl_pending now = {
        .element = e,
        .barcode = f->barcode,
        .charset = z->printer.charset,
        .data = f->data,
        .has_data = f->has_data,
        .bare = is_bare(f),
        .marks = f->has_data ? f->data_marks : f->marks,
        .number = f->number,
        .serial = f->serial,
    };
    // Most fields are complete now; only those that wait for ^XZ are kept.
    const bool counts = zpl_serial_counts(&f->serial);
    if (f->number < 0 && !now.marks.embed && !counts) {
        struct pl_element *ready;
        PL_TRY(zpl_pending_resolve(z, &now, 0, &ready));
        return ready ? zpl_add_element(z, ready, NULL) : PL_OK;
    }
    struct zpl_pending *p = PL_ARENA_NEW(z->arena, struct zpl_pending);
    if (!p)
        return pl_fail_memory(z->err);
    *p = now;
    PL_TRY(zpl_add_element(z, e, &p->slot));
    if (p->slot == UINT32_MAX)
        return PL_OK;
    z->label.has_serial = z->label.has_serial || counts;
    *z->label.pending_tail = p;
    z->label.pending_tail = &p->next;
    return p->number >= 0 ? add_number(z, p) : PL_OK;
}

// The label keeps what a tag gets, so that it can be compared with the barcodes. Data that is put together from other
// fields, or that differs from copy to copy, is not kept.
static enum pl_errc keep_tag(struct zpl *z, uint32_t end)
{
    const struct zpl_field *f = &z->field;
    if (!f->writes_epc || f->data_marks.embed || zpl_serial_counts(&f->serial))
        return PL_OK;
    const struct pl_source source = zpl_source(&z->lex, z->lex.mapped ? f->start - z->lex.origin : 0,
                                               z->lex.mapped ? end - z->lex.origin : 0, "^RF");
    struct pl_element nothing = {.source = source};
    const struct zpl_pending p = {.element = &nothing,
                                  .charset = z->printer.charset,
                                  .data = f->data,
                                  .has_data = true,
                                  .marks.hex = f->data_marks.hex,
                                  .number = -1};
    struct zpl_tag *tag = PL_ARENA_NEW(z->arena, struct zpl_tag);
    bool changes;
    if (!tag)
        return pl_fail_memory(z->err);
    *tag = (struct zpl_tag){.next = z->label.waiting_tags, .number = f->number, .tag.source = source};
    tag->tag.next = z->label.tags;
    if (f->has_data)
        PL_TRY(zpl_data_bytes(z, &p, 0, &tag->tag.hex, &changes));
    tag->tag.empty = tag->tag.hex.len == 0;
    z->label.tags = &tag->tag;
    if (f->number >= 0)
        z->label.waiting_tags = tag;
    return PL_OK;
}

enum pl_errc zpl_field_end(struct zpl *z, uint32_t end)
{
    struct zpl_field *f = &z->field;
    if (f->open && z->label.open) {
        PL_TRY(graphic_end(z, end));
        PL_TRY(keep_tag(z, end));
        bool wanted = (f->has_data || f->number >= 0) && !f->silent;
        if (wanted) {
            struct pl_element *e = NULL;
            if (f->has_barcode)
                PL_TRY(make_barcode(z, end, &e));
            else
                PL_TRY(make_text(z, end, &e));
            settle_source(z, e);
            PL_TRY(add_pending(z, e));
        } else if (f->has_barcode && !f->silent && !f->has_data) {
            pl_diag_add(z->diags, PL_DIAG_FIELD_EMPTY,
                        zpl_source(&z->lex, z->lex.mapped ? f->start - z->lex.origin : 0,
                                   z->lex.mapped ? end - z->lex.origin : 0, f->command),
                        0, "%s: the field has no ^FD; no barcode was drawn.", f->command);
        }
    }
    // Most fields set little; clearing all of it is still one short memset.
    *f = (struct zpl_field){.number = -1};
    return PL_OK;
}

enum pl_errc zpl_field_flush(struct zpl *z, uint32_t end)
{
    const struct zpl_field *f = &z->field;
    if (!f->has_data && f->graphic == ZPL_NO_GRAPHIC)
        return PL_OK;
    pl_diag_add(z->diags, PL_DIAG_FIELD_UNTERMINATED,
                (struct pl_source){f->start, end > f->start ? end - f->start : 0, ""}, 0,
                "The field has no ^FS; it was ended where the next one begins.");
    return zpl_field_end(z, end);
}
