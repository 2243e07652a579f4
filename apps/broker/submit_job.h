// A document as a job for `platen work`.
#ifndef BROKER_SUBMIT_JOB_H
#define BROKER_SUBMIT_JOB_H

#include "account.h"
#include "base/fmt.h"
#include "base/limits.h"
#include "broker.h"
#include "cli/row_source.h"
#include "group.h"

#define SUBMIT_JOB_MAX PL_MIB(PL_LIMIT_INPUT_MIB) // bytes of its label code

struct submit_job {
    const char *batch;
    const struct row_document *document;
    struct account_mark mark;
    uint64_t sequence; // its place in the batch
    int64_t time;      // the clock of the batch
    bool for_pdf;      // parts of a PDF that the collector makes
};

// Room for the texts of a message.
#define CONTROL_TEXT_MAX 32
struct submit_texts {
    char values[CONTROL_COUNT][CONTROL_TEXT_MAX];
    char sequence[24], mark[ACCOUNT_PROVEN_SIZE];
};

// Why the document cannot be a job; NULL: it can.
const char *submit_job_refusal(const struct row_document *document);
// The message lives as long as `room` and the document do.
void submit_job_message(const struct submit_job *job, struct submit_texts *room, struct broker_message *out);
// Do two messages differ in nothing but their rows?
bool submit_job_is_alike(const struct broker_message *a, const struct broker_message *b);
// Of what decides how the labels look: two rows of the same id and another hash are not the same.
uint64_t submit_job_hash(const struct submit_job *job);

#endif
