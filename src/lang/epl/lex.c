// The lexer: lines, names, parameters, data in quotes, raw bytes.
#include "lang/epl/lex.h"

#include "base/ascii.h"
#include "base/ckd.h"
#include "lang/epl/cmd_table.h"

// Lines end as the first command does. Line feeds behind it may be bytes of a bitmap; where it is a bitmap itself, a
// text without any has carriage returns.
static uint8_t ending_of(struct pl_slice text, size_t from)
{
    size_t at = from;
    while (at < text.len && pl_is_gap(text.ptr[at]))
        at++;
    const struct epl_row *row = epl_row_lookup(pl_slice_sub(text, at, 2));
    if (row && row->lex == EPL_LEX_RAW)
        return memchr(text.ptr, '\n', text.len) ? '\n' : '\r';
    while (at < text.len && text.ptr[at] != '\r' && text.ptr[at] != '\n')
        at++;
    bool has_return = at < text.len && text.ptr[at] == '\r';
    while (at < text.len && text.ptr[at] == '\r')
        at++;
    return has_return && (at >= text.len || text.ptr[at] != '\n') ? '\r' : '\n';
}

void epl_lexer_init(struct epl_lexer *lex, struct pl_slice text)
{
    *lex = (struct epl_lexer){.text = text, .pos = pl_lang_begin(text), .mapped = true, .line_from = SIZE_MAX};
    lex->ending = ending_of(text, lex->pos);
}

static size_t line_end(const struct epl_lexer *lex, size_t from)
{
    struct pl_slice text = lex->text;
    const uint8_t *at = from < text.len ? memchr(text.ptr + from, lex->ending, text.len - from) : NULL;
    return at ? (size_t)(at - text.ptr) : text.len;
}

// The same for where the lexer is. Raw bytes need no line ends: without a note, each command behind them would look for
// the same line end again.
static size_t current_line_end(struct epl_lexer *lex, size_t from)
{
    if (from < lex->line_from || from > lex->line_to) {
        lex->line_from = from;
        lex->line_to = line_end(lex, from);
    }
    return lex->line_to;
}

static struct pl_slice without_return(struct pl_slice line)
{
    while (line.len && (line.ptr[line.len - 1] == '\r' || line.ptr[line.len - 1] == 0))
        line.len--;
    return line;
}

// Behind the quote that ends the text which begins behind the quote at `from`; 0: none does.
static size_t closing_quote(struct pl_slice s, size_t from)
{
    for (size_t i = from + 1; i < s.len; i++) {
        if (s.ptr[i] == '\\')
            i++;
        else if (s.ptr[i] == '"')
            return i + 1;
    }
    return 0;
}

// Text of a code in two dimensions may hold line feeds: such a line ends where its quotes are closed.
static size_t matrix_end(const struct epl_lexer *lex, size_t start, size_t end)
{
    enum { LONGEST = 4096 };
    struct pl_slice text = lex->text;
    struct pl_slice rest = pl_slice_sub(text, start, LONGEST);
    const uint8_t *quote = memchr(rest.ptr, '"', end - start < rest.len ? end - start : rest.len);
    while (quote) {
        size_t behind = closing_quote(rest, (size_t)(quote - rest.ptr));
        if (behind == 0) // it is never closed: the line ends as any other
            return end;
        if (start + behind > end) {
            size_t next = line_end(lex, start + behind);
            return without_return(pl_slice_sub(text, start + behind, next - start - behind)).len == 0 ? next : end;
        }
        quote = memchr(rest.ptr + behind, '"', end - start > behind ? PL_MIN(end - start, rest.len) - behind : 0);
    }
    return end;
}

bool epl_lex_line(struct epl_lexer *lex, struct pl_slice *line)
{
    if (lex->pos >= lex->text.len)
        return false;
    size_t end = current_line_end(lex, lex->pos);
    *line = without_return(pl_slice_sub(lex->text, lex->pos, end - lex->pos));
    lex->pos = PL_MIN(end + 1, lex->text.len);
    return true;
}

// Does the data begin here? It is text in quotes, a variable, a counter, or the clock.
static bool begins_data(struct pl_slice s)
{
    if (s.len == 0)
        return false;
    bool digit = s.len > 1 && s.ptr[1] >= '0' && s.ptr[1] <= '9';
    return s.ptr[0] == '"' || (s.ptr[0] == 'V' && digit) || (s.ptr[0] == 'C' && digit) ||
           (s.ptr[0] == 'T' && s.len > 1 && (s.ptr[1] == 'D' || s.ptr[1] == 'T'));
}

