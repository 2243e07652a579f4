// A lane of `platen work`: one connection, one renderer. One thread talks with the broker, another one with the
// renderer, so that a job may take longer than any heartbeat.
//
// Each delivery of a job counts, and after too many it is given up. So what is the worker's trouble or the broker's
// should use up few of them: a new connection takes one job at a time until a result is stored; what cannot be stored
// waits here; a job that was delivered often is rendered while the lane holds none that was delivered less often; and
// when jobs take long, the lane holds one.
//
// What is lost with a connection is delivered again, here or elsewhere.
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/limits.h"
#include "batch/names.h"
#include "work_lane.h"

#define WAIT_MS 100
#define WAIT_ENCRYPTED_MS 10   // what the library has read and not decrypted shows in no descriptor
#define STEADY_NS 60000000000u // a connection that lasted so long was a good one

// ---- the drawer

static void draw_job(struct lane *lane, const struct broker_message *job)
{
    struct work_request request;
    struct work *work = lane->work;
    work_request_read(job, &request);
    work_render(&lane->link, &request, job->body, atomic_fetch_add(&work->jobs, 1) + 1, work->job_ms, &lane->result);
}

static void *draw(void *user)
{
    struct lane *lane = user;
    struct work *work = lane->work;
    pthread_mutex_lock(&lane->lock);
    for (;;) {
        while (!lane->task && !lane->ends)
            pthread_cond_wait(&lane->go, &lane->lock);
        if (!lane->task)
            break;
        const struct broker_message *task = lane->task;
        size_t at = lane->task_at;
        pthread_mutex_unlock(&lane->lock);
        uint64_t began = pl_now_ns();
        work_result_init(&lane->result);
        bool is_group = job_is_group(task);
        if (is_group)
            lane_draw_group(lane, task, at, &lane->result);
        else
            draw_job(lane, task);
        uint64_t took = pl_now_ns() - began;
        if (!is_group) // rows of a group were observed one by one
            http_histogram_observe(work->job_time, took);
        pthread_mutex_lock(&lane->lock);
        lane->result_ns = took;
        lane->task = NULL;
        uint64_t one = 1;
        if (write(lane->done, &one, sizeof one) != (ssize_t)sizeof one)
            abort();
    }
    pthread_mutex_unlock(&lane->lock);
    return NULL;
}

// ---- the talker

static enum pl_errc finish(struct lane *lane, struct slot *slot, struct work_result *result, struct pl_error *err)
{
    if (result->starved) {
        lane_try_later(lane, slot, result->problem.message);
        return PL_OK;
    }
    if (slot->is_group)
        return lane_finish_group(lane, slot, result, err);
    if (result->died && !slot->died_here) { // others may be at fault: the system's memory was full
        slot->died_here = true;
        slot->state = SLOT_WAITING;
        return PL_OK;
    }
    if (result->again && slot->tries + slot->deliveries + 1 < lane->work->deliveries)
        return lane_retry(lane, slot, err);
    slot->is_dead = result->again;
    slot->problem = result->problem;
    return lane_hand_in(lane, slot, result, err);
}

static enum pl_errc take_delivery(struct lane *lane, const struct broker_message *job, struct pl_error *err)
{
    struct slot *slot = lane_free_slot(lane);
    if (!slot) {
        free(job->memory);
        return pl_fail(err, PL_E_BUG, "the broker delivers more than it was asked for");
    }
    slot_take(lane, slot, job);
    return PL_OK;
}

