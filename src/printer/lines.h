// Taking apart the input of a printer that reads EPL2, TSPL or CPCL: where a command ends that prints, and where one
// that stores. Each language has a machine that takes byte for byte, with bounded work and memory for each, and counts
// bytes as its interpreter does. Where it cannot know what that makes of the input, it is unsure: then nothing more is
// cut off, and all that comes is one unit. A unit may hold several labels, but no label is ever in two.
#ifndef PRINTER_LINES_H
#define PRINTER_LINES_H

#include <platen/platen.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

// Forms of EPL2, programs of TSPL and formats of CPCL that a printer holds: what recalling one asks for. It is read out
// of the printer's memory (printer_forms_read); what is on its way there is noted as it comes.
#define PRINTER_FORMS 64
#define PRINTER_FORM_NAME 21 // 16 characters, a dot and four
struct printer_form {
    char name[PRINTER_FORM_NAME + 1];
    uint64_t fields[2]; // EPL2: a bit for each variable, and for each counter behind them
    uint32_t slots;     // CPCL: lines that are filled in
    char memory;        // TSPL: the letter of where it is stored; 0: none
    bool prints;        // it prints when all are answered
    bool draws;         // TSPL: it has drawn something that it does not print; CPCL: it begins a label
    bool unclear;       // what it does is not known: it recalls others
};
// They are the printer's, for all its connections.
struct printer_forms {
    struct printer_form all[PRINTER_FORMS];
    uint32_t count;
    bool full;       // one had no room
    bool touched;    // something was noted since they were read out of the memory
    uint32_t unsent; // connections that have noted what is not on its way to the memory yet
    void (*guard)(void *user, bool enter);
    void *user; // of guard
};
void printer_forms_clear(struct printer_forms *forms);

#define LINE_HEAD 96u

// A number that is read digit by digit.
struct line_number {
    uint64_t value;
    uint8_t state;
    bool negative;
};

struct printer_lines {
    enum platen_language language;
    uint8_t state;        // of the language's own machine
    bool unsure;          // nothing is cut off any more
    bool draws;           // something was drawn that is not printed yet
    bool recalls;         // something was carried out that may print
    bool waits;           // it used what is stored, as that is now, or a variable
    bool stores;          // the command that is being read does
    bool scans;           // its counted bytes are a form
    uint8_t change;       // enum line_change: what it does to the forms
    uint8_t before;       // enum line_before: how the unit ends before the line that ended now
    bool rewinds;         // the command ended with its first line: all behind that is read again
    uint32_t length;      // of the line or command so far
    char head[LINE_HEAD]; // its beginning
    uint64_t left;        // counted bytes to come
    uint64_t inner;       // TSPL, CPCL: those of a graphic inside of what is stored
    uint32_t commas;      // of a command with counted bytes
    struct line_number numbers[4];
    uint32_t count;              // bytes, characters or lines to come, as the state says
    struct printer_forms *forms; // NULL: none are known
    bool noted;                  // a change that was not sent yet
    bool recording;              // a form
    struct printer_form form;    // the one that is recorded, or named
    // EPL2
    struct printer_form recalled;
    uint8_t bytes[3];
    uint32_t rows, sets; // of a soft font: rows of its characters, characters to come
    uint32_t behind;     // EPL2, TSPL: bytes of a quoted text from its first line end on; 0: none yet
    // TSPL
    bool assigns, tall; // the word is assigned to; the quote is one of three bytes
    bool alone;         // the line has nothing but its word
    bool names;         // the quoted text is the name of a program to run or to delete
    char program[PRINTER_FORM_NAME];
    uint32_t named; // characters of that
    // CPCL
    uint8_t mode, resumes;    // where it is, and where it goes on behind lines of data
    const char *block_end[2]; // that end them
    uint64_t size;            // of a download
    bool counts;              // its bytes begin behind the line end
    bool half;                // of two backslashes
    uint8_t last, last_end;   // the byte before; the line end, if it was one
};

enum line_change { LINE_NO_CHANGE, LINE_FORM_STORED, LINE_FORM_DELETED };
enum line_before { LINE_NOTHING_BEFORE, LINE_PRINTS_BEFORE, LINE_UNFINISHED_BEFORE };

enum line_step {
    LINE_GOES_ON,
    LINE_PRINTS,  // a label ends with this byte
    LINE_ASKS,    // what is carried out at once ends with it, outside of labels: a question, or what deletes
    LINE_CONTROL, // the last three bytes, two in CPCL, are a command that is obeyed at once
    LINE_SGD,     // the line is one of SGD
    LINE_STORES,  // a command that stores or deletes ends with it
};

// What the code of a printer's memory stores, in place of what was known.
void printer_forms_read(struct printer_forms *forms, enum platen_language language, struct pl_slice memory);

#endif
