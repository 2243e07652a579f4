// All that the interpreter of one input knows.
#ifndef PL_TSPL_STATE_H
#define PL_TSPL_STATE_H

#include <limits.h>

#include "base/ckd.h"
#include "img/img.h"
#include "lang/code_pages.h"
#include "lang/label_list.h"
#include "lang/lang.h"
#include "lang/tspl/lex.h"

#define TSPL_COUNTERS 61   // @0 to @60
#define TSPL_VARIABLES 256 // of programs, by name
#define TSPL_FRAMES 8      // programs that run others
#define TSPL_FAR (1 << 20) // coordinates beyond this are no place on any label

struct tspl_value {
    bool is_text;
    double number;
    struct pl_slice text;
};

struct tspl_counter {
    struct pl_slice value;
    int64_t step;
};

struct tspl_variable {
    struct pl_slice name;
    struct tspl_value value;
};

// Settings. They outlast a job.
struct tspl_printer {
    uint32_t width, length; // of the label in dots; 0: not given
    int32_t reference_x, reference_y, shift_x, shift_y;
    int32_t gap, gap_offset; // in dots; gap 0: continuous paper
    bool black_mark, gap_given;
    int32_t offset;
    int32_t density, speed_tenths; // -1: not given
    char mode;                     // T tear off, P peel, C cutter
    bool mirrored, upside_down;
    const struct pl_charset *page; // NULL: not given
};

// A command whose text has a counter: it is carried out again for each set of labels.
struct tspl_deferred {
    struct tspl_lexer lex; // at its start
    struct tspl_printer printer;
    uint32_t first, count; // its elements
};

struct tspl {
    const struct pl_lang_options *options;
    struct pl_store *store;
    struct pl_arena *arena;
    struct pl_diags *diags;
    const struct pl_job *job;
    struct pl_error *err;
    struct pl_slice input;

    struct tspl_lexer lex;
    struct tspl_lexer frames[TSPL_FRAMES]; // of programs that wait while another one runs
    unsigned depth;
    size_t replayed;

    struct tspl_printer printer;
    struct tspl_counter counters[TSPL_COUNTERS];
    struct tspl_variable *variables;
    uint32_t variable_count;

    // The image that PRINT prints, from CLS on.
    struct pl_elements drawn;
    uint32_t fresh;       // elements that were not printed yet
    uint32_t image_start; // offset of its first command
    struct tspl_deferred *deferred;
    uint32_t deferred_count, deferred_capacity;
    bool used_counter; // by the command that is carried out
    bool quiet;        // it is carried out again: what is odd was reported
    bool no_memory;    // an argument found none; checked behind each command

    struct pl_label_list labels;
    uint32_t image_count;        // labels before sets and copies
    const struct pl_label *last; // for PRINT -1

    struct pl_img_env img;
    struct pl_lang_answers answers;
    uint32_t since_check;
    bool basic_reported, utf8_reported;
};

// A command with its arguments.
struct tspl_args {
    const struct tspl_row *row;
    const struct tspl_statement *st;
    struct pl_source source;
};

typedef enum pl_errc tspl_handler(struct tspl *t, const struct tspl_args *a);

// A diagnostic, unless the command is carried out again.
struct pl_diag *tspl_note(struct tspl *t, const struct tspl_args *a, enum pl_diag_id id, unsigned parameter,
                          const char *fmt, ...) PL_PRINTF(5, 6);

// interp.c
// Runs a stored program next.
enum pl_errc tspl_run_program(struct tspl *t, const struct pl_object *program, const struct tspl_args *a) PL_MUST_USE;
// Carries out the command at the lexer's place.
enum pl_errc tspl_repeat(struct tspl *t, const struct tspl_deferred *d) PL_MUST_USE;

// cmd_files.c
// If the line that begins at `at` is a BITMAP whose sizes are plain numbers: the lexer moves behind it and its bytes.
// Where those end, which may be beyond the text; 0: it is none, and the lexer stays.
size_t tspl_skip_bitmap(struct tspl_lexer *lex, size_t at);

// Dots per inch of the head, and an inch or a millimetre in dots.
double tspl_dpi(const struct tspl *t);

// ---- cmd_table.c, params.c

#define TSPL_RAW_FILE 255 // of `raw`: DOWNLOAD reads its own header

struct tspl_row {
    struct pl_lang_command about;
    tspl_handler *run; // NULL: no effect on a picture
    uint8_t raw;       // binary data follows behind so many commas; 0: none
    // It draws, and needs so many arguments: with fewer it is not carried out. Where it has a counter it is carried out
    // again. 0: it does not draw.
    uint8_t draws;
    bool basic;      // a word of programs: reported
    uint8_t kind;    // what rows with the same handler differ in
    bool has_places; // each argument has a place of its own, with the data in the last or in what is last
};

// The row of a command, or NULL.
const struct tspl_row *tspl_row_lookup(struct pl_slice word);
// Which argument is the data: what is last, but not behind its place where it has one.
static inline unsigned tspl_data_item(const struct tspl_row *row, const struct tspl_statement *st)
{
    const unsigned last = st->count - 1;
    return row->has_places ? PL_MIN(last, row->about.param_count - 1) : last;
}
// Which parameter of its row an argument is; TSPL_NO_PARAM: none.
#define TSPL_NO_PARAM UINT_MAX
unsigned tspl_param_of(const struct tspl_row *row, const struct tspl_statement *st, unsigned item);
// The name of the known command that is most like an unknown one; NULL: none is close.
const char *tspl_row_suggest(struct pl_slice word);

