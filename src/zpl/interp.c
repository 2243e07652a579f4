// The interpreter's loop: commands from the lexer to their handlers, formats opened, recalled, closed.
#include "zpl/interp.h"
#include "zpl/cmd_table.h"

struct pl_source zpl_source(const struct zpl_lexer *lex, size_t start, size_t end, const char *command)
{
    struct pl_source s = lex->recall;
    if (lex->mapped) {
        s.offset = lex->origin + (uint32_t)start;
        s.length = (uint32_t)(end - start);
    }
    size_t n = strnlen(command, sizeof(s.command) - 1);
    memcpy(s.command, command, n);
    s.command[n] = '\0';
    return s;
}

void zpl_printer_reset(struct zpl *z)
{
    z->printer = (struct zpl_printer){
        .cf_letter = 'A',
        .by_module = 2,
        .by_ratio_tenths = 30,
        .by_height = 10,
        .unit = 'D',
        .unit_from = 1,
        .unit_to = 1,
        .unit_plain = true,
        .language = 1,
        .drive_names = {'B', 'E', 'R', 'A'},
    };
}

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

enum pl_errc zpl_add_element(struct zpl *z, struct pl_element *element, uint32_t *slot)
{
    struct zpl_label *l = &z->label;
    *slot = UINT32_MAX;
    if (l->count >= z->options->limits.elements_per_label) {
        if (!l->full)
            pl_diag_add(z->diags, PL_DIAG_LIMIT_REACHED, element->source, 0,
                        "The label has more than %u fields; the rest was left out.",
                        z->options->limits.elements_per_label);
        l->full = true;
        return PL_OK;
    }
    if (l->count == l->capacity) {
        uint32_t capacity = l->capacity ? l->capacity * 2 : 32;
        struct pl_element **grown = PL_ARENA_ARRAY(z->arena, struct pl_element *, capacity);
        if (!grown)
            return pl_fail_memory(z->err);
        if (l->count)
            memcpy(grown, l->elements, l->count * sizeof(*grown));
        l->elements = grown;
        l->capacity = capacity;
    }
    *slot = l->count;
    l->elements[l->count++] = element;
    return PL_OK;
}

enum pl_errc zpl_label_begin(struct zpl *z, struct pl_source source)
{
    if (z->label.open) {
        bool drawn = z->label.count > z->label.carried || z->field.has_data || z->field.graphic;
        if (!drawn)
            return PL_OK;
        pl_diag_add(z->diags, PL_DIAG_NESTED_FORMAT, source, 0,
                    "^XA stands inside a format that has no ^XZ yet; the format before it was ended here.");
        PL_TRY(zpl_label_end(z, source));
    }
    reset_field(z);
    reset_label(z);
    z->label.open = true;
    z->label.start = source.offset;
    z->diags->label = (int32_t)z->format_count;
    uint32_t slot;
    for (uint32_t i = 0; i < z->kept_count; i++)
        PL_TRY(zpl_add_element(z, z->kept[i], &slot));
    z->label.carried = z->label.count;
    return PL_OK;
}

// Room for one more label.
static enum pl_errc new_label(struct zpl *z, struct pl_label **out)
{
    if (z->label_count == z->label_capacity) {
        uint32_t capacity = z->label_capacity ? z->label_capacity * 2 : 8;
        struct pl_label *grown = PL_ARENA_ARRAY(z->arena, struct pl_label, capacity);
        if (!grown)
            return pl_fail_memory(z->err);
        if (z->label_count)
            memcpy(grown, z->labels, z->label_count * sizeof(*grown));
        z->labels = grown;
        z->label_capacity = capacity;
    }
    *out = &z->labels[z->label_count++];
    **out = (struct pl_label){0};
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
        memcpy(list, l->elements, limit * sizeof(*list));
    for (struct zpl_pending *p = l->pending; p; p = p->next) {
        if (p->slot < limit)
            PL_TRY(zpl_pending_resolve(z, p, step, &list[p->slot]));
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < limit; i++) {
        if (list[i])
            list[n++] = list[i];
    }
    *out = (const struct pl_element *const *)list;
    *count = n;
    return PL_OK;
}

