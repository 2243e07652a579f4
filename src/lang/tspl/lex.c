// The lexer of TSPL: lines to statements, statements to arguments.
#include "lang/tspl/lex.h"

#include "base/ascii.h"
#include "base/ckd.h"
#include "base/fmt.h"
#include "lang/lang.h"

#define ESC 0x1B
#define MOST_LINES 8192u // bytes of a quoted text behind its first line end; codes in two dimensions hold less

void tspl_lexer_init(struct tspl_lexer *lex, struct pl_slice text)
{
    *lex = (struct tspl_lexer){.text = text, .pos = pl_lang_begin(text), .mapped = true};
}

struct pl_source tspl_source(const struct tspl_lexer *lex, const struct tspl_statement *st)
{
    if (!lex->mapped)
        return lex->caller;
    struct pl_source source = {.offset = lex->origin + (uint32_t)st->start, .length = (uint32_t)(st->end - st->start)};
    for (size_t i = 0; i < st->word.len && i + 1 < sizeof source.command; i++) {
        uint8_t c = st->word.ptr[i];
        source.command[i] = (char)(c >= 'a' && c <= 'z' ? c - 32 : c > 0x20 && c < 0x7F ? c : '?');
    }
    return source;
}

// Length of the quote at `at`; 0: there is none. Word processors write typographic ones.
static unsigned quote_length(struct pl_slice text, size_t at)
{
    if (at < text.len && text.ptr[at] == '"')
        return 1;
    return pl_slice_has_at(text, at, "\xE2\x80\x9C") || pl_slice_has_at(text, at, "\xE2\x80\x9D") ? 3 : 0;
}

// Can an argument end here?
static bool ends_argument(struct pl_slice text, size_t at)
{
    while (at < text.len && tspl_is_blank(text.ptr[at]))
        at++;
    if (at >= text.len)
        return true;
    uint8_t c = text.ptr[at];
    return tspl_is_line_end(c) || c == ',' || c == '+' || c == ')' || c == '=' || c == '<' || c == '>';
}

bool tspl_lex_quote(struct pl_slice text, size_t at, struct tspl_quote *out)
{
    *out = (struct tspl_quote){.open = quote_length(text, at)};
    if (out->open == 0)
        return false;
    out->odd = out->open > 1;
    size_t line_end = SIZE_MAX, stop = text.len;
    for (size_t i = at + out->open; i < stop; i++) {
        uint8_t c = text.ptr[i];
        if (c == '\\' && pl_slice_has_at(text, i, "\\[\"]")) {
            i += 3;
            continue;
        }
        if (c == '\\' && i + 1 < text.len && text.ptr[i + 1] == '"' && !ends_argument(text, i + 2)) {
            out->odd = true;
            i++;
            continue;
        }
        if (tspl_is_line_end(c) && line_end == SIZE_MAX) {
            line_end = i;
            stop = PL_MIN(text.len, i + MOST_LINES);
        }
        unsigned close = c == '"' || (c == 0xE2 && out->open == 3) ? quote_length(text, i) : 0;
        if (close == 0)
            continue;
        // Line ends are data, unless what follows shows that the quote of an earlier line is missing.
        if (line_end != SIZE_MAX && !ends_argument(text, i + close))
            break;
        out->end = i;
        out->close = close;
        return true;
    }
    out->end = line_end != SIZE_MAX ? line_end : text.len;
    return true;
}

static void set_end(struct tspl_lexer *lex, struct tspl_statement *st, size_t end)
{
    st->end = end;
    while (lex->pos < lex->text.len && tspl_is_line_end(lex->text.ptr[lex->pos]))
        lex->pos++;
}

void tspl_lex_skip_line(struct tspl_lexer *lex)
{
    while (lex->pos < lex->text.len && !tspl_is_line_end(lex->text.ptr[lex->pos]))
        lex->pos++;
    while (lex->pos < lex->text.len && tspl_is_line_end(lex->text.ptr[lex->pos]))
        lex->pos++;
}

