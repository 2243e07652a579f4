// Gathering the results of a batch until it is complete: waiting for it, reading its queue, and looking for its end.
#include <stdio.h>
#include <stdlib.h>

#include "collect.h"
#include "failures.h"
#include "os/clock.h"
#include "os/random.h"
#include "registry.h"
#include "work_job.h"

#define PREFETCH 500u
#define GROUP 250u        // messages that go to the disk together
#define GROUP_ROWS 20000u // and results in them
#define GROUP_NS UINT64_C(1000000000)
#define GROUP_LINES ((size_t)4 << 20)
#define ABSENT_MS 500u                 // between two looks for a batch that is not there
#define ABSENT_LOOKS 6u                // for one that was there: so long its submitter has to make it again
#define FENCE_NS UINT64_C(10000000000) // another collector may have taken it: it is sent again
#define EMPTY_NS UINT64_C(3000000000)  // without a row: then a fence tells whether the queue has any
#define FENCE_EXPIRES_MS 30000u        // who gets it knows that its sender was there a moment ago

enum pl_errc collect_write_failures(struct collect *c, struct pl_error *err)
{
    char path[4200], kind[160];
    snprintf(path, sizeof path, "%s.failed.csv", c->output);
    snprintf(kind, sizeof kind, COLLECT_KIND "%s", c->client.batch);
    return failures_write(&c->account, c->journal_path, kind, c->folder, path, &c->listed, err);
}

enum pl_errc collect_prepare_for_lock(struct collect *c, struct pl_error *err)
{
    PL_TRY(collect_finish_group(c, err));
    if (collect_write_failures(c, err) != PL_OK)
        return err->code = PL_E_BUG; // another connection does not help
    c->written = true;
    collect_tell(c, true);
    return PL_OK;
}

static enum pl_errc send_fence(struct collect *c, bool is_new, struct pl_error *err)
{
    uint64_t chance, number;
    if (!pl_random(&chance, sizeof chance))
        return pl_fail(err, PL_E_BUG, "no random numbers");
    if (is_new)
        snprintf(c->fence, sizeof c->fence, "%016llx", (unsigned long long)chance);
    struct broker_message m = {.id = pl_slice_cstr(c->fence),
                               .type = pl_slice_cstr("text/plain"),
                               .body = pl_slice_cstr(""),
                               .expires_ms = FENCE_EXPIRES_MS};
    char host[80];
    registry_own_name(host, sizeof host);
    broker_add_header(&m, HEADER_KIND, pl_slice_cstr(KIND_FENCE));
    if (c->ending != ENDING_ASKING) { // others are told that it has all
        broker_add_header(&m, HEADER_HOST, pl_slice_cstr(host));
        broker_add_header(&m, HEADER_OUTPUT, pl_slice_cstr(c->output));
    }
    return broker_publish(c->client.broker, BROKER_BATCH, c->client.batch, &m, &number, err);
}

static void tell_of_emptiness(struct collect *c)
{
    fprintf(stderr,
            "platen collect: batch %s has no rows for this collector: another one has taken them, or its submitter "
            "has not begun; waiting\n",
            c->client.batch);
    c->told_of_emptiness = true;
}

// Does what the step to the next state needs.
static enum pl_errc step_to(struct collect *c, enum ending next, bool late, struct pl_error *err)
{
    enum ending before = c->ending;
    c->ending = next;
    if (next != before || late)
        c->ending_ns = pl_now_ns();
    if (before == ENDING_LOCKED && next == ENDING_OPEN)
        return broker_unlock_batch(c->client.broker, c->client.batch, err);
    if (ending_has_fence(next) && (next != before || late))
        return send_fence(c, next != before, err);
    return next == ENDING_LOCKING && !c->written ? collect_prepare_for_lock(c, err) : PL_OK;
}

// Is the batch complete?
static enum pl_errc look_for_end(struct collect *c, struct pl_error *err)
{
    bool empty = c->account.submitter_count == 0;
    struct ending_view view = {.settled = account_is_settled(&c->account),
                               .asks = empty && !c->told_of_emptiness,
                               .came = c->fence_came,
                               .late = pl_now_ns() - c->ending_ns >= (c->ending == ENDING_OPEN ? EMPTY_NS : FENCE_NS),
                               .deletes = c->deletes && (!c->packs || c->packed),
                               .written = c->written};
    c->fence_came = false;
    if (c->ending == ENDING_LOCKING && view.settled && view.written)
        PL_TRY(broker_lock_batch(c->client.broker, c->client.batch, &view.locked, err));
    enum ending next = ending_next(c->ending, &view);
    if (c->ending == ENDING_ASKING && view.came && empty && !view.settled)
        tell_of_emptiness(c);
    return step_to(c, next, view.late, err);
}

