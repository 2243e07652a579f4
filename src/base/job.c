// Deadlines and cancellation.
#include "base/job.h"

#include <time.h>

uint64_t pl_now_ns(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

enum pl_errc pl_job_check(const struct pl_job *job, struct pl_error *err)
{
    if (!job)
        return PL_OK;
    if (job->cancelled && atomic_load_explicit(job->cancelled, memory_order_relaxed))
        return pl_fail(err, PL_E_CANCELLED, "the work was cancelled");
    if (job->deadline_ns != 0 && pl_now_ns() > job->deadline_ns)
        return pl_fail(err, PL_E_DEADLINE, "the work took longer than its time limit");
    return PL_OK;
}
