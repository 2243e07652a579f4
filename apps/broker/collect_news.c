// What a collector tells of its batch.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "base/hash.h"
#include "collect.h"
#include "os/clock.h"
#include "registry.h"

void collect_count_worker(struct collect *c, struct pl_slice name)
{
    uint32_t i = 0;
    if (name.len == 0 || name.len >= sizeof c->workers[0].name)
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

static void fill(struct collect *c, struct registry_record *out)
{
    *out = (struct registry_record){.rows = c->account.count + c->account.clashes,
                                    .good = c->account.good,
                                    .failed = c->account.failed + c->account.clashes,
                                    .rate = c->rate,
                                    .ended = c->written || c->ending == ENDING_COMPLETE,
                                    .cancelled = c->account.cancelled};
    snprintf(out->batch, sizeof out->batch, "%s", c->client.batch);
    snprintf(out->name, sizeof out->name, "%016llx", (unsigned long long)pl_hash_fnv1a(pl_slice_cstr(c->output)));
    snprintf(out->output, sizeof out->output, "%s", strlen(c->output) < sizeof out->output ? c->output : "");
    for (uint32_t i = 0; i < c->worker_count; i++) {
        size_t len = strlen(out->workers), room = sizeof out->workers - len;
        int more = snprintf(out->workers + len, room, "%s%s (%llu)", i ? ", " : "", c->workers[i].name,
                            (unsigned long long)c->workers[i].results);
        if ((size_t)more >= room) {
            out->workers[len] = '\0';
            return;
        }
    }
}

// Is there a connection that takes news now? The node is the one that the results come from.
static bool can_tell(struct collect *c)
{
    struct broker_told told;
    struct pl_error err;
    uint32_t turn = c->client.turn - 1;
    enum broker_event event = BROKER_NOTHING;
    while (c->news && (event = broker_next(c->news, 0, &told, &err)) != BROKER_NOTHING && event != BROKER_GONE) {
        free(told.message.memory);
        c->news_blocked = event == BROKER_BLOCKED || (c->news_blocked && event != BROKER_UNBLOCKED);
    }
    if (event == BROKER_GONE) {
        broker_close(&c->news);
    }
    if (!c->news && c->client.broker) {
        c->news_blocked = false;
        if (broker_open(&c->client.options, &turn, &c->news, &err) != PL_OK)
            c->news = NULL;
    }
    return c->news && !c->news_blocked;
}

void collect_tell(struct collect *c, bool now)
{
    struct registry_record record;
    struct pl_error err;
    uint64_t time_ns = pl_now_ns(), ended = c->account.good + c->account.failed, since_ns = time_ns - c->told_ns;
    if (!now && c->told_ns > 0 && since_ns < REGISTRY_SECONDS * UINT64_C(1000000000))
        return;
    if (c->told_ns > 0 && !now)
        c->rate = (ended - PL_MIN(c->told_ended, ended)) * 1000 / PL_MAX(since_ns / 1000000, UINT64_C(1));
    c->told_ns = time_ns;
    c->told_ended = ended;
    if (!can_tell(c))
        return;
    fill(c, &record);
    if (registry_tell(c->news, REGISTRY_COLLECTOR, &record, &err) != PL_OK) {
        broker_close(&c->news);
    }
}
