// Rows with a result that wait until those before them have one, too.
#ifndef BROKER_PACK_AHEAD_H
#define BROKER_PACK_AHEAD_H

#include "pack.h"

#define PACK_AHEAD_MOST ((size_t)50000) // that wait; with their texts some 200 bytes each

struct pack_ahead {        // zeroed at first
    struct pack_row *rows; // a heap: the row with the lowest place in the output is its first one
    size_t count, capacity;
    uint64_t given;   // rows of the first run of the first submitter: their places are 1, 2, 3, ...
    void *given_text; // of the last of them
};

// Takes a copy. False: too many wait, there is no memory, or the row was given already.
bool pack_ahead_add(struct pack_ahead *ahead, const struct pack_row *row);
// The next row, if it is there; its texts live until the next call.
bool pack_ahead_next(struct pack_ahead *ahead, struct pack_row *row);
void pack_ahead_free(struct pack_ahead *ahead);

#endif
