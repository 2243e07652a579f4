// What the interpreter of EPL2 knows: settings of the printer, the image buffer, variables, forms.
#ifndef PL_EPL_STATE_H
#define PL_EPL_STATE_H

#include "base/arena.h"
#include "img/img.h"
#include "lang/epl/cmd_table.h"
#include "lang/epl/lex.h"
#include "lang/label_list.h"
#include "scene/scene.h"
#include "store/store.h"

#define EPL_VARIABLES 100
#define EPL_COUNTERS 10
#define EPL_FRAMES 8
#define EPL_FORMAT_MAX 16 // of dates and times

struct epl_settings {
    uint32_t width, length; // q and Q in dots; 0: not given
    int32_t ref_x, ref_y;
    uint32_t code_page; // of bytes from 80 on
    uint8_t country;    // I7: letters that take the place of signs, from 0
    bool seven_bits;
    uint8_t speed, density;
    char date[EPL_FORMAT_MAX + 1], time[EPL_FORMAT_MAX + 1]; // TD, TT
};

// Code pages of text in font 8, which has simplified Chinese, and font 9, traditional.
#define EPL_GBK 936u
#define EPL_BIG5 950u

// Are characters of two bytes among the text?
static inline bool epl_has_pairs(const struct epl_settings *s)
{
    return s->code_page == EPL_GBK || s->code_page == EPL_BIG5;
}

// A variable or a counter. What it holds: the line that answered its prompt.
struct epl_field {
    bool defined, given;
    uint8_t most; // characters
    char justify; // L, R, C or N
    int32_t step; // counters: what each set adds
    bool padded;  // counters: zeros up to `most`
    struct pl_slice value;
};

// An element whose data has variables or counters: its data is known when it is printed.
struct epl_pending {
    struct epl_pending *next;
    uint32_t slot;
    struct pl_element *element; // without its data
    struct pl_slice data;
    uint32_t box_slot;           // UINT32_MAX: none; otherwise of the black box behind reversed text or bars
    int32_t pitch, height;       // of reversed text: what a character takes
    const struct epl_code *code; // of a linear barcode
    char matrix;                 // of a code in two dimensions: its letter
    struct epl_settings settings;
};

struct epl_soft_font {
    struct pl_font_file file;
    int32_t height, width;
};

struct epl_buffer {
    struct pl_elements drawn;
    struct epl_pending *pending, **pending_tail;
    uint32_t start; // of its first command
    bool begun;     // there was a command that draws
    bool printed;
};

struct epl {
    const struct pl_lang_options *options;
    struct pl_store *store;
    struct pl_arena *arena;
    struct pl_diags *diags;
    const struct pl_job *job;
    struct pl_error *err;
    struct pl_slice input;
    struct pl_img_env img;
    struct epl_lexer lex;
    struct epl_lexer frames[EPL_FRAMES];
    uint32_t depth;
    uint64_t replayed;
    uint32_t since_check;

    struct epl_settings settings;
    struct epl_buffer buffer;
    struct epl_field variables[EPL_VARIABLES], counters[EPL_COUNTERS];
    // FS: the text is being recorded, not carried out.
    bool recording;
    struct pl_object_name record_name;
    size_t record_start;
    struct pl_source record_source;
    // PA in a form prints when the variables are known.
    bool print_waits;
    uint32_t wait_sets, wait_copies;
    struct pl_source wait_source;
    bool told_utf8;

    struct pl_label_list labels;
    uint32_t format_count;
    struct pl_lang_answers answers;
};

// ---- args.c: parameters, with what is wrong with them as diagnostics

bool epl_given(const struct epl_args *a, uint32_t i);
// A number within the bounds of the row; false: not given or no number, and *out is as it was.
bool epl_number(struct epl *e, const struct epl_args *a, uint32_t i, int32_t *out);
// The same of other text than a parameter; `what` names it.
bool epl_read_number(struct pl_slice text, int64_t *out);
// The numbers of the first parameters, all required. False: one is missing, which was reported.
bool epl_numbers(struct epl *e, const struct epl_args *a, uint32_t count, int32_t *out);
bool epl_object_name(struct pl_slice name, const char *ext, struct pl_object_name *out);
// A name in quotes, with its case; false: there is none, which was reported.
bool epl_name(struct epl *e, const struct epl_args *a, const char *ext, struct pl_object_name *out);

// ---- data.c: DATA of A, B and b

// Has it variables or counters? Then it is known when the label is printed.
bool epl_data_waits(const struct epl_pending *p);
// Its bytes. `step`: the sets that were printed before. `changes` says whether it has a counter.
enum pl_errc epl_data_bytes(struct epl *e, const struct epl_pending *p, uint64_t step, struct pl_slice *out,
                            bool *changes) PL_MUST_USE;

// ---- page.c

void epl_write_charset(const struct epl_settings *settings, struct pl_buf *out); // as I

// ---- charset.c

// Characters of the element's text.
enum pl_errc epl_text_chars(struct epl *e, const struct epl_settings *settings, struct pl_slice bytes,
                            struct pl_source source, struct pl_text *text) PL_MUST_USE;

// ---- text.c

struct pl_font_ref epl_resident(const struct epl *e, uint32_t font, int32_t across, int32_t down);

// ---- buffer.c

enum pl_errc epl_add_element(struct epl *e, struct pl_element *element, uint32_t *slot) PL_MUST_USE;
struct pl_element *epl_new_element(struct epl *e, const struct epl_args *a, enum pl_element_kind kind, int32_t x,
                                   int32_t y);
// Adds an element by its data: now, or when it is printed if the data has variables or counters.
enum pl_errc epl_add_data(struct epl *e, struct epl_pending *pending) PL_MUST_USE;
void epl_buffer_clear(struct epl *e);
enum pl_errc epl_print(struct epl *e, uint32_t sets, uint32_t copies, struct pl_source source) PL_MUST_USE;

// ---- codes.c: content of barcodes

enum pl_errc epl_code_content(struct epl *e, const struct epl_code *code, struct pl_slice data,
                              struct pl_element *element) PL_MUST_USE;
enum pl_errc epl_matrix_content(struct epl *e, char letter, struct pl_slice data,
                                struct pl_element *element) PL_MUST_USE;
// Whether backslashes in its data mean something.
bool epl_code_has_escapes(const struct epl_code *code);
// NULL: no such type.
const struct epl_code *epl_code_find(struct pl_slice name);

// ---- graphics.c

// The soft font of a letter; NULL: none was stored.
const struct epl_soft_font *epl_soft_font(const struct epl *e, uint8_t letter);

// ---- forms.c

enum pl_errc epl_record(struct epl *e, const struct epl_token *t) PL_MUST_USE;
enum pl_errc epl_record_end(struct epl *e, size_t end) PL_MUST_USE;

#endif
