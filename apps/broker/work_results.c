// What a lane does with results: to the exchange or into files, dead letters, and what happens if nobody takes them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "os/random.h"
#include "result_files.h"
#include "work_lane.h"

#define HEADER_MOST 1024u // bytes of a job's header that is passed on

static struct pl_slice number_text(char *room, size_t size, uint64_t number)
{
    return pl_slice_make(room, (size_t)snprintf(room, size, "%llu", (unsigned long long)number));
}

// The batch of a job; usable as the name of a folder (work_threads.c has looked).
static void batch_of(const struct broker_message *job, char out[BROKER_BATCH_MAX + 1])
{
    struct pl_slice text = pl_slice_cstr(WORK_NO_BATCH);
    (void)broker_header_of(job, HEADER_BATCH, &text);
    snprintf(out, BROKER_BATCH_MAX + 1, "%.*s", (int)PL_MIN(text.len, (size_t)BROKER_BATCH_MAX),
             (const char *)text.ptr);
}

void lane_try_later(struct lane *lane, struct slot *slot, const char *why)
{
    slot->state = SLOT_WAITING;
    slot->refused = slot->dead_is_sent = slot->is_retry = false;
    if (lane->pieces == slot)
        lane->pieces = NULL;
    if (slot->rest.type)
        work_result_free(&slot->rest);
    slot->rest.type = NULL;
    slot->sent = 0;
    slot->number = 0;
    slot->trouble = (struct group_row){0};
    slot->next = slot->at;
    slot->rows = slot->errors = 0;
    lane->quick = false;
    uint64_t now = pl_now_ns();
    if (now >= lane->pause_until_ns) // one refusal may be of many results: it is one try
        lane->pause_until_ns = now + (uint64_t)broker_pause_ms(lane->store_tries++) * 1000000u;
    http_counter_add(lane->work->held, 1);
    if (strcmp(lane->last_trouble, why) != 0) // the same reason is told once
        fprintf(stderr, "platen work: %s; the job waits and is tried again\n", why);
    snprintf(lane->last_trouble, sizeof lane->last_trouble, "%s", why);
}

enum pl_errc lane_acknowledge(struct lane *lane, struct pl_error *err)
{
    if (lane->settled_count == 0)
        return PL_OK;
    uint64_t held = lane_first_tag(lane), last = 0;
    // All before the first that the lane holds are done.
    for (uint32_t i = 0; i < lane->settled_count; i++) {
        uint64_t tag = lane->settled[i];
        if (tag > held)
            PL_TRY(broker_acknowledge(lane->broker, tag, false, err));
        else
            last = PL_MAX(last, tag);
    }
    lane->settled_count = 0;
    return last > 0 ? broker_acknowledge(lane->broker, last, true, err) : PL_OK;
}

static enum pl_errc note_done(struct lane *lane, uint64_t tag, struct pl_error *err)
{
    if (lane->settled_count == lane->slot_count)
        PL_TRY(lane_acknowledge(lane, err));
    lane->settled[lane->settled_count++] = tag;
    return PL_OK;
}

enum pl_errc lane_give_back(struct lane *lane, struct slot *slot, struct pl_error *err)
{
    uint64_t tag = slot->job.tag;
    http_counter_add(lane->work->returned, slot->row_count);
    slot_free(lane, slot);
    return broker_give_back(lane->broker, tag, err);
}

enum pl_errc lane_drop(struct lane *lane, struct slot *slot, struct http_counter *counter, struct pl_error *err)
{
    uint64_t tag = slot->job.tag;
    http_counter_add(counter, slot->malformed ? 1 : slot->row_count);
    slot_free(lane, slot);
    return note_done(lane, tag, err);
}

// The job is at the end of the queue.
static enum pl_errc settle_retry(struct lane *lane, struct slot *slot, struct pl_error *err)
{
    uint64_t tag = slot->job.tag;
    http_counter_add(lane->work->returned, 1);
    slot_free(lane, slot);
    return note_done(lane, tag, err);
}

