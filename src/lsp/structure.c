// The structure of a document: labels with their fields, what can be folded, and "preview" above each label.
#include <stdio.h>

#include "base/ckd.h"
#include "base/utf8.h"
#include "lsp/server.h"

#define NAME_SHOWN 40u

enum { SYMBOL_NAMESPACE = 3, SYMBOL_FIELD = 8 };

// A label that has no beginning goes from the end of the one before.
struct label {
    uint32_t first, last; // commands
};

struct labels {
    const struct lsp_document *d;
    const struct pl_lang_command *begin, *end;
    uint32_t at; // the next command
};

static bool is_named(const struct lsp_command *c, const char *name)
{
    return c->about && strcmp(c->about->title, name) == 0;
}

static const struct pl_lang_command *command_named(const struct lsp_document *d, const char *name)
{
    const struct pl_lang_command *command;
    for (uint32_t i = 0; (command = d->language->commands.at(i)) && strcmp(command->title, name) != 0;)
        i++;
    return command;
}

static struct labels labels_of(const struct lsp_document *d)
{
    return (struct labels){
        .d = d, .begin = command_named(d, d->language->label_begins), .end = command_named(d, d->language->label_ends)};
}

static bool next_label(struct labels *l, struct label *out)
{
    const struct lsp_document *d = l->d;
    while (l->at < d->command_count && d->commands[l->at].about != l->begin)
        l->at++;
    if (l->at == d->command_count)
        return false;
    out->first = out->last = l->at;
    for (l->at++; l->at < d->command_count && d->commands[l->at].about != l->begin; l->at++) {
        out->last = l->at;
        if (d->commands[l->at].about == l->end) {
            l->at++;
            return true;
        }
    }
    return true; // it has no end
}

// The command that stores it, so that it prints nothing; NULL: it prints.
static const struct lsp_command *stored_by(const struct lsp_document *d, struct label label)
{
    for (uint32_t i = label.first; i <= label.last; i++) {
        if (lsp_is(&d->commands[i], "^DF"))
            return &d->commands[i];
    }
    return NULL;
}

// ---- symbols

static void open_symbol(struct lsp_call *call, struct lsp_cursor *cursor, struct pl_slice name, const char *detail,
                        unsigned kind, struct pl_lang_part whole, struct pl_lang_part shown)
{
    struct pl_json_writer *json = &call->json;
    pl_json_object(json);
    // Some ten thousand of these are written: members without their writer.
    pl_json_raw(json, pl_slice_cstr("\"name\":"));
    pl_buf_append_json_string(json->buf, name);
    if (detail) {
        pl_buf_append_cstr(json->buf, ",\"detail\":");
        pl_buf_append_json_string(json->buf, pl_slice_cstr(detail));
    }
    struct lsp_range range = {.start = lsp_cursor_at(cursor, whole.offset)};
    struct lsp_position shown_end = lsp_cursor_at(cursor, (size_t)shown.offset + shown.length);
    range.end = lsp_cursor_at(cursor, (size_t)whole.offset + whole.length);
    lsp_put_symbol_place(json, kind, range, shown_end);
}

static struct pl_lang_part span(const struct lsp_document *d, uint32_t first, uint32_t last)
{
    uint32_t start = d->commands[first].start;
    return (struct pl_lang_part){start, d->commands[last].end - start};
}

// One line of it.
static struct pl_slice shortened(struct pl_slice s)
{
    size_t n = 0;
    s = pl_slice_trim(s);
    while (n < PL_MIN(s.len, (size_t)NAME_SHOWN) && s.ptr[n] != '\r' && s.ptr[n] != '\n')
        n++;
    while (n < s.len && n > 0 && (s.ptr[n] & 0xC0) == 0x80)
        n--;
    return pl_slice_sub(s, 0, n);
}

// A field's name is its data; what it is comes from the command that makes it a barcode, a text or a box.
static void put_field(struct lsp_call *call, struct lsp_cursor *cursor, uint32_t first, uint32_t last)
{
    const struct lsp_document *d = call->document;
    const struct lsp_command *maker = NULL;
    struct pl_slice name = {0};
    for (uint32_t i = first; i <= last; i++) {
        const struct lsp_command *c = &d->commands[i];
        bool makes = c->name[1] == 'A' || c->name[1] == 'G' || (c->name[1] == 'B' && c->name[2] != 'Y') ||
                     lsp_is(c, "^XG") || lsp_is(c, "^IM");
        if (c->name[0] == '^' && makes && c->about)
            maker = c;
        if (lsp_is(c, "^FD") || lsp_is(c, "^FV"))
            name = shortened(lsp_part_text(d, c->data));
        else if (lsp_is(c, "^FN") && name.len == 0)
            name = pl_slice_sub(lsp_text_slice(&d->text), c->start, c->end - c->start);
    }
    if (name.len == 0 && maker)
        name = pl_slice_cstr(maker->about->title);
    if (name.len == 0)
        name = pl_slice_cstr("field");
    const struct lsp_command *c = &d->commands[first];
    open_symbol(call, cursor, name, maker ? maker->about->summary : NULL, SYMBOL_FIELD, span(d, first, last),
                (struct pl_lang_part){c->start, c->end - c->start});
    pl_json_end(&call->json);
}

// Has a command of this language data of a field? That of EPL and TSPL is quoted; that of CPCL is the rest of the line,
// or the lines that follow.
static bool is_field(const struct lsp_document *d, const struct lsp_command *c, struct pl_slice text)
{
    if (!c->about || text.len == 0)
        return false;
    if (strcmp(d->language->name, "cpcl") != 0)
        return text.len > 2 && text.ptr[0] == '"';
    if (c->data.offset > 0) // lines that follow
        return true;
    const struct pl_lang_param *last = lsp_param(d, c, c->item_count - 1);
    return last && c->item_count == c->about->param_count && strcmp(last->name, "data") == 0 && !is_named(c, "EG") &&
           !is_named(c, "CG");
}