uint64_t collect_open_submitters(const struct collect *c)
{
    uint64_t count = 0;
    for (size_t i = 0; i < c->account.submitter_count; i++)
        count += !c->account.submitters[i].closed;
    return count;
}

// Waits until the batch is there. One that is complete and is not there was deleted by this collector. One that was
// deleted under it comes back only if it has a submitter that has not ended.
static enum pl_errc wait_for_batch(struct collect *c, struct pl_error *err)
{
    for (uint32_t looks = 0; !c->client.batch_is_there; looks++) {
        if (account_is_settled(&c->account)) {
            c->ending = ENDING_COMPLETE;
            return PL_OK;
        }
        if (c->was_connected && looks >= ABSENT_LOOKS && collect_open_submitters(c) == 0)
            return pl_fail(err, PL_E_INVALID, "batch %s was deleted while it was collected", c->client.batch);
        if (!c->told_of_absence)
            fprintf(stderr, "platen collect: there is no batch %s at %s: waiting for its submitter\n", c->client.batch,
                    broker_place(c->client.broker));
        c->told_of_absence = true;
        if (client_gives_up(&c->client))
            return pl_fail(err, PL_E_DEADLINE, "gave up: there is no batch %s", c->client.batch);
        client_rest(ABSENT_MS);
        PL_TRY(client_find_batch(&c->client, err));
    }
    return PL_OK;
}

static void tell_of_others(struct collect *c)
{
    if (c->client.other_collectors > 0 && !c->told_of_others) {
        // The broker may not have noticed yet that a connection of this one is over.
        fprintf(
            stderr,
            c->was_connected
                ? "platen collect: batch %s still has a collector, perhaps this one's lost connection: results come "
                  "when the broker has noticed its end\n"
                : "platen collect: another collector is at work on batch %s: it gets all results, and this one waits "
                  "until it has ended\n",
            c->client.batch);
        c->told_of_others = true;
    }
    c->was_connected = true;
}

static enum pl_errc listen_to(struct collect *c, struct pl_error *err)
{
    struct broker_told told;
    enum broker_event event = broker_next(c->client.broker, 100, &told, err);
    if (event == BROKER_GONE)
        return err->code;
    enum pl_errc code = event == BROKER_DELIVERY ? collect_take(c, &told.message, err) : PL_OK;
    free(told.message.memory);
    collect_tell(c, false);
    return code;
}

static enum pl_errc gather(struct collect *c, struct pl_error *err)
{
    uint32_t consumer;
    c->fence[0] = '\0';
    c->fence_came = false; // fence and lock were of the last connection
    c->ending = ENDING_OPEN;
    c->ending_ns = pl_now_ns();
    PL_TRY(wait_for_batch(c, err));
    if (c->ending == ENDING_COMPLETE)
        return PL_OK;
    tell_of_others(c);
    // Where the exchange was deleted and made again, the queue has to be bound again.
    PL_TRY(broker_bind_batch(c->client.broker, c->client.batch, err));
    PL_TRY(broker_consume(c->client.broker, BROKER_OF_BATCH, c->client.batch, PREFETCH, &consumer, err));
    while (c->ending != ENDING_COMPLETE || c->group > 0) {
        PL_TRY(look_for_end(c, err));
        if (c->ending != ENDING_COMPLETE) // what comes behind the end stays in the queue
            PL_TRY(listen_to(c, err));
        if (c->group >= GROUP || c->group_rows >= GROUP_ROWS || c->ending == ENDING_COMPLETE ||
            c->lines.len > GROUP_LINES || (c->group > 0 && pl_now_ns() - c->group_began_ns > GROUP_NS))
            PL_TRY(collect_finish_group(c, err));
        uint64_t ended = c->account.good + c->account.failed;
        progress_tell(&c->bar, c->account.count ? (double)ended / (double)c->account.count : -1, (size_t)ended,
                      (size_t)c->account.failed);
        if (client_gives_up(&c->client))
            return pl_fail(err, PL_E_DEADLINE, "gave up: nothing came for as long as --wait says");
    }
    return PL_OK;
}

bool collect_gather(struct collect *c)
{
    struct pl_error err = {0};
    for (;;) {
        if (!client_connect(&c->client))
            return false;
        enum pl_errc code = gather(c, &err);
        if (code == PL_OK)
            return true;
        // Another try would end in the same way.
        if (code == PL_E_BUG || code == PL_E_DEADLINE || code == PL_E_MEMORY || code == PL_E_INVALID) {
            fprintf(stderr, "platen collect: %s\n", err.message);
            return false;
        }
        client_lost(&c->client, &err);
        // What is written stays; it will come again and be known.
        if (collect_finish_group(c, &err) != PL_OK) {
            fprintf(stderr, "platen collect: %s\n", err.message);
            return false;
        }
    }
}
