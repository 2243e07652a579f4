// A row of the command table: what is known of a command, and who carries it out.
#ifndef PL_ZPL_ROW_H
#define PL_ZPL_ROW_H

#include "lang/lang.h"
#include "lang/zpl/lex.h"

struct zpl;
struct zpl_args;
typedef enum pl_errc zpl_handler(struct zpl *z, const struct zpl_args *a);

struct zpl_row {
    struct pl_lang_command info;
    enum zpl_lex_kind lex;
    bool in_format; // makes or changes a field: has no meaning outside ^XA and ^XZ
    zpl_handler *run;
    uint16_t kind; // what rows with the same handler differ in
};

// The row of a command, or NULL. `prefix` is '^' or '~'; letters in upper case.
const struct zpl_row *zpl_row_lookup(char prefix, uint8_t first, uint8_t second);
// The name of the known command that is most like an unknown one; false: none is close.
bool zpl_row_suggest(char prefix, uint8_t first, uint8_t second, char out[5]);

#endif
