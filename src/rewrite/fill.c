// Filling in values. They are data: what they hold can neither begin a command nor end the field.
#include "rewrite/fill.h"

#include <string.h>

#include "base/ckd.h"
#include "lang/zpl/args.h"
#include "rewrite/passes.h"
#include "rewrite/slot.h"

struct filler {
    struct rw_document *doc;
    const struct rw_row *row;
    uint32_t row_number; // from 1
    uint32_t row_count;
    bool utf8; // ^CI28 to ^CI33 is in force
    bool noted_charset;
    bool drawn;   // the code is drawn as it is
    bool recalls; // ^XF is before it in this label: ^FN says where the value goes
    struct pl_error *err;
};

static enum pl_errc missing(const struct filler *f, struct pl_slice name)
{
    int len = (int)PL_MIN(name.len, (size_t)40);
    if (f->row_count == 1)
        return pl_fail(f->err, PL_E_NOT_FOUND, "there is no value for '%.*s'", len, (const char *)name.ptr);
    return pl_fail(f->err, PL_E_NOT_FOUND, "row %u has no value for '%.*s'", f->row_number, len,
                   (const char *)name.ptr);
}

// Does any value that goes into the data need escapes?
static bool names_need_escape(const struct filler *f, const struct rw_command *c, bool keeps_ends, struct pl_slice data)
{
    struct pl_slice name, value;
    for (size_t i = 0; i < data.len; i++) {
        if (rw_placeholder(data, i, &name) && rw_row_value(f->row, name, &value) &&
            rw_needs_escape(c, keeps_ends, value))
            return true;
    }
    return false;
}

static void check_charset(struct filler *f, const struct rw_command *c, struct pl_slice value)
{
    for (size_t i = 0; i < value.len && !f->utf8 && !f->noted_charset && !f->drawn; i++) {
        if (value.ptr[i] >= 0x80) {
            f->noted_charset = true;
            RW_NOTE(f->doc, c, "Values are UTF-8, but ^CI28 is not in force at this field.");
        }
    }
}

static enum pl_errc keep(struct filler *f, struct rw_command *c, struct pl_buf *text)
{
    uint8_t *copy =
        text->failed ? NULL : pl_arena_copy(f->doc->arena, text->len ? text->data : (uint8_t *)"", text->len);
    if (copy)
        c->data = pl_slice_make(copy, text->len);
    pl_buf_fini(text);
    return copy ? PL_OK : pl_fail_memory(f->err);
}

static enum pl_errc replace_names(struct filler *f, struct rw_command *c, const struct rw_slot *at)
{
    struct pl_buf text;
    struct pl_slice data = c->data, name, value;
    bool found = false;
    pl_buf_init(&text, (size_t)64 << 20);
    for (size_t i = 0; i < data.len;) {
        size_t length = rw_placeholder(data, i, &name);
        if (!length) {
            if (at->hex_added && data.ptr[i] == at->hex)
                rw_put_byte(c, at, data.ptr[i], &text);
            else
                pl_buf_append_byte(&text, data.ptr[i]);
            i++;
            continue;
        }
        found = true;
        i += length;
        if (!rw_row_value(f->row, name, &value)) {
            pl_buf_fini(&text);
            return missing(f, name);
        }
        check_charset(f, c, value);
        rw_put_value(c, at, value, &text);
    }
    if (!found) {
        pl_buf_fini(&text);
        return PL_OK;
    }
    return keep(f, c, &text);
}

static enum pl_errc replace_data(struct filler *f, struct rw_command *c, const struct rw_slot *at,
                                 struct pl_slice value)
{
    struct pl_buf text;
    pl_buf_init(&text, (size_t)64 << 20);
    check_charset(f, c, value);
    rw_put_value(c, at, value, &text);
    return keep(f, c, &text);
}

// ---- fields

struct field {
    uint32_t data, number; // indices; UINT32_MAX: none
    struct rw_slot at;
};

// The field's own ^FD, or one at its end.
static struct rw_command *data_of(struct filler *f, const struct field *field, uint32_t end)
{
    if (field->data != UINT32_MAX)
        return &f->doc->commands[field->data];
    struct rw_command *data = rw_insert(f->doc, end, "^FD", "");
    if (data)
        data->has_data = true;
    return data;
}

