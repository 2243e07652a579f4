// The labels of one document of `platen render` with rows, or with one output for many documents.
#ifndef PLATEN_ROW_LABELS_H
#define PLATEN_ROW_LABELS_H

#include "answer/label_part.h"
#include "cli/cli_limits.h"
#include "cli/row_source.h"

struct row_labels {
    struct row_document document; // is failed, with its problem, where it could not be drawn
    struct label_part *parts;
    uint32_t *copies;
    uint32_t count;
    size_t bytes; // of the labels
};

// Draws the labels, `most` bytes of them. The document's time is one for filling in and drawing.
void row_labels_draw(struct row_labels *row, struct platen_worker *worker, const struct cli_limits *limits,
                     size_t most);
// Frees the labels; the document stays.
void row_labels_clear(struct row_labels *row);
// The document is failed, with a problem. Both return false.
bool row_refuse(struct row_document *d, const char *code, const char *message);
bool row_fail(struct row_document *d, const struct platen_error *err);

#endif