// What the broker has to say now. PL_OK: nothing more.
static enum pl_errc listen_to(struct lane *lane, struct pl_error *err)
{
    struct broker_told told;
    for (;;) {
        switch (broker_next(lane->broker, 0, &told, err)) {
        case BROKER_NOTHING:
            if (!broker_has_input(lane->broker))
                return PL_OK;
            break;
        case BROKER_DELIVERY:
            PL_TRY(take_delivery(lane, &told.message, err));
            break;
        case BROKER_CONFIRMED:
            PL_TRY(lane_confirm(lane, &told, false, err));
            break;
        case BROKER_REJECTED:
            PL_TRY(lane_confirm(lane, &told, true, err));
            break;
        case BROKER_RETURNED:
            lane_note_return(lane, &told.message);
            free(told.message.memory);
            break;
        case BROKER_BLOCKED:
            lane->blocked = true;
            fprintf(stderr, "platen work: %s takes no messages for now: %s\n", broker_place(lane->broker), told.text);
            break;
        case BROKER_UNBLOCKED:
            lane->blocked = false;
            fprintf(stderr, "platen work: %s takes messages again\n", broker_place(lane->broker));
            break;
        case BROKER_CANCELLED:
            lane->cancelled -= lane->cancelled > 0;
            break;
        case BROKER_GONE:
            return err->code;
        }
    }
}

static enum pl_errc take_result(struct lane *lane, struct pl_error *err)
{
    uint64_t count;
    if (read(lane->done, &count, sizeof count) != (ssize_t)sizeof count)
        return PL_OK; // not yet
    struct slot *slot = lane->busy;
    lane->busy = NULL;
    pthread_mutex_lock(&lane->lock);
    slot->took_ns = lane->result_ns; // the next job has another one before this one's result is stored
    pthread_mutex_unlock(&lane->lock);
    http_counter_add(lane->work->in_flight, UINT64_MAX); // minus one
    enum pl_errc code = PL_OK;
    if (slot->stale || !lane->broker)
        slot_free(lane, slot);
    else
        code = finish(lane, slot, &lane->result, err);
    work_result_free(&lane->result);
    return code;
}

// ---- what is begun

// Is the job's end known without rendering it? `slot->problem` is what it gets then.
static bool is_hopeless(const struct lane *lane, struct slot *slot, bool *has_result)
{
    struct pl_slice batch = pl_slice_cstr(WORK_NO_BATCH);
    (void)broker_header_of(&slot->job, HEADER_BATCH, &batch);
    *has_result = false;
    if (!pl_id_usable(slot->job.id)) // nobody could ask for its result
        return !problem_set(&slot->problem, 400, "invalid_parameter",
                            "It has no id of 1 to 200 bytes without control characters.");
    if (!broker_batch_usable(batch))
        return !problem_set(&slot->problem, 400, "invalid_parameter", "Its batch has no usable name.");
    if (slot->malformed || (slot->is_group && slot->oversized))
        return !problem_set(&slot->problem, 400, "invalid_parameter", "It is no group of rows, or too large for one.");
    *has_result = !slot->is_group;
    if (slot->is_strange) {
        lane_refuse_stranger(&slot->problem);
        return true;
    }
    if (slot->oversized)
        return !problem_set(
            &slot->problem, 413, "limit_exceeded",
            "The job has more than the " PL_LIMIT_TEXT(PL_LIMIT_INPUT_MIB) " MiB of label code that a job may have.");
    if (slot->is_dead) // and was so before, but that could not be stored
        return true;
    return slot->deliveries >= lane->work->deliveries_most && !slot->is_group && // which is split
           !problem_set(&slot->problem, 500, "delivered_too_often",
                        "The job was delivered %llu times and had no result.", (unsigned long long)slot->deliveries);
}

// Ends a job that is not rendered.
static enum pl_errc end_at_once(struct lane *lane, struct slot *slot, bool has_result, struct pl_error *err)
{
    struct work *work = lane->work;
    if (slot->cancelled)
        return lane_drop(lane, slot, work->cancelled, err);
    if (!has_result && work->key.text[0]) // no submitter with the key sends such a thing
        return lane_drop(lane, slot, work->failed, err);
    slot->failed = true;
    slot->is_dead = !slot->oversized && !slot->is_strange; // others would fill the queue of dead letters
    return has_result ? lane_hand_in_problem(lane, slot, err) : lane_bury(lane, slot, err);
}