static void fill_label(struct zpl *z, struct pl_label *label, const struct pl_element *const *elements, uint32_t count,
                       struct pl_source source)
{
    label->elements = elements;
    label->element_count = count;
    label->index = z->format_count;
    label->copies = 1;
    label->upside_down = z->printer.upside_down;
    label->mirrored = z->printer.mirrored;
    label->print_width = z->printer.print_width;
    label->dot_size = z->printer.half_density ? 2 : 1;
    label->source = source;
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
        fill_label(z, picture, elements, count, source);
        picture->upside_down = picture->mirrored = false;
        picture->print_width = 0;
        if (z->picture_count == z->picture_capacity) {
            uint32_t capacity = z->picture_capacity ? z->picture_capacity * 2 : 4;
            const struct pl_label **grown = PL_ARENA_ARRAY(z->arena, const struct pl_label *, capacity);
            if (!grown)
                return pl_fail_memory(z->err);
            if (z->picture_count)
                memcpy(grown, z->pictures, z->picture_count * sizeof(*grown));
            z->pictures = grown;
            z->picture_capacity = capacity;
        }
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
    PL_TRY(resolve_elements(z, 0, l->count, &elements, &count));
    PL_TRY(keep_elements(z, elements, count));
    if (count <= l->carried || l->suppressed)
        return PL_OK;
    uint64_t room = z->options->limits.labels > z->printed ? z->options->limits.labels - z->printed : 0;
    if (room == 0)
        return pl_fail(z->err, PL_E_LIMIT, "the input has more than %u labels", z->options->limits.labels);
    uint64_t wanted = l->quantity;
    bool collapse = z->options->collapse_copies && !l->has_serial;
    if (wanted > room && !collapse) {
        pl_diag_add(z->diags, PL_DIAG_COPIES_CUT, source, 0,
                    "^PQ asks for %llu labels; the limit of %u labels leaves room for %llu.",
                    (unsigned long long)wanted, z->options->limits.labels, (unsigned long long)room);
        wanted = room;
    }
    uint64_t per_step = !l->has_serial ? wanted : l->replicates > 0 ? l->replicates : 1;
    uint64_t left = wanted;
    for (uint64_t step = 0; left > 0; step++) {
        if (step > 0) {
            PL_TRY(pl_job_check(z->job, z->err));
            PL_TRY(resolve_elements(z, step, l->count, &elements, &count));
        }
        struct pl_label *label = NULL;
        PL_TRY(new_label(z, &label));
        fill_label(z, label, elements, count, source);
        label->copies = (uint32_t)(left < per_step ? left : per_step);
        left -= label->copies;
    }
    z->printed += collapse ? 1 : wanted;
    z->format_count++;
    return PL_OK;
}

enum pl_errc zpl_label_end(struct zpl *z, struct pl_source end)
{
    if (!z->label.open)
        return PL_OK;
    PL_TRY(zpl_field_end(z, end.offset));
    // ^LT concerns the whole format, wherever it stands in it.
    for (uint32_t i = z->label.carried; z->printer.top && i < z->label.count; i++) {
        if (z->label.elements[i])
            z->label.elements[i]->at.y += z->printer.top;
    }
    struct pl_source source = {.offset = z->label.start, .command = "^XA"};
    source.length = end.offset + end.length > source.offset ? end.offset + end.length - source.offset : 0;
    PL_TRY(save_pictures(z, source));
    PL_TRY(print_labels(z, source));
    zpl_label_drop(z);
    return PL_OK;
}

// ^DF: between it and ^XZ commands are text. Prefix changes count, so that the end is found.
static enum pl_errc record_end(struct zpl *z, size_t end)
{
    struct zpl_label *l = &z->label;
    struct pl_slice text = pl_slice_sub(z->lex.text, l->record_start, end - l->record_start);
    struct pl_object object = {
        .name = l->record_name,
        .kind = PL_OBJECT_FORMAT,
        .bytes = text,
        .cost = text.len,
        .origin = z->lex.mapped ? z->lex.origin + (uint32_t)l->record_start : UINT32_MAX,
    };
    memcpy(object.prefixes, l->record_prefixes, sizeof(object.prefixes));
    struct pl_error why;
    enum pl_errc code = pl_store_put(z->store, &object, &why);
    if (code == PL_E_MEMORY)
        return pl_fail_memory(z->err);
    if (code != PL_OK)
        pl_diag_add(z->diags, PL_DIAG_STORE_FULL, zpl_source(&z->lex, l->record_start, end, "^DF"), 0,
                    "^DF: the format was not stored: %s.", why.message);
    zpl_label_drop(z);
    return PL_OK;
}

enum pl_errc zpl_recall(struct zpl *z, const struct pl_object *format, struct pl_source source)
{
    if (z->depth >= z->options->limits.recall_depth || z->depth >= ZPL_MAX_FRAMES) {
        pl_diag_add(z->diags, PL_DIAG_RECALL_DEPTH, source, 0,
                    "%s: %s is recalled from within %u other formats; it was left out.", source.command,
                    format->name.name, z->depth);
        return PL_OK;
    }
    z->replayed += format->bytes.len;
    if (z->replayed > ZPL_MAX_REPLAY)
        return pl_fail(z->err, PL_E_LIMIT, "stored formats were recalled until their text passed %u bytes",
                       ZPL_MAX_REPLAY);
    z->frames[z->depth++].lex = z->lex;
    struct zpl_lexer *lex = &z->lex;
    zpl_lexer_init(lex, format->bytes);
    zpl_lexer_prefixes(lex, format->prefixes[0], format->prefixes[1], format->prefixes[2]);
    lex->mapped = format->origin != UINT32_MAX;
    lex->origin = lex->mapped ? format->origin : 0;
    lex->recall = source;
    return PL_OK;
}

static void report_unknown(struct zpl *z, const struct zpl_token *t, struct pl_source source)
{
    char near[5];
    if (zpl_row_suggest(t->prefix, t->first, t->second, near))
        pl_diag_add(z->diags, PL_DIAG_UNKNOWN_COMMAND, source, 0, "%s is not a ZPL II command. Was %s meant?",
                    source.command, near);
    else
        pl_diag_add(z->diags, PL_DIAG_UNKNOWN_COMMAND, source, 0, "%s is not a ZPL II command; it was skipped.",
                    source.command);
}

