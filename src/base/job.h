// A job's right to go on: deadline and cancellation, checked by every stage between fields and inside long loops.
#ifndef PL_BASE_JOB_H
#define PL_BASE_JOB_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/err.h"
#include "os/clock.h"

struct pl_job {
    const atomic_bool *cancelled; // may be NULL
    uint64_t deadline_ns;         // as pl_now_ns counts; 0: none
};

// PL_OK, PL_E_CANCELLED or PL_E_DEADLINE. `job` may be NULL.
enum pl_errc pl_job_check(const struct pl_job *job, struct pl_error *err) PL_MUST_USE;

// The same for loops of small steps: every 64th call looks. `since` counts the others.
static inline enum pl_errc pl_job_check_often(const struct pl_job *job, uint32_t *since, struct pl_error *err)
{
    if (++*since < 64)
        return PL_OK;
    *since = 0;
    return pl_job_check(job, err);
}

#endif
