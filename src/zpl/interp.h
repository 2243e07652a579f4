// Inside the interpreter: what the printer, the label and the field remember, and the frame in which commands are
// carried out.
#ifndef PL_ZPL_INTERP_H
#define PL_ZPL_INTERP_H

#include "base/ckd.h"
#include "zpl/lex.h"
#include "zpl/zpl.h"

#define ZPL_MAX_FRAMES 16
#define ZPL_MAX_DATA 65536u        // bytes of one field's data; the manual promises 3072
#define ZPL_MAX_REPLAY (32u << 20) // bytes that ^XF may replay in one job
#define ZPL_MAX_LINKS 5            // fonts that ^FL may link to one
#define ZPL_MAX_LINK_RULES 64      // ^FL commands that count at a time

struct zpl;
struct zpl_args;
struct zpl_charset_info;
typedef enum pl_errc zpl_handler(struct zpl *z, const struct zpl_args *a);

struct zpl_row {
    struct pl_zpl_command info;
    enum zpl_lex_kind lex;
    bool in_format; // makes or changes a field: has no meaning outside ^XA and ^XZ
    zpl_handler *run;
};

// The row of a command, or NULL. `prefix` is '^' or '~'; letters in upper case.
const struct zpl_row *zpl_row_lookup(char prefix, uint8_t first, uint8_t second);
// The name of the known command that is most like an unknown one; false: none is close.
bool zpl_row_suggest(char prefix, uint8_t first, uint8_t second, char out[5]);

struct zpl_args {
    const struct zpl_row *row;
    struct pl_source source;
    struct pl_slice raw; // everything behind the name, untrimmed
    const struct pl_slice *item;
    unsigned count;
    char font; // ^A: the font's letter
};

struct zpl_charset {
    uint8_t set;                          // ^CI number
    const uint8_t *remap;                 // 256 bytes: what to print for a byte; NULL: each for itself
    const uint16_t *map;                  // 65536 characters, from a downloaded table of ^SE; NULL: none
    const struct zpl_charset_info *table; // one of the printer's own tables that ^SE chose; NULL: none
};

// One ^FL: the fonts that `base` means look in `file` for what they lack, or no longer do.
struct zpl_link {
    struct pl_object_name base;
    const struct pl_font_file *file;
    bool linked;
};

struct zpl_clock_offset {
    int32_t months, days, years, hours, minutes, seconds;
};

// Until changed or ~JR, across formats.
struct zpl_printer {
    char cf_letter;
    int32_t cf_height, cf_width;                // 0: not given
    int32_t last_height, last_width;            // of ^A or ^CF, for ^GS
    const struct pl_font_file *last_named_font; // of ^A@
    bool named_missing;                         // ^A@ named a font that nobody sent, and no other since
    bool missing_of[36];                        // ^CW: the same for a letter
    uint32_t by_module, by_ratio_tenths, by_height;
    enum pl_rotation fw_rotation;
    enum pl_justify fw_justify;
    int32_t home_x, home_y, shift, top;
    bool reverse, mirrored, upside_down, half_density, keep_image, validate;
    uint32_t print_width, label_length;
    char unit;                   // ^MU: D I M
    uint32_t unit_from, unit_to; // ^MU b, c; 1, 1: no conversion
    bool unit_plain;             // dots as they are
    struct zpl_charset charset;
    const uint8_t *remaps[14];              // each of ^CI0-13 keeps its own re-mapping
    const struct pl_font_file *font_of[36]; // ^CW
    bool default_glyph, bidi, shaping;      // ^PA
    const struct zpl_link *links;           // ^FL, in their order; the last one for a font counts
    uint32_t link_count;
    int64_t clock_shift; // ^ST: to be added to the clock
    struct zpl_clock_offset offset[2];
    int32_t language;                              // ^SL b: 1-18
    char drive_names[4];                           // ^CM: letters of B: E: R: A:
    const uint16_t *encoding_map;                  // ^SE: a downloaded table
    uint64_t encoding_id;                          // object that it was made from
    const struct zpl_charset_info *encoding_table; // ^SE: one of the printer's own tables
};

enum zpl_graphic { ZPL_NO_GRAPHIC, ZPL_SHAPE, ZPL_IMAGE };

// Until ^FS.
struct zpl_barcode;