static enum pl_errc begin_next(struct lane *lane, struct pl_error *err)
{
    struct slot *slot;
    while (!lane->busy && !lane->pieces && pl_now_ns() >= lane->pause_until_ns && (slot = lane_waiting_slot(lane))) {
        bool has_result = false;
        PL_TRY(lane_look_at_submitter(lane, slot, err));
        if (slot->cancelled || is_hopeless(lane, slot, &has_result)) {
            PL_TRY(end_at_once(lane, slot, has_result, err));
            continue;
        }
        if (slot->splits) {
            PL_TRY(lane_go_on_with_group(lane, slot, err));
            continue;
        }
        // It may end this worker: others are done first, and their results stored.
        if (slot_is_suspect(slot) && !lane_is_clear_for(lane, slot))
            return PL_OK;
        slot->state = SLOT_RENDERING;
        lane->busy = slot;
        lane->begun[slot->turn] = ++lane->turns;
        http_counter_add(lane->work->in_flight, 1);
        pthread_mutex_lock(&lane->lock);
        lane->task = &slot->job;
        lane->task_at = slot->at;
        pthread_cond_signal(&lane->go);
        pthread_mutex_unlock(&lane->lock);
    }
    return PL_OK;
}

// Until the connection is over (not PL_OK) or the worker ends (PL_OK).
static enum pl_errc talk(struct lane *lane, struct pl_error *err)
{
    uint64_t close_ns = 0;
    for (;;) {
        PL_TRY(lane_acknowledge(lane, err));
        if (work_is_leaving(lane->work)) {
            if (lane_leave(lane, &close_ns, err))
                return err->code;
        } else {
            PL_TRY(begin_next(lane, err));
            PL_TRY(lane_adjust(lane, err));
            PL_TRY(lane_acknowledge(lane, err)); // of what was not drawn: the broker sends more then
        }
        struct pollfd ready[] = {{.fd = broker_descriptor(lane->broker), .events = POLLIN},
                                 {.fd = lane->done, .events = POLLIN}};
        if (!broker_has_input(lane->broker))
            (void)!poll(ready, 2, broker_is_encrypted(lane->broker) ? WAIT_ENCRYPTED_MS : WAIT_MS);
        PL_TRY(take_result(lane, err));
        PL_TRY(listen_to(lane, err));
    }
}

static enum pl_errc connect_lane(struct lane *lane, struct pl_error *err)
{
    struct work *work = lane->work;
    memset(lane->first, 0, sizeof lane->first);
    lane->more = (struct consumer){0};
    lane->cancelled = 0;
    lane->quick = lane->blocked = lane->grouped = false;
    memset(lane->submitters, 0, sizeof lane->submitters); // questions of another connection
    PL_TRY(broker_open(&work->broker, &lane->turn, &lane->broker, err));
    if (strcmp(work->declare, "off") != 0)
        PL_TRY(broker_declare(lane->broker, err));
    // A job that is taken without them would be lost to another try.
    PL_TRY(broker_check(lane->broker, err));
    return lane->busy ? PL_OK : lane_open(lane, err);
}

// Waits as long as the worker goes on.
static void rest(const struct lane *lane, uint32_t ms)
{
    const struct timespec step = {.tv_nsec = 50000000};
    for (uint32_t waited = 0; waited < ms && !work_is_leaving(lane->work); waited += 50)
        nanosleep(&step, NULL);
}

// The connection is over: the broker gives its jobs to others.
static void forget_all(struct lane *lane)
{
    for (uint32_t i = 0; i < lane->slot_count; i++) {
        struct slot *slot = &lane->slots[i];
        if (slot->state == SLOT_RENDERING)
            slot->stale = true;
        else
            slot_free(lane, slot);
    }
    lane->settled_count = 0;
    broker_close(&lane->broker);
}

static void complain(struct lane *lane, const struct pl_error *err)
{
    // The same reason is told once.
    if (strcmp(lane->last_error, err->message) != 0)
        fprintf(stderr, "platen work: %s; trying again\n", err->message);
    snprintf(lane->last_error, sizeof lane->last_error, "%s", err->message);
}

