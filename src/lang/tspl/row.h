// A row of the table of commands.
#ifndef PL_TSPL_ROW_H
#define PL_TSPL_ROW_H

#include <limits.h>

#include "lang/tspl/state.h"

#define TSPL_RAW_FILE 255 // of `raw`: DOWNLOAD reads its own header

struct tspl_row {
    struct pl_lang_command about;
    tspl_handler *run; // NULL: no effect on a picture
    uint8_t raw;       // binary data follows behind so many commas; 0: none
    // It draws, and needs so many arguments; where it has a counter it is carried out again. 0: it does not draw.
    uint8_t draws;
    bool basic;   // a word of programs: reported
    uint8_t kind; // what rows with the same handler differ in
};

// The row of a command, or NULL.
const struct tspl_row *tspl_row_lookup(struct pl_slice word);
// Which argument is the data, the last parameter of a row that draws: those before it may be left out.
unsigned tspl_data_item(const struct tspl_row *row, const struct tspl_statement *st);
// Which parameter of its row an argument is; TSPL_NO_PARAM: none.
#define TSPL_NO_PARAM UINT_MAX
unsigned tspl_param_of(const struct tspl_row *row, const struct tspl_statement *st, unsigned item);
// The name of the known command that is most like an unknown one; NULL: none is close.
const char *tspl_row_suggest(struct pl_slice word);

#endif
