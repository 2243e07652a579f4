// The lexer of TSPL: lines to statements, statements to arguments. Quotes may span lines, binary data is counted.
#ifndef PL_TSPL_LEX_H
#define PL_TSPL_LEX_H

#include "base/diag.h"
#include "base/slice.h"

#define TSPL_MAX_ARGS 40

struct tspl_lexer {
    struct pl_slice text;
    size_t pos;
    // A stored program: its place in the input, or that of the command that runs it.
    bool mapped;
    uint32_t origin; // of text[0] in the input, where mapped
    struct pl_source caller;
};

enum tspl_kind {
    TSPL_COMMAND,   // WORD arguments
    TSPL_ASSIGN,    // @1="001", A$="text", A=5
    TSPL_MARK,      // :LABEL of a program
    TSPL_IMMEDIATE, // ESC ! c, ~!c: for the printer, between the lines
    TSPL_COMMENT,   // ; …
    TSPL_OTHER      // a line that begins with no word
};

// A statement; positions are in the lexer's text.
struct tspl_statement {
    enum tspl_kind kind;
    size_t start, end;                   // `end`: behind its last byte, before the line's end
    struct pl_slice word;                // as written; of an immediate command its letter
    size_t rest;                         // where arguments begin
    struct pl_slice item[TSPL_MAX_ARGS]; // without blanks around them
    unsigned count;
    bool cut_quote; // a quote has no end on its line; the line's end was taken
    bool odd_quote; // typographic quotes, or \" inside of a text
    bool too_many;  // arguments behind the last one that has room
};

void tspl_lexer_init(struct tspl_lexer *lex, struct pl_slice text);
// The next statement with its word; false: the text is at its end. The position is at the arguments then.
bool tspl_lex_next(struct tspl_lexer *lex, struct tspl_statement *st);
// Splits the arguments at commas, and moves behind the line. With `raw` above 0 splitting ends behind so many commas,
// and the position stays there: binary data follows.
void tspl_lex_args(struct tspl_lexer *lex, struct tspl_statement *st, unsigned raw);
// Skips what is left of the line, line end included.
void tspl_lex_skip_line(struct tspl_lexer *lex);
// Where the quoted text that begins at `at` ends: the position of its closing quote. False: `at` is no quote.
// `open` and `close`: lengths of both quotes; `close` is 0 where the text ends with the line.
struct tspl_quote {
    size_t end;
    unsigned open, close;
    bool odd;
};
bool tspl_lex_quote(struct pl_slice text, size_t at, struct tspl_quote *out);

struct pl_source tspl_source(const struct tspl_lexer *lex, const struct tspl_statement *st);

static inline bool tspl_is_blank(uint8_t c)
{
    return c == ' ' || c == '\t';
}

static inline bool tspl_is_line_end(uint8_t c)
{
    return c == '\r' || c == '\n';
}

#endif