static void put_item(struct tspl_statement *st, struct pl_slice text, size_t from, size_t to)
{
    if (st->count == TSPL_MAX_ARGS) {
        st->too_many = true;
        return;
    }
    struct pl_slice item = pl_slice_sub(text, from, to - from);
    while (item.len > 0 && tspl_is_blank(item.ptr[0]))
        item = pl_slice_sub(item, 1, item.len);
    while (item.len > 0 && tspl_is_blank(item.ptr[item.len - 1]))
        item.len--;
    st->item[st->count++] = item;
}

void tspl_lex_args(struct tspl_lexer *lex, struct tspl_statement *st, unsigned raw)
{
    struct pl_slice text = lex->text;
    size_t i = st->rest, from = i;
    unsigned depth = 0;
    st->count = 0;
    while (i < text.len && !tspl_is_line_end(text.ptr[i])) {
        uint8_t c = text.ptr[i];
        struct tspl_quote quote;
        if ((c == '"' || c == 0xE2) && tspl_lex_quote(text, i, &quote)) {
            st->cut_quote |= quote.close == 0;
            st->odd_quote |= quote.odd;
            i = quote.end + quote.close;
            continue;
        }
        depth += c == '(';
        depth -= c == ')' && depth > 0;
        i++;
        if (c != ',' || depth > 0)
            continue;
        put_item(st, text, from, i - 1);
        from = i;
        if (raw > 0 && st->count == raw) {
            lex->pos = st->end = i;
            return;
        }
    }
    if (st->count > 0 || pl_slice_trim(pl_slice_sub(text, from, i - from)).len > 0)
        put_item(st, text, from, i);
    lex->pos = i;
    set_end(lex, st, i);
}

// ESC ! c, and ~!c of older printers: they need no line of their own.
static bool take_immediate(struct tspl_lexer *lex, struct tspl_statement *st)
{
    struct pl_slice text = lex->text;
    size_t at = lex->pos;
    bool esc = text.ptr[at] == ESC && at + 1 < text.len && text.ptr[at + 1] == '!';
    bool tilde = text.ptr[at] == '~' && at + 1 < text.len && text.ptr[at + 1] == '!';
    if (!esc && !tilde)
        return false;
    st->kind = TSPL_IMMEDIATE;
    size_t n = at + 2 < text.len ? 3 : 2;
    st->word = pl_slice_sub(text, at, n);
    lex->pos = st->rest = st->end = at + n;
    return true;
}

static size_t word_end(struct pl_slice text, size_t at)
{
    size_t i = at;
    if (i < text.len && text.ptr[i] == '@')
        i++;
    while (i < text.len && (pl_is_letter(text.ptr[i]) || pl_is_digit(text.ptr[i]) || text.ptr[i] == '_'))
        i++;
    if (i > at && i < text.len && text.ptr[i] == '$')
        i++;
    return i;
}

bool tspl_lex_next(struct tspl_lexer *lex, struct tspl_statement *st)
{
    struct pl_slice text = lex->text;
    st->count = 0;
    st->cut_quote = st->odd_quote = st->too_many = false;
    lex->pos = pl_lang_skip_gaps(text, lex->pos);
    if (lex->pos >= text.len)
        return false;
    st->start = lex->pos;
    if (take_immediate(lex, st))
        return true;
    uint8_t c = text.ptr[st->start];
    size_t end = word_end(text, st->start);
    bool named = end > st->start && !pl_is_digit(c);
    st->kind = c == ';' ? TSPL_COMMENT : c == ':' ? TSPL_MARK : named ? TSPL_COMMAND : TSPL_OTHER;
    st->word = pl_slice_sub(text, st->start, named ? end - st->start : 1);
    size_t at = end;
    while (at < text.len && tspl_is_blank(text.ptr[at]))
        at++;
    if (named && at < text.len && text.ptr[at] == '=') {
        st->kind = TSPL_ASSIGN;
        at++;
    }
    lex->pos = st->rest = st->end = named ? at : st->start + 1;
    return true;
}
