// One distinct label as a part of an answer: its picture, its members in JSON, and what was found in it.
#ifndef PLATEN_LABEL_PART_H
#define PLATEN_LABEL_PART_H

#include <platen/platen.h>

#include "answer/warning_header.h"
#include "request/controls.h"

#define DOCUMENT_WARNINGS ((size_t)8 << 20) // text of warnings that is kept for the end of json and base64

struct label_part {
    struct pl_buf members;       // json, base64: the members of the label's object
    struct pl_buf warnings;      // its diagnostics, as a JSON array
    uint32_t warning_count;      // in it
    struct platen_buffer file;   // the picture, or what a PDF needs of it
    struct warning_header found; // the same for the header, without those of severity "info"
    struct platen_error err;
    bool drawn; // by a renderer: the label is there and was wanted
};

void label_part_init(struct label_part *part);
void label_part_free(struct label_part *part);
// Makes it empty and overwrites what it held, for another label: its memory is kept, as far as that is not much.
void label_part_wipe(struct label_part *part);
// Is there anything in it that found no memory?
bool label_part_failed(const struct label_part *part);
size_t label_part_bytes(const struct label_part *part);

enum label_content {
    LABEL_PICTURE, // and its members in JSON, or its part of a PDF
    LABEL_FIELDS,  // Labelary's "data extraction"
    LABEL_FINDINGS,
    LABEL_NOTHING
};

// What is wanted of a label.
struct label_part_options {
    const struct control_values *controls;
    enum label_content content;
    bool page_findings; // only what drawing found, and only for the header
    bool apart;         // of JSON: the picture stays in part->file and is not in the members
};

// Draws a label and makes its part. The reason of a failure is in part->err, too.
enum platen_status label_part_make(struct platen_worker *worker, const struct platen_document *document, uint32_t label,
                                   const struct label_part_options *wanted, struct label_part *part);
// The diagnostics of a label: what parsing found in it, what drawing found, and narrow modules.
void label_part_warnings(const struct platen_document *document, const struct platen_page *page,
                         struct label_part *part);
// The members of its object, from part->file (its PNG) and part->warnings.
void label_part_members(const struct platen_document *document, const struct platen_page *page,
                        const struct label_part_options *wanted, struct label_part *part);

#endif
