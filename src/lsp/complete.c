// Completion: commands with snippets of their parameters, and the values of choices.
#include "base/ckd.h"
#include "lsp/server.h"

enum { KIND_KEYWORD = 14, KIND_ENUM_MEMBER = 20, FORMAT_SNIPPET = 2, SHORT_LIST = 6 };

// In a snippet these three mean something.
static void put_escaped(struct pl_buf *out, const char *text, bool in_placeholder)
{
    for (; *text; text++) {
        if (*text == '\\' || *text == '$' || (*text == '}' && in_placeholder))
            pl_buf_append_byte(out, '\\');
        pl_buf_append_byte(out, (uint8_t)*text);
    }
}

// A default that can be written. Others ("^BY height") say where it comes from.
static bool has_value(const struct pl_lang_param *p)
{
    return p->fallback[0] && p->fallback[0] != '^' && !strchr(p->fallback, ' ');
}

// How many parameters a snippet has: all of a few, otherwise up to the last one without a default. Choices at the end
// that come from elsewhere are left there.
static uint32_t snippet_count(const struct pl_lang_command *c)
{
    uint32_t count = 0, required = 0;
    while (count < c->param_count && c->params[count].name) {
        count++;
        if (c->params[count - 1].fallback[0] == '\0')
            required = count;
    }
    count = count <= SHORT_LIST ? count : required;
    while (count > required && c->params[count - 1].type == PL_LANG_CHOICE && !has_value(&c->params[count - 1]))
        count--;
    return count;
}

static void put_snippet(struct pl_buf *out, const struct pl_lang *language, const struct pl_lang_command *c)
{
    uint32_t count = snippet_count(c);
    put_escaped(out, c->title, false);
    if (strcmp(c->title, "^A") == 0)
        pl_buf_append_cstr(out, "${9:0}");
    if (strcmp(c->title, "^XA") == 0)
        pl_buf_append_cstr(out, "\n$0\n^XZ");
    if (count > 0)
        pl_buf_append_cstr(out, language->before_params);
    for (uint32_t i = 0; i < count; i++) {
        const struct pl_lang_param *p = &c->params[i];
        char choice[] = {p->type == PL_LANG_CHOICE ? p->values[0] : '\0', '\0'};
        pl_buf_printf(out, "%s${%u:", i ? language->between_params : "", i + 1);
        put_escaped(out, has_value(p) ? p->fallback : choice[0] ? choice : p->name, true);
        pl_buf_append_byte(out, '}');
    }
    if (strcmp(c->title, "^FD") == 0 || strcmp(c->title, "^FV") == 0)
        pl_buf_append_cstr(out, "^FS");
}

static void put_command(struct lsp_call *call, const struct pl_lang_command *c, struct lsp_range range,
                        struct pl_buf *room)
{
    struct pl_json_writer *json = &call->json;
    pl_buf_clear(room);
    if (call->server->has_snippets)
        put_snippet(room, call->document->language, c);
    else
        pl_buf_append_cstr(room, c->title);
    pl_json_object(json);
    pl_json_kv_cstr(json, "label", c->title);
    pl_json_kv_u64(json, "kind", KIND_KEYWORD);
    pl_json_kv_cstr(json, "detail", c->summary);
    if (c->note[0])
        pl_json_kv_cstr(json, "documentation", c->note);
    if (call->server->has_snippets)
        pl_json_kv_u64(json, "insertTextFormat", FORMAT_SNIPPET);
    pl_json_key(json, "textEdit");
    lsp_put_edit(json, range, pl_buf_slice(room));
    pl_json_end(json);
}

// Where the name that is being written begins; SIZE_MAX: none is.
static size_t name_start(const struct lsp_document *d, size_t offset)
{
    struct pl_slice s = lsp_text_slice(&d->text);
    if (strcmp(d->language->name, "zpl") == 0) {
        for (size_t back = 1; back <= 3 && back <= offset; back++) {
            uint8_t c = s.ptr[offset - back];
            if (c == '^' || c == '~')
                return offset - back;
            if (c <= ' ' || c == ',')
                return SIZE_MAX;
        }
        return SIZE_MAX;
    }
    // The others have a command a line, and its name is letters; those of CPCL have hyphens.
    size_t at = offset;
    while (at > 0 && (((s.ptr[at - 1] | 0x20) >= 'a' && (s.ptr[at - 1] | 0x20) <= 'z') || s.ptr[at - 1] == '-'))
        at--;
    return at == d->text.lines[lsp_text_line(&d->text, offset)] ? at : SIZE_MAX;
}

static bool begins(const char *title, struct pl_slice typed)
{
    return typed.len <= strlen(title) && pl_slice_eq_nocase(pl_slice_make(title, typed.len), typed);
}

static void put_commands(struct lsp_call *call, size_t start)
{
    const struct lsp_document *d = call->document;
    const struct pl_lang_command *c;
    struct lsp_cursor cursor = lsp_call_cursor(call);
    struct lsp_range range = lsp_cursor_range(&cursor, start, call->offset);
    struct pl_slice typed = pl_slice_sub(lsp_text_slice(&d->text), start, call->offset - start);
    struct pl_buf room;
    pl_buf_init(&room, 65536);
    for (uint32_t i = 0; (c = d->language->commands.at(i)); i++) {
        if (begins(c->title, typed))
            put_command(call, c, range, &room);
    }
    pl_buf_fini(&room);
}

// The values of the choice that the place is in.
static void put_values(struct lsp_call *call)
{
    const struct lsp_document *d = call->document;
    const struct lsp_command *c = lsp_document_command_at(d, call->offset, true);
    struct pl_json_writer *json = &call->json;
    struct lsp_cursor cursor = lsp_call_cursor(call);
    if (!c || call->offset < (size_t)c->start + c->name_length)
        return;
    uint32_t item = lsp_item_at(d, c, call->offset);
    const struct pl_lang_param *p = lsp_param(d, c, item);
    struct pl_lang_part part = lsp_item(d, c, item);
    if (!p || p->type != PL_LANG_CHOICE || item == c->item_count)
        return;
    struct lsp_range range = lsp_cursor_range(&cursor, part.offset, (size_t)part.offset + part.length);
    for (const char *v = p->values; *v; v++) {
        size_t length = 0;
        const char *words = pl_lang_about_value(d->language, c->about, p, *v, &length);
        pl_json_object(json);
        pl_json_kv_slice(json, "label", pl_slice_make(v, 1));
        pl_json_kv_u64(json, "kind", KIND_ENUM_MEMBER);
        if (length > 0)
            pl_json_kv_slice(json, "detail", pl_slice_make(words, length));
        pl_json_key(json, "textEdit");
        lsp_put_edit(json, range, pl_slice_make(v, 1));
        pl_json_end(json);
    }
}

enum lsp_outcome lsp_completion(struct lsp_call *call)
{
    size_t start = name_start(call->document, call->offset);
    pl_json_object(&call->json);
    pl_json_kv_bool(&call->json, "isIncomplete", false);
    pl_json_kv_array(&call->json, "items");
    if (start != SIZE_MAX)
        put_commands(call, start);
    if (start == SIZE_MAX || call->offset - start == 3)
        put_values(call);
    pl_json_ends(&call->json, 2);
    return LSP_ANSWERED;
}
