// A batch of documents on its way through the service: read from the request's body, drawn by renderers, some of them
// ahead, and written in their order.
#ifndef PLATEN_MANY_H
#define PLATEN_MANY_H

#include <stdatomic.h>

#include "api.h"
#include "batch/names.h"
#include "batch/reader.h"
#include "many_answer.h"

#define MANY_WINDOW 64u                // documents that are read and not yet written, at most
#define MANY_CODE ((size_t)1 << 20)    // and bytes of their label code, about
#define MANY_AHEAD ((size_t)512 << 10) // and of their labels, about
#define MANY_LABELS 16u                // labels of one document that are drawn at once

enum many_input { MANY_IN_LINES, MANY_IN_PARTS, MANY_IN_ZIP };

enum many_state {
    MANY_READ,     // its label code is there
    MANY_CHECKING, // strict: its first label, too, but its others were not all looked at
    MANY_DRAWN,    // its first label, too; or its problem
};

struct many_document {
    enum many_state state;
    struct render_call call; // its controls, label code and number; the slices lie in `memory`
    struct pl_slice id;
    uint8_t *memory;
    size_t bytes;
    bool failed; // `problem` says why
    struct problem problem;
    uint64_t used_ns;  // of the time that it has
    uint32_t warnings; // strict: of the labels before `checked`, and of the document as a whole
    uint32_t checked;
    struct summary summary; // once it is drawn
    struct label_part first;
};

struct many {
    struct http_request *req; // those of the step that runs
    struct http_response *res;
    const struct controls *query; // what the query says holds for all
    // Reading: many_documents.c.
    enum many_input input;
    struct pl_lines lines;
    struct pl_parts parts;
    struct pl_zip_reader zip;
    struct controls form; // controls of the form's parts before
    struct pl_id_set ids;
    size_t limit;        // bytes of one document
    uint64_t number;     // documents so far
    bool reading_paused; // there is more to read at once
    bool input_ended;
    bool input_bad; // and not as it should: `input_problem`
    struct problem input_problem;
    // Documents that are read and not yet written: a ring.
    struct many_document ring[MANY_WINDOW];
    uint32_t first, count;
    size_t code_bytes;
    atomic_size_t ahead; // bytes of drawn labels
    // The labels of the first document beyond its first one: many_draw.c.
    struct label_part labels[MANY_LABELS];
    uint32_t label;       // the next one that is to be written
    uint32_t labels_from; // labels[0] is this one
    uint32_t label_count; // of `labels` that are drawn
    uint64_t until_ns;    // the end of the first document's time
    // Writing: api_many.c.
    struct many_answer answer;
    size_t sent;     // of answer.out
    bool stops;      // at the first document that cannot be drawn
    bool has_layout; // of the pages of a PDF
    struct platen_pdf_layout layout;
    bool closed;      // the summary is written
    uint64_t told_ns; // when progress was last told
    size_t held;
};

static inline struct many_document *many_at(struct many *many, uint32_t index)
{
    return &many->ring[(many->first + index) % MANY_WINDOW];
}

// Reads documents as far as the body and the window go. False: no memory.
bool many_read(struct many *many);
void many_document_free(struct many_document *document);
// The input's kind, by its content type. False: the problem is in `res`.
bool many_input_init(struct many *many);

// Draws the first label of each document in the window, as far as there is time and room for it.
void many_draw(struct many *many);
// Looks at the next labels of the first document, which is MANY_CHECKING.
void many_check_labels(struct many *many);
// Draws the next labels of the first document. False: its problem says why not.
bool many_draw_labels(struct many *many);

#endif
