// Taking apart the input of a printer that reads EPL2, TSPL or CPCL: where a command ends that prints. Each language
// has a machine that takes byte for byte, with bounded work and memory for each, and counts bytes as its interpreter
// does. Where it cannot know what that makes of the input, it is unsure: then nothing more is cut off, and all that
// comes is one unit. A unit may hold several labels, but no label is ever in two.
#ifndef PRINTER_LINES_H
#define PRINTER_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

enum printer_language { PRINTER_ZPL, PRINTER_EPL, PRINTER_TSPL, PRINTER_CPCL };

// Forms of EPL2: how many lines answer their `?`.
#define EPL_FORMS 64
#define EPL_FORM_NAME 16
struct epl_form {
    char name[EPL_FORM_NAME + 1];
    uint64_t fields[2]; // a bit for each variable, and for each counter behind them
    bool prints;        // it has a PA: it is printed when all are answered
    bool nested;        // it recalls others
};
// They are the printer's, for all its connections.
struct epl_forms {
    struct epl_form all[EPL_FORMS];
    uint32_t count;
    bool full; // one had no room
    void (*guard)(void *user, bool enter);
    void *user; // of guard
};
void epl_forms_clear(struct epl_forms *forms);

#define LINE_HEAD 96u

// A number that is read digit by digit.
struct line_number {
    uint64_t value;
    uint8_t state;
    bool negative;
};

struct printer_lines {
    enum printer_language language;
    uint8_t state;        // of the language's own machine
    bool unsure;          // nothing is cut off any more
    bool draws;           // something was drawn that is not printed yet
    bool recalls;         // something was carried out that may print
    uint32_t length;      // of the line or command so far
    char head[LINE_HEAD]; // its beginning
    uint64_t left;        // counted bytes to come
    uint32_t commas;      // EPL2, TSPL: of a command with counted bytes
    struct line_number numbers[4];
    uint32_t count; // bytes, characters or lines to come, as the state says
    // EPL2
    struct epl_forms *forms; // NULL: none are known
    bool recording;          // of FS
    struct epl_form form;    // the one that is recorded
    struct epl_form recalled;
    uint8_t bytes[3];
    uint32_t rows, sets; // of a soft font: rows of its characters, characters to come
    // TSPL
    bool assigns, tall; // the word is assigned to; the quote is one of three bytes
    uint32_t behind;    // bytes of a quoted text behind its first line end; 0: none yet
    // CPCL
    uint8_t mode, resumes;    // where it is, and where it goes on behind lines of data
    const char *block_end[2]; // that end them
    uint64_t size;            // of a download
    bool counts;              // its bytes begin behind the line end
    uint8_t last, last_end;   // the byte before; the line end, if it was one
};

enum line_step {
    LINE_GOES_ON,
    LINE_PRINTS,  // a label ends with this byte
    LINE_ASKS,    // a question to the printer ends with it, outside of labels
    LINE_CONTROL, // the last three bytes are a command that is obeyed at once
    LINE_SGD,     // the line is one of SGD
};

#endif
