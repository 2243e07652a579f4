// What the interpreter of CPCL knows: settings, the label, the printer, formats.
#ifndef PL_CPCL_STATE_H
#define PL_CPCL_STATE_H

#include "base/arena.h"
#include "base/ckd.h"
#include "img/img.h"
#include "lang/code_pages.h"
#include "lang/cpcl/lex.h"
#include "lang/cpcl/row.h"
#include "lang/label_list.h"

#define CPCL_FAR (1 << 20)   // coordinates beyond this are no place on any label
#define CPCL_LONGEST_WORD 32 // of a command
#define CPCL_LONGEST_RAW 160 // of the parameters before raw bytes
#define CPCL_GROUPS 10
#define CPCL_GROUP_MEMBERS 10

struct cpcl_font_group {
    struct pl_font_ref font[CPCL_GROUP_MEMBERS];
    uint32_t count;
};

// What commands set, until the next session begins.
struct cpcl_settings {
    double unit;                          // dots that a unit stands for
    int32_t offset_x, origin_x, origin_y; // of the header, in dots; of the line print mode
    uint32_t page_width, page_height;     // in dots; 0: not given
    enum pl_justify justify;
    int32_t edge; // of the justification; -1: not given
    int32_t spacing, pattern, angle;
    uint8_t bold;
    bool underline, inverse;
    bool caption;
    struct pl_font_ref caption_font;
    int32_t caption_gap;
    const struct pl_charset *charset;
    int32_t magnify_x, magnify_y; // SETMAG outlasts the label; 1: as it is
};

// A command whose data counts: it is carried out again for each further copy.
struct cpcl_counted {
    struct cpcl_counted *next;
    struct cpcl_args args;
    struct cpcl_settings settings;
    struct pl_slice data;
    uint32_t first, count; // its elements
    int64_t step;
    struct cpcl_font_group group; // that its text chose from; FG may change it later
};

enum cpcl_mode { CPCL_LINE_PRINT, CPCL_LABEL, CPCL_UTILITIES };

struct cpcl {
    const struct pl_lang_options *options;
    struct pl_store *store;
    struct pl_arena *arena;
    struct pl_diags *diags;
    const struct pl_job *job;
    struct pl_error *err;
    struct pl_slice input;
    struct pl_img_env img;
    struct cpcl_lexer lex, outer; // outer: where a format was recalled
    bool in_format;
    uint64_t replayed;
    uint32_t since_check;

    enum cpcl_mode mode;
    struct cpcl_settings settings, page_settings; // those in force, and those of the line print mode
    // Outside of sessions, and what sessions begin with.
    uint32_t printer_width;
    int32_t magnify_x, magnify_y;
    struct cpcl_font_group groups[CPCL_GROUPS];
    bool told_utf8;

    // The label of the session, or the page of the line print mode.
    double header[2];  // offset and height as written
    bool header_fresh; // the unit that the next line names rules the header too
    uint32_t quantity;
    struct pl_elements drawn;
    uint32_t start; // offset of its first command
    struct cpcl_counted *counted, **counted_tail;
    struct cpcl_args last; // the last command that COUNT may follow; row NULL: none
    struct cpcl_settings last_settings;
    struct pl_slice data, last_data; // of the command that is carried out, and of `last`
    uint32_t last_first, last_count;
    const struct pl_slice *replacement;       // for the data of a command that is carried out again
    const struct cpcl_font_group *same_group; // for its group
    bool upside_down;                         // the label that is printed
    bool quiet;                               // what is odd was reported before

    // Line print mode.
    struct {
        struct pl_font_ref font;
        int32_t line, left, x, y; // height of lines, margin, cursor
        bool begun;               // something was printed on the page
        bool goes_on;             // the line has text before the cursor
    } page;

    struct pl_label_list labels;
    uint32_t format_count;
};

// ---- args.c: parameters, with what is wrong with them as diagnostics

struct pl_diag *cpcl_note(struct cpcl *e, const struct cpcl_args *a, enum pl_diag_id id, const char *fmt, ...)
    PL_PRINTF(4, 5);
// The next parameter. A required one that is missing or no number is reported: false, and *out is as it was.
bool cpcl_dots(struct cpcl *e, struct cpcl_args *a, int32_t *out);  // a length or a place in the unit
bool cpcl_whole(struct cpcl *e, struct cpcl_args *a, int32_t *out); // a number without a unit
bool cpcl_more(const struct cpcl_args *a);                          // is there another?
bool cpcl_read_number(struct pl_slice text, double *out);
// So many places or lengths.
bool cpcl_all_dots(struct cpcl *e, struct cpcl_args *a, uint32_t count, int32_t *out);
struct pl_slice cpcl_word(struct cpcl_args *a);
// All behind the single blank that follows the last parameter.
struct pl_slice cpcl_data(struct cpcl *e, struct cpcl_args *a);

