// Handlers of the command table, each in the file of its subject.
#ifndef PL_CPCL_CMD_TABLE_H
#define PL_CPCL_CMD_TABLE_H

#include "lang/cpcl/state.h"

// page.c
cpcl_handler cpcl_cmd_ignore, cpcl_cmd_unsupported, cpcl_cmd_host, cpcl_cmd_print, cpcl_cmd_end, cpcl_cmd_page_width,
    cpcl_cmd_page_height, cpcl_cmd_justify, cpcl_cmd_unit, cpcl_cmd_setting, cpcl_cmd_setmag, cpcl_cmd_underline,
    cpcl_cmd_country, cpcl_cmd_count, cpcl_cmd_setlp, cpcl_cmd_cursor, cpcl_cmd_form;
// text.c
cpcl_handler cpcl_cmd_text, cpcl_cmd_font_group, cpcl_cmd_concat, cpcl_cmd_multiline, cpcl_cmd_scale_text;
enum pl_errc cpcl_font(struct cpcl *e, struct cpcl_args *a, struct pl_font_ref *out, bool *found) PL_MUST_USE;
// shapes.c, graphics.c, files.c
cpcl_handler cpcl_cmd_box, cpcl_cmd_line, cpcl_cmd_hex_graphic, cpcl_cmd_raw_graphic, cpcl_cmd_pcx, cpcl_cmd_delete;
// barcode.c, matrix.c
cpcl_handler cpcl_cmd_barcode, cpcl_cmd_barcode_text, cpcl_cmd_matrix, cpcl_cmd_maxicode, cpcl_cmd_databar;

#endif
