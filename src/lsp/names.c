// Names of ZPL: where they are defined and used, and renaming them. Stored formats, graphics and fonts (^DF and ^XF,
// ~DG and ^XG, ~DU and ^A@), letters of fonts (^CW and ^A), numbers of fields (^FN).
#include <stdio.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "lsp/server.h"

enum kind { NAME_OBJECT, NAME_LETTER, NAME_NUMBER };

static const struct row {
    const char *command;
    uint8_t item;
    enum kind kind;
    bool defines;
    const char *extension; // of an object where none is written; "*": it says nothing
} ROWS[] = {
    {"^DF", 0, NAME_OBJECT, true, "ZPL"},  {"^XF", 0, NAME_OBJECT, false, "ZPL"}, {"~DG", 0, NAME_OBJECT, true, "GRF"},
    {"^XG", 0, NAME_OBJECT, false, "GRF"}, {"^IM", 0, NAME_OBJECT, false, "GRF"}, {"^IL", 0, NAME_OBJECT, false, "GRF"},
    {"^IS", 0, NAME_OBJECT, true, "GRF"},  {"^ID", 0, NAME_OBJECT, false, "GRF"}, {"~DY", 0, NAME_OBJECT, true, "*"},
    {"~DB", 0, NAME_OBJECT, true, "FNT"},  {"~DS", 0, NAME_OBJECT, true, "FNT"},  {"~DT", 0, NAME_OBJECT, true, "DAT"},
    {"~DU", 0, NAME_OBJECT, true, "FNT"},  {"^A@", 3, NAME_OBJECT, false, "FNT"}, {"^CW", 1, NAME_OBJECT, false, "FNT"},
    {"^FL", 0, NAME_OBJECT, false, "TTF"}, {"^CW", 0, NAME_LETTER, true, NULL},   {"^CF", 0, NAME_LETTER, false, NULL},
    {"^FN", 0, NAME_NUMBER, false, NULL},
};
static const struct row FONT_LETTER = {"^A", 0, NAME_LETTER, false, NULL};

struct name {
    const struct row *row;
    struct pl_lang_part part; // where it stands
    struct pl_object_name object;
    uint32_t value; // of letters and numbers
};

static struct pl_lang_part leading_digits(const struct lsp_document *d, struct pl_lang_part part)
{
    struct pl_slice s = lsp_part_text(d, part);
    uint32_t n = 0;
    while (n < s.len && pl_is_digit(s.ptr[n]))
        n++;
    part.length = n;
    return part;
}

// The name at a parameter of a command; false: there is none.
static bool read_name(const struct lsp_document *d, const struct lsp_command *c, const struct row *row,
                      struct name *out)
{
    out->row = row;
    out->part =
        row == &FONT_LETTER ? (struct pl_lang_part){c->start + c->name_length - 1, 1} : lsp_item(d, c, row->item);
    if (row->kind == NAME_NUMBER)
        out->part = leading_digits(d, out->part);
    struct pl_slice text = lsp_part_text(d, out->part);
    if (text.len == 0 || text.len > 64)
        return false;
    switch (row->kind) {
    case NAME_OBJECT:
        return pl_object_name_parse(text, "", row->extension, &out->object) && out->object.name_len > 0;
    case NAME_LETTER:
        out->value = pl_upper(text.ptr[0]);
        return text.len == 1;
    case NAME_NUMBER:
        out->value = 0;
        for (size_t i = 0; i < text.len && text.len <= 6; i++)
            out->value = out->value * 10 + (uint32_t)(text.ptr[i] - '0');
        return text.len <= 6;
    }
    return false;
}

static bool is_font(const struct lsp_command *c)
{
    return c->name[0] == '^' && c->name[1] == 'A' && c->name[2] != '@' && c->name_length >= 3 && c->name[2];
}

// The index-th name of a command, from *at on.
static bool next_name(const struct lsp_document *d, const struct lsp_command *c, size_t *at, struct name *out)
{
    if (*at == 0 && is_font(c)) {
        *at = PL_COUNTOF(ROWS);
        return read_name(d, c, &FONT_LETTER, out);
    }
    while (*at < PL_COUNTOF(ROWS)) {
        const struct row *row = &ROWS[(*at)++];
        if (lsp_is(c, row->command) && read_name(d, c, row, out))
            return true;
    }
    return false;
}

