// Jobs of languages that are lines: EPL2 and TSPL. It knows where a line begins, which bytes are counted, which line
// prints (P, PRINT), and which ones hold for later jobs of the same input; it knows nothing else of the languages.
#ifndef PRINTER_LINES_H
#define PRINTER_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

// In the order of enum platen_language.
enum printer_language { PRINTER_AUTO, PRINTER_ZPL, PRINTER_EPL, PRINTER_TSPL };

#define PRINTER_HEAD 256u
#define PRINTER_HELD 2
#define PRINTER_SETTINGS_BYTES ((size_t)4 << 10)
#define PRINTER_DEFINITIONS_BYTES ((size_t)64 << 10)

// What holds for later jobs of a language.
struct printer_held {
    struct pl_buf settings;    // lines, the last of each command
    struct pl_buf definitions; // forms, graphics and programs
    uint64_t version;          // of the printer's
    bool changed;              // since it was the printer's
};

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

static inline struct printer_held *printer_held_of(struct printer_held *held, uint8_t language)
{
    return &held[language == PRINTER_TSPL];
}

// All languages at once.
void printer_held_init(struct printer_held *held);
void printer_held_fini(struct printer_held *held);
void printer_held_forget(struct printer_held *of_printer);
// What the printer holds now; without memory for it nothing.
void printer_held_take(struct printer_held *held, const struct printer_held *of_printer);
// What was changed becomes the printer's.
void printer_held_give(struct printer_held *held, struct printer_held *of_printer);
static inline bool printer_held_is_changed(const struct printer_held *held)
{
    return held[0].changed || held[1].changed;
}
size_t printer_held_bytes(const struct printer_held *held);

// Which language a line is of. `whole`: its end is there. PRINTER_AUTO: it cannot be said.
enum printer_language printer_line_language(struct pl_slice line, bool whole);

#endif
