// Handlers of the command table, each in the file of its subject.
#ifndef PL_EPL_CMD_TABLE_H
#define PL_EPL_CMD_TABLE_H

#include "lang/epl/state.h"

// page.c
epl_handler epl_cmd_ignore, epl_cmd_host, epl_cmd_clear, epl_cmd_width, epl_cmd_length, epl_cmd_reference,
    epl_cmd_charset, epl_cmd_speed, epl_cmd_density, epl_cmd_date, epl_cmd_time, epl_cmd_reset, epl_cmd_configuration,
    epl_cmd_list_forms, epl_cmd_list_graphics;
void epl_defaults(struct epl_settings *settings);
// text.c, codes.c, matrix.c, shapes.c
epl_handler epl_cmd_text, epl_cmd_barcode, epl_cmd_matrix, epl_cmd_line_black, epl_cmd_line_white, epl_cmd_line_xor,
    epl_cmd_box, epl_cmd_diagonal;
// graphics.c
epl_handler epl_cmd_bitmap, epl_cmd_store_graphic, epl_cmd_show_graphic, epl_cmd_delete_graphic, epl_cmd_store_font,
    epl_cmd_delete_font, epl_cmd_delete_form;
// forms.c
epl_handler epl_cmd_form_store, epl_cmd_form_end, epl_cmd_form_recall, epl_cmd_variable, epl_cmd_counter,
    epl_cmd_answers, epl_cmd_print, epl_cmd_print_auto;

#endif
