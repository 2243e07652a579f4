// `platen batch`: what its files share.
#ifndef BROKER_BATCH_H
#define BROKER_BATCH_H

#include "client.h"
#include "registry.h"

struct batch {
    struct client client; // client.batch is NULL where no name was given
    const char *output;   // of the collector; NULL: as the registry says
    const char *journal;  // of the submitter; NULL: NAME.submitted
    bool all;
    uint32_t most; // replay: messages that are left in a queue; 0: as many as can be
    struct registry registry;
};

// Each returns the exit status.
int batch_failed(struct batch *b);
int batch_retry(struct batch *b);
int batch_replay(struct batch *b);

// Connects and reads the registry. The connection is a new one afterwards, without what was read. False: a line was
// printed.
bool batch_look(struct batch *b);
// The last that a collector of the batch has told; NULL: nothing.
const struct registry_record *batch_collector(const struct batch *b, const char *name);
// Sends a message and waits until the broker has it and reads on, for as long as --wait says. *taken: somebody gets it.
enum pl_errc batch_send(const struct batch *b, struct broker *broker, enum broker_target target, const char *name,
                        const struct broker_message *message, bool *taken, struct pl_error *err) PL_MUST_USE;
// Locks a batch, as submitters do that enter it, for as long as --wait says. It is unlocked with the connection, or by
// broker_unlock_batch.
enum pl_errc batch_lock(const struct batch *b, struct broker *broker, const char *name,
                        struct pl_error *err) PL_MUST_USE;
int batch_fail(const char *message);

#endif
