// A submitter's part of the batch's account: rows are listed before their jobs are sent.
#include <stdio.h>

#include "entry.h"
#include "os/clock.h"
#include "registry.h"
#include "submit.h"
#include "work_job.h"

#define LOCK_SILENT_TRIES 20u // until it is said

// Until the broker has it, and reads on: it would not answer what it is asked next, however long that takes.
static enum pl_errc wait_for_account(struct submit *s, struct pl_error *err)
{
    while (s->account > 0 || s->blocked) {
        PL_TRY(submit_listen(s, 200, err));
        if (client_gives_up(&s->client))
            return pl_fail(err, PL_E_DEADLINE, SUBMIT_GAVE_UP);
    }
    if (s->account_rejected)
        return pl_fail(err, PL_E_IO, "%s does not take the account of the batch now", broker_place(s->client.broker));
    return PL_OK;
}

// Tells the collector, and waits until the broker has it.
static enum pl_errc tell_collector(struct submit *s, const char *kind, struct pl_slice body, struct pl_error *err)
{
    char count[24], token[24];
    struct broker_message m = {.id = pl_slice_cstr(kind), .type = pl_slice_cstr("text/plain"), .body = body};
    snprintf(count, sizeof count, "%zu", s->known.count);
    snprintf(token, sizeof token, "%016llx", (unsigned long long)s->token);
    broker_add_header(&m, HEADER_KIND, pl_slice_cstr(kind));
    broker_add_header(&m, HEADER_BATCH, pl_slice_cstr(s->client.batch));
    broker_add_header(&m, HEADER_SUBMITTER, pl_slice_cstr(token));
    broker_add_header(&m, HEADER_COUNT, pl_slice_cstr(count));
    if (s->secret[0])
        broker_add_header(&m, HEADER_SECRET, pl_slice_cstr(s->secret));
    if (s->for_pdf)
        broker_add_header(&m, HEADER_PARTS, pl_slice_cstr("true"));
    s->account_rejected = s->closed = false; // the account waits for the end from now on
    PL_TRY(broker_publish(s->client.broker, BROKER_BATCH, s->client.batch, &m, &s->account, err));
    return wait_for_account(s, err);
}

static void put_row(const struct submit *s, uint64_t hash, struct pl_slice id, struct pl_buf *out)
{
    char mark[ACCOUNT_MARK_SIZE];
    account_mark_write(&(struct account_mark){s->token, hash, s->attempt, 0}, mark);
    pl_buf_printf(out, "%s\t%.*s\n", mark, (int)id.len, (const char *)id.ptr);
}

void submit_note_refusal(struct submit *s, struct pl_slice id, const char *why)
{
    char mark[ACCOUNT_MARK_SIZE], row[40], reason[300];
    // Without an id of its own it is named by its place.
    bool has_id = pl_id_usable(id) && !pl_id_set_has(&s->known, id);
    if (!has_id)
        id = pl_slice_make(row, (size_t)snprintf(row, sizeof row, "row %llu", (unsigned long long)s->source.row));
    (void)pl_id_set_add(&s->known, id);
    snprintf(reason, sizeof reason, "%s", why);
    for (char *c = reason; *c; c++)
        *c = *c == '\t' || *c == '\n' || *c == '\r' ? ' ' : *c;
    account_mark_write(&(struct account_mark){s->token, ACCOUNT_REFUSED, s->attempt, 0}, mark);
    pl_buf_printf(&s->refusals, "%s\t%.*s\t%s\n", mark, (int)id.len, (const char *)id.ptr, reason);
}

static enum pl_errc check_cancelled(const struct submit *s, struct pl_error *err)
{
    return s->cancelled.is_so ? pl_fail(err, PL_E_INVALID,
                                        "batch %s was cancelled: to send its rows again, remove %s and name another "
                                        "batch",
                                        s->client.batch, s->journal_path)
                              : PL_OK;
}

// Waits for the answer: a journal of a batch that was cancelled is of no use.
static enum pl_errc ask_at_first(struct submit *s, struct pl_error *err)
{
    do {
        PL_TRY(cancelled_ask(&s->cancelled, s->client.broker, err));
        PL_TRY(submit_listen(s, 200, err));
        if (client_gives_up(&s->client))
            return pl_fail(err, PL_E_DEADLINE, SUBMIT_GAVE_UP);
    } while (s->cancelled.number > 0);
    return check_cancelled(s, err);
}

