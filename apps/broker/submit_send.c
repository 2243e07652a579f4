// Sending rows as jobs: those that are not confirmed wait in a window, and what is confirmed goes into the journal.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "os/clock.h"
#include "submit.h"
#include "work_job.h"

#define SYNC_NS 500000000u
#define TOLD_MAX 20u
#define GROUP_PART 16u                 // of the rows so far, in one message
#define GROUP_BYTES ((size_t)64 << 10) // of label code in one message of several rows
#define FILL (SUBMIT_WINDOW / 2)       // so many places are free before rows are read for them

// ---- jobs

// The queue of a row that so many of this run were sent before.
static uint32_t turn_after(uint64_t rows)
{
    static const uint64_t TURNS[BROKER_TURNS - 1] = {1000, 30000};
    uint32_t turn = 0;
    while (turn < BROKER_TURNS - 1 && rows >= TURNS[turn])
        turn++;
    return turn;
}

static struct account_mark mark_of(const struct submit *s, const struct sent *sent)
{
    return (struct account_mark){s->token, sent->hash, s->attempt, sent->proof};
}

static void message_of(const struct submit *s, const struct sent *sent, struct submit_texts *room,
                       struct broker_message *out)
{
    const struct submit_job job = {.batch = s->client.batch,
                                   .document = &sent->document,
                                   .mark = mark_of(s, sent),
                                   .sequence = sent->sequence,
                                   .time = s->time,
                                   .for_pdf = s->for_pdf};
    submit_job_message(&job, room, out);
}

static bool is_to_send(const struct sent *sent)
{
    return sent->used && sent->number == 0;
}

static void put_into_group(const struct submit *s, const struct sent *sent, struct pl_buf *out)
{
    group_put(out, &(struct group_row){.mark = mark_of(s, sent),
                                       .sequence = sent->sequence,
                                       .id = pl_buf_slice(&sent->document.id),
                                       .body = pl_buf_slice(&sent->document.zpl)});
}

// How many rows go into one message at most: of a small batch each worker gets a part, and of a large one the broker
// has fewer messages.
static uint32_t rows_of_message(const struct submit *s)
{
    uint64_t part = (s->confirmed + s->in_window) / GROUP_PART;
    return s->group ? s->group : (uint32_t)PL_MIN(PL_MAX(part, SUBMIT_GROUP_LEAST), SUBMIT_GROUP_MOST);
}

// How many places of the window from `first` on go into one message: rows with the same controls. Those behind the
// first are appended to *body, too, if there are any.
static uint32_t gather_group(const struct submit *s, uint32_t first, const struct broker_message *message,
                             struct pl_buf *body, uint32_t *rows)
{
    uint32_t i = first + 1, most = rows_of_message(s);
    size_t size = message->body.len;
    for (*rows = 1; i < SUBMIT_WINDOW && *rows < most; i++) {
        const struct sent *sent = &s->window[i];
        struct submit_texts room;
        struct broker_message other;
        if (!is_to_send(sent))
            continue;
        if (sent->turn != s->window[first].turn)
            break;
        size += sent->document.zpl.len;
        message_of(s, sent, &room, &other);
        if (size > GROUP_BYTES || !submit_job_is_alike(message, &other))
            break;
        if (*rows == 1)
            put_into_group(s, &s->window[first], body);
        put_into_group(s, sent, body);
        *rows += 1;
    }
    return i - first;
}

// Publishes the row at `first` of the window, and those behind it that fit into its message.
static enum pl_errc publish(struct submit *s, uint32_t first, struct pl_error *err)
{
    struct submit_texts room;
    struct broker_message message;
    struct pl_buf body;
    char count[24];
    uint32_t rows;
    uint64_t number;
    message_of(s, &s->window[first], &room, &message);
    pl_buf_init(&body, SIZE_MAX / 2);
    uint32_t places = gather_group(s, first, &message, &body, &rows);
    if (rows > 1) {
        snprintf(count, sizeof count, "%u", rows);
        broker_add_header(&message, HEADER_GROUP, pl_slice_cstr(count));
        message.type = pl_slice_cstr(GROUP_TYPE);
        message.body = pl_buf_slice(&body);
    }
    enum pl_errc code = body.failed ? pl_fail_memory(err)
                                    : broker_publish(s->client.broker, BROKER_JOBS, broker_turn(s->window[first].turn),
                                                     &message, &number, err);
    pl_buf_fini(&body);
    for (uint32_t i = first; i < first + places && code == PL_OK; i++) {
        if (is_to_send(&s->window[i]))
            s->window[i].number = number;
    }
    return code;
}

static void tell(const struct submit *s, const struct row_document *d, const char *what)
{
    fprintf(stderr, "%splaten submit: %.*s: %s\n", s->bar.any ? "\r\033[K" : "", (int)d->id.len,
            (const char *)d->id.data, what);
}

