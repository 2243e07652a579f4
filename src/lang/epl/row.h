// A row of the command table: what is known of a command, and who carries it out.
#ifndef PL_EPL_ROW_H
#define PL_EPL_ROW_H

#include "lang/epl/lex.h"
#include "lang/lang.h"

struct epl;
struct epl_token;

struct epl_args {
    const struct epl_row *row;
    const struct epl_token *token;
    struct pl_source source;
};
typedef enum pl_errc epl_handler(struct epl *e, const struct epl_args *a);

struct epl_row {
    struct pl_lang_command info;
    enum epl_lex_kind lex;
    uint8_t before_data; // EPL_LEX_DATA: parameters before the data; EPL_LEX_RAW: before the bytes
    epl_handler *run;
    uint16_t kind; // what rows with the same handler differ in
};

// The row whose name begins the line: the longest one. NULL: none.
const struct epl_row *epl_row_lookup(struct pl_slice line);
// The row for the type of a code in two dimensions; `row` itself, where that has no parameters of its own.
const struct epl_row *epl_code_lookup(const struct epl_row *row, struct pl_slice type);

#endif
