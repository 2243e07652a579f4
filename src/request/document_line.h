// A document as a line of NDJSON: its id, its label code or the values for a template, and its controls. For the
// service and for the command line.
#ifndef PLATEN_DOCUMENT_LINE_H
#define PLATEN_DOCUMENT_LINE_H

#include "base/csv.h"
#include "request/controls.h"

struct document_line {
    bool fills_template; // its members are values, not controls
    // What it says. The slices lie in the line or in the arena.
    struct pl_slice id, zpl; // empty: none
};

// False: the problem says why not; the id counts in any case.
bool document_line_read(struct document_line *line, bool fills_template, struct pl_slice text, struct pl_arena *arena,
                        struct controls *controls, struct problem *problem);
// Can it be an id? If not, the problem says what one is.
bool document_id_check(struct pl_slice id, struct problem *problem);
// The id of a document that tells none, or none that can be used, is its number.
#define DOCUMENT_NUMBER_ROOM 24
struct pl_slice document_id_or_number(struct pl_slice id, uint64_t number, char room[DOCUMENT_NUMBER_ROOM]);

#endif
