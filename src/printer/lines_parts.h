// What the machines of the three languages share.
#ifndef PRINTER_LINES_PARTS_H
#define PRINTER_LINES_PARTS_H

#include "base/ascii.h"
#include "base/ckd.h"
#include "printer/lines.h"

#define LINE_COUNT_MOST ((uint64_t)1 << 40)

enum line_step lines_epl(struct printer_lines *l, uint8_t c);
enum line_step lines_tspl(struct printer_lines *l, uint8_t c, bool at_start);
enum line_step lines_cpcl(struct printer_lines *l, uint8_t c);
// The language's machine; `at_start`: the byte is the first of the unit.
enum line_step lines_step(struct printer_lines *l, uint8_t c, bool at_start);
// So many of the bytes are counted ones, and were passed.
size_t lines_pass(struct printer_lines *l, struct pl_slice bytes);
// With the byte before it, or the counted ones: has a command ended that stores?
bool lines_have_stored(struct printer_lines *l);
// The quote of the first line has no end: what that line was.
enum line_step lines_rewound(struct printer_lines *l);
enum line_step lines_tspl_line_over(struct printer_lines *l);
bool lines_are_in_quotes(const struct printer_lines *l); // that may have no end
bool lines_tspl_quoted(const struct printer_lines *l);
bool lines_epl_quoted(const struct printer_lines *l);

// Is the word of the line this one, in any case? Is it of a command, and of one that draws?
bool lines_tspl_word(const struct printer_lines *l, const char *word);
bool lines_tspl_known(const struct printer_lines *l);
bool lines_tspl_draws(const struct printer_lines *l);
// A byte of the parameters of BITMAP. LINE_BYTES: the last one has ended, and so many bytes follow; LINE_ODD: it is an
// expression, or data of another length.
enum line_bitmap { LINE_PARAMETERS, LINE_BYTES, LINE_ODD };
void lines_bitmap_begin(struct printer_lines *l);
enum line_bitmap lines_bitmap(struct printer_lines *l, uint8_t c, uint64_t *bytes);
// A program as it comes; true: the line of EOP has ended.
void lines_program_begin(struct printer_lines *l, bool counted);
bool lines_program(struct printer_lines *l, uint8_t c);
void lines_program_end(struct printer_lines *l); // of counted bytes
// A format as it comes; true: the line of PRINT or END has ended.
bool lines_format(struct printer_lines *l, uint8_t c);
void lines_format_end(struct printer_lines *l); // of counted bytes

// ---- forms
// False: there is none of this name. *full: there may be one that had no room.
bool lines_find_form(const struct printer_lines *l, const char *name, struct printer_form *out, bool *full);
// What the command that has ended changes. Until that was sent on its way to the memory, which is told by lines_sent,
// the forms are not read out of the memory again.
void lines_note_change(struct printer_lines *l);
void lines_sent(struct printer_lines *l);
// The command deletes what has this name. One that no form can have may stand for any.
void lines_name_deleted(struct printer_lines *l, struct pl_slice name);
// A name as the memory has it: in upper case, with an extension. False: one that is written otherwise there.
bool lines_form_name(struct pl_slice text, const char *extension, char out[PRINTER_FORM_NAME + 1]);

static inline bool line_ends(uint8_t c)
{
    return c == '\r' || c == '\n';
}

static inline bool line_is_blank(uint8_t c)
{
    return c == ' ' || c == '\t';
}

static inline void line_begin(struct printer_lines *l)
{
    l->length = 0;
}

static inline void line_put(struct printer_lines *l, uint8_t c)
{
    if (l->length < LINE_HEAD)
        l->head[l->length] = (char)c;
    l->length++;
}

// The byte at a place of the line, as far as it is kept; 0: there is none.
static inline uint8_t line_at(const struct printer_lines *l, uint32_t at)
{
    return at < l->length && at < LINE_HEAD ? (uint8_t)l->head[at] : 0;
}

static inline bool line_is_whole(const struct printer_lines *l)
{
    return l->length <= LINE_HEAD;
}

static inline struct pl_slice line_text(const struct printer_lines *l)
{
    return pl_slice_make(l->head, l->length < LINE_HEAD ? l->length : LINE_HEAD);
}

void line_number_begin(struct line_number *n);
void line_number_take(struct line_number *n, uint8_t c);
bool line_number_is_good(const struct line_number *n); // digits, perhaps with a sign and blanks around them
bool line_number_is_within(const struct line_number *n, uint64_t most); // the same from 0 on

#endif