// What all connections do otherwise, now that one has met this error.
static void learn(struct work *work, const struct pl_error *err)
{
    size_t limit = err->code == PL_E_LIMIT ? broker_message_limit(err) : 0;
    if (limit > 0 && limit < atomic_load(&work->piece))
        atomic_store(&work->piece, limit);
    if (strstr(err->message, ".cancelled'")) // "no exchange 'platen.cancelled'", or no right to write to it
        atomic_store(&work->cannot_ask, true);
    // No right to read one of the further queues.
    if (err->code == PL_E_INVALID && (strstr(err->message, ".jobs.2'") || strstr(err->message, ".jobs.3'")))
        atomic_store(&work->turns, 1);
}

static void *talk_on(void *user)
{
    struct lane *lane = user;
    struct work *work = lane->work;
    struct pl_error err = {0};
    while (!work_is_leaving(work)) {
        enum pl_errc code = connect_lane(lane, &err);
        if (code == PL_OK) {
            fprintf(stderr, "platen work: connection %u: working for %s\n", lane->index, broker_place(lane->broker));
            lane->connected_ns = pl_now_ns();
            http_gauge_set(work->connected_now, atomic_fetch_add(&work->connected, 1) + 1);
            code = talk(lane, &err);
            http_gauge_set(work->connected_now, atomic_fetch_sub(&work->connected, 1) - 1);
            http_counter_add(work->reconnects, code != PL_OK);
            if (pl_now_ns() - lane->connected_ns > STEADY_NS)
                lane->tries = 0;
        }
        if (code != PL_OK) {
            learn(work, &err);
            complain(lane, &err);
        }
        forget_all(lane);
        if (code != PL_OK)
            rest(lane, broker_pause_ms(lane->tries++));
    }
    while (lane->busy) { // of a connection that is over
        struct pollfd ready = {.fd = lane->done, .events = POLLIN};
        (void)!poll(&ready, 1, WAIT_MS);
        (void)!take_result(lane, &err);
    }
    return NULL;
}

// ---- beginning and end

static enum pl_errc lane_start(struct work *work, uint32_t index, struct pl_error *err)
{
    struct lane *lane = &work->lanes[index];
    *lane = (struct lane){.work = work, .index = index, .turn = index};
    // Those of consumers that were cancelled may come late, beside those of new ones; and one may still be rendered for
    // a connection that is over.
    lane->slot_count = 2 * (work->prefetch + BROKER_TURNS) + 1;
    lane->slots = calloc(lane->slot_count, sizeof *lane->slots);
    lane->settled = calloc(lane->slot_count, sizeof *lane->settled);
    lane->done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_mutex_init(&lane->lock, NULL);
    pthread_cond_init(&lane->go, NULL);
    if (!lane->slots || !lane->settled || lane->done < 0)
        return pl_fail(err, PL_E_MEMORY, "not enough memory");
    PL_TRY(renderer_link_open(&work->renderers, &lane->link, err));
    if (pthread_create(&lane->drawer, NULL, draw, lane) != 0 || pthread_create(&lane->talker, NULL, talk_on, lane) != 0)
        return pl_fail(err, PL_E_IO, "cannot start a thread");
    return PL_OK;
}

enum pl_errc lanes_start(struct work *work, struct pl_error *err)
{
    sigset_t all, before;
    work->lanes = calloc(work->lane_count, sizeof *work->lanes);
    if (!work->lanes)
        return pl_fail(err, PL_E_MEMORY, "not enough memory");
    // Signals are for the thread that serves.
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    enum pl_errc code = PL_OK;
    for (uint32_t i = 0; i < work->lane_count && code == PL_OK; i++) {
        code = lane_start(work, i, err);
        work->lanes_started += code == PL_OK;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

void lanes_stop(struct work *work)
{
    for (uint32_t i = 0; i < work->lanes_started; i++) {
        struct lane *lane = &work->lanes[i];
        pthread_join(lane->talker, NULL);
        pthread_mutex_lock(&lane->lock);
        lane->ends = true;
        pthread_cond_signal(&lane->go);
        pthread_mutex_unlock(&lane->lock);
        pthread_join(lane->drawer, NULL);
        renderer_link_close(&lane->link);
        close(lane->done);
        free(lane->slots);
        free(lane->settled);
    }
    free(work->lanes);
}
