// `platen batch replay`: dead letters become jobs again, and results that found no batch go to it.
#include <stdio.h>
#include <string.h>

#include "account.h"
#include "base/ckd.h"
#include "batch.h"
#include "drain.h"
#include "os/random.h"
#include "work_job.h"

struct replay {
    struct batch *batch;
    struct broker *out; // what is sent goes over a connection of its own
    uint64_t moved, left;
    enum drain_end end;
    uint64_t submitter; // the last that was asked for
    bool is_there;      // its batch is
};

// The mark of the first row, which tells who has submitted all of them.
static bool mark_of(const struct broker_message *m, struct account_mark *out)
{
    struct pl_slice text, rest = m->body;
    struct group_row row;
    if (!job_is_group(m))
        return broker_header_of(m, HEADER_ROW, &text) && account_proven_read(text, out);
    bool ok = group_next(&rest, &row);
    if (ok)
        *out = row.mark;
    return ok;
}

// Is the batch there that its submitter has entered? Another one may have been made under the same name since.
static enum pl_errc find_batch(struct replay *r, const struct account_mark *mark, bool *is_there, struct pl_error *err)
{
    char token[24];
    *is_there = true;
    if (mark->proof == 0) // of a program before 1.2.0, which left no mark at the broker
        return PL_OK;
    if (r->submitter != mark->submitter) {
        snprintf(token, sizeof token, "%016llx", (unsigned long long)mark->submitter);
        PL_TRY(broker_find_mark(r->out, BROKER_MARK_ENTERED, token, &r->is_there, err));
        r->submitter = mark->submitter;
    }
    *is_there = r->is_there;
    return PL_OK;
}

static enum pl_errc look_at(struct replay *r, const struct broker_message *m, char batch[BROKER_BATCH_MAX + 1],
                            bool *is_wanted, struct pl_error *err)
{
    struct pl_slice text;
    struct account_mark mark;
    *is_wanted = false;
    if (!broker_header_of(m, HEADER_BATCH, &text) || !broker_batch_usable(text) || !mark_of(m, &mark))
        return PL_OK;
    snprintf(batch, BROKER_BATCH_MAX + 1, "%.*s", (int)text.len, (const char *)text.ptr);
    if (r->batch->client.batch && strcmp(batch, r->batch->client.batch) != 0)
        return PL_OK;
    return find_batch(r, &mark, is_wanted, err);
}

// What is left stays where it is.
static enum pl_errc settle(struct replay *r, struct drain *in, const struct broker_message *m, bool taken,
                           struct pl_error *err)
{
    uint32_t rows = 1;
    if (job_is_group(m) && !group_usable(m->body, &rows))
        rows = 1;
    r->moved += taken ? rows : 0;
    r->left += taken ? 0 : rows;
    return taken ? drain_take(in, m->tag, err) : PL_OK;
}

static enum pl_errc replay_result(void *user, struct drain *in, const struct broker_message *m, struct pl_error *err)
{
    struct replay *r = user;
    char batch[BROKER_BATCH_MAX + 1];
    struct pl_slice kind;
    bool is_wanted, taken = false;
    PL_TRY(look_at(r, m, batch, &is_wanted, err));
    // Who may write to the exchange of results has no part in the account; what this sends would have.
    if (is_wanted && !broker_header_of(m, HEADER_KIND, &kind)) {
        struct broker_message copy = *m;
        PL_TRY(batch_send(r->batch, r->out, BROKER_BATCH, batch, &copy, &taken, err));
    }
    return settle(r, in, m, taken, err);
}

// The job without what became of it.
static struct broker_message job_of(const struct broker_message *dead, const char *mark)
{
    static const char *const DROPPED[] = {HEADER_REASON, HEADER_DELIVERIES, HEADER_TRIES, HEADER_ROW};
    struct broker_message job = *dead;
    job.header_count = 0;
    for (uint32_t i = 0; i < dead->header_count; i++) {
        const struct broker_header *h = &dead->headers[i];
        bool of_broker = h->name.len > 2 && memcmp(h->name.ptr, "x-", 2) == 0 &&
                         !(h->name.len > 9 && memcmp(h->name.ptr, "x-platen-", 9) == 0);
        bool dropped = of_broker;
        for (size_t k = 0; k < PL_COUNTOF(DROPPED); k++)
            dropped = dropped || pl_slice_eq_cstr(h->name, DROPPED[k]);
        if (!dropped)
            job.headers[job.header_count++] = *h;
    }
    if (mark)
        broker_add_header(&job, HEADER_ROW, pl_slice_cstr(mark));
    return job;
}

