// Handlers of the command table, each in the file of its subject.
#ifndef PL_EPL_CMD_TABLE_H
#define PL_EPL_CMD_TABLE_H

#include "lang/epl/state.h"

enum epl_area { EPL_BLACK, EPL_WHITE, EPL_INVERTED };
enum epl_objects { EPL_GRAPHICS, EPL_FONTS, EPL_FORMS };
extern const char *const epl_extensions[]; // of their names in the store

// page.c
epl_handler epl_cmd_ignore, epl_cmd_host, epl_cmd_clear, epl_cmd_size, epl_cmd_reference, epl_cmd_charset,
    epl_cmd_level, epl_cmd_layout, epl_cmd_reset, epl_cmd_configuration, epl_cmd_list;
void epl_defaults(struct epl_settings *settings);
// text.c, codes.c, matrix.c, shapes.c
epl_handler epl_cmd_text, epl_cmd_barcode, epl_cmd_matrix, epl_cmd_area, epl_cmd_box, epl_cmd_diagonal;
// graphics.c
epl_handler epl_cmd_bitmap, epl_cmd_store_graphic, epl_cmd_show_graphic, epl_cmd_store_font, epl_cmd_delete;
// forms.c
epl_handler epl_cmd_form_store, epl_cmd_form_end, epl_cmd_form_recall, epl_cmd_variable, epl_cmd_counter,
    epl_cmd_answers, epl_cmd_print, epl_cmd_print_auto;

#endif
