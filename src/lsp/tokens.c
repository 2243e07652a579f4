// Semantic tokens: names of commands, numbers, choices, names of objects, texts, comments.
#include "base/ckd.h"
#include "base/fmt.h"
#include "lsp/server.h"

enum token { TOKEN_KEYWORD, TOKEN_MACRO, TOKEN_NUMBER, TOKEN_CHOICE, TOKEN_OBJECT, TOKEN_STRING, TOKEN_COMMENT };
const char *const lsp_token_types[] = {"keyword",  "macro",  "number",  "enumMember",
                                       "variable", "string", "comment", NULL};

struct tokens {
    struct lsp_call *call;
    struct lsp_cursor cursor;
    struct lsp_position last;
    size_t from, to;
    size_t done; // where the last one ends
    bool any;
};

// One that lies within a line. Characters of ASCII are bytes, so that nothing is to be counted.
static void put_piece(struct tokens *t, uint32_t line, size_t from, size_t to, enum token type)
{
    const struct lsp_text *text = &t->call->document->text;
    if (from < t->done)
        return;
    struct lsp_position start = {line, (uint32_t)from - text->lines[line]};
    uint32_t length = (uint32_t)(to - from);
    if (!text->ascii) {
        start = lsp_cursor_at(&t->cursor, from);
        length = lsp_cursor_at(&t->cursor, to).character - start.character;
    }
    if (length == 0)
        return;
    const uint32_t numbers[] = {start.line - t->last.line,
                                start.line == t->last.line ? start.character - t->last.character : start.character,
                                length, (uint32_t)type, 0};
    // A large document has some hundred thousand tokens: the numbers go out as one piece, and most have one digit.
    char out[PL_COUNTOF(numbers) * 11 + PL_FMT_DOUBLE_MAX];
    size_t n = 0;
    for (size_t i = 0; i < PL_COUNTOF(numbers); i++) {
        out[n] = ',';
        n += i > 0 || t->any;
        if (numbers[i] < 10)
            out[n++] = (char)('0' + numbers[i]);
        else
            n += pl_format_u64(numbers[i], out + n);
    }
    pl_buf_append(t->call->json.buf, out, n);
    t->any = true;
    t->done = to;
    t->last = start;
}

static void put_token(struct tokens *t, struct pl_lang_part part, enum token type)
{
    const struct lsp_text *text = &t->call->document->text;
    size_t at = part.offset, end = (size_t)part.offset + part.length;
    if (part.length == 0 || end <= t->from || at >= t->to)
        return;
    for (uint32_t line = lsp_text_line_near(text, at, t->last.line); at < end; line++) {
        size_t stop = PL_MIN(end, lsp_text_line_end(text, line));
        if (stop > at)
            put_piece(t, line, at, stop, type);
        if (line + 1 >= text->line_count)
            break;
        at = text->lines[line + 1];
    }
}

static enum token type_of(const struct lsp_document *d, const struct lsp_command *c, uint32_t item)
{
    const struct pl_lang_param *p = lsp_param(d, c, item);
    struct pl_slice s = lsp_part_text(d, lsp_item(d, c, item));
    if (lsp_is(c, "REM"))
        return TOKEN_COMMENT;
    if (s.len > 0 && s.ptr[0] == '"')
        return TOKEN_STRING;
    switch (p ? p->type : PL_LANG_TEXT) {
    case PL_LANG_DOTS:
    case PL_LANG_NUMBER:
        return TOKEN_NUMBER;
    case PL_LANG_CHOICE:
    case PL_LANG_CHAR:
        return TOKEN_CHOICE;
    case PL_LANG_OBJECT:
        return TOKEN_OBJECT;
    default:
        return TOKEN_STRING;
    }
}

static void put_command(struct tokens *t, const struct lsp_command *c)
{
    const struct lsp_document *d = t->call->document;
    bool is_comment = lsp_is(c, "^FX") || (!c->about && c->data.offset > 0);
    if (is_comment && !c->about) { // all of it
        put_token(t, c->data, TOKEN_COMMENT);
        return;
    }
    if (!c->about)
        return;
    put_token(t, (struct pl_lang_part){c->start, c->name_length}, c->name[0] == '~' ? TOKEN_MACRO : TOKEN_KEYWORD);
    for (uint32_t i = 0; i < c->item_count; i++)
        put_token(t, lsp_item(d, c, i), type_of(d, c, i));
    if (c->is_text) {
        struct pl_lang_part data = c->data;
        if ((size_t)data.offset + data.length > c->end)
            data.length = c->end > data.offset ? c->end - data.offset : 0;
        put_token(t, data, is_comment ? TOKEN_COMMENT : TOKEN_STRING);
    }
}

static enum lsp_outcome put_tokens(struct lsp_call *call, size_t from, size_t to)
{
    const struct lsp_document *d = call->document;
    struct tokens t = {.call = call, .cursor = lsp_call_cursor(call), .from = from, .to = to};
    pl_json_object(&call->json);
    pl_json_kv_array(&call->json, "data");
    for (uint32_t i = lsp_document_first_behind(d, from); i < d->command_count && d->commands[i].start < to; i++)
        put_command(&t, &d->commands[i]);
    pl_json_ends(&call->json, 2);
    return LSP_ANSWERED;
}

enum lsp_outcome lsp_tokens(struct lsp_call *call)
{
    return put_tokens(call, 0, call->document->text.bytes.len);
}

enum lsp_outcome lsp_tokens_range(struct lsp_call *call)
{
    return put_tokens(call, call->from, call->to);
}
