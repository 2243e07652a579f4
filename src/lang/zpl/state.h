// All that the interpreter of one input knows.
#ifndef PL_ZPL_STATE_H
#define PL_ZPL_STATE_H

#include "base/ckd.h"
#include "img/img.h"
#include "lang/zpl/field.h"
#include "lang/zpl/label.h"
#include "lang/zpl/lex.h"
#include "lang/zpl/printer.h"
#include "lang/zpl/zpl.h"

#define ZPL_MAX_FRAMES 16

// A stored picture file as a bitmap, for all that recall it.
#define ZPL_DECODED_BUCKETS 64
struct zpl_decoded {
    struct zpl_decoded *next;
    uint64_t id;                  // of the object
    const struct pl_bitmap *bits; // NULL: it cannot be drawn
};

struct zpl_frame {
    struct zpl_lexer lex;
};

struct zpl {
    struct zpl_lexer lex;
    struct zpl_frame frames[ZPL_MAX_FRAMES]; // callers of the format being replayed
    unsigned depth;
    size_t replayed;

    const struct pl_lang_options *options;
    const struct pl_profile_zpl *profile; // of options
    struct pl_store *store;
    struct pl_arena *arena;
    struct pl_diags *diags;
    const struct pl_job *job;
    struct pl_error *err;
    struct pl_slice input;

    struct zpl_printer printer;
    bool has_units;           // ^MU made numbers something else than dots
    struct zpl_printer saved; // by ^JUS: what the printer starts with
    bool has_saved;
    struct pl_lang_answers answers;
    struct zpl_label label;
    struct zpl_field field;

    struct pl_label_list labels;
    uint32_t format_count; // labels before copies
    const struct pl_label **pictures;
    uint32_t picture_count, picture_capacity;
    struct pl_element **kept; // what ^MCN leaves for the next label
    uint32_t kept_count;
    struct pl_img_env img; // for decoded graphics, with their count
    struct zpl_decoded *decoded[ZPL_DECODED_BUCKETS];
    uint32_t since_check;
    bool outside_reported;
    bool lost_reported; // data outside of formats
    // The table of the one-byte set that was used last; most labels use one.
    bool has_char_table;
    struct zpl_charset char_table_of;
    uint32_t char_table[256];
};

#endif
