// Label languages. Each is a folder beside this file and a row of languages.c: from bytes to a scene, what its printer
// remembers, and its table of commands. Others ask the row of a language; those that still know one by name are in
// docs/adding.md, "Add a language".
#ifndef PL_LANG_LANG_H
#define PL_LANG_LANG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/job.h"
#include "base/limits.h"
#include "base/slice.h"
#include "profile/models.h"
#include "profile/profile.h"
#include "raster/bitmap.h"
#include "scene/scene.h"
#include "store/store.h"

struct pl_lang_options {
    const struct pl_profile *profile; // goes on into the scene
    const struct pl_model *model;     // commands that it cannot carry out are reported; NULL: no printer in particular
    double dpmm;
    uint32_t width, height;  // the label in dots, for commands that need it
    struct pl_limits limits; // labels, elements_per_label, decoded_graphics and recall_depth are held here
    int64_t time;            // the printer's clock, in seconds since 1970 UTC; read as the local time of the printer
    bool collapse_copies;    // copies are not cut to the label limit, since nobody will expand them
    // The printer is as an input of the same language left it (`*end` of that one), and answers its host. It outlives
    // the scene, and `store` has its store as base. NULL: power-on, and no host.
    const void *after;
    const void **end; // where the interpreter leaves its state for the next input; lives in the arena. May be NULL
    bool linter;      // findings as the reference's linter words and places them
};

// Interprets all of `input`, at most 2 GiB. Scene, diagnostics and what they point to live in `arena`, or borrow from
// `input` and `store`, so both must outlive the scene. Objects that the input stores are put into `store` and stay
// there.
typedef enum pl_errc pl_lang_interpret(struct pl_slice input, const struct pl_lang_options *options,
                                       struct pl_store *store, struct pl_arena *arena, struct pl_diags *diags,
                                       const struct pl_job *job, struct pl_scene *out, struct pl_error *err);

// ---- what a printer remembers. `end` is what the interpreter left there.

// Settings that others ask for.
struct pl_lang_settings {
    uint32_t print_width, label_length; // in dots; 0: not set
    int32_t darkness_tenths, tear_off;
    char mode, tracking, media; // letters of ^MM, ^MN and ^MT
    uint8_t speed, slew, backfeed;
    uint8_t prefixes[3]; // ZPL: format, control, delimiter
    // ZPL: from this place of the input on it had these prefixes; UINT32_MAX: a stored format changed its own.
    uint32_t prefixes_since;
    bool has_units; // ZPL: ^MU made numbers something else than dots
};

static inline struct pl_printing pl_lang_printing(const struct pl_lang_settings *s)
{
    return (struct pl_printing){
        .darkness_tenths = s->darkness_tenths, .speed = s->speed, .mode = s->mode, .tracking = s->tracking};
}

enum pl_lang_reply {
    PL_LANG_REPLY_TEXT,          // its text, as it is
    PL_LANG_REPLY_CONFIGURATION, // who runs the printer knows the rest of what it says
    PL_LANG_REPLY_XML            // the same in XML; its text is the letter of the part
};

// What the host gets, in order.
struct pl_lang_answer {
    struct pl_lang_answer *next;
    enum pl_lang_reply kind;
    struct pl_slice text;
};
struct pl_lang_answers {
    struct pl_lang_answer *first, **tail;
};
enum pl_errc pl_lang_answer(struct pl_lang_answers *answers, struct pl_arena *arena, enum pl_lang_reply kind,
                            struct pl_slice text, struct pl_error *err) PL_MUST_USE; // borrows the text

// Written as label code: an input that begins with it continues where the input before ended.
struct pl_lang_memory {
    bool gives_way; // after documents of a language that does not, theirs is written and this one's is lost
    void (*write_settings)(const void *end, struct pl_buf *out); // those that hold at the end of the input
    void (*write_saved)(const void *end, struct pl_buf *out);    // those that outlast power-off; NULL: there are none
    // A stored object as its download. `picture` is a stored label, drawn. Nothing is written of an object that has no
    // download.
    void (*write_object)(const struct pl_object *object, const struct pl_bitmap *picture, struct pl_buf *out);
    void (*settings)(const void *end, struct pl_lang_settings *out);
    const struct pl_lang_answers *(*answers)(const void *end); // NULL: it never answers
};

// ---- the table of commands, for help, completion and docs/commands.md

enum pl_lang_support { PL_LANG_FULL, PL_LANG_PARTIAL, PL_LANG_NO_EFFECT };

enum pl_lang_param_type {
    PL_LANG_DOTS,   // a length in dots
    PL_LANG_NUMBER, // a count, ratio or code
    PL_LANG_CHOICE, // one of the characters in `values`
    PL_LANG_CHAR,   // any one character
    PL_LANG_TEXT,   // free text
    PL_LANG_OBJECT, // the name of a stored object
    PL_LANG_DATA    // the payload
};

struct pl_lang_param {
    const char *name;
    enum pl_lang_param_type type;
    int32_t min, max;     // of numbers
    const char *values;   // of choices: the allowed characters
    const char *fallback; // default as text; "" where it is required or has none
};

struct pl_lang_command {
    char title[PL_COMMAND_NAME_MAX]; // "^FO"; "^A" for all of ^A0, ^AA …
    enum pl_lang_support support;
    const char *summary;
    const char *note;                   // what is missing, or why there is no effect; may be empty
    const struct pl_lang_param *params; // one without a name: there are none
    uint32_t param_count;
};