struct zpl_field {
    bool open; // a command of the field was seen
    uint32_t start;
    char command[5]; // what made the field text or a barcode of its kind
    char graphic_command[5];
    char data_command[5]; // ^FD, ^FV or ^SN
    bool has_position, typeset, x_goes_on, y_goes_on, has_justify;
    int32_t x, y;
    enum pl_justify justify;
    bool has_font, has_rotation;
    char letter;
    const struct pl_font_file *file;
    const struct pl_object_name *missing_font; // that ^A@ named and nobody sent; NULL: none
    int32_t height, width;
    enum pl_rotation rotation;
    bool symbols; // ^GS
    bool has_barcode, barcode_has_rotation;
    enum pl_rotation barcode_rotation;
    struct zpl_barcode *barcode;
    struct pl_block block;
    bool block_has_rotation;
    enum pl_rotation block_rotation;
    enum pl_text_direction direction;
    int32_t gap;
    uint8_t hex, embed, clock[3];                // indicators of ^FH ^FE ^FC for data to come; 0: none
    uint8_t data_hex, data_embed, data_clock[3]; // those that stood before the data
    bool reverse;
    int32_t number;                  // ^FN; -1: none
    bool has_data, variable, silent; // silent: ^RF and the like take the data, nothing prints
    struct pl_slice data;
    bool has_serial;     // ^SN
    int64_t serial_step; // ^SN n
    bool serial_zeros;   // ^SN z
    bool has_mask;       // ^SF
    struct pl_slice mask, mask_step;
    enum zpl_graphic graphic;
    enum pl_element_kind graphic_kind;
    struct pl_shape shape;
    struct pl_image image;
    int32_t (*positions)[2]; // ^FM
    uint32_t position_count;
};

// A field whose data is known only at ^XZ (^FN, ^FE) or differs from copy to copy (^SN, ^SF).
struct zpl_pending {
    struct zpl_pending *next;
    uint32_t slot;                     // in the label's elements
    struct pl_element *element;        // all but the data
    const struct zpl_barcode *barcode; // of a barcode: what its data means
    struct zpl_charset charset;
    struct pl_slice data;
    bool has_data, bare;
    uint8_t hex, embed, clock[3];
    int32_t number;
    bool has_serial, serial_zeros, has_mask;
    int64_t serial_step;
    struct pl_slice mask, mask_step;
    bool settled;             // its element is the same on all labels of the format, and known
    struct pl_element *ready; // then: the element; NULL: it draws nothing
};

// What the fields of one ^FN number know of each other.
#define ZPL_NUMBER_BUCKETS 128
struct zpl_number {
    struct zpl_number *next;
    int32_t number;
    uint32_t uses;
    uint32_t waiting;               // slot of the first field without data; UINT32_MAX: none
    const struct zpl_pending *last; // the last field that brings data
    // What ^FE puts in for the number, kept while it is the same.
    bool has_value;
    uint64_t value_step;
    struct pl_slice value;
};

struct zpl_picture { // an ^IS that waits for ^XZ
    struct zpl_picture *next;
    struct pl_object_name name;
    uint32_t element_count;
    struct pl_source source;
};

// A stored picture file as a bitmap, for all that recall it.
#define ZPL_DECODED_BUCKETS 64
struct zpl_decoded {
    struct zpl_decoded *next;
    uint64_t id;                  // of the object
    const struct pl_bitmap *bits; // NULL: it cannot be drawn
};

// From ^XA to ^XZ.
struct zpl_label {
    bool open;
    uint32_t start;
    struct pl_element **elements;
    uint32_t count, capacity;
    uint32_t carried; // of these: from the label before (^MCN)
    bool full;        // the limit of elements was reported
    struct zpl_pending *pending, **pending_tail;
    struct zpl_number **numbers;
    bool has_serial;
    uint32_t quantity, replicates;
    bool suppressed; // ^IS…,N
    struct zpl_picture *pictures, **pictures_tail;
    // ^DF: the text is being recorded, not carried out.
    bool recording, record_valid;
    struct pl_object_name record_name;
    size_t record_start;
    uint8_t record_prefixes[3];
};

struct zpl_frame {
    struct zpl_lexer lex;
};

struct zpl {
    struct zpl_lexer lex;
    struct zpl_frame frames[ZPL_MAX_FRAMES]; // callers of the format being replayed
    unsigned depth;
    size_t replayed;

    const struct pl_zpl_options *options;
    struct pl_store *store;
    struct pl_arena *arena;
    struct pl_diags *diags;
    const struct pl_job *job;
    struct pl_error *err;
    struct pl_slice input;
    int64_t time; // of options, within the calendar

    struct zpl_printer printer;
    struct zpl_label label;
    struct zpl_field field;

    struct pl_label *labels;
    uint32_t label_count, label_capacity;
    uint32_t format_count;      // labels before copies
    uint64_t printed;           // labels with copies
    uint32_t copies_taken_from; // number from 1 of the label whose copies made room last
    const struct pl_label **pictures;
    uint32_t picture_count, picture_capacity;
    struct pl_element **kept; // what ^MCN leaves for the next label
    uint32_t kept_count;
    size_t graphics_used; // bytes of decoded graphics so far
    struct zpl_decoded *decoded[ZPL_DECODED_BUCKETS];
    uint32_t since_check;
    bool outside_reported;
    // The table of the one-byte set that was used last; most labels use one.
    bool has_char_table;
    struct zpl_charset char_table_of;
    uint32_t char_table[256];
};

// interp.c
void zpl_printer_reset(struct zpl *z);
enum pl_errc zpl_recall(struct zpl *z, const struct pl_object *format, struct pl_source source) PL_MUST_USE;

