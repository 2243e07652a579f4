// A row of the table of commands.
#ifndef PL_TSPL_ROW_H
#define PL_TSPL_ROW_H

#include "lang/tspl/state.h"

#define TSPL_RAW_FILE 255 // of `raw`: DOWNLOAD reads its own header

struct tspl_row {
    struct pl_lang_command about;
    tspl_handler *run; // NULL: no effect on a picture
    uint8_t raw;       // binary data follows behind so many commas; 0: none
    bool draws;        // is carried out again where it has a counter
    bool basic;        // a word of programs: reported
};

// The row of a command, or NULL.
const struct tspl_row *tspl_row_lookup(struct pl_slice word);
// The name of the known command that is most like an unknown one; NULL: none is close.
const char *tspl_row_suggest(struct pl_slice word);

#endif
