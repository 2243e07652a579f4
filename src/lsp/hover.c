// Hover and signature help: what a command does, and each parameter by its meaning and value. Inlay hints: millimetres.
#include "base/ckd.h"
#include "base/fmt.h"
#include "base/utf8.h"
#include "lsp/server.h"

#define VALUE_SHOWN 60u

static const char *about(const struct lsp_document *d, const struct lsp_command *c, const struct pl_lang_param *p)
{
    const char *words = pl_lang_about_param(d->language, c->about, p);
    return words ? words : "";
}

// A value as code of Markdown: no backquotes, no line ends, only UTF-8.
static void put_value(struct pl_buf *out, struct pl_slice s)
{
    pl_buf_append_byte(out, '`');
    for (size_t i = 0; i < s.len;) {
        size_t from = i;
        uint32_t c = pl_utf8_next(s, &i);
        if (from >= VALUE_SHOWN) {
            pl_buf_append_cstr(out, "…");
            break;
        }
        if (c == PL_UTF8_BAD || c < ' ' || c == '`')
            pl_buf_append_byte(out, '.');
        else
            pl_buf_append(out, s.ptr + from, i - from);
    }
    pl_buf_append_byte(out, '`');
}

// What a character of a choice means.
static void put_meaning(struct pl_buf *out, const struct lsp_document *d, const struct lsp_command *c,
                        const struct pl_lang_param *p, struct pl_slice value)
{
    size_t length = 0;
    if (p->type != PL_LANG_CHOICE || value.len != 1)
        return;
    char letter = (char)pl_upper(value.ptr[0]);
    const char *words = pl_lang_about_value(d->language, c->about, p, letter, &length);
    if (length > 0) {
        pl_buf_append_cstr(out, ": ");
        pl_buf_append(out, words, length);
    }
}

static void put_mm(struct pl_buf *out, double mm)
{
    pl_buf_append_fixed(out, mm, 2);
    pl_buf_append_cstr(out, " mm");
}

static void put_choices(const char *values, struct pl_buf *out)
{
    pl_buf_append_cstr(out, " (one of ");
    for (const char *v = values; *v; v++)
        pl_buf_printf(out, "%s%c", v == values ? "" : ", ", *v);
    pl_buf_append_byte(out, ')');
}

static void put_allowed(struct pl_buf *out, const struct pl_lang_param *p)
{
    if ((p->type == PL_LANG_DOTS || p->type == PL_LANG_NUMBER) && p->max > p->min)
        pl_buf_printf(out, " (%d to %d)", p->min, p->max);
    else if (p->type == PL_LANG_CHOICE && p->values && p->values[0])
        put_choices(p->values, out);
}

// The values of a parameter: options may be several, each with its name before it or without. False: there is none.
static bool put_values(struct lsp_call *call, const struct lsp_command *c, uint32_t param, struct pl_buf *out)
{
    const struct lsp_document *d = call->document;
    const struct pl_lang_param *p = &c->about->params[param];
    bool found = false;
    double mm;
    for (uint32_t i = 0; i < c->item_count; i++) {
        struct pl_slice value = lsp_part_text(d, lsp_item(d, c, i));
        if (lsp_item_param(d, c, i) != param || value.len == 0 || pl_slice_eq_cstr(value, p->name))
            continue;
        found = true;
        pl_buf_append_byte(out, ' ');
        put_value(out, value);
        put_meaning(out, d, c, p, value);
        if (lsp_item_mm(d, c, i, call->server->host->dpmm, &mm)) {
            pl_buf_append_cstr(out, " = ");
            put_mm(out, mm);
        }
    }
    return found;
}