// The last two may be NULL: nothing is known.
struct pl_lang_commands {
    const struct pl_lang_command *(*at)(uint32_t index); // NULL: there are no more
    // What the parameter sets, as a short phrase; "" where its name says it all.
    const char *(*about_param)(const struct pl_lang_command *command, const struct pl_lang_param *param);
    // What a character of a choice means. *length is that of the words, which do not end with a zero byte; 0: unknown.
    const char *(*about_value)(const struct pl_lang_command *command, const struct pl_lang_param *param, char value,
                               size_t *length);
};

// ---- where commands and their parameters stand, for editors

struct pl_lang_part {
    uint32_t offset, length;
};

#define PL_LANG_PARTS 40

struct pl_lang_span {
    const struct pl_lang_command *command; // NULL: unknown
    const char *otherwise;                 // what it is where it is no command; NULL: nothing that the language has
    char name[PL_COMMAND_NAME_MAX];        // as the language calls it, whatever prefix or case was written
    uint32_t start, end;                   // of the command, without blanks and line ends behind it
    uint32_t name_length;
    struct pl_lang_part items[PL_LANG_PARTS]; // parameters, without blanks around them; length 0: not given
    uint8_t params[PL_LANG_PARTS];            // which parameter an item is, from 1; 0: the one in its place
    uint32_t item_count;
    struct pl_lang_part data; // text or bytes that are not split; with offset 0 there are none
    bool is_text;             // `data` is text of a field or a comment, and no graphic
    bool in_dots;             // lengths are dots
};

// False: no more is wanted.
typedef bool pl_lang_visit(void *user, const struct pl_lang_span *span);
// Shows each command, in the order of the input. Nothing is carried out.
typedef void pl_lang_outline(struct pl_slice input, pl_lang_visit *visit, void *user);

static inline struct pl_lang_part pl_lang_part_of(struct pl_slice input, struct pl_slice part)
{
    return part.len == 0 && !part.ptr ? (struct pl_lang_part){0}
                                      : (struct pl_lang_part){(uint32_t)(part.ptr - input.ptr), (uint32_t)part.len};
}

// An item that is another parameter than its place says, since some were left out or others repeat. `param` is an
// index; one that the command does not have: it has no name.
static inline void pl_lang_span_add(struct pl_lang_span *span, struct pl_lang_part item, uint32_t param)
{
    span->params[span->item_count] = (uint8_t)(param < UINT8_MAX ? param + 1 : UINT8_MAX);
    span->items[span->item_count++] = item;
}

// ---- the rows

// NONE: nothing speaks for it. POSSIBLE: lines that other languages could have too (EPL's "N", "P1"). LIKELY: commands
// with parameters as this language has them. CERTAIN: no other language begins like that.
enum pl_lang_confidence { PL_LANG_NONE, PL_LANG_POSSIBLE, PL_LANG_LIKELY, PL_LANG_CERTAIN };
#define PL_LANG_LOOK 4096u

// Behind what is no label code at this place: the ESC @ that programs for receipt printers send first, questions of
// hosts to printers of CPCL (ESC h, i, N, v), or a tag <xpml>...</xpml> of BarTender's drivers. `at`: there is none.
size_t pl_lang_skip(struct pl_slice text, size_t at);
// Behind any number of them, blanks and line ends.
size_t pl_lang_skip_gaps(struct pl_slice text, size_t at);
// Where label code begins: behind a byte order mark, control characters that printers skip (STX, NUL, CAN), and what is
// no label code. Blank lines count where nothing of that is behind them.
size_t pl_lang_begin(struct pl_slice text);

struct pl_lang {
    const char *name; // "zpl"
    const char *title;
    // How sure is it that the input is of this language? It looks at PL_LANG_LOOK bytes at most, since every input of
    // every language is asked. ZPL is asked first, and the others only where it is not sure.
    enum pl_lang_confidence (*detect)(struct pl_slice input);
    pl_lang_interpret *interpret;
    struct pl_lang_memory memory;
    struct pl_lang_commands commands;
    pl_lang_outline *outline;
    // What stands between a command's name and its parameters, and between these.
    const char *before_params, *between_params;
    const char *size_commands;  // that say how large the label is, or how much of it is printed
    bool states_label;          // they say how large it is; ZPL's say how much of it is printed
    const char *length_command; // of those, that of the length, for texts in which its number follows; NULL: none does
    // Titles of the commands that begin and end a label, and for messages what must be between them.
    const char *label_begins, *label_ends, *label_content;
    bool brackets_are_known; // what its printers do with brackets in the data of a GS1-128
    bool has_leitcode;       // it has a barcode type of its own for those of the post
};

const char *pl_lang_about_param(const struct pl_lang *language, const struct pl_lang_command *command,
                                const struct pl_lang_param *param);
const char *pl_lang_about_value(const struct pl_lang *language, const struct pl_lang_command *command,
                                const struct pl_lang_param *param, char value, size_t *length);

const struct pl_lang *pl_lang_at(uint32_t index); // in the order of enum platen_language; NULL: not supported
// The row that is most sure of the input; the first of those that are equally sure. ZPL, if none is.
const struct pl_lang *pl_lang_detect(struct pl_slice input);

#endif
