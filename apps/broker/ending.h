// When is a batch complete, and when may its queue be deleted? The collector's fences and its use of the batch's lock.
#ifndef BROKER_ENDING_H
#define BROKER_ENDING_H

#include <stdbool.h>

// A fence is a message that the collector sends to the batch's queue, which is read in order: when it comes back, all
// that was sent before it has come. Before the queue is deleted a second fence is sent under the lock without which no
// submitter enters or leaves. Who enters lists itself, so behind that fence no submitter is in the batch: with the
// queue of one that is in it results of its rows might go, whose jobs it does not send again. The lock is not taken
// before the first fence has come: if that goes to another collector, no submitter has to wait for it.
enum ending {
    ENDING_OPEN,    // rows or results are waited for
    ENDING_ASKING,  // nothing has come so far: a fence is on its way that tells whether the queue has any row
    ENDING_FENCED,  // the account is settled, and the first fence is on its way
    ENDING_LOCKING, // it has come, the failures are written, and the lock is tried until it is free
    ENDING_LOCKED,  // the second fence is on its way
    ENDING_COMPLETE // with the lock if the queue is deleted next
};

struct ending_view {
    bool settled; // the account is
    bool asks;    // there is no row, and the user was not told so
    bool came;    // the fence has
    bool late;    // the state, or the last fence in it, is older than its limit
    bool deletes; // the queue is deleted when the batch is complete, and nothing has to be packed before
    bool written; // OUT.failed.csv is, and nothing has come since then
    bool locked;  // in ENDING_LOCKING: the lock was free, and is taken now
};
// The state behind this one. The caller unlocks where ENDING_OPEN follows ENDING_LOCKED: a submitter that is in
// the batch needs the lock to leave, and the account is not settled before it has left.
enum ending ending_next(enum ending state, const struct ending_view *view);
// Is a fence on its way in this state?
bool ending_has_fence(enum ending state);

#endif