// Result and dead letter are stored.
enum pl_errc lane_settle(struct lane *lane, struct slot *slot, struct pl_error *err)
{
    struct work *work = lane->work;
    uint64_t tag = slot->job.tag;
    http_counter_add(slot->failed ? work->failed : work->ok, !slot->is_group); // its rows are counted
    http_counter_add(work->labels, slot->labels);
    http_counter_add(work->bytes, slot->bytes);
    http_counter_add(work->dead, slot->is_dead);
    // The connection is good for more than being made.
    lane->tries = lane->store_tries = 0;
    lane->last_error[0] = lane->last_trouble[0] = '\0';
    lane->last_turn = slot->turn;
    if (!lane->more.open || slot->turn == lane->more_turn)
        lane->grouped = slot->is_group;
    if (slot->took_ns > 0)
        lane->quick = !slot_is_suspect(slot) && slot->took_ns < work->hold_ms * 1000000u / work->prefetch;
    slot_free(lane, slot);
    return note_done(lane, tag, err);
}

// The job as a message to publish. Headers have to fit into one frame, with those that are added; what the broker has
// added is its own.
static struct broker_message message_of_job(const struct broker_message *job)
{
    static const char OURS[] = "x-platen-";
    struct broker_message message = *job;
    message.header_count = 0;
    for (uint32_t i = 0; i < job->header_count && message.header_count + 2 < BROKER_HEADERS_MAX; i++) {
        const struct broker_header *h = &job->headers[i];
        bool is_control = h->name.len < 2 || memcmp(h->name.ptr, "x-", 2) != 0;
        bool is_ours = h->name.len > strlen(OURS) && memcmp(h->name.ptr, OURS, strlen(OURS)) == 0;
        if (h->value.len <= HEADER_MOST && (is_control || is_ours) && !pl_slice_eq_cstr(h->name, HEADER_TRIES))
            message.headers[message.header_count++] = *h;
    }
    return message;
}

static enum pl_errc bury(struct lane *lane, struct slot *slot, const struct broker_message *job, struct pl_error *err)
{
    char count[24];
    struct broker_message message = message_of_job(job);
    broker_add_header(&message, HEADER_REASON, pl_slice_cstr(slot->problem.message));
    broker_add_header(&message, HEADER_DELIVERIES,
                      number_text(count, sizeof count, slot->tries + slot->deliveries + 1));
    fputs("platen work: job ", stderr);
    broker_print(stderr, job->id, 100);
    fprintf(stderr, " goes to the dead letters: %s\n", slot->problem.message);
    slot->state = SLOT_PUBLISHED;
    slot->sent_id = job->id;
    return broker_publish(lane->broker, BROKER_DEAD, "dead", &message, &slot->number, err);
}

enum pl_errc lane_bury(struct lane *lane, struct slot *slot, struct pl_error *err)
{
    slot->is_dead = slot->dead_is_sent = true;
    return bury(lane, slot, &slot->job, err);
}

static enum pl_errc retry(struct lane *lane, struct slot *slot, const struct broker_message *job, uint64_t tries,
                          struct pl_error *err)
{
    char count[24];
    struct broker_message message = message_of_job(job);
    broker_add_header(&message, HEADER_TRIES, number_text(count, sizeof count, tries));
    slot->state = SLOT_PUBLISHED;
    slot->sent_id = job->id;
    return broker_publish(lane->broker, BROKER_RETRY, broker_turn(slot->turn), &message, &slot->number, err);
}

enum pl_errc lane_send_row(struct lane *lane, struct slot *slot, const struct group_row *row, bool is_dead,
                           struct pl_error *err)
{
    struct job_texts room;
    struct broker_message job;
    job_single(&slot->job, row, &room, &job);
    if (is_dead) {
        http_counter_add(lane->work->dead, 1);
        return bury(lane, slot, &job, err);
    }
    http_counter_add(lane->work->returned, 1);
    // Deliveries of the group are not this row's fault, but a rendering that failed is.
    return retry(lane, slot, &job, slot->tries + (slot->trouble.id.len > 0), err);
}

