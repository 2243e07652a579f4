// The json and base64 results: metadata, a PNG per label, elements and diagnostics. Written by the service and by
// `platen render`.
#ifndef PLATEN_RESULT_JSON_H
#define PLATEN_RESULT_JSON_H

#include <platen/platen.h>

#include "controls.h"
#include "report.h"

// One distinct label, as its drawing left it.
struct label_part {
    struct pl_buf members;       // json, base64: the members of the label's object
    struct pl_buf warnings;      // its diagnostics, as JSON objects with commas
    struct platen_buffer file;   // png of the label, or what a PDF needs of it
    struct warning_header found; // the same for the header, without those of severity "info"
    struct platen_error err;
};

// What the whole result is made of.
struct result_json {
    const struct controls *controls;
    const struct platen_engine *engine;
    const struct platen_document *document;
    const struct label_part *parts; // of the labels from `first` on, in order; a whole result needs those of all
    uint32_t first, part_count;
};

void label_part_init(struct label_part *part);
void label_part_free(struct label_part *part);

// The diagnostics of one label: what parsing found in it, what drawing found, and narrow modules.
void result_json_warnings(const struct platen_document *document, const struct platen_page *page, uint32_t label,
                          const struct controls *controls, struct pl_slice zpl, struct label_part *part);
// The members of the label's object, from part->file (its PNG) and part->warnings.
void result_json_members(const struct platen_document *document, const struct platen_page *page, uint32_t label,
                         const struct controls *controls, struct label_part *part);
// Is this finding of the parse in none of the parts: of no label, or of one that was not drawn?
bool result_json_outside(const struct result_json *result, const struct platen_diagnostic *d);
// All diagnostics as objects of an open array: those that are in no part first.
void result_json_all_warnings(struct http_json_out *out, const struct result_json *result);
// The whole object. False when it would be larger than `most` bytes.
bool result_json_write(struct http_json_out *out, const struct result_json *result, uint32_t pages, size_t most);

#endif
