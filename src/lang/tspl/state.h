// All that the interpreter of one input knows.
#ifndef PL_TSPL_STATE_H
#define PL_TSPL_STATE_H

#include "base/ckd.h"
#include "img/img.h"
#include "lang/code_pages.h"
#include "lang/label_list.h"
#include "lang/tspl/lex.h"
#include "lang/tspl/tspl.h"

#define TSPL_COUNTERS 61   // @0 to @60
#define TSPL_VARIABLES 256 // of programs, by name
#define TSPL_FRAMES 8      // programs that run others
#define TSPL_FAR (1 << 20) // coordinates beyond this are no place on any label

struct tspl_row;

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

// A program that waits while another one runs, or until EOP.
struct tspl_frame {
    struct tspl_lexer lex;
};

// A stored picture as bits, for all that recall it.
struct tspl_decoded {
    struct tspl_decoded *next;
    uint64_t id;                  // of the object
    const struct pl_bitmap *bits; // NULL: it cannot be drawn
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
    struct tspl_frame frames[TSPL_FRAMES];
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
    struct tspl_decoded *decoded;
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

#endif
