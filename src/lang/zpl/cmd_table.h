// The command table: what is known of a command, and the handlers, each in the cmd_*.c of its chapter.
#ifndef PL_ZPL_CMD_TABLE_H
#define PL_ZPL_CMD_TABLE_H

#include "lang/lang.h"

struct zpl;
struct zpl_args;
typedef enum pl_errc zpl_handler(struct zpl *z, const struct zpl_args *a);

// How the bytes behind a command's name end.
enum zpl_lex_kind {
    ZPL_LEX_ARGS,    // at the next prefix
    ZPL_LEX_DATA,    // at the next format prefix; a control prefix ends it only where a control command stands
    ZPL_LEX_CHAR,    // after one byte, whatever it is
    ZPL_LEX_PAYLOAD, // the command itself reads on from lexer.pos
};

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

// Settings that ZPL_SET_… of a row name, in cmd_label.c.
enum zpl_setting {
    ZPL_SET_HOME,
    ZPL_SET_LENGTH,
    ZPL_SET_REVERSE,
    ZPL_SET_SHIFT,
    ZPL_SET_TOP,
    ZPL_SET_MIRROR,
    ZPL_SET_VALIDATION,
    ZPL_SET_TEXT,
    ZPL_SET_CLOCK,
    ZPL_SET_BARCODES
};

// cmd_label.c
zpl_handler zpl_cmd_format_start, zpl_cmd_format_end, zpl_cmd_quantity, zpl_cmd_setting, zpl_cmd_map_clear,
    zpl_cmd_units, zpl_cmd_orientation, zpl_cmd_print_width, zpl_cmd_half_density, zpl_cmd_cancel_all,
    zpl_cmd_cancel_format, zpl_cmd_power_on_reset, zpl_cmd_rfid_data;
// cmd_field.c
zpl_handler zpl_cmd_place, zpl_cmd_data, zpl_cmd_field_separator, zpl_cmd_field_hex, zpl_cmd_field_embed,
    zpl_cmd_field_clock, zpl_cmd_field_number, zpl_cmd_field_reverse, zpl_cmd_field_orientation,
    zpl_cmd_field_direction, zpl_cmd_field_origins, zpl_cmd_serial_number, zpl_cmd_serial_field, zpl_cmd_clock_offset,
    zpl_cmd_clock_set;
// cmd_font.c
zpl_handler zpl_cmd_font, zpl_cmd_font_by_name, zpl_cmd_default_font, zpl_cmd_font_letter, zpl_cmd_font_link;
// cmd_text.c
zpl_handler zpl_cmd_charset, zpl_cmd_encoding_table, zpl_cmd_field_block, zpl_cmd_text_block, zpl_cmd_graphic_symbol,
    zpl_cmd_change_role;
// cmd_graphic.c
zpl_handler zpl_cmd_graphic_box, zpl_cmd_graphic_circle, zpl_cmd_graphic_diagonal, zpl_cmd_graphic_ellipse,
    zpl_cmd_graphic_field;
// cmd_barcode.c
zpl_handler zpl_cmd_barcode, zpl_cmd_aztec, zpl_cmd_code49, zpl_cmd_codablock, zpl_cmd_maxicode, zpl_cmd_codabar,
    zpl_cmd_msi, zpl_cmd_qr, zpl_cmd_datamatrix;
// cmd_store.c
zpl_handler zpl_cmd_store_format, zpl_cmd_recall_format, zpl_cmd_delete_object, zpl_cmd_copy_object,
    zpl_cmd_drive_letters, zpl_cmd_erase, zpl_cmd_format_drive;
// cmd_image.c
zpl_handler zpl_cmd_recall_graphic, zpl_cmd_image_move, zpl_cmd_image_load, zpl_cmd_image_save;
// cmd_download.c
zpl_handler zpl_cmd_download_graphic, zpl_cmd_download_truetype, zpl_cmd_download_bitmap_font,
    zpl_cmd_download_encoding, zpl_cmd_download_unusable, zpl_cmd_download_object;
// cmd_host.c: what the printer answers
zpl_handler zpl_cmd_host, zpl_cmd_host_directory, zpl_cmd_host_format, zpl_cmd_host_graphic, zpl_cmd_host_object,
    zpl_cmd_host_configuration, zpl_cmd_host_field, zpl_cmd_host_xml;
// cmd_device.c: what does not show on the label, but in what the printer says of itself
zpl_handler zpl_cmd_ignore, zpl_cmd_configuration, zpl_cmd_darkness, zpl_cmd_darkness_step, zpl_cmd_device_letter,
    zpl_cmd_print_speed, zpl_cmd_tear_off;

#endif
