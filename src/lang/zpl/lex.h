// The lexer: commands with their offsets out of raw bytes. Prefixes can change on the way (^CC ^CD ^CT).
#ifndef PL_ZPL_LEX_H
#define PL_ZPL_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/slice.h"

enum {
    ZPL_CLASS_END = 1,   // ends a parameter list: prefixes and the control codes that stand for commands
    ZPL_CLASS_SPLIT = 2, // parts parameters: the delimiter and US
    ZPL_CLASS_SPACE = 4, // blank, tab, CR, LF
};

struct zpl_lexer {
    struct pl_slice text;
    size_t pos;
    uint32_t origin; // offset of text in the input
    bool mapped;     // false: the text is not part of the input, `recall` stands for all of it
    struct pl_source recall;
    uint8_t caret, tilde, comma;
    uint32_t prefixes_since; // offset from which on they hold; UINT32_MAX: a recalled format changed them on its way
    uint8_t classes[256];
};

#define ZPL_MAX_ARGS 20

struct zpl_row;

struct zpl_token {
    char prefix; // '^' or '~', whatever character stood for it
    uint8_t first, second;
    uint8_t raw_second;        // as written: ^A's font
    const struct zpl_row *row; // NULL: unknown
    size_t start;              // of the prefix
    struct pl_slice args;      // behind the name
    unsigned item_count;       // of ZPL_LEX_ARGS: the parameters, without line ends behind them
    struct pl_slice item[ZPL_MAX_ARGS];
    size_t skipped_from, skipped_to; // text before the command that belongs to nothing
};

void zpl_lexer_init(struct zpl_lexer *lex, struct pl_slice text);
// Sets the three characters (0: as before).
void zpl_lexer_prefixes(struct zpl_lexer *lex, uint8_t caret, uint8_t tilde, uint8_t comma);
// ^CC, ^CT and ^CD: the character behind the command takes the role 'C', 'T' or 'D'. False: it is invisible or has one
// of the other roles; nothing changes, and the byte belongs to what follows.
bool zpl_lexer_take_role(struct zpl_lexer *lex, uint8_t role, struct pl_slice args);
// The next command; false at the end of the text (then token.skipped_* tell of a rest).
bool zpl_lex_next(struct zpl_lexer *lex, struct zpl_token *token);
// Where a payload that starts at `from` ends: the next prefix.
size_t zpl_lex_payload_end(const struct zpl_lexer *lex, size_t from);
// A source that spans from the start of the command to `end`.
static inline struct pl_source zpl_source(const struct zpl_lexer *lex, size_t start, size_t end, const char *command)
{
    return pl_source_of(lex->mapped ? NULL : &lex->recall, lex->origin + start, end - start, command);
}

#endif