static void put_parameter(struct lsp_call *call, const struct lsp_command *c, uint32_t param, bool is_here,
                          struct pl_buf *out)
{
    const struct lsp_document *d = call->document;
    const struct pl_lang_param *p = &c->about->params[param];
    pl_buf_printf(out, "- %s%s%s", is_here ? "**" : "", p->name, is_here ? "**" : "");
    if (p->type == PL_LANG_DATA && c->data.offset > 0 && c->data.length > 0) {
        pl_buf_append_byte(out, ' ');
        put_value(out, lsp_part_text(d, c->data));
    } else if (!put_values(call, c, param, out) && p->fallback && p->fallback[0]) {
        pl_buf_printf(out, " not given: %s", p->fallback);
    }
    if (about(d, c, p)[0])
        pl_buf_printf(out, " — %s", about(d, c, p));
    put_allowed(out, p);
    pl_buf_append_byte(out, '\n');
}

enum lsp_outcome lsp_hover(struct lsp_call *call)
{
    const struct lsp_document *d = call->document;
    const struct lsp_command *c = lsp_document_command_at(d, call->offset, false);
    struct lsp_cursor cursor = lsp_call_cursor(call);
    struct pl_buf text;
    if (!c || c->end == c->start || (!c->about && c->name_length == 0)) {
        pl_json_null(&call->json);
        return LSP_ANSWERED;
    }
    uint32_t here = call->offset < (size_t)c->start + c->name_length ? c->item_count : lsp_item_at(d, c, call->offset);
    here = here < c->item_count ? here : UINT32_MAX; // a parameter behind the last one is not given
    pl_buf_init(&text, (size_t)1 << 20);
    struct pl_slice name = pl_slice_sub(lsp_text_slice(&d->text), c->start, c->name_length);
    pl_buf_append_cstr(&text, "**");
    pl_buf_append_slice(&text, name);
    pl_buf_printf(&text, "** %s\n", c->about ? c->about->summary : "Not a command: it is skipped.");
    if (c->about && c->about->note[0])
        pl_buf_printf(&text, "\n%s\n", c->about->note);
    for (uint32_t i = 0; c->about && i < c->about->param_count && c->about->params[i].name; i++) {
        if (i == 0)
            pl_buf_append_byte(&text, '\n');
        put_parameter(call, c, i, here < c->item_count && i == lsp_item_param(d, c, here), &text);
    }
    struct pl_lang_part part = lsp_item(d, c, here);
    bool is_part = here < c->item_count && part.length > 0;
    pl_json_object(&call->json);
    pl_json_kv_object(&call->json, "contents");
    pl_json_kv_cstr(&call->json, "kind", "markdown");
    pl_json_kv_slice(&call->json, "value", pl_buf_slice(&text));
    pl_json_end(&call->json);
    lsp_put_range(&call->json, "range",
                  is_part ? lsp_cursor_range(&cursor, part.offset, (size_t)part.offset + part.length)
                          : lsp_cursor_range(&cursor, c->start, c->end));
    pl_json_end(&call->json);
    pl_buf_fini(&text);
    return LSP_ANSWERED;
}

// ---- signature help

// The command that a place is in, or behind which it is with blanks between them: parameters are about to be written.
static const struct lsp_command *command_before(const struct lsp_document *d, size_t offset)
{
    const struct lsp_command *c = lsp_document_command_at(d, offset, true);
    uint32_t next = lsp_document_first_behind(d, offset);
    if (c || next == 0)
        return c;
    c = &d->commands[next - 1];
    for (size_t i = c->end; i < offset; i++) {
        if (d->text.bytes.data[i] != ' ' && d->text.bytes.data[i] != '\t')
            return NULL;
    }
    return c;
}

// The parameter of the item that the place is in, or behind whose separator it is; `count` or more: the command has
// fewer parameters than values.
static uint32_t active_parameter(const struct lsp_document *d, const struct lsp_command *c, size_t offset,
                                 uint32_t count)
{
    uint32_t active = 0;
    for (uint32_t i = 1; i < c->item_count; i++) {
        struct pl_lang_part before = lsp_item(d, c, i - 1);
        if (offset > (size_t)before.offset + before.length)
            active = i;
    }
    struct pl_lang_part last = lsp_item(d, c, active);
    uint32_t param = lsp_item_param(d, c, active);
    // Blanks separate: the next one begins here, unless the word is an option's name, or the rest of the line is one.
    if (d->language->between_params[0] == ' ' && active < c->item_count && param + 1 < count &&
        offset > (size_t)last.offset + last.length &&
        !pl_slice_eq_cstr(lsp_part_text(d, last), c->about->params[param].name))
        param++;
    return param;
}

