// A batch of documents on its way through the service: read from the request's body, drawn by renderers, some of them
// ahead, and written in their order.
#ifndef PLATEN_BATCH_H
#define PLATEN_BATCH_H

#include <stdatomic.h>

#include "answer/batch_answer.h"
#include "api.h"
#include "batch/names.h"
#include "batch/reader.h"

#define BATCH_WINDOW 64u                // documents that are read and not yet written, at most
#define BATCH_CODE ((size_t)1 << 20)    // and bytes of their label code, about
#define BATCH_AHEAD ((size_t)512 << 10) // and of their labels, about
#define BATCH_LABELS 16u                // labels of one document that are drawn at once

enum batch_input { BATCH_IN_LINES, BATCH_IN_PARTS, BATCH_IN_ZIP };

enum batch_state {
    BATCH_READ,     // its label code is there
    BATCH_CHECKING, // strict: its first label, too, but its others were not all looked at
    BATCH_DRAWN,    // its first label, too; or its problem
};

struct batch_document {
    enum batch_state state;
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

struct batch {
    struct http_request *req; // those of the step that runs
    struct http_response *res;
    const struct controls *query; // what the query says holds for all
    // Reading: batch_documents.c.
    enum batch_input input;
    struct pl_lines lines;
    struct pl_multipart parts;
    struct pl_zip_reader zip;
    struct controls form; // controls of the form's parts before
    struct pl_id_set ids;
    size_t limit;        // bytes of one document
    uint64_t number;     // documents so far
    bool reading_paused; // there is more to read at once
    bool input_ended;
    bool input_bad; // and not as it should: `input_problem`
    bool stopped;   // by a document that cannot be drawn: no other is written
    struct problem input_problem;
    // Documents that are read and not yet written: a ring.
    struct batch_document ring[BATCH_WINDOW];
    uint32_t first, count;
    size_t code_bytes;
    atomic_size_t ahead; // bytes of drawn labels
    // The labels of the first document beyond its first one: batch_draw.c.
    struct label_part labels[BATCH_LABELS];
    uint32_t label;       // the next one that is to be written
    uint32_t labels_from; // labels[0] is this one
    uint32_t label_count; // of `labels` that are drawn
    uint64_t until_ns;    // the end of the first document's time
    // Writing: api_batch.c.
    struct batch_answer answer;
    size_t sent;     // of answer.out
    bool stops;      // at the first document that cannot be drawn
    bool has_layout; // of the pages of a PDF
    struct platen_pdf_layout layout;
    bool closed;      // the summary is written
    uint64_t told_ns; // when progress was last told
    size_t held;
};

static inline struct batch_document *batch_at(struct batch *batch, uint32_t index)
{
    return &batch->ring[(batch->first + index) % BATCH_WINDOW];
}

// Reads documents as far as the body and the window go. False: no memory.
bool batch_read(struct batch *batch);
void batch_document_free(struct batch_document *document);
// The input's kind, by its content type. False: the problem is in `res`.
bool batch_input_init(struct batch *batch);

// Draws the first label of each document in the window, as far as there is time and room for it.
void batch_draw(struct batch *batch);
// False, with the problem: a batch has no labels of this format.
bool batch_takes_format(enum output format, struct problem *problem);
// Looks at the next labels of the first document, which is BATCH_CHECKING.
void batch_check_labels(struct batch *batch);
// Draws the next labels of the first document. False: its problem says why not.
bool batch_draw_labels(struct batch *batch);

#endif
