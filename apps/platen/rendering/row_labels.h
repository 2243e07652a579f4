// The labels of one document of `platen render` with rows, or with one output for many documents. A process gives them
// as an answer.
#ifndef PLATEN_ROW_LABELS_H
#define PLATEN_ROW_LABELS_H

#include "answer/label_part.h"
#include "cli/cli_limits.h"
#include "cli/message.h"
#include "cli/row_source.h"

// How a process draws a document; its label code comes beside it. Nothing in it points anywhere.
struct row_order {
    struct control_values values;
    uint32_t unknown_count; // names that are no controls
    uint64_t spent_ns;      // of its time
    struct template_notes notes;
};

struct row_labels {
    struct row_document document; // is failed, with its problem, where it could not be drawn
    struct row_order order;
    struct label_part *parts;
    uint32_t *copies;
    uint32_t count;
    size_t bytes;  // of the labels
    char code[32]; // of a problem that a process gave
};

// Draws the labels, `most` bytes of them. The document's time is one for filling in and drawing.
void row_labels_draw(struct row_labels *row, struct pl_slice zpl, struct platen_worker *worker,
                     const struct cli_limits *limits, size_t most);
// Frees the labels; the document stays.
void row_labels_clear(struct row_labels *row);
// The document is failed, with a problem. Both return false.
bool row_refuse(struct row_document *d, const char *code, const char *message);
bool row_fail(struct row_document *d, const struct platen_error *err);

// Says the labels, or the problem, as one answer.
void row_labels_say(const struct row_labels *row, const struct message_sink *sink);
// Takes them out of an answer that a process gave. False: it is not whole, or cannot come of this document. `copies`:
// of one label at most.
bool row_labels_take(struct row_labels *row, struct pl_slice answer, uint32_t copies);

#endif
