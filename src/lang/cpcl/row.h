// A row of the command table: what is known of a command, and who carries it out.
#ifndef PL_CPCL_ROW_H
#define PL_CPCL_ROW_H

#include "lang/cpcl/lex.h"
#include "lang/lang.h"

struct cpcl;
struct cpcl_row;

// A command with its arguments, which are read one after another.
struct cpcl_args {
    const struct cpcl_row *row;
    struct pl_slice rest; // what was not read yet, of the line; of a command with raw bytes: of the text
    uint32_t index;       // of the next parameter in the row
    bool vertical;        // VTEXT, VBARCODE, VEG …: turned by a quarter, counter-clockwise
    struct pl_source source;
    struct pl_slice line; // with the command's word
};
typedef enum pl_errc cpcl_handler(struct cpcl *e, struct cpcl_args *a);

enum {
    CPCL_RAW = 1,    // bytes follow, which the handler counts
    CPCL_COUNTS = 2, // COUNT may follow
    CPCL_SETS = 4,   // all parameters are there: what is behind them on a line of `! U1` is text
    CPCL_UNIT = 8    // directly behind the header it rules that, too
};

struct cpcl_row {
    struct pl_lang_command info;
    const char *also; // further names, between which stands "|"
    cpcl_handler *run;
    int32_t kind; // what rows with the same handler differ in
    uint8_t flags;
    const char *end; // lines of data follow, up to this one; NULL: none do
};

// The row of a command's word; NULL: none.
const struct cpcl_row *cpcl_row_lookup(struct pl_slice word);
// The row of a type of BARCODE that has parameters of its own; NULL: it is a linear code, or none.
const struct cpcl_row *cpcl_code_lookup(struct pl_slice type);
// Where options begin, a word and a number each: behind the place; the number of parameters: there are none.
uint32_t cpcl_first_option(const struct cpcl_row *row);

#endif