// A record, if it is time for one, or `now`.
static enum pl_errc tell_registry(struct submit *s, bool now, struct pl_error *err)
{
    uint64_t time_ns = pl_now_ns();
    if (!now && time_ns - s->told_ns < REGISTRY_SECONDS * UINT64_C(1000000000))
        return PL_OK;
    s->told_ns = time_ns;
    struct registry_record record = {.rows = s->known.count,
                                     .sent = s->confirmed + s->skipped,
                                     .failed = s->refused,
                                     .ended = s->closed,
                                     .stopped = s->stopped};
    snprintf(record.batch, sizeof record.batch, "%s", s->client.batch);
    snprintf(record.name, sizeof record.name, "%016llx", (unsigned long long)s->token);
    return registry_tell(s->client.broker, REGISTRY_SUBMITTER, &record, err);
}

static enum pl_errc ask_and_tell(struct submit *s, struct pl_error *err)
{
    PL_TRY(cancelled_ask(&s->cancelled, s->client.broker, err));
    PL_TRY(check_cancelled(s, err));
    return tell_registry(s, false, err);
}

enum pl_errc submit_list_window(struct submit *s, struct pl_error *err)
{
    struct pl_buf body;
    PL_TRY(ask_and_tell(s, err));
    pl_buf_init(&body, SIZE_MAX / 2);
    pl_buf_append_slice(&body, pl_buf_slice(&s->refusals));
    for (uint32_t i = 0; i < SUBMIT_WINDOW; i++) {
        if (s->window[i].used && !s->window[i].listed)
            put_row(s, s->window[i].hash, pl_buf_slice(&s->window[i].document.id), &body);
    }
    enum pl_errc code = body.failed || s->refusals.failed ? pl_fail_memory(err) : PL_OK;
    if (code == PL_OK && body.len > 0)
        code = tell_collector(s, KIND_ROWS, pl_buf_slice(&body), err);
    for (uint32_t i = 0; i < SUBMIT_WINDOW && code == PL_OK; i++)
        s->window[i].listed = true;
    if (code == PL_OK)
        pl_buf_clear(&s->refusals);
    pl_buf_fini(&body);
    return code;
}

struct listing {
    struct submit *submit;
    struct pl_buf body;
    enum pl_errc code;
    struct pl_error *err;
};

static void list_line(void *user, struct pl_slice line)
{
    struct listing *l = user;
    struct account_mark mark;
    struct pl_slice id;
    if (l->code != PL_OK || !row_line_read(line, &mark.hash, &id))
        return;
    put_row(l->submit, mark.hash, id, &l->body);
    if (l->body.len > SUBMIT_LIST_BYTES) {
        l->code = tell_collector(l->submit, KIND_ROWS, pl_buf_slice(&l->body), l->err);
        pl_buf_clear(&l->body);
    }
}

// The batch's queue was deleted, and the account with it: all rows of the journal are listed again.
static enum pl_errc list_again(struct submit *s, struct pl_error *err)
{
    struct listing l = {.submit = s, .err = err};
    char kind[160];
    snprintf(kind, sizeof kind, SUBMIT_JOURNAL "%s", s->client.batch);
    for (uint32_t i = 0; i < SUBMIT_WINDOW; i++)
        s->window[i].listed = false;
    submit_sync_journal(s, true);
    pl_buf_init(&l.body, SIZE_MAX / 2);
    enum pl_errc code =
        journal_read(s->journal_path, kind, &(struct journal_reader){.line = list_line, .user = &l}, err);
    if (code == PL_OK)
        code = l.body.failed ? pl_fail_memory(err) : l.code;
    if (code == PL_OK) // also without a row: the batch is open from now on
        code = tell_collector(s, KIND_ROWS, pl_buf_slice(&l.body), err);
    pl_buf_fini(&l.body);
    return code;
}

// ---- entering

