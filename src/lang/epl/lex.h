// Bytes to commands: a command a line, its name by the table, and raw bytes behind the commands that count them.
#ifndef PL_EPL_LEX_H
#define PL_EPL_LEX_H

#include "base/diag.h"
#include "base/slice.h"

#define EPL_ITEMS_MAX 24 // parameters of a command; what is behind the last one belongs to it

struct epl_row;

struct epl_lexer {
    struct pl_slice text;
    size_t pos;
    uint8_t ending;  // of lines: a line feed, or a carriage return where the first command ends with one alone
    bool mapped;     // `text` is a part of the input, from `origin` on
    uint32_t origin; // otherwise all that it holds has the place of the command that recalled it
    struct pl_source recall;
    size_t line_from, line_to; // the line end that was looked for last: from where, and where it is
};

struct epl_token {
    const struct epl_row *row; // NULL: the line is no command
    size_t start, end;         // of the line, without its end
    struct pl_slice line;
    struct pl_slice args; // all behind the name
    struct pl_slice item[EPL_ITEMS_MAX];
    uint32_t item_count;
    struct pl_slice data; // DATA and 2D: all behind the parameters; ptr NULL: there is none
};

void epl_lexer_init(struct epl_lexer *lex, struct pl_slice text);
// The next line that is not blank; false at the end. `pos` is behind it: at the first of the raw bytes.
bool epl_lex_next(struct epl_lexer *lex, struct epl_token *token);
// The next line, blank or not, without its end: what a `?` is answered with.
bool epl_lex_line(struct epl_lexer *lex, struct pl_slice *line);
struct pl_source epl_source(const struct epl_lexer *lex, size_t start, size_t end, const char *command);

#endif