static bool same_extension(const struct pl_object_name *a, const struct pl_object_name *b)
{
    return strcmp(a->ext, b->ext) == 0 || strcmp(a->ext, "*") == 0 || strcmp(b->ext, "*") == 0;
}

static bool is_same(const struct name *a, const struct name *b)
{
    if (a->row->kind != b->row->kind)
        return false;
    if (a->row->kind != NAME_OBJECT)
        return a->value == b->value;
    // Without a drive the printer searches all of them.
    bool drive = a->object.drive == b->object.drive || !a->object.drive || !b->object.drive;
    return drive && strcmp(a->object.name, b->object.name) == 0 && same_extension(&a->object, &b->object);
}

// The name at an offset; on a command's own letters its first one.
static bool name_at(const struct lsp_document *d, size_t offset, struct name *out, uint32_t *command)
{
    const struct lsp_command *tries[] = {lsp_document_command_at(d, offset, false),
                                         lsp_document_command_at(d, offset, true)};
    for (size_t k = 0; k < PL_COUNTOF(tries); k++) {
        const struct lsp_command *c = tries[k];
        size_t at = 0;
        while (c && next_name(d, c, &at, out)) {
            size_t end = (size_t)out->part.offset + out->part.length;
            *command = (uint32_t)(c - d->commands);
            if ((offset >= out->part.offset && offset <= end) || offset < (size_t)c->start + c->name_length)
                return true;
        }
    }
    return false;
}

// ---- where a field's number counts: its label, and those that are tied to it by stored formats

#define FORMATS_MAX 64u
#define PASSES 8u // formats that are tied by formats that are tied …

struct scope {
    const struct lsp_document *d;
    struct name formats[FORMATS_MAX];
    uint32_t format_count;
    uint32_t first, last; // commands of the label that it began in
    bool everywhere;      // too many formats to tell
};

// The last command of the label that a command is in, or before.
static uint32_t label_end(const struct lsp_document *d, uint32_t command)
{
    while (command + 1 < d->command_count && !lsp_is(&d->commands[command], "^XZ"))
        command++;
    return command;
}

static bool is_known(const struct scope *s, const struct name *format)
{
    for (uint32_t i = 0; i < s->format_count; i++) {
        if (is_same(&s->formats[i], format))
            return true;
    }
    return false;
}

static bool format_of(const struct lsp_document *d, const struct lsp_command *c, struct name *out)
{
    size_t at = 0;
    return (lsp_is(c, "^DF") || lsp_is(c, "^XF")) && next_name(d, c, &at, out);
}

static bool add_formats(struct scope *s, uint32_t first, uint32_t last)
{
    bool added = false;
    struct name format;
    for (uint32_t i = first; i <= last; i++) {
        if (!format_of(s->d, &s->d->commands[i], &format) || is_known(s, &format))
            continue;
        if (s->format_count == FORMATS_MAX) {
            s->everywhere = true;
            return false;
        }
        s->formats[s->format_count++] = format;
        added = true;
    }
    return added;
}

static bool label_is_tied(const struct scope *s, uint32_t first, uint32_t last)
{
    struct name format;
    for (uint32_t i = first; i <= last; i++) {
        if (format_of(s->d, &s->d->commands[i], &format) && is_known(s, &format))
            return true;
    }
    return false;
}

static void find_scope(struct scope *s, const struct lsp_document *d, uint32_t command)
{
    uint32_t last;
    *s = (struct scope){.d = d, .first = command, .last = label_end(d, command)};
    while (s->first > 0 && !lsp_is(&d->commands[s->first], "^XA"))
        s->first--;
    bool more = add_formats(s, s->first, s->last);
    for (unsigned pass = 0; more && pass < PASSES; pass++) {
        more = false;
        for (uint32_t i = 0; i < d->command_count; i = last + 1) {
            last = label_end(d, i);
            if (label_is_tied(s, i, last))
                more = add_formats(s, i, last) || more;
        }
    }
}

// ---- occurrences

struct places {
    struct lsp_call *call;
    struct name wanted;
    struct scope scope;
    // Of the label that is looked at.
    uint32_t label_last;
    bool in_scope, stores;
    uint32_t next;
    size_t at;
};