// Splits at commas that are in no quotes, up to where the data begins.
static void split(struct epl_token *t)
{
    const struct epl_row *row = t->row;
    size_t at = 0;
    bool open = false; // a quote has no end: those behind it are not looked at
    while (at <= t->args.len && t->item_count < EPL_ITEMS_MAX) {
        struct pl_slice rest = pl_slice_sub(t->args, at, t->args.len);
        bool matrix = row->lex == EPL_LEX_2D && t->item_count >= 3 && begins_data(rest);
        if (matrix || (row->lex == EPL_LEX_DATA && t->item_count == row->before_data)) {
            t->data = pl_slice_trim(rest);
            return;
        }
        size_t end = 0;
        while (end < rest.len && rest.ptr[end] != ',') {
            size_t behind = rest.ptr[end] == '"' && !open ? closing_quote(rest, end) : 0;
            open = open || (rest.ptr[end] == '"' && behind == 0);
            end = behind ? behind : end + 1;
        }
        t->item[t->item_count++] = pl_slice_trim(pl_slice_sub(rest, 0, end));
        at += end + 1;
    }
    // One empty parameter is none.
    if (t->item_count == 1 && t->item[0].len == 0)
        t->item_count = 0;
}

// GW: behind the last of its numbers, and one byte more: a comma in manuals, a line feed of some programs.
static size_t bitmap_begin(const struct epl_lexer *lex, size_t from, uint32_t numbers, size_t *args_end)
{
    struct pl_slice text = lex->text;
    size_t at = from;
    for (uint32_t i = 0; i < numbers; i++) {
        while (at < text.len && text.ptr[at] != ',' && text.ptr[at] != lex->ending)
            at++;
        if (i + 1 < numbers && (at >= text.len || text.ptr[at] == lex->ending))
            break; // numbers are missing
        at += i + 1 < numbers;
    }
    *args_end = PL_MIN(at, text.len);
    return PL_MIN(at + 1, text.len);
}

// GM: behind the line end. A PCX file begins with a line feed of its own.
static size_t file_begin(struct epl_lexer *lex, size_t from, size_t *args_end)
{
    enum { PCX = 10 };
    struct pl_slice text = lex->text;
    size_t at = from;
    if (at < text.len && text.ptr[at] == '"')
        at = PL_MAX(closing_quote(pl_slice_sub(text, 0, current_line_end(lex, from)), at), at + 1);
    while (at < text.len && ((text.ptr[at] >= '0' && text.ptr[at] <= '9') || text.ptr[at] == ','))
        at++;
    *args_end = at;
    at += at < text.len && text.ptr[at] == '\r';
    bool only_magic = at + 1 < text.len && text.ptr[at] == PCX && text.ptr[at + 1] <= 5;
    return PL_MIN(at + !only_magic, text.len);
}

static void begin_raw(struct epl_lexer *lex, struct epl_token *t, size_t from)
{
    size_t end = PL_MIN(from + 3, lex->text.len), next = end; // ES and the name of the font in quotes
    if (t->row->before_data == 4)
        next = bitmap_begin(lex, from, 4, &end);
    else if (t->row->before_data == 1)
        next = file_begin(lex, from, &end);
    t->args = without_return(pl_slice_sub(lex->text, from, end - from));
    t->line = pl_slice_sub(lex->text, lex->pos, end - lex->pos);
    t->end = end;
    lex->pos = next;
}

bool epl_lex_next(struct epl_lexer *lex, struct epl_token *t)
{
    lex->pos = pl_lang_skip_gaps(lex->text, lex->pos);
    *t = (struct epl_token){.start = lex->pos};
    if (lex->pos >= lex->text.len)
        return false;
    size_t end = current_line_end(lex, lex->pos);
    t->line = without_return(pl_slice_sub(lex->text, lex->pos, end - lex->pos));
    t->row = epl_row_lookup(t->line);
    size_t name = t->row ? strlen(t->row->info.title) : 0;
    if (t->row && t->row->lex == EPL_LEX_RAW) {
        begin_raw(lex, t, lex->pos + name);
        split(t);
        return true;
    }
    if (t->row && t->row->lex == EPL_LEX_2D) {
        end = matrix_end(lex, lex->pos, end);
        t->line = without_return(pl_slice_sub(lex->text, lex->pos, end - lex->pos));
    }
    t->end = t->start + t->line.len;
    t->args = pl_slice_sub(t->line, name, t->line.len);
    lex->pos = PL_MIN(end + 1, lex->text.len);
    if (t->row)
        split(t);
    return true;
}

struct pl_source epl_source(const struct epl_lexer *lex, size_t start, size_t end, const char *command)
{
    return pl_source_of(lex->mapped ? NULL : &lex->recall, lex->origin + start, end - start, command);
}
