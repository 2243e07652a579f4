// Diagnostics that the service itself finds, and Labelary's X-Warnings header.
#ifndef PLATEN_WARNING_HEADER_H
#define PLATEN_WARNING_HEADER_H

#include <platen/platen.h>

#include "request/controls.h"

// What of a request was not done as it was written, as diagnostics: controls that do not exist, those that the format
// has no use for, those that are given twice, and a body of another type.
#define UNKNOWN_TEXT 120
#define UNKNOWN_MOST (CONTROLS_UNKNOWN_MAX * 2 + CONTROLS_USELESS_MAX + CONTROLS_OVERRIDDEN_MAX)
struct unknown_controls {
    struct platen_diagnostic items[UNKNOWN_MOST];
    char texts[UNKNOWN_MOST][UNKNOWN_TEXT];
    uint32_t count;
};
void unknown_controls_make(struct unknown_controls *out, const struct controls *controls);

// The X-Warnings header: Labelary's form, at most 20.
struct warning_header {
    struct pl_buf text;
    uint32_t count;  // all of them
    uint32_t shown;  // those in the text
    uint32_t obeyed; // those of requests that were obeyed all the same: nothing for `strict` to refuse
};
void warning_header_add(struct warning_header *header, const struct platen_diagnostic *d);
void warning_header_add_unknown(struct warning_header *header, const struct controls *controls);
// Appends what another header holds.
void warning_header_join(struct warning_header *header, const struct warning_header *more);

#endif