enum lsp_outcome lsp_signature_help(struct lsp_call *call)
{
    const struct lsp_document *d = call->document;
    struct pl_json_writer *json = &call->json;
    const struct lsp_command *c = command_before(d, call->offset);
    uint32_t count = 0;
    while (c && c->about && count < c->about->param_count && c->about->params[count].name)
        count++;
    // An index of no parameter would be read as the first one: behind the last there is no help.
    const uint32_t active = count > 0 ? active_parameter(d, c, call->offset, count) : 0;
    if (active >= count || call->offset < (size_t)c->start + c->name_length) {
        pl_json_null(json);
        return LSP_ANSWERED;
    }
    struct pl_buf label;
    pl_buf_init(&label, 65536);
    pl_buf_append_cstr(&label, c->about->title);
    for (uint32_t i = 0; i < count; i++)
        pl_buf_printf(&label, "%s%s", i ? d->language->between_params : " ", c->about->params[i].name);
    pl_json_object(json);
    pl_json_kv_array(json, "signatures");
    pl_json_object(json);
    pl_json_kv_slice(json, "label", pl_buf_slice(&label));
    pl_json_kv_cstr(json, "documentation", c->about->summary);
    pl_json_kv_array(json, "parameters");
    for (uint32_t i = 0; i < count; i++) {
        const struct pl_lang_param *p = &c->about->params[i];
        pl_buf_clear(&label);
        pl_buf_append_cstr(&label, about(d, c, p));
        put_allowed(&label, p);
        pl_json_object(json);
        pl_json_kv_cstr(json, "label", p->name);
        if (label.len > 0)
            pl_json_kv_slice(json, "documentation", pl_buf_slice(&label));
        pl_json_end(json);
    }
    pl_json_ends(json, 3);
    pl_json_kv_u64(json, "activeSignature", 0);
    pl_json_kv_u64(json, "activeParameter", active);
    pl_json_end(json);
    pl_buf_fini(&label);
    return LSP_ANSWERED;
}

// ---- inlay hints

enum lsp_outcome lsp_inlay_hint(struct lsp_call *call)
{
    const struct lsp_document *d = call->document;
    struct pl_json_writer *json = &call->json;
    struct lsp_cursor cursor = lsp_call_cursor(call);
    struct pl_buf label;
    double mm;
    pl_buf_init(&label, 256);
    pl_json_array(json);
    uint32_t count = 0;
    for (uint32_t i = lsp_document_first_behind(d, call->from); i < d->command_count; i++) {
        const struct lsp_command *c = &d->commands[i];
        if (c->start >= call->to || count >= LSP_ANSWER_MOST)
            break;
        for (uint32_t k = 0; k < c->item_count; k++) {
            struct pl_lang_part part = lsp_item(d, c, k);
            size_t end = (size_t)part.offset + part.length;
            if (end < call->from || end > call->to || !lsp_item_mm(d, c, k, call->server->host->dpmm, &mm) || mm == 0)
                continue;
            count++;
            pl_buf_clear(&label);
            put_mm(&label, mm);
            pl_json_object(json);
            lsp_put_position(json, "position", lsp_cursor_at(&cursor, end));
            pl_json_kv_slice(json, "label", pl_buf_slice(&label));
            pl_json_kv_bool(json, "paddingLeft", true);
            pl_json_end(json);
        }
    }
    pl_json_end(json);
    pl_buf_fini(&label);
    return LSP_ANSWERED;
}
