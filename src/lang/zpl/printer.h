// What the printer remembers until it is changed or reset (~JR), across formats.
#ifndef PL_ZPL_PRINTER_H
#define PL_ZPL_PRINTER_H

#include "lang/zpl/charset.h"
#include "lang/zpl/clock.h"
#include "scene/scene.h"
#include "store/store.h"

#define ZPL_MAX_LINKS 5       // fonts that ^FL may link to one
#define ZPL_MAX_LINK_RULES 64 // ^FL commands that count at a time

// One ^FL: the fonts that `base` means look in `file` for what they lack, or no longer do.
struct zpl_link {
    struct pl_object_name base;
    const struct pl_font_file *file;
    bool linked;
};

// Settings of the mechanics: they change no dot.
struct zpl_device {
    int32_t darkness_tenths;       // 0 to 300
    int32_t tear_off;              // in dot rows
    char mode, tracking, media;    // letters of ^MM, ^MN and ^MT
    uint8_t speed, slew, backfeed; // inches a second
};

struct zpl_printer {
    struct zpl_device device;
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
    struct zpl_clock clock;
    char drive_names[4];                           // ^CM: letters of B: E: R: A:
    const uint16_t *encoding_map;                  // ^SE: a downloaded table
    uint64_t encoding_id;                          // object that it was made from
    const struct zpl_charset_info *encoding_table; // ^SE: one of the printer's own tables
    struct pl_object_name encoding_name;           // ^SE: of either of them
};

#endif