// `end` is the index of what ends the field.
static enum pl_errc fill_field(struct filler *f, struct field *field, uint32_t end)
{
    struct rw_document *doc = f->doc;
    struct pl_slice name, value = {0};
    bool has_value = false, has_data = field->data != UINT32_MAX;
    if (field->number != UINT32_MAX) {
        struct rw_command *number = &doc->commands[field->number];
        has_value = rw_number_value(f->row, number, &name, &value);
        bool by_name = has_data && rw_has_placeholder(doc->commands[field->data].data);
        if (!has_value && !by_name) // data of its own is its default
            return has_data ? PL_OK : missing(f, name);
        number->left_out = has_value && !f->recalls;
    }
    if (!has_data && !has_value)
        return PL_OK;
    const struct rw_command *near = &doc->commands[has_data ? field->data : field->number];
    struct pl_slice inside = has_value ? value : near->data;
    if (!rw_can_be_hex(near, field->at.hex))
        field->at.hex = 0;
    bool escapes = has_value ? rw_needs_escape(near, field->at.keeps_ends, value)
                             : names_need_escape(f, near, field->at.keeps_ends, inside);
    if (!field->at.hex && escapes) {
        field->at.hex = rw_choose_hex(near, inside);
        field->at.hex_added = true;
        char items[2] = {(char)field->at.hex, '\0'};
        if (!rw_insert(doc, has_data ? field->data : end, "^FH", items))
            return pl_fail_memory(f->err);
    }
    struct rw_command *c = data_of(f, field, end);
    if (!c)
        return pl_fail_memory(f->err);
    return has_value ? replace_data(f, c, &field->at, value) : replace_names(f, c, &field->at);
}

// A value in a parameter cannot be escaped: it must be plain.
static enum pl_errc put_plain(const struct filler *f, const struct rw_command *c, struct pl_slice name,
                              struct pl_buf *out)
{
    const struct rw_slot plain = {0};
    struct pl_slice value;
    if (!rw_row_value(f->row, name, &value))
        return missing(f, name);
    for (size_t i = 0; i < value.len; i++) {
        if (rw_must_escape(c, &plain, value.ptr[i]))
            return pl_fail(f->err, PL_E_INVALID,
                           "the value of '%.*s' is for a parameter and holds '^', '~' or a control character",
                           (int)PL_MIN(name.len, (size_t)40), (const char *)name.ptr);
    }
    pl_buf_append_slice(out, value);
    return PL_OK;
}

static enum pl_errc fill_parameter(const struct filler *f, const struct rw_command *c, struct pl_slice *item)
{
    struct pl_buf text;
    enum pl_errc code = PL_OK;
    pl_buf_init(&text, (size_t)1 << 20);
    for (size_t i = 0; i < item->len && code == PL_OK;) {
        struct pl_slice name;
        size_t length = rw_placeholder(*item, i, &name);
        if (length)
            code = put_plain(f, c, name, &text);
        else
            pl_buf_append_byte(&text, item->ptr[i]);
        i += length ? length : 1;
    }
    uint8_t *copy = code != PL_OK || text.failed
                        ? NULL
                        : pl_arena_copy(f->doc->arena, text.len ? text.data : (uint8_t *)"", text.len);
    if (copy)
        *item = pl_slice_make(copy, text.len);
    pl_buf_fini(&text);
    return code != PL_OK ? code : copy ? PL_OK : pl_fail_memory(f->err);
}

static void note_moved(const struct filler *f, const struct rw_command *c)
{
    if (f->row_count == 1)
        RW_NOTE(f->doc, c, "A value has '%c' and so moves the parameters behind it.", c->comma);
    else
        RW_NOTE(f->doc, c, "Row %u: a value has '%c' and so moves the parameters behind it.", f->row_number, c->comma);
}

static enum pl_errc fill_parameters(const struct filler *f, struct rw_command *c)
{
    bool own = false; // all copies of the code share the items that were read
    for (uint32_t i = 0; i < c->item_count; i++) {
        if (!rw_has_placeholder(c->items[i]))
            continue;
        if (!own)
            c->items = pl_arena_copy(f->doc->arena, c->items, c->item_count * sizeof *c->items);
        if (!c->items)
            return pl_fail_memory(f->err);
        own = true;
        PL_TRY(fill_parameter(f, c, &c->items[i]));
        if (i + 1 < c->item_count && c->items[i].len > 0 && memchr(c->items[i].ptr, c->comma, c->items[i].len))
            note_moved(f, c);
    }
    return PL_OK;
}

static void note_charset(struct filler *f, const struct rw_command *c)
{
    int64_t set;
    bool clean;
    if (rw_is(c, "^CI") && rw_has(c, 0) && zpl_parse_number(c->items[0], &set, &clean))
        f->utf8 = set / 10000 >= 28;
}

