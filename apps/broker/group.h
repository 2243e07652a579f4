// Several rows in one message: of jobs, or of results. Each row has its own id, mark and place, so it is accounted for
// alone.
#ifndef BROKER_GROUP_H
#define BROKER_GROUP_H

#include "account.h"

#define GROUP_TYPE "application/x-platen-group" // the media type of such a message
#define GROUP_LINE_MOST 512u                    // bytes of a row beside its body
#define GROUP_ROWS_MOST 500u                    // in one message

struct group_row {
    struct account_mark mark;
    uint64_t sequence;            // its place in the batch
    bool ok;                      // of a result
    struct pl_slice type, ending; // of a result; empty: of a job
    struct pl_slice id, body;     // body: label code, or what became of it
};

// Appends a row: a line with its mark, place, ok or error, type, ending, the lengths of id and body and its
// proof, if it has one, then id and body.
void group_put(struct pl_buf *out, const struct group_row *row);
// Takes the first row of *rest, which lies in it. False: it is none, or has no usable id.
bool group_next(struct pl_slice *rest, struct group_row *out);
// Are there only whole rows in it, one at least and not too many? *count is how many.
bool group_usable(struct pl_slice body, uint32_t *count);

#endif
