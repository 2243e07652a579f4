// All that the interpreter of one input knows.
#ifndef PL_ZPL_STATE_H
#define PL_ZPL_STATE_H

#include "base/ckd.h"
#include "img/img.h"
#include "lang/lang.h"
#include "lang/zpl/field.h"
#include "lang/zpl/label.h"
#include "lang/zpl/lex.h"
#include "lang/zpl/printer.h"

#define ZPL_MAX_FRAMES 16

struct zpl {
    struct zpl_lexer lex;
    struct zpl_lexer frames[ZPL_MAX_FRAMES]; // callers of the format being replayed
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
    uint32_t since_check;
    bool outside_reported;
    bool lost_reported; // data outside of formats
    // The table of the one-byte set that was used last; most labels use one.
    bool has_char_table;
    struct zpl_charset char_table_of;
    uint32_t char_table[256];
};

static inline enum pl_errc zpl_add_element(struct zpl *z, struct pl_element *element, uint32_t *slot)
{
    return pl_elements_add(&z->labels, &z->label.drawn, element, &element->source, slot);
}

// Between the files of the interpreter.

struct zpl_args;

// interp.c
void zpl_printer_reset(struct zpl *z);    // as after power-on: what ^JUS saved, or the defaults
void zpl_printer_defaults(struct zpl *z); // as it left the factory
// ^XF: the text of a format is carried out next.
enum pl_errc zpl_recall(struct zpl *z, const struct pl_object *format, struct pl_source source) PL_MUST_USE;

// cmd_store.c
// Deletes all objects that the pattern means; what cannot be done is reported.
enum pl_errc zpl_delete_objects(struct zpl *z, const struct zpl_args *a,
                                const struct pl_object_name *pattern) PL_MUST_USE;
// Reports an object that is not there, and where one of its name is; `then` says what is done instead.
void zpl_report_missing(struct zpl *z, const struct zpl_args *a, unsigned parameter, enum pl_diag_id id,
                        const char *what, const struct pl_object_name *name, const char *then);

// fonts.c
int zpl_letter_index(char letter); // in tables of fonts; -1: fonts have the names A to Z and 0 to 9
bool zpl_is_resident(char letter); // one of the printer's own fonts
// The fonts that ^FL links to the one of `font`; `missing` is the name of one that should be in its place, or NULL.
enum pl_errc zpl_link_fonts(struct zpl *z, const struct pl_object_name *missing, struct pl_font_ref *font) PL_MUST_USE;
const struct pl_font_file *zpl_font_of_letter(const struct zpl *z, char letter);
// The letter to draw with: another one where ^CW named a font that is not there.
char zpl_font_stand_in(const struct zpl *z, char letter);

// labels.c
enum pl_errc zpl_label_begin(struct zpl *z, struct pl_source source) PL_MUST_USE; // ^XA
enum pl_errc zpl_label_end(struct zpl *z, struct pl_source source) PL_MUST_USE;   // ^XZ
void zpl_label_drop(struct zpl *z);                                               // as if it had never begun

// field_end.c
void zpl_field_touch(struct zpl *z, const struct zpl_args *a); // the field starts here if it has not yet
enum pl_errc zpl_field_end(struct zpl *z, uint32_t end) PL_MUST_USE;
enum pl_errc zpl_field_flush(struct zpl *z, uint32_t end) PL_MUST_USE; // ends the field if it already holds something
// A graphic begins in the field: a graphic before it is drawn; data before it may be dropped (profile).
enum pl_errc zpl_graphic_begin(struct zpl *z, const struct zpl_args *a, enum zpl_graphic graphic,
                               enum pl_element_kind kind) PL_MUST_USE;

// pending.c
// The element of the `step`-th serial number; NULL: the field draws nothing.
enum pl_errc zpl_pending_resolve(struct zpl *z, struct zpl_pending *p, uint64_t step,
                                 struct pl_element **out) PL_MUST_USE;
enum pl_errc zpl_tags_resolve(struct zpl *z) PL_MUST_USE; // all fields of the label are there

// fielddata.c
struct zpl_number *zpl_number_find(const struct zpl *z, int32_t number);
// The bytes of a field on the `step`-th label. *changes is set where they differ from label to label.
enum pl_errc zpl_data_bytes(struct zpl *z, const struct zpl_pending *p, uint64_t step, struct pl_slice *out,
                            bool *changes) PL_MUST_USE;
// Nothing gives data to a number that this element wants: what became of it.
void zpl_note_unbound(struct zpl *z, const struct pl_element *e, int32_t number, const char *what);

// fieldtext.c
enum pl_errc zpl_text_chars(struct zpl *z, struct pl_slice bytes, const struct zpl_charset *charset,
                            enum pl_block_kind block, struct pl_source source, struct pl_text *out) PL_MUST_USE;
// The commonest mistake with character sets: UTF-8 under the default set prints as two or three wrong letters each, and
// what a printer encodes in a barcode depends on its firmware.
void zpl_hint_at_utf8(struct zpl *z, struct pl_slice bytes, const struct zpl_charset *charset, struct pl_source source);

#endif