static void enter_label(struct places *p, uint32_t command)
{
    const struct lsp_document *d = p->call->document;
    p->label_last = label_end(d, command);
    p->stores = false;
    for (uint32_t i = command; i <= p->label_last; i++)
        p->stores = p->stores || lsp_is(&d->commands[i], "^DF");
    p->in_scope = p->wanted.row->kind != NAME_NUMBER || p->scope.everywhere ||
                  (command >= p->scope.first && command <= p->scope.last) ||
                  label_is_tied(&p->scope, command, p->label_last);
}

static bool find_places(struct places *p, struct lsp_call *call)
{
    uint32_t command;
    *p = (struct places){.call = call};
    if (!name_at(call->document, call->offset, &p->wanted, &command))
        return false;
    if (p->wanted.row->kind == NAME_NUMBER)
        find_scope(&p->scope, call->document, command);
    return true;
}

// The next place of the name; *defines: it is the one where it is made.
static bool next_place(struct places *p, struct name *found, bool *defines)
{
    const struct lsp_document *d = p->call->document;
    for (; p->next < d->command_count; p->next++, p->at = 0) {
        if (p->at == 0 && (p->next == 0 || p->next > p->label_last))
            enter_label(p, p->next);
        while (p->in_scope && next_name(d, &d->commands[p->next], &p->at, found)) {
            if (!is_same(found, &p->wanted))
                continue;
            *defines = found->row->kind == NAME_NUMBER ? p->stores : found->row->defines;
            return true;
        }
    }
    return false;
}

#define PLACES_MOST 20000u // an editor shows a list of them

static enum lsp_outcome put_locations(struct lsp_call *call, bool definitions, bool uses)
{
    struct places places;
    struct name found;
    bool defines;
    struct lsp_cursor cursor = lsp_call_cursor(call);
    pl_json_array(&call->json);
    if (find_places(&places, call)) {
        for (uint32_t count = 0; count < PLACES_MOST && next_place(&places, &found, &defines); count++) {
            if (defines ? !definitions : !uses)
                continue;
            pl_json_object(&call->json);
            pl_json_kv_cstr(&call->json, "uri", call->document->uri);
            lsp_put_range(&call->json, "range",
                          lsp_cursor_range(&cursor, found.part.offset, (size_t)found.part.offset + found.part.length));
            pl_json_end(&call->json);
        }
    }
    pl_json_end(&call->json);
    return LSP_ANSWERED;
}

enum lsp_outcome lsp_definition(struct lsp_call *call)
{
    return put_locations(call, true, false);
}

enum lsp_outcome lsp_references(struct lsp_call *call)
{
    struct pl_rpc_value value;
    pl_rpc_member(call->params, "context", &value);
    pl_rpc_member(value.raw, "includeDeclaration", &value);
    return put_locations(call, value.type != PL_JSON_FALSE, true);
}

// ---- renaming

// Is it one of the printer's own: a letter of its fonts, or an object on its read-only drive?
static bool is_own(const struct name *name)
{
    uint32_t v = name->value;
    if (name->row->kind == NAME_OBJECT)
        return name->object.drive == 'Z';
    return name->row->kind == NAME_LETTER && ((v >= 'A' && v <= 'H') || (v >= 'P' && v <= 'V') || v == '0');
}

// The name that can be renamed at the place. One of the printer's own is not the document's, unless ^CW gave its letter
// to another font.
static enum lsp_outcome find_renamed(struct lsp_call *call, struct places *places)
{
    struct name found;
    bool defines = false;
    if (!find_places(places, call))
        return lsp_refuse(call, LSP_E_FAILED,
                          "There is no name here: rename numbers of ^FN, letters of fonts, and "
                          "names of stored formats, graphics and fonts.");
    if (!is_own(&places->wanted))
        return LSP_ANSWERED;
    for (struct places all = *places; !defines && next_place(&all, &found, &defines);) {
    }
    return defines ? LSP_ANSWERED : lsp_refuse(call, LSP_E_FAILED, "This is a font or an object of the printer.");
}

enum lsp_outcome lsp_prepare_rename(struct lsp_call *call)
{
    struct places places;
    struct lsp_cursor cursor = lsp_call_cursor(call);
    enum lsp_outcome outcome = find_renamed(call, &places);
    if (outcome != LSP_ANSWERED)
        return outcome;
    struct name name = places.wanted;
    pl_json_object(&call->json);
    lsp_put_range(&call->json, "range",
                  lsp_cursor_range(&cursor, name.part.offset, (size_t)name.part.offset + name.part.length));
    pl_json_kv_slice(&call->json, "placeholder", lsp_part_text(call->document, name.part));
    pl_json_end(&call->json);
    return LSP_ANSWERED;
}

