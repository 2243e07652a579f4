// A job of the queue: from its message to its result, by a renderer.
#ifndef BROKER_WORK_JOB_H
#define BROKER_WORK_JOB_H

#include "broker.h"
#include "group.h"
#include "renderer/renderer_link.h"
#include "request/controls.h"
#include "request/problem.h"

// Headers of jobs and results. Controls are headers under their own names.
#define HEADER_BATCH "x-platen-batch"
#define HEADER_SEQUENCE "x-platen-sequence" // the document's number in its batch
#define HEADER_ROW "x-platen-row"           // struct account_mark with its proof, of a job and its result
#define HEADER_GROUP "x-platen-group"       // of jobs or results: how many rows are in the message
#define HEADER_KIND "x-platen-kind"         // of a message to a collector that is no result: KIND_...
#define HEADER_SUBMITTER "x-platen-submitter"
#define HEADER_SECRET "x-platen-secret" // of a submitter to its collector: account_secret_read
#define HEADER_COUNT "x-platen-count"   // of KIND_CLOSED: the rows that its submitter has listed
#define KIND_ROWS "rows"                // a submitter begins or continues; a line for each row: mark, tab, id
#define KIND_CLOSED "closed"            // a submitter has sent all
#define KIND_AGAIN "again"              // rows as of KIND_ROWS that are done once more: mark, tab, id, tab, proof
#define KIND_CANCELLED "cancelled"      // nobody waits for what is not done; a line for each submitter
#define KIND_FENCE "fence"              // a reader's own: what was sent before it has come
#define HEADER_TIME "x-platen-time"     // when it was written, in seconds
#define HEADER_WORKER "x-platen-worker" // of a result: who has drawn it
#define HEADER_OK "x-platen-ok"         // of a result: true or false
#define HEADER_LABELS "x-platen-labels"
#define HEADER_PAGES "x-platen-pages"
#define HEADER_ENDING "x-platen-ending" // of the files: png, pdf, ...; of several in a ZIP, too
#define HEADER_PARTS "x-platen-parts"   // true: a ZIP of what a PDF needs of each label, for a collector's PDF
#define HEADER_REASON "x-platen-reason" // of a dead letter
#define HEADER_DELIVERIES "x-platen-deliveries"
#define HEADER_TRIES "x-platen-tries" // of a job that is tried again: how often it was tried
#define HEADER_PIECE "x-platen-piece" // of a result in several messages: its name, where this one begins, size of all
#define DELIVERY_COUNT "x-delivery-count" // the broker's: deliveries before this one

#define WORK_NO_BATCH "none" // the batch of jobs that name none

#define WORK_RESULT_MAX ((size_t)100 << 20) // the broker's own limit is 128 MiB

struct work_result {
    bool failed;  // `problem` says why, and `body` is it as JSON
    bool again;   // it may be better another time: a renderer ended, or there was no time
    bool died;    // a renderer ended
    bool starved; // no renderer could be had
    bool strange; // of a row that nobody who has the workers' key has sent
    struct problem problem;
    struct pl_buf body;
    const char *type;   // media type of the body
    const char *ending; // of the files in it
    uint32_t labels, pages;
    // Of a group: `body` has the results of `rows` rows, of which `errors` failed.
    uint32_t rows, errors;
    size_t next; // in the group's body: behind the rows that are done. `again` is about the row there
    bool splits; // the rest is too slow or too large for a group
};

// Is it a message of several rows?
bool job_is_group(const struct broker_message *job);
// A row of a group as a job of its own. It lives as long as both and `room`.
struct job_texts {
    char sequence[24], mark[ACCOUNT_PROVEN_SIZE];
};
void job_single(const struct broker_message *group, const struct group_row *row, struct job_texts *room,
                struct broker_message *out);

// Is its result a ZIP of parts (HEADER_PARTS)?
bool job_wants_parts(const struct broker_message *job);

void work_result_init(struct work_result *result);
void work_result_free(struct work_result *result);
void work_result_fail(struct work_result *result, const struct problem *problem);
// What a job asks for beside its label code; all rows of a group ask for the same.
struct work_request {
    struct controls controls;
    uint64_t client;        // its batch
    bool parts;             // of a PDF that a collector makes
    struct problem problem; // why it cannot be; status 0: it can
};
void work_request_read(const struct broker_message *job, struct work_request *out);
// `number` is another one for each job; `timeout_ms` is the job's time.
void work_render(struct renderer_link *link, const struct work_request *request, struct pl_slice zpl, uint64_t number,
                 uint64_t timeout_ms, struct work_result *out);

#endif