// The account has its rows, and waits for its end once more. Where none is listed the journal's end stays true.
static enum pl_errc open_again(struct submit *s, struct pl_error *err)
{
    bool closed = s->closed;
    enum pl_errc code = tell_collector(s, KIND_ROWS, pl_slice_cstr(""), err);
    s->closed = closed;
    return code;
}

static enum pl_errc lock_batch(struct submit *s, struct pl_error *err)
{
    bool locked = false;
    for (uint32_t tries = 0;; tries++) {
        PL_TRY(broker_lock_batch(s->client.broker, s->client.batch, &locked, err));
        if (locked)
            return PL_OK;
        if (tries == LOCK_SILENT_TRIES)
            fprintf(stderr, "platen submit: another program is making or deleting batch %s: waiting\n",
                    s->client.batch);
        if (client_gives_up(&s->client))
            return pl_fail(err, PL_E_DEADLINE, SUBMIT_GAVE_UP);
        PL_TRY(submit_listen(s, BROKER_LOCK_TRY_MS, err));
    }
}

static enum pl_errc refuse_entry(const struct submit *s, enum entry_verdict verdict, struct pl_error *err)
{
    return pl_fail(err, PL_E_INVALID,
                   verdict == ENTRY_GONE      ? "batch %s was collected and deleted, or has expired: name another one, "
                                                "or remove %s to send all again"
                   : verdict == ENTRY_ANOTHER ? "batch %s is another one than that of %s, which was collected and "
                                                "deleted, or has expired: name another batch, or remove that file and "
                                                "add to it with --join"
                                              : "batch %s is there already, and %s knows nothing of it: --join adds to "
                                                "it, or name another batch",
                   s->client.batch, s->journal_path);
}

struct batch_kinds {
    bool pdf, files; // who has entered the batch wants its results for this
};

static enum pl_errc find_kinds(const struct submit *s, struct batch_kinds *out, struct pl_error *err)
{
    PL_TRY(broker_find_mark(s->client.broker, BROKER_MARK_PDF, s->client.batch, &out->pdf, err));
    return broker_find_mark(s->client.broker, BROKER_MARK_FILES, s->client.batch, &out->files, err);
}

static enum pl_errc check_kind(const struct submit *s, const struct batch_kinds *kinds, struct pl_error *err)
{
    if (s->for_pdf ? !kinds->files : !kinds->pdf)
        return PL_OK;
    return pl_fail(err, PL_E_INVALID,
                   s->for_pdf ? "batch %s was begun without --for-pdf: leave it out, or name another batch"
                              : "batch %s was begun with --for-pdf: add it, or name another batch",
                   s->client.batch);
}

static void note_making(struct submit *s)
{
    if (!s->making && !s->marked) {
        journal_add(&s->journal, SUBMIT_MAKING "\n");
        submit_sync_journal(s, true);
    }
    s->making = true;
}

static enum pl_errc look(struct submit *s, const char *token, struct entry *e, enum entry_verdict *verdict,
                         struct pl_error *err)
{
    struct batch_kinds kinds = {0};
    *e = (struct entry){.begun = s->begun,
                        .marked = s->marked,
                        .making = s->making,
                        .was_sent = !s->entered && s->sent.count > 0 && !s->missing && !s->again,
                        .entered = s->entered,
                        .ended = s->told && !s->output, // or this program is to collect it
                        .joins = s->joins,
                        .missing = s->missing != NULL};
    PL_TRY(client_find_batch(&s->client, err));
    e->there = s->client.batch_is_there;
    PL_TRY(broker_find_mark(s->client.broker, BROKER_MARK_ENTERED, token, &e->has_mark, err));
    if (e->there)
        PL_TRY(find_kinds(s, &kinds, err));
    e->has_kind = kinds.pdf || kinds.files;
    *verdict = entry_judge(e);
    if (*verdict == ENTRY_OVER)
        return PL_OK;
    return entry_next(ENTRY_LOOK, e, *verdict) == ENTRY_REFUSED ? refuse_entry(s, *verdict, err)
                                                                : check_kind(s, &kinds, err);
}