// label.c
enum pl_errc zpl_label_begin(struct zpl *z, struct pl_source source) PL_MUST_USE; // ^XA
enum pl_errc zpl_label_end(struct zpl *z, struct pl_source source) PL_MUST_USE;   // ^XZ
void zpl_label_drop(struct zpl *z);                                               // as if it had never begun
enum pl_errc zpl_add_element(struct zpl *z, struct pl_element *element, uint32_t *slot) PL_MUST_USE;

// field.c
void zpl_field_touch(struct zpl *z, const struct zpl_args *a); // the field starts here if it has not yet
enum pl_errc zpl_field_end(struct zpl *z, uint32_t end) PL_MUST_USE;
enum pl_errc zpl_field_flush(struct zpl *z, uint32_t end) PL_MUST_USE; // ends the field if it already holds something
enum pl_errc zpl_graphic_end(struct zpl *z, uint32_t end) PL_MUST_USE; // emits only the graphic of the field
// A graphic begins in the field: a graphic before it is drawn, data before it is dropped.
enum pl_errc zpl_graphic_begin(struct zpl *z, const struct zpl_args *a, enum zpl_graphic graphic,
                               enum pl_element_kind kind) PL_MUST_USE;
// The element of the `step`-th serial number; NULL: the field draws nothing.
enum pl_errc zpl_pending_resolve(struct zpl *z, struct zpl_pending *p, uint64_t step,
                                 struct pl_element **out) PL_MUST_USE;

struct zpl_number *zpl_number_find(const struct zpl *z, int32_t number);

// args.c
bool zpl_arg_given(const struct zpl_args *a, unsigned i);
// All return false, leaving *out alone, when the parameter is missing or cannot be read.
bool zpl_arg_int(struct zpl *z, const struct zpl_args *a, unsigned i, int32_t *out);
// The same, but out of range is as good as missing; zpl_arg_int takes the nearest allowed value.
bool zpl_arg_int_strict(struct zpl *z, const struct zpl_args *a, unsigned i, int32_t *out);
bool zpl_arg_tenths(struct zpl *z, const struct zpl_args *a, unsigned i, int32_t *out); // 2.5 -> 25
bool zpl_arg_choice(struct zpl *z, const struct zpl_args *a, unsigned i, char *out);
bool zpl_arg_flag(struct zpl *z, const struct zpl_args *a, unsigned i, bool *out);
bool zpl_arg_rotation(struct zpl *z, const struct zpl_args *a, unsigned i, enum pl_rotation *out);
bool zpl_arg_object(struct zpl *z, const struct zpl_args *a, unsigned i, const char *default_name,
                    const char *default_ext, struct pl_object_name *out);
// 1/10000 of the number in `s`; leading rubbish is skipped. *clean: there was nothing else.
bool zpl_parse_number(struct pl_slice s, int64_t *ten_thousandths, bool *clean);
int32_t zpl_scale_dots(const struct zpl *z, int64_t ten_thousandths);

// fielddata.c
// The bytes of a field on the `step`-th label. *changes is set where they differ from label to label.
enum pl_errc zpl_data_bytes(struct zpl *z, const struct zpl_pending *p, uint64_t step, struct pl_slice *out,
                            bool *changes) PL_MUST_USE;

// fieldtext.c
enum pl_errc zpl_text_chars(struct zpl *z, struct pl_slice bytes, const struct zpl_charset *charset,
                            enum pl_block_kind block, struct pl_source source, struct pl_text *out) PL_MUST_USE;

// cmd_font.c
// The fonts that ^FL links to the one of `font`; `missing` is the name of one that should be in its place, or NULL.
enum pl_errc zpl_link_fonts(struct zpl *z, const struct pl_object_name *missing, struct pl_font_ref *font) PL_MUST_USE;
const struct pl_font_file *zpl_font_of_letter(const struct zpl *z, char letter);
// The letter to draw with: another one where ^CW named a font that is not there.
char zpl_font_stand_in(const struct zpl *z, char letter);

// cmd_download.c
// Steps over a command with a payload without carrying it out (inside ^DF).
enum pl_errc zpl_payload_skip(struct zpl *z, const struct zpl_token *t) PL_MUST_USE;

// cmd_store.c
// Deletes all objects that the pattern means; what cannot be done is reported.
enum pl_errc zpl_delete_objects(struct zpl *z, const struct zpl_args *a,
                                const struct pl_object_name *pattern) PL_MUST_USE;
// Reports an object that is not there, and where one of its name is; `then` says what is done instead.
void zpl_report_missing(struct zpl *z, const struct zpl_args *a, unsigned parameter, enum pl_diag_id id,
                        const char *what, const struct pl_object_name *name, const char *then);

// cmd_image.c
// Finds an image by name and makes it ready to draw; false in *found: there is none (reported).
enum pl_errc zpl_find_image(struct zpl *z, const struct zpl_args *a, const struct pl_object_name *name,
                            struct pl_image *out, bool *found) PL_MUST_USE;

// A source that spans from the start of the command to `end`.
struct pl_source zpl_source(const struct zpl_lexer *lex, size_t start, size_t end, const char *command);

#endif
