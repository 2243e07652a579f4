// Bytes to lines and words. Commands that carry raw bytes are read word by word: what is behind them has no line ends.
#ifndef PL_CPCL_LEX_H
#define PL_CPCL_LEX_H

#include "base/diag.h"
#include "base/slice.h"

struct cpcl_lexer {
    struct pl_slice text;
    size_t pos;
    bool mapped; // `text` is the input; otherwise all that it holds has the place of what recalled it
    struct pl_source recall;
    size_t line_from, line_to; // the line end that was looked for last: from where, and where it is
};

void cpcl_lexer_init(struct cpcl_lexer *lex, struct pl_slice text); // for the input: behind a byte order mark
struct cpcl_lexer cpcl_lexer_of(struct pl_slice data);              // for lines that are data or recalled
bool cpcl_is_blank(uint8_t c);                                      // of a line
bool cpcl_is_line_end(uint8_t c);

// The next line without its end (CR, LF, CR LF or LF CR), blank or not; false at the end.
bool cpcl_lex_line(struct cpcl_lexer *lex, struct pl_slice *line);
// Where the line at `pos` ends.
size_t cpcl_lex_line_end(struct cpcl_lexer *lex);
// Behind one line end, if there is one here.
void cpcl_lex_skip_line_end(struct cpcl_lexer *lex);

// The next word between blanks; *rest goes on behind it, with the blank. Empty: there is none.
struct pl_slice cpcl_next_word(struct pl_slice *rest);

struct pl_source cpcl_source(const struct cpcl_lexer *lex, size_t start, size_t end, const char *command);

#endif