static enum pl_errc fill_row(struct filler *f)
{
    struct rw_document *doc = f->doc;
    const struct field none = {.data = UINT32_MAX, .number = UINT32_MAX};
    struct field field = none;
    for (uint32_t i = 0; i < doc->count; i++) {
        const struct rw_command *c = &doc->commands[i];
        PL_TRY(pl_job_check(doc->job, f->err));
        PL_TRY(fill_parameters(f, &doc->commands[i]));
        note_charset(f, c);
        if (rw_is(c, "^FD") || rw_is(c, "^FV"))
            field.data = i;
        else if (rw_is(c, "^FN"))
            field.number = i;
        else if (rw_is(c, "^FH") && field.data == UINT32_MAX) // behind the data it says nothing
            field.at.hex = rw_has(c, 0) ? c->items[0].ptr[0] : '_';
        rw_slot_see(&field.at, c);
        if (rw_is(c, "^XF") || rw_is(c, "^XA"))
            f->recalls = rw_is(c, "^XF");
        if (rw_is(c, "^FS") || rw_is(c, "^XZ")) {
            PL_TRY(fill_field(f, &field, i));
            field = none;
        } else if (rw_is(c, "^XA")) {
            field = none;
        }
    }
    PL_TRY(fill_field(f, &field, doc->count)); // code that breaks off inside a field
    return rw_apply_insertions(doc, f->err);
}

// ---- stored formats

// For each command what its field makes of data. NULL: no memory.
static struct rw_slot *find_slots(struct rw_document *doc)
{
    struct rw_slot *all = PL_ARENA_ARRAY(doc->arena, struct rw_slot, (size_t)doc->count + 1), at = {0};
    for (uint32_t i = 0, first = 0; all && i < doc->count; i++) {
        const struct rw_command *c = &doc->commands[i];
        rw_slot_see(&at, c);
        if (!rw_is(c, "^FS") && !rw_is(c, "^XA") && i + 1 < doc->count)
            continue;
        for (; first <= i; first++)
            all[first] = at;
        at = (struct rw_slot){0};
    }
    return all;
}

// ^XA ^XF the format, its numbers with their values, ^XZ.
static enum pl_errc call_format(struct filler *f, uint32_t from, const struct rw_slot *fields, struct pl_buf *out,
                                struct rw_places *places)
{
    const struct rw_document *doc = f->doc;
    const struct rw_command *store = &doc->commands[from];
    const uint8_t caret = doc->prefixes[0]; // calls come behind all of the code
    bool ok = rw_places_add(places, out->len, store);
    pl_buf_printf(out, "%cXA\n%cXF", caret, caret);
    if (store->item_count)
        pl_buf_append_slice(out, store->items[0]);
    pl_buf_printf(out, "%cFS\n", caret);
    for (uint32_t i = from + 1; ok && i < doc->count && !rw_is(&doc->commands[i], "^XZ"); i++) {
        struct rw_command c = doc->commands[i];
        struct pl_slice name, value;
        PL_TRY(pl_job_check(doc->job, f->err));
        if (rw_is(&c, "^DF")) // the next format
            break;
        if (!rw_is(&c, "^FN"))
            continue;
        if (!rw_number_value(f->row, &c, &name, &value))
            return missing(f, name);
        c.caret = doc->prefixes[0];
        c.tilde = doc->prefixes[1];
        c.comma = doc->prefixes[2];
        int64_t number = 0;
        bool clean;
        if (c.item_count)
            zpl_parse_number(c.items[0], &number, &clean);
        struct rw_slot at = fields[i];
        at.hex = rw_needs_escape(&c, at.keeps_ends, value) ? rw_choose_hex(&c, value) : 0;
        check_charset(f, &c, value);
        ok = rw_places_add(places, out->len, &c);
        pl_buf_printf(out, "%cFN%lld", caret, (long long)(number / 10000));
        if (at.hex)
            pl_buf_printf(out, "%cFH%c", caret, at.hex);
        pl_buf_printf(out, "%cFD", caret);
        rw_put_value(&c, &at, value, out);
        pl_buf_printf(out, "%cFS\n", caret);
    }
    pl_buf_printf(out, "%cXZ\n", caret);
    return ok ? pl_buf_check(out, f->err) : pl_fail_memory(f->err);
}

