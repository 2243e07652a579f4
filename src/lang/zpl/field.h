// The field: what its commands leave until ^FS, and what waits for ^XZ.
#ifndef PL_ZPL_FIELD_H
#define PL_ZPL_FIELD_H

#include "lang/zpl/charset.h"
#include "lang/zpl/serial.h"
#include "scene/scene.h"
#include "store/store.h"

struct zpl_barcode;

#define ZPL_MAX_DATA 65536u // bytes of one field's data; the manual promises 3072

enum zpl_graphic { ZPL_NO_GRAPHIC, ZPL_SHAPE, ZPL_IMAGE };

// The indicators of ^FH, ^FE and ^FC; 0: none.
struct zpl_marks {
    uint8_t hex, embed, clock[3];
};

// Until ^FS.
struct zpl_field {
    bool open; // a command of the field was seen
    uint32_t start;
    char command[PL_COMMAND_NAME_MAX]; // what made the field text or a barcode of its kind
    char graphic_command[PL_COMMAND_NAME_MAX];
    char data_command[PL_COMMAND_NAME_MAX]; // ^FD, ^FV or ^SN
    bool has_position, typeset, x_goes_on, y_goes_on, has_justify;
    int32_t x, y;
    struct pl_place_source placed_by;
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
    struct zpl_marks marks, data_marks; // for data to come; those that stood before the data
    bool reverse;
    int32_t number;                  // ^FN; -1: none
    bool has_data, variable, silent; // silent: ^RF and the like take the data, nothing prints
    bool writes_epc;                 // silent, and the data is an EPC in hexadecimal
    struct pl_slice data;
    struct zpl_serial serial;
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
    struct zpl_marks marks; // a field that waits for the data of another one reads it with its own
    int32_t number;
    struct zpl_serial serial;
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

// What ^RF writes to a tag; its data may come from another field, by its number.
struct zpl_tag {
    struct zpl_tag *next; // that waits for such data, too
    struct pl_tag tag;
    int32_t number;
};

#endif