enum pl_errc lane_retry(struct lane *lane, struct slot *slot, struct pl_error *err)
{
    slot->is_retry = true;
    return retry(lane, slot, &slot->job, slot->tries + slot->deliveries + 1, err);
}

// ---- results

static enum pl_errc publish_result(struct lane *lane, struct slot *slot, const struct work_result *result,
                                   struct pl_slice body, const char *piece, struct pl_error *err)
{
    char labels[24], pages[24], batch[BROKER_BATCH_MAX + 1];
    struct pl_slice text;
    struct broker_message message = {.id = slot->job.id, .type = pl_slice_cstr(result->type), .body = body};
    broker_add_header(&message, HEADER_OK, pl_slice_cstr(result->failed ? "false" : "true"));
    broker_add_header(&message, HEADER_LABELS, number_text(labels, sizeof labels, result->labels));
    broker_add_header(&message, HEADER_PAGES, number_text(pages, sizeof pages, result->pages));
    broker_add_header(&message, HEADER_ENDING, pl_slice_cstr(result->ending));
    broker_add_header(&message, HEADER_WORKER, pl_slice_cstr(lane->work->name));
    if (piece)
        broker_add_header(&message, HEADER_PIECE, pl_slice_cstr(piece));
    static const char *const PASSED_ON[] = {HEADER_SEQUENCE, HEADER_ROW};
    for (size_t i = 0; i < PL_COUNTOF(PASSED_ON); i++) {
        if (broker_header_of(&slot->job, PASSED_ON[i], &text) && text.len <= HEADER_MOST)
            broker_add_header(&message, PASSED_ON[i], text);
    }
    batch_of(&slot->job, batch);
    broker_add_header(&message, HEADER_BATCH, pl_slice_cstr(batch));
    slot->sent_id = message.id;
    return broker_publish(lane->broker, BROKER_RESULTS, batch, &message, &slot->number, err);
}

enum pl_errc lane_publish_group(struct lane *lane, struct slot *slot, const struct work_result *result,
                                struct pl_error *err)
{
    char rows[24], batch[BROKER_BATCH_MAX + 1];
    struct broker_message message = {
        .id = slot->job.id, .type = pl_slice_cstr(GROUP_TYPE), .body = pl_buf_slice(&result->body)};
    broker_add_header(&message, HEADER_GROUP, number_text(rows, sizeof rows, result->rows));
    broker_add_header(&message, HEADER_WORKER, pl_slice_cstr(lane->work->name));
    batch_of(&slot->job, batch);
    broker_add_header(&message, HEADER_BATCH, pl_slice_cstr(batch));
    slot->state = SLOT_PUBLISHED;
    slot->sent_id = message.id;
    return broker_publish(lane->broker, BROKER_RESULTS, batch, &message, &slot->number, err);
}

// The next piece of a result that is larger than a message. It is sent when the one before is stored.
static enum pl_errc publish_piece(struct lane *lane, struct slot *slot, struct pl_error *err)
{
    char piece[80];
    struct pl_slice whole = pl_buf_slice(&slot->rest.body);
    struct pl_slice body = pl_slice_sub(whole, slot->sent, atomic_load(&lane->work->piece));
    snprintf(piece, sizeof piece, "%016llx %zu %zu", (unsigned long long)slot->piece_name, slot->sent, whole.len);
    slot->sent += body.len;
    return publish_result(lane, slot, &slot->rest, body, piece, err);
}

static enum pl_errc publish(struct lane *lane, struct slot *slot, struct work_result *result, struct pl_error *err)
{
    if (result->body.len <= atomic_load(&lane->work->piece))
        return publish_result(lane, slot, result, pl_buf_slice(&result->body), NULL, err);
    slot->rest = *result;
    work_result_init(result);
    lane->pieces = slot;
    if (!pl_random(&slot->piece_name, sizeof slot->piece_name))
        return pl_fail(err, PL_E_IO, "no random numbers");
    return publish_piece(lane, slot, err);
}

