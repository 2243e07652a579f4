// Jobs of languages that are lines: EPL2 and TSPL. It knows where a line begins, which bytes are counted, which line
// prints (P, PRINT), and which ones hold for later jobs of the same input; it knows nothing else of the languages.
#ifndef PRINTER_LINES_H
#define PRINTER_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "printer/held.h"

#define PRINTER_HEAD 256u

struct printer_lines {
    uint8_t asked;              // enum printer_language: the port's; PRINTER_AUTO: by the first line of each job
    uint8_t language;           // of what is being read; PRINTER_AUTO: not known yet, or ZPL
    uint8_t head[PRINTER_HEAD]; // how the line begins
    uint32_t head_len;
    size_t line;  // where it begins in the unit
    size_t block; // where a form, graphic or program begins in the unit
    bool in_block;
    bool block_is_counted; // it ends with its counted bytes
    bool draws;            // the unit has more than settings
    uint32_t commas;       // in the line, not in quotes
    bool quoted;
    bool waits;                             // the bytes of `head` are not in the unit: they may be no line
    uint64_t left;                          // counted bytes to come
    struct printer_held held[PRINTER_HELD]; // of each language
};

// Which language a line is of. `whole`: its end is there. PRINTER_AUTO: it cannot be said.
enum printer_language printer_line_language(struct pl_slice line, bool whole);

#endif