static char printable(uint8_t c)
{
    return (char)(c > 0x20 && c < 0x7F ? c : '?');
}

static enum pl_errc carry_out(struct zpl *z, const struct zpl_token *t)
{
    const struct zpl_row *row = t->row;
    char command[5] = {t->prefix, printable(t->first), t->second ? printable(t->second) : '\0', '\0', '\0'};
    struct zpl_args a;
    a.row = row;
    a.raw = t->args;
    a.font = (char)t->raw_second;
    a.count = 0;
    a.source = zpl_source(&z->lex, t->start, z->lex.pos, command);
    if (!row) {
        report_unknown(z, t, a.source);
        return PL_OK;
    }
    if (row->in_format && !z->label.open) {
        if (!z->outside_reported)
            pl_diag_add(z->diags, PL_DIAG_OUTSIDE_FORMAT, a.source, 0,
                        "%s stands outside of ^XA and ^XZ and was ignored.", command);
        z->outside_reported = true;
        if (row->lex == ZPL_LEX_PAYLOAD)
            z->lex.pos = zpl_lex_payload_end(&z->lex, z->lex.pos);
        return PL_OK;
    }
    if (row->lex == ZPL_LEX_ARGS)
        zpl_args_split(&a, &z->lex);
    return row->run(z, &a);
}

static enum pl_errc record_token(struct zpl *z, const struct zpl_token *t)
{
    if (t->prefix == '^' && t->first == 'X' && t->second == 'Z')
        return record_end(z, t->start);
    if (t->row && t->row->lex == ZPL_LEX_CHAR)
        return carry_out(z, t);
    if (t->row && t->row->lex == ZPL_LEX_PAYLOAD)
        return zpl_payload_skip(z, t);
    return PL_OK;
}

static void report_skipped(struct zpl *z, const struct zpl_token *t)
{
    if (z->outside_reported || z->label.open)
        return;
    pl_diag_add(z->diags, PL_DIAG_OUTSIDE_FORMAT, zpl_source(&z->lex, t->skipped_from, t->skipped_to, ""), 0,
                "Text outside of ^XA and ^XZ was ignored.");
    z->outside_reported = true;
}

static enum pl_errc run(struct zpl *z)
{
    struct zpl_token token;
    for (;;) {
        if (++z->since_check >= 64) {
            z->since_check = 0;
            PL_TRY(pl_job_check(z->job, z->err));
        }
        bool more = zpl_lex_next(&z->lex, &token);
        if (token.skipped_to > token.skipped_from)
            report_skipped(z, &token);
        if (more) {
            PL_TRY(z->label.recording ? record_token(z, &token) : carry_out(z, &token));
            continue;
        }
        if (z->depth == 0)
            return PL_OK;
        if (z->label.recording)
            PL_TRY(record_end(z, z->lex.text.len));
        z->lex = z->frames[--z->depth].lex;
    }
}

static enum pl_errc finish(struct zpl *z)
{
    if (!z->label.open)
        return PL_OK;
    struct pl_source source = {.offset = z->label.start, .command = "^XA"};
    source.length = (uint32_t)z->input.len - source.offset;
    pl_diag_add(z->diags, PL_DIAG_FORMAT_UNTERMINATED, (struct pl_source){source.offset, 3, "^XA"}, 0,
                "The format that starts here has no ^XZ; it was ended at the end of the input.");
    if (z->label.recording)
        return record_end(z, z->lex.text.len);
    return zpl_label_end(z, (struct pl_source){(uint32_t)z->input.len, 0, ""});
}

enum pl_errc pl_zpl_interpret(struct pl_slice input, const struct pl_zpl_options *options, struct pl_store *store,
                              struct pl_arena *arena, struct pl_diags *diags, const struct pl_job *job,
                              struct pl_scene *out, struct pl_error *err)
{
    *out = (struct pl_scene){0};
    if (input.len > UINT32_MAX / 2)
        return pl_fail(err, PL_E_LIMIT, "the input is longer than 2 GiB");
    struct zpl *z = PL_ARENA_NEW(arena, struct zpl);
    if (!z)
        return pl_fail_memory(err);
    z->options = options;
    z->store = store;
    z->arena = arena;
    z->diags = diags;
    z->job = job;
    z->err = err;
    z->input = input;
    zpl_lexer_init(&z->lex, input);
    zpl_printer_reset(z);
    zpl_label_drop(z);
    PL_TRY(run(z));
    PL_TRY(finish(z));
    diags->label = -1;
    if (z->label_count == 0)
        pl_diag_add(diags, PL_DIAG_NOTHING_PRINTABLE, (struct pl_source){0}, 0,
                    input.len == 0 ? "The input is empty."
                                   : "Nothing in the input prints: no format between ^XA and ^XZ draws anything.");
    out->labels = z->labels;
    out->label_count = z->label_count;
    out->pictures = z->pictures;
    out->picture_count = z->picture_count;
    return PL_OK;
}