// What is published is stored.
static enum pl_errc go_on(struct lane *lane, struct slot *slot, struct pl_error *err)
{
    if (slot->is_group && !slot->is_dead)
        return lane_go_on_with_group(lane, slot, err);
    if (lane->pieces == slot && slot->sent < slot->rest.body.len)
        return publish_piece(lane, slot, err);
    if (slot->is_retry)
        return settle_retry(lane, slot, err);
    return slot->is_dead && !slot->dead_is_sent ? lane_bury(lane, slot, err) : lane_settle(lane, slot, err);
}

bool lane_store(const struct work *work, const struct broker_message *job, struct pl_slice id,
                const struct work_result *result, struct pl_error *why)
{
    char batch[BROKER_BATCH_MAX + 1];
    const struct result_file file = {.id = id,
                                     .body = pl_buf_slice(&result->body),
                                     .type = pl_slice_cstr(result->type),
                                     .ending = pl_slice_cstr(result->ending),
                                     .ok = !result->failed,
                                     .of_parts = job_wants_parts(job)};
    batch_of(job, batch);
    return result_files_write_batch(work->results, batch, &file, why) == PL_OK;
}

void lane_note(const struct work *work, const struct broker_message *job, struct work_result *note)
{
    struct problem problem;
    char batch[BROKER_BATCH_MAX + 1];
    batch_of(job, batch);
    problem_set(&problem, 409, "stored_elsewhere", "A worker with --results has stored it in %s/%s.", work->results,
                batch);
    work_result_init(note);
    work_result_fail(note, &problem);
}

enum pl_errc lane_hand_in(struct lane *lane, struct slot *slot, struct work_result *result, struct pl_error *err)
{
    slot->failed = result->failed;
    slot->labels = result->labels;
    slot->bytes = result->body.len;
    slot->state = SLOT_PUBLISHED;
    if (!lane->work->results[0] || slot->is_strange) // strangers would fill the disk
        return publish(lane, slot, result, err);
    struct pl_error why;
    if (!lane_store(lane->work, &slot->job, slot->job.id, result, &why)) {
        lane_try_later(lane, slot, why.message);
        return PL_OK;
    }
    if (result->failed)
        return publish(lane, slot, result, err);
    // A collector that waits for it is told.
    struct work_result note;
    lane_note(lane->work, &slot->job, &note);
    enum pl_errc code = publish(lane, slot, &note, err);
    work_result_free(&note);
    return code;
}

enum pl_errc lane_hand_in_problem(struct lane *lane, struct slot *slot, struct pl_error *err)
{
    struct work_result result;
    work_result_init(&result);
    work_result_fail(&result, &slot->problem);
    enum pl_errc code = lane_hand_in(lane, slot, &result, err);
    work_result_free(&result);
    return code;
}

enum pl_errc lane_confirm(struct lane *lane, const struct broker_told *told, bool refused, struct pl_error *err)
{
    lane_question_confirmed(lane, told, !refused);
    for (uint32_t i = 0; i < lane->slot_count; i++) {
        struct slot *slot = &lane->slots[i];
        if (slot->state != SLOT_PUBLISHED || !broker_tells_of(told, slot->number))
            continue;
        slot->number = 0;
        if (refused)
            lane_try_later(lane, slot, "the queue does not take messages now: is it full?");
        else if (slot->refused)
            lane_try_later(lane, slot, "nobody takes results or dead letters: declare the queues");
        else
            PL_TRY(go_on(lane, slot, err));
    }
    return PL_OK;
}

// A confirmation of the same message follows.
void lane_note_return(struct lane *lane, const struct broker_message *message)
{
    if (lane_question_returned(lane, message))
        return;
    for (uint32_t i = 0; i < lane->slot_count; i++) {
        struct slot *slot = &lane->slots[i];
        if (slot->state == SLOT_PUBLISHED && pl_slice_eq(slot->sent_id, message->id))
            slot->refused = true;
    }
}