static bool is_number(struct pl_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!pl_is_digit(text.ptr[i]))
            return false;
    }
    return text.len > 0 && text.len <= 4;
}

static bool is_plain(struct pl_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] <= ' ' || text.ptr[i] > '~' || strchr("^~,*?", text.ptr[i]))
            return false;
    }
    return text.len > 0;
}

// NULL: the new name is right. `as` gets it.
static const char *check_new(struct pl_slice text, const struct name *old, struct name *as)
{
    *as = *old;
    switch (old->row->kind) {
    case NAME_NUMBER:
        as->value = 0;
        for (size_t i = 0; i < text.len && i < 6; i++)
            as->value = as->value * 10 + (uint32_t)(text.ptr[i] - '0');
        return is_number(text) ? NULL : "A field's number is 0 to 9999.";
    case NAME_LETTER:
        as->value = text.len ? pl_upper(text.ptr[0]) : 0;
        if (text.len != 1 || !(pl_is_digit(text.ptr[0]) || pl_is_upper(as->value)))
            return "A font's letter is one letter or digit.";
        return is_own(as) && as->value != old->value ? "The printer has a font of this letter." : NULL;
    case NAME_OBJECT:
        if (!is_plain(text) || !pl_object_name_parse(text, "", old->row->extension, &as->object) ||
            as->object.name_len == 0)
            return "A name is a drive, letters and digits, and an extension, such as R:LOGO.GRF.";
        if (is_own(as))
            return "Nothing can be stored on drive Z:.";
        if (!memchr(text.ptr, ':', text.len))
            as->object.drive = old->object.drive;
        return NULL;
    }
    return NULL;
}

// What comes to a place: drive and extension stay as they are written there, unless the new name has them.
static struct pl_slice new_text(struct lsp_call *call, const struct name *found, struct pl_slice text)
{
    struct pl_slice old = lsp_part_text(call->document, found->part);
    if (found->row->kind != NAME_OBJECT)
        return text;
    const uint8_t *colon = memchr(old.ptr, ':', old.len), *dot = memchr(old.ptr, '.', old.len);
    size_t drive = colon && !memchr(text.ptr, ':', text.len) ? (size_t)(colon - old.ptr) + 1 : 0;
    size_t extension = dot && !memchr(text.ptr, '.', text.len) ? (size_t)(old.ptr + old.len - dot) : 0;
    const char *whole =
        pl_arena_printf(call->arena, "%.*s%.*s%.*s", (int)drive, (const char *)old.ptr, (int)text.len,
                        (const char *)text.ptr, (int)extension, (const char *)(old.ptr + old.len - extension));
    return whole ? pl_slice_cstr(whole) : text;
}

enum lsp_outcome lsp_rename(struct lsp_call *call)
{
    struct pl_rpc_value value;
    struct pl_slice text;
    struct places places, taken;
    struct name found, as;
    bool defines;
    struct pl_json_writer *json = &call->json;
    struct lsp_cursor cursor = lsp_call_cursor(call);
    pl_rpc_member(call->params, "newName", &value);
    if (!pl_rpc_text(&value, call->arena, &text))
        return lsp_refuse(call, LSP_E_PARAMS, "newName is no string.");
    enum lsp_outcome outcome = find_renamed(call, &places);
    if (outcome != LSP_ANSWERED)
        return outcome;
    const char *why = check_new(text, &places.wanted, &as);
    if (why)
        return lsp_refuse(call, LSP_E_FAILED, "%s", why);
    taken = places;
    taken.wanted = as;
    if (!is_same(&as, &places.wanted) && next_place(&taken, &found, &defines))
        return lsp_refuse(call, LSP_E_FAILED, "The name '%.*s' is used already.", (int)text.len,
                          (const char *)text.ptr);
    pl_json_object(json);
    pl_json_kv_object(json, "changes");
    pl_json_kv_array(json, call->document->uri);
    while (next_place(&places, &found, &defines))
        lsp_put_edit(json, lsp_cursor_range(&cursor, found.part.offset, (size_t)found.part.offset + found.part.length),
                     new_text(call, &found, text));
    pl_json_ends(json, 3);
    return LSP_ANSWERED;
}