// The stored file of that name; NULL: there is none.
const struct pl_object *cpcl_object(struct cpcl *e, struct pl_slice name);
// The rest of the block that begins here: its lines up to the one that is `end`, with what they are joined by.
enum pl_errc cpcl_block(struct cpcl *e, const struct cpcl_args *a, const char *end, struct pl_slice *out) PL_MUST_USE;
// The next line of such a block, whose end may have another name (or NULL). False: the block ends, which was reported
// if its end is missing.
bool cpcl_block_line(struct cpcl *e, const struct cpcl_args *a, const char *end, const char *other,
                     struct pl_slice *line);
// Does the label end with the line, and with it a block that was left open?
bool cpcl_ends_block(struct pl_slice line);
// "offset hres vres height quantity" behind an exclamation mark. False: the words are no such numbers.
bool cpcl_read_header(struct pl_slice text, double out[5]);
// Does a session begin with the line?
bool cpcl_begins_session(struct pl_slice line);
// A line is PRINT or POPRINT alone.
bool cpcl_is_print(struct pl_slice line);
// A line is the word alone.
bool cpcl_is_line(struct pl_slice line, const char *word);
// ---- label.c

enum pl_errc cpcl_add(struct cpcl *e, struct pl_element *element) PL_MUST_USE;
// Text and barcodes: their place by justification, turned about it.
void cpcl_place(struct cpcl *e, struct pl_element *element, int32_t x, int32_t y, enum pl_rotation rotation);
// An element is added: outside of labels the first one begins the page.
void cpcl_page_begin(struct cpcl *e, uint32_t offset);
// Something that ends so many dots below the cursor was drawn.
void cpcl_page_drawn(struct cpcl *e, int32_t bottom);
void cpcl_label_clear(struct cpcl *e);
// Prints what was drawn.
enum pl_errc cpcl_print(struct cpcl *e, struct pl_source source) PL_MUST_USE;
// The end of what text and barcodes are justified in, in dots.
int32_t cpcl_edge(const struct cpcl *e, enum pl_rotation rotation);
// The page's width: its own, or that of the head.
int32_t cpcl_page_width(const struct cpcl *e);

// ---- charset.c

const struct pl_charset *cpcl_charset_find(struct pl_slice name); // NULL: there is none of that name

// ---- text.c

enum pl_errc cpcl_chars(struct cpcl *e, const struct cpcl_args *a, struct pl_slice bytes,
                        struct pl_text *out) PL_MUST_USE;
// Font 7 in its first size, which line print mode begins with.
struct pl_font_ref cpcl_plain_font(void);

// ---- command.c

// Carries out the command at the lexer's place; `from` is where its source begins.
enum pl_errc cpcl_command(struct cpcl *e, size_t from) PL_MUST_USE;

// ---- interp.c

// The header's numbers in the unit that rules now.
void cpcl_apply_header(struct cpcl *e);
// The session ends; what was drawn and not printed is gone.
void cpcl_leave(struct cpcl *e);

// ---- files.c

enum pl_errc cpcl_define(struct cpcl *e, struct pl_slice name, struct pl_source source) PL_MUST_USE;
enum pl_errc cpcl_use(struct cpcl *e, struct pl_slice name, struct pl_source source) PL_MUST_USE;
enum pl_errc cpcl_download(struct cpcl *e, struct pl_source source) PL_MUST_USE;

// ---- graphics.c

// Bytes of the PCX file at the start of `s`; 0: it is none.
size_t cpcl_pcx_length(struct pl_slice s);
// Behind the bytes of the CG that a line begins with, which may be beyond the text; 0: it is none.
size_t cpcl_counted_end(struct pl_slice text, size_t line);

// ---- line_print.c

enum pl_errc cpcl_page_line(struct cpcl *e) PL_MUST_USE;
enum pl_errc cpcl_page_command(struct cpcl *e, size_t start) PL_MUST_USE;
// The page ends: a session begins, or the input ends.
enum pl_errc cpcl_page_end(struct cpcl *e, struct pl_source source) PL_MUST_USE;

// ---- barcode.c

struct pl_element *cpcl_new_barcode(struct cpcl *e, const struct cpcl_args *a, enum pl_symbology symbology);

#endif
