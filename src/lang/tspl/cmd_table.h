// Handlers of commands, by the file that has them.
#ifndef PL_TSPL_CMD_TABLE_H
#define PL_TSPL_CMD_TABLE_H

#include "lang/tspl/state.h"

// cmd_barcode.c
tspl_handler tspl_cmd_barcode;
// cmd_files.c
tspl_handler tspl_cmd_download, tspl_cmd_kill, tspl_cmd_run;
// cmd_image.c
tspl_handler tspl_cmd_bitmap, tspl_cmd_put_picture;
// cmd_matrix.c
tspl_handler tspl_cmd_qrcode, tspl_cmd_dmatrix, tspl_cmd_pdf417, tspl_cmd_mpdf417, tspl_cmd_aztec, tspl_cmd_maxicode,
    tspl_cmd_rss, tspl_cmd_codablock, tspl_cmd_tlc39;
// cmd_setup.c
tspl_handler tspl_cmd_size, tspl_cmd_gap, tspl_cmd_offset, tspl_cmd_speed, tspl_cmd_density, tspl_cmd_direction,
    tspl_cmd_reference, tspl_cmd_shift, tspl_cmd_codepage, tspl_cmd_set, tspl_cmd_initial, tspl_cmd_cls, tspl_cmd_print,
    tspl_cmd_selftest;
// cmd_shape.c
enum tspl_area { TSPL_BLACK, TSPL_WHITE, TSPL_REVERSED };
tspl_handler tspl_cmd_area, tspl_cmd_box, tspl_cmd_ellipse, tspl_cmd_diagonal;
// cmd_text.c
tspl_handler tspl_cmd_text, tspl_cmd_block;

#endif