static void refuse(struct submit *s, const struct row_document *d, const char *why)
{
    if (s->refused++ < TOLD_MAX)
        tell(s, d, why);
    submit_note_refusal(s, pl_buf_slice(&d->id), why);
}

// Is it a job? If not, why was printed.
static bool acceptable(struct submit *s, const struct row_document *d)
{
    const char *why = submit_job_refusal(d);
    if (why)
        refuse(s, d, why);
    else if (d->notes.count > 0 && !s->quiet && s->noted++ < TOLD_MAX)
        tell(s, d, d->notes.items[0].message);
    return !why;
}

static bool is_new(struct submit *s, const struct row_document *d)
{
    enum pl_id_added added = pl_id_set_add(&s->seen, pl_buf_slice(&d->id));
    if (added == PL_ID_KNOWN)
        refuse(s, d, "another document before it has the same id");
    else if (added == PL_ID_NO_MEMORY)
        refuse(s, d, "not enough memory");
    return added == PL_ID_NEW;
}

// Was another row sent under this id? Then the input was changed, or it is not the one of the journal. Nothing more is
// sent: ids of rows behind it may have moved, too.
static bool is_changed(struct submit *s, const struct sent *sent)
{
    char line[PL_ID_MAX + 24];
    struct pl_slice id = pl_buf_slice(&sent->document.id);
    int len = snprintf(line, sizeof line, ROW_LINE, ROW_LINE_VALUES(sent->hash, id));
    if (!pl_id_set_has(&s->known, id) || pl_id_set_has(&s->sent, pl_slice_make(line, (size_t)len)))
        return false;
    fprintf(stderr,
            "%splaten submit: row %llu: %s has another row with the id '%.*s'. The input was changed, or it is another "
            "one: name another batch\n",
            s->bar.any ? "\r\033[K" : "", (unsigned long long)s->sequence, s->journal_path, (int)id.len,
            (const char *)id.ptr);
    return s->changed = true;
}

// Reads the next document that has to be sent, if not too many were refused. It waits for none where some are under
// way. False: there is none.
static bool read_next(struct submit *s, struct sent *sent)
{
    while (!s->changed && s->refusals.len < SUBMIT_LIST_BYTES &&
           row_source_next(&s->source, &sent->document, s->in_window == 0)) {
        if (!is_new(s, &sent->document) || !acceptable(s, &sent->document))
            continue;
        s->sequence++;
        sent->hash = submit_job_hash(&(struct submit_job){.document = &sent->document, .for_pdf = s->for_pdf});
        const struct account_mark mark = {.submitter = s->token, .hash = sent->hash};
        sent->proof = s->secret[0] ? account_proof_by(&s->key_of_rows, &mark, pl_buf_slice(&sent->document.id)) : 0;
        if (is_changed(s, sent))
            return false;
        if (pl_id_set_has(&s->done, pl_buf_slice(&sent->document.id))) {
            s->skipped++;
            continue;
        }
        if (pl_id_set_add(&s->known, pl_buf_slice(&sent->document.id)) == PL_ID_NO_MEMORY) {
            refuse(s, &sent->document, "not enough memory");
            continue;
        }
        sent->sequence = submit_runs_place(&s->runs, s->sequence);
        sent->number = 0;
        sent->turn = turn_after(s->confirmed + s->in_window);
        sent->used = true;
        sent->listed = false;
        s->in_window++;
        return true;
    }
    return s->source.later || s->refusals.len >= SUBMIT_LIST_BYTES; // they are listed first
}

// ---- confirmations

void submit_sync_journal(struct submit *s, bool now)
{
    uint64_t time = pl_now_ns();
    if (!now && time - s->synced_ns < SYNC_NS)
        return;
    s->synced_ns = time;
    if (!journal_sync(&s->journal))
        fprintf(stderr, "platen submit: %s: %s\n", s->journal.path, strerror(errno));
}

static void confirm(struct submit *s, const struct broker_told *told, bool accepted)
{
    cancelled_confirmed(&s->cancelled, told, accepted);
    if (broker_tells_of(told, s->account)) {
        s->account = 0;
        s->account_rejected = !accepted;
    }
    for (uint32_t i = 0; i < SUBMIT_WINDOW; i++) {
        struct sent *sent = &s->window[i];
        if (!sent->used || !broker_tells_of(told, sent->number))
            continue;
        sent->number = 0;
        if (!accepted)
            continue; // it is sent again
        s->rejections = 0;
        s->reconnect_at = SUBMIT_RECONNECT;
        journal_add(&s->journal, ROW_LINE "\n", ROW_LINE_VALUES(sent->hash, pl_buf_slice(&sent->document.id)));
        sent->used = false;
        s->in_window--;
        s->confirmed++;
        client_progress(&s->client);
    }
    submit_sync_journal(s, false);
    progress_tell(&s->bar, row_source_part(&s->source), (size_t)(s->confirmed + s->skipped), (size_t)s->refused);
}

