// May a submitter add to the batch of a name? It asks while it has the batch's lock, so what it is told stays so.
#ifndef BROKER_ENTRY_H
#define BROKER_ENTRY_H

#include <stdbool.h>

struct entry {
    // At the broker.
    bool there;    // a batch of this name
    bool has_mark; // of this submitter: it has entered that batch
    bool has_kind; // somebody has entered it
    // In the submitter's journal.
    bool begun;    // a run before this one has written it
    bool marked;   // that left a mark when it entered; older programs leave none
    bool making;   // it makes the batch, or a run before it did and was broken off
    bool was_sent; // it has rows, whose results this run does not ask for
    // In this run.
    bool entered; // before its connection was lost
    bool joins;   // --join
    bool missing; // --missing-from
};

enum entry_verdict {
    ENTRY_OWN,      // it has entered this batch before, which has its rows
    ENTRY_NEW,      // it makes the batch or comes new to it: what it has sent before is listed again
    ENTRY_GONE,     // the batch of its journal is not there any more
    ENTRY_ANOTHER,  // the batch is another one than that of its journal
    ENTRY_STRANGER, // the batch is of others
};
enum entry_verdict entry_judge(const struct entry *e);

#endif
