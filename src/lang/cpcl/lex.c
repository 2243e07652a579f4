// The lexer: lines, words, raw bytes.
#include "lang/cpcl/lex.h"

#include "base/ascii.h"
#include "base/ckd.h"
#include "lang/lang.h"

void cpcl_lexer_init(struct cpcl_lexer *lex, struct pl_slice text)
{
    *lex = (struct cpcl_lexer){.text = text, .pos = pl_lang_begin(text), .mapped = true, .line_from = SIZE_MAX};
}

struct cpcl_lexer cpcl_lexer_of(struct pl_slice data)
{
    return (struct cpcl_lexer){.text = data, .line_from = SIZE_MAX};
}

bool cpcl_is_blank(uint8_t c)
{
    return pl_is_gap(c) && !cpcl_is_line_end(c);
}

bool cpcl_is_line_end(uint8_t c)
{
    return c == '\r' || c == '\n';
}

// A line may hold many commands of `! U1`: without a note each of them would look for the same line end again.
size_t cpcl_lex_line_end(struct cpcl_lexer *lex)
{
    if (lex->pos >= lex->line_from && lex->pos <= lex->line_to)
        return lex->line_to;
    size_t at = lex->pos;
    while (at < lex->text.len && !cpcl_is_line_end(lex->text.ptr[at]))
        at++;
    lex->line_from = lex->pos;
    lex->line_to = at;
    return at;
}

void cpcl_lex_skip_line_end(struct cpcl_lexer *lex)
{
    struct pl_slice next = pl_slice_sub(lex->text, lex->pos, 2);
    if (next.len == 0 || !cpcl_is_line_end(next.ptr[0]))
        return;
    lex->pos += next.len == 2 && cpcl_is_line_end(next.ptr[1]) && next.ptr[1] != next.ptr[0] ? 2 : 1;
}

bool cpcl_lex_line(struct cpcl_lexer *lex, struct pl_slice *line)
{
    if (lex->pos >= lex->text.len)
        return false;
    size_t end = cpcl_lex_line_end(lex);
    *line = pl_slice_sub(lex->text, lex->pos, end - lex->pos);
    lex->pos = end;
    cpcl_lex_skip_line_end(lex);
    return true;
}

struct pl_slice cpcl_next_word(struct pl_slice *rest)
{
    size_t from = 0;
    while (from < rest->len && cpcl_is_blank(rest->ptr[from]))
        from++;
    size_t to = from;
    while (to < rest->len && !cpcl_is_blank(rest->ptr[to]) && !cpcl_is_line_end(rest->ptr[to]))
        to++;
    struct pl_slice word = pl_slice_sub(*rest, from, to - from);
    *rest = pl_slice_sub(*rest, to, rest->len);
    return word;
}

struct pl_source cpcl_source(const struct cpcl_lexer *lex, size_t start, size_t end, const char *command)
{
    return pl_source_of(lex->mapped ? NULL : &lex->recall, start, end - start, command);
}
