// The labels of one document of `platen render` with rows, or with one output for many documents: as an answer, which
// is the same from a thread and from a process.
#ifndef PLATEN_ROW_LABELS_H
#define PLATEN_ROW_LABELS_H

#include "base/buf.h"
#include "cli/cli_limits.h"
#include "cli/message.h"
#include "request/controls.h"

// How a document is drawn; its label code comes beside it. Nothing in it points anywhere.
struct row_order {
    struct control_values values;
    uint32_t unknown_count; // names that are no controls
    uint64_t spent_ns;      // of its time
};

// What all documents share.
struct row_bounds {
    const struct cli_limits *limits;
    size_t most; // bytes of the labels of a document
};

// Draws the labels and says them, or the problem, as one answer. The document's time is one for filling in and drawing.
void row_labels_draw(const struct row_order *order, struct pl_slice zpl, const struct row_bounds *bounds,
                     struct platen_worker *worker, const struct message_sink *sink);
void row_labels_fail(const struct problem *problem, const struct message_sink *sink);

// What an answer begins with; the labels follow.
struct row_head {
    uint32_t count; // of labels
    int32_t status; // not 0: there is a problem instead
    char code[32], message[480];
};

// An answer that is being read; what is read lies in its text.
struct row_labels {
    struct row_head head;
    struct pl_slice rest;
};

struct row_label {
    struct platen_buffer file;
    struct pl_slice members, warnings;
    uint32_t copies;
    bool warned;
};

// False: it is no answer.
bool row_labels_read(struct pl_slice answer, struct row_labels *out);
bool row_labels_next(struct row_labels *labels, struct row_label *out);
// Of an answer that a process gave: is it whole, and can it come of such a document? `copies`: of one label at most.
bool row_labels_sound(struct pl_slice answer, const struct control_values *values, uint32_t copies);

#endif