// ---- args.c, value.c

// A quoted text, a number, a counter, a variable or an expression of them. False: it is none.
bool tspl_evaluate(struct tspl *t, struct pl_slice item, struct tspl_value *out);

static inline bool tspl_given(const struct tspl_args *a, unsigned i)
{
    return i < a->st->count && a->st->item[i].len > 0;
}

// These leave *out as it is, and return false, where the argument is not given or cannot be read (which is reported).
// A number out of its range is reported and cut to it.
bool tspl_number(struct tspl *t, const struct tspl_args *a, unsigned i, double *out);
bool tspl_int(struct tspl *t, const struct tspl_args *a, unsigned i, int32_t low, int32_t high, int32_t *out);
bool tspl_text(struct tspl *t, const struct tspl_args *a, unsigned i, struct pl_slice *out);
bool tspl_rotation(struct tspl *t, const struct tspl_args *a, unsigned i, enum pl_rotation *out);
// A coordinate pair, with REFERENCE and SHIFT added. False: one is missing, which is reported.
bool tspl_place(struct tspl *t, const struct tspl_args *a, unsigned i, int32_t *x, int32_t *y);
// A length with its unit, in dots.
bool tspl_length(struct tspl *t, const struct tspl_args *a, unsigned i, double *out);
// The argument without quotes, as it is written.
struct pl_slice tspl_word(const struct tspl_args *a, unsigned i);
bool tspl_is_word(const struct tspl_args *a, unsigned i, const char *word); // in any case
// X12: a letter and a number. False: it is something else.
bool tspl_option(const struct tspl_args *a, unsigned i, char letter, int32_t *out);
// Is it a quoted text or an expression, not a bare word or number?
bool tspl_is_data(const struct tspl_args *a, unsigned i);
// Are there so many arguments? Otherwise it is reported, and the command is ignored.
bool tspl_needs(struct tspl *t, const struct tspl_args *a, unsigned count);

// Adds `step` to the last digits and letters of a counter's value; each stays in its own range.
bool tspl_counter_add(struct tspl *t, struct tspl_counter *counter, int64_t times);

// ---- label.c

enum pl_errc tspl_add(struct tspl *t, struct pl_element *element) PL_MUST_USE;
void tspl_clear(struct tspl *t); // CLS
// Prints the image: `sets` sets of `copies` labels each. `source`: the command that prints.
enum pl_errc tspl_print(struct tspl *t, struct pl_source source, uint64_t sets, uint64_t copies) PL_MUST_USE;
// The last label again.
enum pl_errc tspl_print_last(struct tspl *t, struct pl_source source, uint64_t copies) PL_MUST_USE;
// Notes that the command, which has added the elements from `first` on, has a counter.
enum pl_errc tspl_defer(struct tspl *t, const struct tspl_lexer *at, uint32_t first) PL_MUST_USE;

// ---- text.c

const struct pl_charset *tspl_codepage_find(struct pl_slice name); // NULL: there is none of that name
// The font of a name, enlarged. Multipliers of outline fonts are their size in points.
enum pl_errc tspl_font(struct tspl *t, const struct tspl_args *a, struct pl_slice name, double mx, double my,
                       struct pl_font_ref *out) PL_MUST_USE;
// Font 1 or 2, for the lines of barcodes.
struct pl_font_ref tspl_caption_font(int32_t module);
// Bytes by the code page, or the set of a Chinese or Korean font. `breaks`: line ends become U+000A, otherwise they are
// left out.
enum pl_errc tspl_chars(struct tspl *t, const struct tspl_args *a, struct pl_slice font, struct pl_slice bytes,
                        bool breaks, struct pl_text *out) PL_MUST_USE;

// ---- cmd_barcode.c, barcode_data.c

// An element with a symbol of this kind at the place of the first two arguments. *out is NULL where the command is to
// be ignored.
enum pl_errc tspl_start_barcode(struct tspl *t, const struct tspl_args *a, enum pl_symbology symbology,
                                struct pl_element **out) PL_MUST_USE;
// Takes the argument that is the data; false: it is no text, which is reported.
bool tspl_set_data(struct tspl *t, const struct tspl_args *a, struct pl_barcode *b);
// Bare bytes by count instead of a quoted text: they begin behind the comma of argument `i`.
void tspl_set_counted(struct tspl *t, const struct tspl_args *a, unsigned i, int32_t count, struct pl_barcode *b);
// Reports an argument that has no meaning.
void tspl_note_unread(struct tspl *t, const struct tspl_args *a, unsigned i);
// Adds it, or reports that there is no data.
enum pl_errc tspl_add_barcode(struct tspl *t, const struct tspl_args *a, struct pl_element *e) PL_MUST_USE;

// Content and caption of manual Code 128.
enum pl_errc tspl_read_code128_manual(struct tspl *t, struct pl_barcode *b, bool gs1) PL_MUST_USE;

// ---- memory.c

void tspl_printer_defaults(struct tspl *t);
// The printer as an input before this one left it, or as it is switched on.
enum pl_errc tspl_start_after(struct tspl *t, const struct tspl *before) PL_MUST_USE;

// See struct pl_lang_memory.
void pl_tspl_write_settings(const void *end, struct pl_buf *out);
void pl_tspl_write_object(const struct pl_object *object, const struct pl_bitmap *picture, struct pl_buf *out);
void pl_tspl_settings(const void *end, struct pl_lang_settings *out);
const struct pl_lang_answers *pl_tspl_answers(const void *end);

#endif
