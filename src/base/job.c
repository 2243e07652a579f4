// Deadlines and cancellation.
#include "base/job.h"

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