// Takes back what the code did to the prefixes and the delimiter, so that the next copy of it is read as the first.
static void restore_prefixes(const struct rw_document *doc, struct pl_buf *out)
{
    static const uint8_t FIRST[3] = {'^', '~', ','}, SPARE[] = "!#$%&*";
    static const char ROLES[] = "CTD";
    uint8_t now[3] = {doc->prefixes[0], doc->prefixes[1], doc->prefixes[2]};
    const uint8_t *spare = SPARE;
    // One that has another's character makes way first.
    for (int twice = 0; twice < 2; twice++) {
        for (int i = 0; i < 3; i++) {
            bool in_the_way = now[i] != FIRST[i] && memchr(FIRST, now[i], 3);
            if (now[i] == FIRST[i] || (twice == 0 && !in_the_way))
                continue;
            while (twice == 0 && memchr(now, *spare, 3))
                spare++;
            uint8_t to = twice == 0 ? *spare : FIRST[i];
            pl_buf_printf(out, "%cC%c%c", now[0], ROLES[i], to);
            now[i] = to;
        }
    }
    if (memcmp(doc->prefixes, FIRST, 3) != 0)
        pl_buf_append_byte(out, '\n');
}

// Notes of the row whose commands are `places` from `from` on, which now say where they stand there.
static void move_notes(struct pl_diags *notes, uint32_t note, const struct rw_places *places, uint32_t from,
                       const struct pl_buf *out)
{
    for (; note < notes->count; note++) {
        struct pl_source *source = &notes->items[note].source;
        uint32_t at = from;
        while (at < places->count && places->items[at].origin != source->offset)
            at++;
        if (at == places->count)
            continue;
        size_t end = at + 1 < places->count ? places->items[at + 1].offset : out->len;
        source->offset = places->items[at].offset;
        while (end > source->offset && out->data[end - 1] == '\n')
            end--;
        source->length = (uint32_t)(end - source->offset);
    }
}

// Copies of the code come one after another, each read with the prefixes of the start.
static enum pl_errc fill_copies(struct filler *f, const struct rw_rows *rows, struct pl_buf *out,
                                struct rw_places *places)
{
    struct rw_document *doc = f->doc;
    const struct rw_document fresh = *doc;
    struct pl_arena_mark mark = pl_arena_mark(doc->arena);
    for (uint32_t i = 0; i < rows->count; i++) {
        PL_TRY(pl_job_check(doc->job, f->err));
        f->row = &rows->rows[i];
        f->row_number = i + 1;
        doc->commands = pl_arena_copy(doc->arena, fresh.commands, doc->count * sizeof *doc->commands);
        if (!doc->commands)
            return pl_fail_memory(f->err);
        if (i > 0)
            restore_prefixes(doc, out);
        rows->rows[i].at = (uint32_t)out->len;
        const uint32_t note = doc->diags->count, place = places->count;
        PL_TRY(fill_row(f));
        rw_write(doc, RW_LINES, out, places);
        PL_TRY(pl_buf_check(out, f->err));
        if (f->drawn)
            move_notes(doc->diags, note, places, place, out);
        *doc = fresh;
        pl_arena_release(doc->arena, mark); // notes and places are in others
    }
    return PL_OK;
}

enum pl_errc rw_fill(struct rw_document *doc, const struct rw_rows *rows, bool drawn, struct pl_buf *out,
                     struct rw_places *places, struct pl_error *err)
{
    struct filler f = {.doc = doc, .row_count = rows->count, .drawn = drawn, .err = err};
    uint32_t stored = doc->count;
    bool by_name = false;
    for (uint32_t i = doc->count; i > 0; i--) {
        by_name = by_name || rw_has_placeholder(doc->commands[i - 1].data);
        stored = rw_is(&doc->commands[i - 1], "^DF") ? i - 1 : stored;
    }
    if (by_name || stored == doc->count)
        return fill_copies(&f, rows, out, places);
    for (uint32_t i = 0; i < doc->count; i++)
        note_charset(&f, &doc->commands[i]); // calls come behind all of the code
    rw_write(doc, RW_LINES, out, places);
    const struct rw_slot *fields = find_slots(doc);
    if (!fields)
        return pl_fail_memory(err);
    for (uint32_t i = 0; i < rows->count; i++) {
        f.row = &rows->rows[i];
        f.row_number = i + 1;
        rows->rows[i].at = (uint32_t)out->len;
        for (uint32_t k = stored; k < doc->count; k++) {
            PL_TRY(pl_job_check(doc->job, err));
            if (rw_is(&doc->commands[k], "^DF"))
                PL_TRY(call_format(&f, k, fields, out, places));
        }
    }
    return pl_buf_check(out, err);
}