// The row waits for a result again, by another attempt. *taken: the batch is there.
static enum pl_errc list_again(struct replay *r, const struct broker_message *dead, const char *batch,
                               char mark_text[ACCOUNT_PROVEN_SIZE], bool *taken, struct pl_error *err)
{
    struct pl_slice text;
    struct account_mark mark;
    char line[ACCOUNT_PROVEN_SIZE + PL_ID_MAX + 3];
    *taken = false;
    if (!pl_id_usable(dead->id) || !broker_header_of(dead, HEADER_ROW, &text) || !account_proven_read(text, &mark))
        return PL_OK;
    if (!pl_random(&mark.attempt, sizeof mark.attempt))
        return pl_fail(err, PL_E_BUG, "no random numbers");
    account_proven_write(&mark, mark_text);
    int len = snprintf(line, sizeof line, "%.*s\t%.*s\t%016llx\n", ACCOUNT_MARK_SIZE - 1, mark_text, (int)dead->id.len,
                       (const char *)dead->id.ptr, (unsigned long long)mark.proof);
    struct broker_message m = {
        .id = pl_slice_cstr(KIND_AGAIN), .type = pl_slice_cstr("text/plain"), .body = pl_slice_make(line, (size_t)len)};
    broker_add_header(&m, HEADER_KIND, pl_slice_cstr(KIND_AGAIN));
    broker_add_header(&m, HEADER_BATCH, pl_slice_cstr(batch));
    return batch_send(r->batch, r->out, BROKER_BATCH, batch, &m, taken, err);
}

static enum pl_errc replay_row(struct replay *r, const struct broker_message *dead, const char *batch, bool *taken,
                               struct pl_error *err)
{
    char mark[ACCOUNT_PROVEN_SIZE];
    struct account_mark own;
    // `platen collect --delete` deletes it before or not at all. It may have done so since it was looked for, and
    // others may have made one of its name.
    PL_TRY(batch_lock(r->batch, r->out, batch, err));
    r->submitter = 0;
    *taken = mark_of(dead, &own);
    if (*taken)
        PL_TRY(find_batch(r, &own, taken, err));
    if (*taken)
        PL_TRY(list_again(r, dead, batch, mark, taken, err));
    PL_TRY(broker_unlock_batch(r->out, batch, err));
    if (!*taken)
        return PL_OK;
    struct broker_message job = job_of(dead, mark);
    return batch_send(r->batch, r->out, BROKER_JOBS, NULL, &job, taken, err);
}

// A group that the broker itself has given up: each of its rows is a job of its own.
static enum pl_errc replay_group(struct replay *r, const struct broker_message *dead, const char *batch, bool *taken,
                                 struct pl_error *err)
{
    struct pl_slice rest = dead->body;
    struct group_row row;
    *taken = true;
    while (rest.len > 0 && *taken) {
        struct job_texts room;
        struct broker_message single;
        *taken = group_next(&rest, &row);
        if (!*taken)
            return PL_OK;
        job_single(dead, &row, &room, &single);
        PL_TRY(replay_row(r, &single, batch, taken, err));
    }
    return PL_OK;
}

static enum pl_errc replay_job(void *user, struct drain *in, const struct broker_message *m, struct pl_error *err)
{
    struct replay *r = user;
    char batch[BROKER_BATCH_MAX + 1];
    bool is_wanted, taken = false;
    PL_TRY(look_at(r, m, batch, &is_wanted, err));
    if (is_wanted)
        PL_TRY((job_is_group(m) ? replay_group : replay_row)(r, m, batch, &taken, err));
    return settle(r, in, m, taken, err);
}

static bool replay_queue(struct batch *b, const char *what, drain_visit *visit, struct replay *r)
{
    struct pl_error err = {0};
    struct drain d = {.what = what, .wait_ms = b->client.wait_ms, .most = b->most};
    *r = (struct replay){.batch = b};
    if (!client_connect(&b->client))
        return false;
    r->out = b->client.broker;
    b->client.broker = NULL;
    enum pl_errc code = PL_E_IO;
    if (client_connect(&b->client)) {
        d.broker = b->client.broker;
        code = drain_queue(&d, visit, r, &r->end, &err);
    }
    broker_close(&r->out);
    broker_close(&b->client.broker); // what was not taken is in its place again
    if (code != PL_OK)
        (void)batch_fail(err.message);
    else if (r->end == DRAIN_SILENT)
        fprintf(stderr, "platen batch: the broker did not deliver all of the queue: run it again\n");
    else if (r->end == DRAIN_FULL)
        fprintf(stderr, "platen batch: %u messages at the front of the queue are left: those behind were not read\n",
                d.held);
    return code == PL_OK;
}

int batch_replay(struct batch *b)
{
    struct replay dead, unrouted;
    if (!replay_queue(b, BROKER_OF_DEAD, replay_job, &dead) ||
        !replay_queue(b, BROKER_OF_UNROUTED, replay_result, &unrouted))
        return 1;
    printf("%llu dead letters are jobs again, %llu are left; %llu results went to their batches, %llu are left\n",
           (unsigned long long)dead.moved, (unsigned long long)dead.left, (unsigned long long)unrouted.moved,
           (unsigned long long)unrouted.left);
    if (dead.moved + unrouted.moved > 0)
        printf("`platen collect` with the same output as before takes their results\n");
    return dead.end != DRAIN_WHOLE || unrouted.end != DRAIN_WHOLE;
}
