// From the body of a request to the body of its answer.
#ifndef GRAIN_BATCH_H
#define GRAIN_BATCH_H

#include "base/job.h"
#include "grain/calc.h"

// Enough for the longest answers to GRAIN_BATCH_MAX calculations.
#define GRAIN_ANSWER_MAX ((size_t)32 << 20)

struct grain_tally {
    bool batch;    // the text was an array
    size_t items;  // calculations asked for
    size_t errors; // of them refused
};

// Answers one object with one object, an array with an array in the same order. Fails with PL_E_INVALID when the text
// is not JSON, PL_E_LIMIT for too many items, or as the job does.
enum pl_errc grain_answer_json(struct pl_slice text, const struct pl_job *job, struct pl_buf *out,
                               struct grain_tally *tally, struct pl_error *err) PL_MUST_USE;

#endif
