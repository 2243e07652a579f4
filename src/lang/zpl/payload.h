// Commands with a payload: a few parameters, then data that is not split.
#ifndef PL_ZPL_PAYLOAD_H
#define PL_ZPL_PAYLOAD_H

#include "lang/zpl/args.h"

struct zpl_payload {
    struct zpl_args args;
    struct pl_slice item[8];
    size_t start;         // of the data in the lexer's text
    struct pl_slice data; // set by zpl_payload_take
};

// Reads `count` parameters and stops behind the delimiter after them, or at the next prefix if there are fewer.
void zpl_payload_read(struct zpl_lexer *lex, const struct zpl_args *command, unsigned count, struct zpl_payload *out);
// Do the data start with :B64: or :Z64:?
bool zpl_payload_is_wrapped(const struct zpl_lexer *lex, const struct zpl_payload *p);
// Steps over blanks and line ends before counted bytes of ^GF: the reference counts from behind them.
void zpl_payload_skip_blanks(const struct zpl_lexer *lex, struct zpl_payload *p);
// Takes exactly `count` bytes if there are as many, else all up to the next prefix; moves the lexer behind them.
void zpl_payload_take(struct zpl_lexer *lex, struct zpl_payload *p, size_t count);
// Reads a whole command with a payload that is not carried out: parameters and data, and moves the lexer behind them.
// Returns whether the data is counted bytes. `out` points into itself: it must stay where it is.
bool zpl_payload_whole(struct zpl_lexer *lex, const struct zpl_token *t, struct zpl_payload *out);
// Steps over one (inside ^DF).
void zpl_payload_skip(struct zpl_lexer *lex, const struct zpl_token *t);

#endif
