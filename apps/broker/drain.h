// Reading a queue once, to where its end was: `platen batch` looks at messages and takes some of them.
#ifndef BROKER_DRAIN_H
#define BROKER_DRAIN_H

#include "broker.h"

// Of other readers, that are given back; more than so many stay. Readers that are killed leave theirs for a day.
#define DRAIN_MARKS 1024u

struct drain {
    struct broker *broker;
    const char *what; // BROKER_OF_...
    uint64_t wait_ms; // without a message, then it ends; 0: never
    uint32_t most;    // messages that are looked at and left; 0: as many as AMQP allows
    uint32_t held;    // so many are
    bool has_taken;   // a message out of the queue
    // Marks that other readers wait for: their tags, and when they are given back.
    uint64_t marks[DRAIN_MARKS], give_back_ns;
    uint32_t other_marks, tries;
};
#define DRAIN_MOST 65535u

enum drain_end {
    DRAIN_WHOLE,  // the end was reached
    DRAIN_SILENT, // the broker delivered nothing for as long as wait_ms says
    DRAIN_FULL    // `most` are left, and there may be more behind them
};

// Looks at a message. What it does not take is in the queue again, in its place, when the connection is closed.
typedef enum pl_errc drain_visit(void *user, struct drain *drain, const struct broker_message *message,
                                 struct pl_error *err);
enum pl_errc drain_queue(struct drain *d, drain_visit *visit, void *user, enum drain_end *end,
                         struct pl_error *err) PL_MUST_USE;
// Takes a message that was looked at out of the queue.
enum pl_errc drain_take(struct drain *d, uint64_t tag, struct pl_error *err) PL_MUST_USE;

#endif
