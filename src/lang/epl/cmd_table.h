// The command table: what is known of a command, and the handlers, each in the file of its subject.
#ifndef PL_EPL_CMD_TABLE_H
#define PL_EPL_CMD_TABLE_H

#include "lang/lang.h"

struct epl;
struct epl_settings;
struct epl_token;

struct epl_args {
    const struct epl_row *row;
    const struct epl_token *token;
    struct pl_source source;
};
typedef enum pl_errc epl_handler(struct epl *e, const struct epl_args *a);

enum epl_lex_kind {
    EPL_LEX_ITEMS, // parameters between commas
    EPL_LEX_DATA,  // the same, and behind a number of them the data
    EPL_LEX_2D,    // the same: the data begins where an item does that is no option
    EPL_LEX_RAW    // parameters, then bytes that the handler counts
};

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

enum epl_area { EPL_BLACK, EPL_WHITE, EPL_INVERTED };
enum epl_objects { EPL_GRAPHICS, EPL_FONTS, EPL_FORMS };
extern const char *const epl_extensions[]; // of their names in the store

// page.c
epl_handler epl_cmd_ignore, epl_cmd_host, epl_cmd_clear, epl_cmd_size, epl_cmd_reference, epl_cmd_charset,
    epl_cmd_level, epl_cmd_layout, epl_cmd_reset, epl_cmd_configuration, epl_cmd_list;
void epl_defaults(struct epl_settings *settings);
// text.c, barcodes.c, shapes.c
epl_handler epl_cmd_text, epl_cmd_barcode, epl_cmd_matrix, epl_cmd_area, epl_cmd_box, epl_cmd_diagonal;
// graphics.c
epl_handler epl_cmd_bitmap, epl_cmd_store_graphic, epl_cmd_show_graphic, epl_cmd_store_font, epl_cmd_delete;
// forms.c
epl_handler epl_cmd_form_store, epl_cmd_form_end, epl_cmd_form_recall, epl_cmd_variable, epl_cmd_counter,
    epl_cmd_answers, epl_cmd_print, epl_cmd_print_auto;

#endif
