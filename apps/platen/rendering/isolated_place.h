// A place of `platen render --timeout`: a worker, and the file that it works on. Made for isolated_batch.c.
#ifndef PLATEN_ISOLATED_PLACE_H
#define PLATEN_ISOLATED_PLACE_H

#include <poll.h>
#include <signal.h>

#include "base/buf.h"
#include "isolated_batch.h"

#define NS_PER_MS 1000000ull
#define ISOLATED_READ_BYTES ((size_t)256 << 10)
#define ISOLATED_SAID_MAX ((size_t)1 << 20) // kept of a file's messages before they are passed on
#define ISOLATED_PATH_MAX ((size_t)64 << 10)

enum place_state {
    IDLE,
    BUSY,  // with a file
    HELD,  // with a file, and its messages have to wait for their turn
    ENDING // its file is done, and its messages have to wait for their turn
};

// A worker and its file.
struct place {
    enum place_state state;
    int channel;      // -1: no process can be had
    uint32_t index;   // of this place
    size_t files;     // that the process has done
    size_t item;      // the file at hand
    bool ok;          // it was rendered
    bool again;       // it can be read once more
    bool told;        // some of its messages have been passed on
    uint64_t left_ns; // of its time
    char *output;
    struct pl_buf in;   // what comes from the worker
    struct pl_buf said; // messages of the file
};

// All of them.
struct run {
    struct isolated_batch *batch;
    struct pl_keeper keeper;
    struct pl_kept_work kept;
    struct shared_work work;
    struct place *places;
    struct pollfd *ready; // one for each place, and one for signals
    uint32_t count;
    size_t done, failed;
    sigset_t mask; // before the run
    int signals;
};

// A worker for a place that has none, or another one. place->channel is -1 where none can be had; a line was printed.
void place_replace(struct run *run, struct place *place, int *old_status);
// What its file said so far is passed on. False: it has to wait.
bool place_pass_on(struct run *run, struct place *place);
// Its file is done, one way or the other. ENDING: that has to wait.
void place_finish(struct run *run, struct place *place);
// Gives it the file place->item.
void place_give(struct run *run, struct place *place);
// Its file is done, as the worker says.
void place_end_file(struct run *run, struct place *place, const struct isolated_word *word);
// The time of its file is over.
void place_end_overdue(struct run *run, struct place *place);
// Its worker has ended by itself, or breaks its word.
void place_end_died(struct run *run, struct place *place);
// Says what there is to say of its file.
struct message_sink place_sink(struct place *place);
// Something has come from its worker, or that has gone (isolated_listen.c).
void place_listen(struct run *run, struct place *place);

#endif
