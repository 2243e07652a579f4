// What a collector tells of its batch.
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "base/hash.h"
#include "collect.h"
#include "os/clock.h"
#include "registry.h"
#include "work_job.h"

void collect_count_worker(struct collect *c, const struct broker_message *result)
{
    struct pl_slice name;
    uint32_t i = 0;
    if (!broker_header_of(result, HEADER_WORKER, &name) || name.len >= sizeof c->workers[0].name)
        return;
    while (i < c->worker_count && !pl_slice_eq_cstr(name, c->workers[i].name))
        i++;
    if (i == COLLECT_WORKERS)
        return;
    if (i == c->worker_count) {
        memcpy(c->workers[i].name, name.ptr, name.len);
        c->worker_count++;
    }
    c->workers[i].results++;
}

enum pl_errc collect_tell(struct collect *c, bool now, struct pl_error *err)
{
    uint64_t time_ns = pl_now_ns(), ended = c->account.good + c->account.failed, since_ns = time_ns - c->told_ns;
    if (!c->client.broker || (!now && c->told_ns > 0 && since_ns < REGISTRY_SECONDS * UINT64_C(1000000000)))
        return PL_OK;
    if (c->told_ns > 0 && since_ns > 0 && !now)
        c->rate = (ended - PL_MIN(c->told_ended, ended)) * 1000 / PL_MAX(since_ns / 1000000, UINT64_C(1));
    c->told_ns = time_ns;
    c->told_ended = ended;
    struct registry_record record = {.rows = c->account.count + c->account.clashes,
                                     .good = c->account.good,
                                     .failed = c->account.failed + c->account.clashes,
                                     .rate = c->rate,
                                     .ended = c->done,
                                     .cancelled = c->account.cancelled};
    snprintf(record.batch, sizeof record.batch, "%s", c->client.batch);
    snprintf(record.name, sizeof record.name, "%016llx", (unsigned long long)pl_hash_fnv1a(pl_slice_cstr(c->output)));
    snprintf(record.output, sizeof record.output, "%s", strlen(c->output) < sizeof record.output ? c->output : "");
    for (uint32_t i = 0; i < c->worker_count; i++) {
        size_t len = strlen(record.workers);
        int more = snprintf(record.workers + len, sizeof record.workers - len, "%s%s (%llu)", i ? ", " : "",
                            c->workers[i].name, (unsigned long long)c->workers[i].results);
        if ((size_t)more >= sizeof record.workers - len) {
            record.workers[len] = '\0';
            break;
        }
    }
    return registry_tell(c->client.broker, REGISTRY_COLLECTOR, &record, err);
}