static void note_entered(struct submit *s)
{
    if (!s->entered) {
        if (!s->marked)
            journal_add(&s->journal, SUBMIT_MARKED "\n");
        s->marked = true;
        submit_runs_begin(&s->runs, &s->journal);
        submit_sync_journal(s, true);
        s->entered = true;
    }
    s->making = false;
}

static enum pl_errc note_end(struct submit *s, struct pl_error *err)
{
    s->closed = true;
    journal_add(&s->journal, SUBMIT_CLOSED "\n");
    submit_sync_journal(s, true);
    return tell_registry(s, true, err);
}

enum pl_errc submit_enter(struct submit *s, struct pl_error *err)
{
    struct broker *broker = s->client.broker;
    const char *batch = s->client.batch;
    char token[24];
    struct entry e = {0};
    enum entry_verdict verdict = ENTRY_OWN;
    snprintf(token, sizeof token, "%016llx", (unsigned long long)s->token);
    s->cancelled = (struct cancelled){.submitter = s->token}; // what was asked on a connection before has no answer
    for (enum entry_step step = ENTRY_LOCK; step != ENTRY_IN; step = entry_next(step, &e, verdict)) {
        enum pl_errc code = PL_OK;
        switch (step) {
        case ENTRY_LOCK:
            code = lock_batch(s, err);
            break;
        case ENTRY_LOOK:
            code = look(s, token, &e, &verdict, err);
            break;
        case ENTRY_NOTE:
            note_making(s);
            break;
        case ENTRY_MAKE:
            code = broker_declare_batch(broker, batch, err);
            break;
        case ENTRY_LIST:
            code = verdict == ENTRY_OWN ? open_again(s, err) : list_again(s, err);
            break;
        case ENTRY_MARK:
            code = broker_mark_batch(broker, batch, BROKER_MARK_ENTERED, token, err);
            break;
        case ENTRY_KIND:
            code = broker_mark_batch(broker, batch, s->for_pdf ? BROKER_MARK_PDF : BROKER_MARK_FILES, batch, err);
            break;
        case ENTRY_UNLOCK:
            code = broker_unlock_batch(broker, batch, err);
            break;
        case ENTRY_JOURNAL:
            note_entered(s);
            break;
        case ENTRY_IN:
        case ENTRY_REFUSED: // ENTRY_LOOK has failed before
            break;
        }
        PL_TRY(code);
    }
    s->over = verdict == ENTRY_OVER;
    if (s->over)
        return note_end(s, err);
    PL_TRY(ask_at_first(s, err));
    return tell_registry(s, true, err);
}

// A batch without its mark is another one, which others have made since then: it has none of its rows.
static enum pl_errc find_own_mark(const struct submit *s, struct pl_error *err)
{
    char token[24];
    bool is_in;
    snprintf(token, sizeof token, "%016llx", (unsigned long long)s->token);
    PL_TRY(broker_find_mark(s->client.broker, BROKER_MARK_ENTERED, token, &is_in, err));
    return is_in ? PL_OK
                 : pl_fail(err, PL_E_IO, "%s: batch %s was deleted", broker_place(s->client.broker), s->client.batch);
}

enum pl_errc submit_leave(struct submit *s, struct pl_error *err)
{
    for (enum leave_step step = LEAVE_LOCK; step != LEAVE_LEFT; step++) {
        enum pl_errc code = PL_OK;
        switch (step) {
        case LEAVE_LOCK:
            code = lock_batch(s, err);
            break;
        case LEAVE_LOOK:
            code = find_own_mark(s, err);
            break;
        case LEAVE_TELL:
            s->told = true;
            code = tell_collector(s, KIND_CLOSED, pl_slice_cstr(""), err);
            break;
        case LEAVE_UNLOCK:
            code = broker_unlock_batch(s->client.broker, s->client.batch, err);
            break;
        case LEAVE_NOTE:
            code = note_end(s, err);
            break;
        case LEAVE_LEFT:
            break;
        }
        PL_TRY(code);
    }
    return PL_OK;
}

void submit_stop(struct submit *s)
{
    struct pl_error err;
    s->stopped = !s->closed;
    // One that has entered and listed nothing leaves the batch as it was.
    if (s->entered && !(s->closed && submit_leave(s, &err) == PL_OK))
        (void)tell_registry(s, true, &err); // it is news alone
}
