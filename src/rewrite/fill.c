// Filling in values. They are data: what they hold can neither begin a command nor end the field.
#include "rewrite/fill.h"

#include <string.h>

#include "base/ckd.h"
#include "lang/zpl/args.h"
#include "rewrite/passes.h"

struct filler {
    struct rw_document *doc;
    const struct rw_row *row;
    uint32_t row_number; // from 1
    uint32_t row_count;
    bool utf8; // ^CI28 to ^CI33 is in force
    bool told_charset;
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

// ---- data as it must be written

// What stands around the data in its field.
struct place {
    uint8_t hex;     // indicator of ^FH; 0: none
    uint8_t doubled; // a character that the field interprets unless it is written twice; 0: none
    bool hex_added;  // it was not in the code: what stands in the data is no escape
    bool is_block;   // ^FB: \& ends a line
    bool is_box;     // ^TB: < begins what is left out
    bool keeps_ends; // line ends are data as they are
};

static bool must_escape(const struct rw_command *c, const struct place *at, uint8_t byte)
{
    return byte == c->caret || byte == c->tilde || byte < 0x20 || (at->hex && byte == at->hex);
}

static void see_block(struct place *at, const struct rw_command *c)
{
    if (rw_is(c, "^TB"))
        at->is_box = at->keeps_ends = true;
    if (!rw_is(c, "^FB"))
        return;
    at->is_block = true;
    at->doubled = '\\';
}

// Barcodes that hold line ends, and what they take for the beginning of an escape.
static void see_barcode(struct place *at, const struct rw_command *c)
{
    bool matrix = rw_is(c, "^BX") && rw_has(c, 2) && pl_slice_eq_cstr(c->items[2], "200");
    bool aztec = rw_is(c, "^BO") || rw_is(c, "^B0"), lines = rw_is(c, "^B7") || rw_is(c, "^BF") || rw_is(c, "^BX");
    if (!matrix && !aztec && !lines && !rw_is(c, "^BQ") && !rw_is(c, "^BD"))
        return;
    at->keeps_ends = true;
    if (matrix)
        at->doubled = rw_has(c, 6) ? c->items[6].ptr[0] : '~';
    else if (lines || (aztec && rw_has(c, 2) && (c->items[2].ptr[0] & 0xDF) == 'Y'))
        at->doubled = '\\';
}

static void put_byte(const struct rw_command *c, const struct place *at, uint8_t byte, struct pl_buf *out)
{
    if (must_escape(c, at, byte))
        pl_buf_printf(out, "%c%02X", at->hex, byte);
    else
        pl_buf_append_byte(out, byte);
}

static void put_value(const struct rw_command *c, const struct place *at, struct pl_slice value, struct pl_buf *out)
{
    for (size_t i = 0; i < value.len; i++) {
        uint8_t byte = value.ptr[i], next = i + 1 < value.len ? value.ptr[i + 1] : 0;
        bool ends = (byte == '\n' || byte == '\r') && !at->keeps_ends;
        if (ends && byte == '\r' && next == '\n')
            continue;
        if (ends)
            pl_buf_append_cstr(out, at->is_block ? "\\&" : " ");
        else if (at->is_box && byte == '<')
            pl_buf_append_cstr(out, "<<>");
        else
            put_byte(c, at, byte, out);
        // \& is how ZPL writes a line end in a block: a value may have it.
        if (!ends && at->doubled && byte == at->doubled && !(at->is_block && next == '&'))
            put_byte(c, at, byte, out);
    }
}

size_t rw_placeholder(struct pl_slice s, size_t at, struct pl_slice *name)
{
    if (s.len - at < 5 || s.ptr[at] != '{' || s.ptr[at + 1] != '{')
        return 0;
    for (size_t end = at + 2; end + 1 < s.len && end - at < 100; end++) {
        if (s.ptr[end] == '}' && s.ptr[end + 1] == '}') {
            *name = pl_slice_trim(pl_slice_sub(s, at + 2, end - at - 2));
            return name->len ? end + 2 - at : 0;
        }
    }
    return 0;
}

static bool value_needs_escape(const struct rw_command *c, bool keeps_ends, struct pl_slice value)
{
    const struct place plain = {0};
    for (size_t i = 0; i < value.len; i++) {
        bool ends = value.ptr[i] == '\n' || value.ptr[i] == '\r';
        if (ends ? keeps_ends : must_escape(c, &plain, value.ptr[i]))
            return true;
    }
    return false;
}

// Does any value that goes into the data need escapes?
static bool needs_escape(const struct filler *f, const struct rw_command *c, bool keeps_ends, struct pl_slice data)
{
    struct pl_slice name, value;
    for (size_t i = 0; i < data.len; i++) {
        if (rw_placeholder(data, i, &name) && rw_row_value(f->row, name, &value) &&
            value_needs_escape(c, keeps_ends, value))
            return true;
    }
    return false;
}

static void check_charset(struct filler *f, const struct rw_command *c, struct pl_slice value)
{
    for (size_t i = 0; i < value.len && !f->utf8 && !f->told_charset; i++) {
        if (value.ptr[i] >= 0x80) {
            f->told_charset = true;
            RW_NOTE(f->doc, c, "Values are UTF-8, but ^CI28 is not in force at this field.");
        }
    }
}

// Can the byte stand for an escape? ^CC and its like may have made a prefix of it.
static bool can_be_hex(const struct rw_command *c, uint8_t byte)
{
    return byte != c->caret && byte != c->tilde && byte != c->comma;
}

// An indicator that stands nowhere in the data, if there is one.
static uint8_t choose_hex(const struct rw_command *c, struct pl_slice data)
{
    static const char CANDIDATES[] = "_\\`|@$&*#=";
    uint8_t possible = 0;
    for (const char *p = CANDIDATES; *p; p++) {
        if (!can_be_hex(c, (uint8_t)*p))
            continue;
        if (!data.len || !memchr(data.ptr, *p, data.len))
            return (uint8_t)*p;
        possible = possible ? possible : (uint8_t)*p;
    }
    return possible;
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

static enum pl_errc replace_names(struct filler *f, struct rw_command *c, const struct place *at)
{
    struct pl_buf text;
    struct pl_slice data = c->data, name, value;
    bool found = false;
    pl_buf_init(&text, (size_t)64 << 20);
    for (size_t i = 0; i < data.len;) {
        size_t length = rw_placeholder(data, i, &name);
        if (!length) {
            if (at->hex_added && data.ptr[i] == at->hex)
                put_byte(c, at, data.ptr[i], &text);
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
        put_value(c, at, value, &text);
    }
    if (!found) {
        pl_buf_fini(&text);
        return PL_OK;
    }
    return keep(f, c, &text);
}

static enum pl_errc replace_data(struct filler *f, struct rw_command *c, const struct place *at, struct pl_slice value)
{
    struct pl_buf text;
    pl_buf_init(&text, (size_t)64 << 20);
    check_charset(f, c, value);
    put_value(c, at, value, &text);
    return keep(f, c, &text);
}

// ---- fields

bool rw_number_value(const struct rw_row *row, const struct rw_command *c, struct pl_slice *name,
                     struct pl_slice *value)
{
    struct pl_slice item = c->item_count ? c->items[0] : pl_slice_make("", 0);
    const uint8_t *quote = item.len ? memchr(item.ptr, '"', item.len) : NULL;
    struct pl_slice digits = pl_slice_trim(quote ? pl_slice_make(item.ptr, (size_t)(quote - item.ptr)) : item);
    *name = digits;
    if (quote) {
        struct pl_slice prompt = pl_slice_sub(item, (size_t)(quote - item.ptr) + 1, item.len);
        const uint8_t *end = memchr(prompt.ptr, '"', prompt.len);
        prompt.len = end ? (size_t)(end - prompt.ptr) : prompt.len;
        *name = prompt;
        if (rw_row_value(row, prompt, value))
            return true;
    }
    if (rw_row_value(row, digits, value))
        return true;
    while (digits.len > 1 && digits.ptr[0] == '0') // ^FN07 is ^FN7
        digits = pl_slice_sub(digits, 1, digits.len);
    return rw_row_value(row, digits, value);
}

bool rw_has_placeholder(struct pl_slice data)
{
    struct pl_slice name;
    for (size_t i = 0; i < data.len; i++) {
        if (rw_placeholder(data, i, &name))
            return true;
    }
    return false;
}

struct field {
    uint32_t data, number; // indices; UINT32_MAX: none
    struct place at;
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
    if (!can_be_hex(near, field->at.hex))
        field->at.hex = 0;
    bool escapes = has_value ? value_needs_escape(near, field->at.keeps_ends, value)
                             : needs_escape(f, near, field->at.keeps_ends, inside);
    if (!field->at.hex && escapes) {
        field->at.hex = choose_hex(near, inside);
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
    const struct place plain = {0};
    struct pl_slice value;
    if (!rw_row_value(f->row, name, &value))
        return missing(f, name);
    for (size_t i = 0; i < value.len; i++) {
        if (must_escape(c, &plain, value.ptr[i]))
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
        see_block(&field.at, c);
        see_barcode(&field.at, c);
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

// For each ^FN what its field makes of data. NULL: no memory.
static struct place *find_places(struct rw_document *doc)
{
    struct place *all = PL_ARENA_ARRAY(doc->arena, struct place, (size_t)doc->count + 1), at = {0};
    for (uint32_t i = 0, first = 0; all && i < doc->count; i++) {
        const struct rw_command *c = &doc->commands[i];
        see_block(&at, c);
        see_barcode(&at, c);
        if (!rw_is(c, "^FS") && !rw_is(c, "^XA") && i + 1 < doc->count)
            continue;
        for (; first <= i; first++)
            all[first] = at;
        at = (struct place){0};
    }
    return all;
}

// ^XA ^XF the format, its numbers with their values, ^XZ.
static enum pl_errc call_format(struct filler *f, uint32_t from, const struct place *fields, struct pl_buf *out,
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
        struct place at = fields[i];
        at.hex = value_needs_escape(&c, at.keeps_ends, value) ? choose_hex(&c, value) : 0;
        check_charset(f, &c, value);
        ok = rw_places_add(places, out->len, &c);
        pl_buf_printf(out, "%cFN%lld", caret, (long long)(number / 10000));
        if (at.hex)
            pl_buf_printf(out, "%cFH%c", caret, at.hex);
        pl_buf_printf(out, "%cFD", caret);
        put_value(&c, &at, value, out);
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
        PL_TRY(fill_row(f));
        rw_write(doc, RW_LINES, out, places);
        PL_TRY(pl_buf_check(out, f->err));
        *doc = fresh;
        pl_arena_release(doc->arena, mark); // notes and places are in others
    }
    return PL_OK;
}

bool rw_lacks_values(const struct rw_document *doc)
{
    for (uint32_t i = 0; i < doc->count; i++) {
        const struct rw_command *c = &doc->commands[i];
        if (rw_is(c, "^FN") || rw_is(c, "^DF") || rw_has_placeholder(c->data))
            return true;
    }
    return false;
}

enum pl_errc rw_fill(struct rw_document *doc, const struct rw_rows *rows, struct pl_buf *out, struct rw_places *places,
                     struct pl_error *err)
{
    struct filler f = {.doc = doc, .row_count = rows->count, .err = err};
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
    const struct place *fields = find_places(doc);
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