// Of other languages than ZPL a command that takes a text is a field.
static void put_texts(struct lsp_call *call, struct lsp_cursor *cursor, struct label label)
{
    const struct lsp_document *d = call->document;
    for (uint32_t i = label.first + 1; i <= label.last; i++) {
        const struct lsp_command *c = &d->commands[i];
        struct pl_lang_part last = lsp_item(d, c, c->item_count ? c->item_count - 1 : 0);
        struct pl_slice text = lsp_part_text(d, c->data.offset ? c->data : last);
        if (!is_field(d, c, text))
            continue;
        open_symbol(call, cursor, shortened(text), c->about->summary, SYMBOL_FIELD, span(d, i, i), span(d, i, i));
        pl_json_end(&call->json);
    }
}

// Of ZPL a field ends with ^FS.
static void put_fields(struct lsp_call *call, struct lsp_cursor *cursor, struct label label)
{
    const struct lsp_document *d = call->document;
    bool open = false;
    uint32_t first = 0;
    for (uint32_t i = label.first + 1; i <= label.last; i++) {
        const struct lsp_command *c = &d->commands[i];
        bool ends = lsp_is(c, "^FS");
        if (!open && (lsp_is(c, "^FO") || lsp_is(c, "^FT") || lsp_is(c, "^FN"))) {
            open = true;
            first = i;
        }
        if (open && (ends || i == label.last)) {
            put_field(call, cursor, first, ends || first == i ? i : i - 1);
            open = false;
        }
    }
}

enum lsp_outcome lsp_symbols(struct lsp_call *call)
{
    struct lsp_document *d = call->document;
    struct labels labels = labels_of(d);
    // Labels, and the fields of a label, go through the text in order: each has a cursor.
    struct lsp_cursor outer = lsp_call_cursor(call), inner = outer;
    struct label label;
    char name[64];
    unsigned number = 0; // stored formats do not count: they are not drawn
    pl_json_array(&call->json);
    for (unsigned i = 0; i < LSP_ANSWER_MOST && next_label(&labels, &label); i++) {
        const struct lsp_command *c = &d->commands[label.first], *stored = stored_by(d, label);
        struct pl_slice format = stored ? shortened(lsp_part_text(d, lsp_item(d, stored, 0))) : (struct pl_slice){0};
        if (stored)
            snprintf(name, sizeof name, "Format %.*s", (int)format.len, (const char *)format.ptr);
        else
            snprintf(name, sizeof name, "Label %u", ++number);
        open_symbol(call, &outer, pl_slice_cstr(name), NULL, SYMBOL_NAMESPACE, span(d, label.first, label.last),
                    (struct pl_lang_part){c->start, c->end - c->start});
        pl_json_kv_array(&call->json, "children");
        if (c->name[0] == '^')
            put_fields(call, &inner, label);
        else
            put_texts(call, &inner, label);
        pl_json_ends(&call->json, 2);
    }
    pl_json_end(&call->json);
    return LSP_ANSWERED;
}

// ---- folding

static void put_fold(struct lsp_call *call, size_t from, size_t to)
{
    uint32_t first = lsp_text_line(&call->document->text, from), last = lsp_text_line(&call->document->text, to);
    if (last <= first)
        return;
    pl_json_object(&call->json);
    pl_json_kv_u64(&call->json, "startLine", first);
    pl_json_kv_u64(&call->json, "endLine", last);
    pl_json_kv_cstr(&call->json, "kind", "region");
    pl_json_end(&call->json);
}

enum lsp_outcome lsp_folding(struct lsp_call *call)
{
    const struct lsp_document *d = call->document;
    struct labels labels = labels_of(d);
    struct label label;
    pl_json_array(&call->json);
    for (unsigned i = 0; i < LSP_ANSWER_MOST && next_label(&labels, &label); i++)
        put_fold(call, d->commands[label.first].start, d->commands[label.last].end);
    for (uint32_t i = 0, count = 0; i < d->command_count && count < LSP_ANSWER_MOST; i++) {
        const struct lsp_command *c = &d->commands[i];
        count += c->data.length > 0 && !c->is_text;
        if (c->data.length > 0 && !c->is_text) // a graphic, or a font
            put_fold(call, c->start, c->end);
    }
    pl_json_end(&call->json);
    return LSP_ANSWERED;
}

// ---- code lens

enum lsp_outcome lsp_code_lens(struct lsp_call *call)
{
    const struct lsp_document *d = call->document;
    struct pl_json_writer *json = &call->json;
    struct labels labels = labels_of(d);
    struct lsp_cursor cursor = lsp_call_cursor(call);
    struct label label;
    pl_json_array(json);
    for (unsigned i = 0; i < LSP_ANSWER_MOST && next_label(&labels, &label); i++) {
        const struct lsp_command *c = &d->commands[label.first];
        if (stored_by(d, label))
            continue;
        pl_json_object(json);
        lsp_put_range(json, "range", lsp_cursor_range(&cursor, c->start, c->end));
        pl_json_kv_object(json, "command");
        pl_json_kv_cstr(json, "title", "Preview");
        pl_json_kv_cstr(json, "command", lsp_commands[0]);
        pl_json_kv_array(json, "arguments");
        pl_json_object(json);
        pl_json_kv_cstr(json, "uri", d->uri);
        lsp_put_position(json, "position", lsp_cursor_at(&cursor, c->end));
        pl_json_ends(json, 4);
    }
    pl_json_end(json);
    return LSP_ANSWERED;
}