// The queue is full, or has lost too many nodes.
static void pause_sending(struct submit *s)
{
    if (pl_now_ns() < s->pause_until_ns)
        return; // of others that were sent together
    s->pause_until_ns = pl_now_ns() + (uint64_t)broker_pause_ms(s->rejections++) * 1000000u;
    if (s->rejections == 1)
        fprintf(stderr, "%splaten submit: %s does not take more jobs now: is the queue full? Waiting\n",
                s->bar.any ? "\r\033[K" : "", broker_place(s->client.broker));
}

static enum pl_errc fail_returned(const struct submit *s, struct broker_told *told, struct pl_error *err)
{
    free(told->message.memory);
    // What follows would be lost, too; connecting again declares the queues.
    return pl_fail(err, PL_E_IO, "%s: a queue was deleted; it is made again", broker_place(s->client.broker));
}

enum pl_errc submit_listen(struct submit *s, uint32_t wait_ms, struct pl_error *err)
{
    struct broker_told told;
    enum broker_event event;
    while ((event = broker_next(s->client.broker, wait_ms, &told, err)) != BROKER_NOTHING) {
        wait_ms = 0;
        if (event == BROKER_GONE)
            return err->code;
        if (event == BROKER_CONFIRMED || event == BROKER_REJECTED)
            confirm(s, &told, event == BROKER_CONFIRMED);
        if (event == BROKER_REJECTED)
            pause_sending(s);
        if (event == BROKER_RETURNED && !cancelled_returned(&s->cancelled, &told.message))
            return fail_returned(s, &told, err);
        s->blocked = event == BROKER_BLOCKED || (s->blocked && event != BROKER_UNBLOCKED);
        if (event == BROKER_BLOCKED)
            fprintf(stderr, "platen submit: %s takes no messages for now (%s); waiting\n",
                    broker_place(s->client.broker), told.text);
        if (event == BROKER_UNBLOCKED)
            fprintf(stderr, "platen submit: %s takes messages again\n", broker_place(s->client.broker));
        free(told.message.memory); // NULL of most
    }
    return PL_OK;
}

// ---- the whole

// Rows for the places that are free.
static void fill_window(struct submit *s, bool *more)
{
    if (s->in_window > SUBMIT_WINDOW - FILL)
        return; // later, and more at once
    for (uint32_t i = 0; i < SUBMIT_WINDOW && *more; i++) {
        if (s->window[i].used)
            continue;
        *more = read_next(s, &s->window[i]);
        if (s->source.later || s->refusals.len >= SUBMIT_LIST_BYTES)
            return;
    }
}

static enum pl_errc publish_window(struct submit *s, struct pl_error *err)
{
    uint32_t messages = 0;
    for (uint32_t i = 0; i < SUBMIT_WINDOW && pl_now_ns() >= s->pause_until_ns; i++) {
        if (!is_to_send(&s->window[i]))
            continue;
        PL_TRY(publish(s, i, err));
        if (++messages % 64 == 0)
            PL_TRY(submit_listen(s, 0, err));
    }
    return PL_OK;
}

static enum pl_errc send_all(struct submit *s, bool *more, struct pl_error *err)
{
    while (*more || s->in_window > 0) {
        fill_window(s, more);
        PL_TRY(submit_list_window(s, err));
        PL_TRY(publish_window(s, err));
        if (client_gives_up(&s->client))
            return pl_fail(err, PL_E_DEADLINE, SUBMIT_GAVE_UP);
        PL_TRY(submit_listen(s, s->in_window > 0 ? 200 : 0, err));
        if (s->rejections >= s->reconnect_at) {
            // RabbitMQ 3.10 does not tell a connection that the limit of a queue was raised.
            s->reconnect_at = s->rejections + SUBMIT_RECONNECT;
            return pl_fail(err, PL_E_IO, "%s still takes no jobs", broker_place(s->client.broker));
        }
    }
    return PL_OK;
}

bool submit_run(struct submit *s)
{
    struct pl_error err = {0};
    bool more = true;
    while (client_connect(&s->client)) {
        for (uint32_t i = 0; i < SUBMIT_WINDOW; i++)
            s->window[i].number = 0; // what was not confirmed is sent again
        s->account = 0;
        s->blocked = false;
        enum pl_errc code = submit_enter(s, &err);
        if (code == PL_OK && !s->over)
            code = send_all(s, &more, &err);
        submit_sync_journal(s, true);
        if (code == PL_OK && (s->source.broken || s->changed)) {
            submit_stop(s);
            return false;
        }
        if (code == PL_OK && !s->over)
            code = submit_leave(s, &err);
        s->left = code == PL_OK;
        if (s->left)
            return true;
        if (code == PL_E_DEADLINE || code == PL_E_INVALID ||
            code == PL_E_LIMIT) { // another try would end in the same way
            fprintf(stderr, "platen submit: %s\n", err.message);
            if (code != PL_E_DEADLINE) // or the broker takes nothing
                submit_stop(s);
            return false;
        }
        client_lost(&s->client, &err);
    }
    return false;
}
