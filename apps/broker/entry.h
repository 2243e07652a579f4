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
    bool ended;   // before its connection was lost: it has told its end, and perhaps the broker has that
    bool joins;   // --join
    bool missing; // --missing-from
};

enum entry_verdict {
    ENTRY_OWN,      // it has entered this batch before, which has its rows
    ENTRY_NEW,      // it makes the batch or comes new to it: what it has sent before is listed again
    ENTRY_OVER,     // the batch that it has ended in was collected and deleted
    ENTRY_GONE,     // the batch of its journal is not there any more
    ENTRY_ANOTHER,  // the batch is another one than that of its journal
    ENTRY_STRANGER, // the batch is of others
};
enum entry_verdict entry_judge(const struct entry *e);

// How a submitter enters, step by step; it may be killed between any two.
enum entry_step {
    ENTRY_LOCK,
    ENTRY_LOOK, // what is at the broker: then the verdict
    ENTRY_NOTE, // in the journal, before the batch is made: the next run knows a batch without marks for its own
    ENTRY_MAKE, // or bind it again
    ENTRY_LIST, // that it is there, so that the batch is open until it leaves; where it is new, what was sent before,
                // before the mark, which says that the batch has its rows
    ENTRY_MARK, // BROKER_MARK_ENTERED
    ENTRY_KIND, // BROKER_MARK_PDF or _FILES
    ENTRY_UNLOCK,
    ENTRY_JOURNAL, // notes there that it has entered; until then the journal says that it makes the batch (ENTRY_NOTE)
    ENTRY_IN,
    ENTRY_REFUSED
};
// The step behind this one. `verdict` is that of ENTRY_LOOK.
enum entry_step entry_next(enum entry_step step, const struct entry *e, enum entry_verdict verdict);

// How it leaves when it has sent all, one step behind the other.
enum leave_step {
    LEAVE_LOCK, // what is found stays so until the end is told
    LEAVE_LOOK, // for its mark: without it the batch is another one, and it enters again
    LEAVE_TELL,
    LEAVE_UNLOCK,
    LEAVE_NOTE, // in the journal
    LEAVE_LEFT
};

#endif
