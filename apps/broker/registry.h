// What the broker knows of batches: records that submitters and collectors leave in a queue, for `platen batch`. They
// are news, no account: one that is lost costs nothing but a line of `platen batch list`.
#ifndef BROKER_REGISTRY_H
#define BROKER_REGISTRY_H

#include "broker.h"

#define HEADER_HOST "x-platen-host"
#define HEADER_OUTPUT "x-platen-output"
enum registry_who { REGISTRY_SUBMITTER, REGISTRY_COLLECTOR, REGISTRY_DELETED };

#define REGISTRY_SECONDS 2u // between two records of one that is at work

struct registry_record {
    enum registry_who who;
    char batch[BROKER_BATCH_MAX + 1];
    char name[20];     // of a submitter: its number; of a collector: that of its output
    char host[80];     // and process
    char output[1024]; // of a collector
    char workers[512]; // which have sent results, and how many
    uint64_t time_s;   // when it was written
    uint64_t rows;     // of a submitter: that it has listed; of a collector: that it knows
    uint64_t sent;     // of a submitter: jobs that the broker has
    uint64_t good, failed, rate;
    bool ended; // a submitter has sent all; a collector has all
    bool cancelled;
    bool stopped; // a submitter has ended without having sent all
    uint64_t tag; // of its message
};

struct registry {
    struct registry_record *records; // the last one of each, in the order of the first
    size_t count, capacity;
};

// Writes `who`, `host` and the time, and publishes it. Only the last one, `ended` or `stopped`, is waited for: whoever
// asks then is told it.
enum pl_errc registry_tell(struct broker *broker, enum registry_who who, struct registry_record *record,
                           struct pl_error *err) PL_MUST_USE;
// Reads all, and removes those that newer ones have replaced. PL_E_DEADLINE: the broker was silent for `wait_ms` (0:
// for ever), and not all are known.
enum pl_errc registry_read(struct broker *broker, uint64_t wait_ms, struct registry *out,
                           struct pl_error *err) PL_MUST_USE;
void registry_free(struct registry *registry);
// HOST:PROCESS of this program.
void registry_own_name(char *out, size_t size);

#endif
