// Taking a printer's input apart as it arrives: formats and downloads whole, commands that are obeyed at once, SGD
// lines and JSON; of other languages than ZPL, labels (lines.h). It knows where commands begin, which bytes are counted
// (^GF, ~DY) and what ^CC, ^CT and ^CD change; it knows nothing else of the language. Any way of cutting the input
// gives the same units.
#ifndef PRINTER_SPLITTER_H
#define PRINTER_SPLITTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "printer/lines.h"

enum printer_unit {
    PRINTER_UNIT_CODE,       // label code: a format with what came before it, or a download
    PRINTER_UNIT_CONTROL,    // two letters, and for HQ two more: ~HS, ~JA …; in upper case
    PRINTER_UNIT_SGD,        // a line "! U1 …" without its end
    PRINTER_UNIT_JSON,       // an object
    PRINTER_UNIT_TOO_LARGE,  // the beginning of a unit that is over the limit, or (short_of_memory) could not be kept
    PRINTER_UNIT_UNFINISHED, // the input ended inside of a format
    PRINTER_UNIT_LABEL,      // label code of another language than ZPL, up to a command that prints
    PRINTER_UNIT_STORED,     // code of another language than ZPL that stores or deletes, and nothing else
    PRINTER_UNIT_OTHER,      // lines that are no ZPL: perhaps code of another language
};

// The bytes are the splitter's; a sink may take them over by moving the buffer.
typedef void printer_unit_sink(void *user, enum printer_unit unit, struct pl_buf *bytes);

struct printer_prefixes {
    uint8_t caret, tilde, comma;
};
#define PRINTER_PREFIXES ((struct printer_prefixes){'^', '~', ','})

struct printer_splitter {
    struct pl_buf unit;  // what there is of the unit
    struct pl_buf aside; // an SGD line or JSON
    size_t most;         // bytes of a unit
    struct printer_prefixes prefixes;
    uint8_t state;
    uint8_t first, second, prefix; // of the command that is being read
    bool in_format;
    bool has_command; // the unit has one: text before it is dropped
    bool overflows;
    uint8_t parameter;       // of a payload command: which one is read
    uint8_t kind;            // its letter for the kind of data
    bool counts;             // digits of its count follow
    uint8_t peeked;          // bytes behind the parameters that were looked at
    bool wrapped;            // they are as of ":B64:" so far
    uint64_t count;          // bytes of its payload
    uint64_t left;           // of them still to come
    uint32_t depth;          // of JSON
    bool in_string, escaped; // of JSON
    bool json_cut;           // JSON was over the limit, and nothing whole has come since
    size_t kept;             // bytes of the unit before the command that is being read
    bool starved;            // there was no memory for a command or JSON: it is lost
    bool pauses;             // set by a sink: no more units now
    struct pl_buf other;     // text outside of formats, the beginning of it
    uint8_t other_line;      // the first byte of its line; 0: none yet
    bool other_cut;          // there is more of it than is kept
    struct printer_lines lines;
    size_t may_print;           // bytes of the unit up to a line that may have printed
    size_t plain;               // of other languages than ZPL: bytes of the unit before its first counted one; 0: all
    struct pl_buf again;        // bytes that are read once more
    size_t again_from;          // those before were
    uint64_t taken, read_again; // bytes of all
};

void printer_splitter_init(struct printer_splitter *s, size_t most); // for ZPL
// For another language. `forms` may be NULL; it outlives the splitter.
void printer_splitter_read(struct printer_splitter *s, enum platen_language language, struct printer_forms *forms);
void printer_splitter_fini(struct printer_splitter *s);
// How many of the bytes were taken: all, unless the sink sets `pauses`. The others are to be fed again.
size_t printer_splitter_feed(struct printer_splitter *s, struct pl_slice bytes, printer_unit_sink *sink, void *user);
// There is no more input.
void printer_splitter_end(struct printer_splitter *s, printer_unit_sink *sink, void *user);
// ~JA and ~JR: what has not ended is gone. Counted bytes are still counted.
void printer_splitter_cancel(struct printer_splitter *s);
// Is it between two units, with nothing of the next one?
bool printer_splitter_is_idle(const struct printer_splitter *s);

#endif
