// A lane of `platen work`: one connection, one renderer. One thread talks with the broker, another one with the
// renderer, so that a job may take longer than any heartbeat.
//
//   WAITING    delivered, not begun          given back when the worker ends
//   RENDERING  with the renderer
//   PUBLISHED  its result is on the way      acknowledged when the broker has confirmed that
//
// What is lost with a connection is delivered again, here or elsewhere.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "batch/names.h"
#include "result_files.h"
#include "work.h"

#define WAIT_MS 100
#define WAIT_ENCRYPTED_MS 10 // what the library has read and not decrypted shows in no descriptor
#define STARVED_NS 200000000u
#define HEADER_MOST 1024u // bytes of a job's header that is passed on

enum slot_state { SLOT_FREE, SLOT_WAITING, SLOT_RENDERING, SLOT_PUBLISHED };

struct slot {
    enum slot_state state;
    struct broker_message job;
    uint64_t order;      // of arrival
    uint64_t numbers[2]; // of its publications that are not confirmed; 0: none
    bool stale;          // its connection is over
    bool refused;        // a publication was: the job is given back
};

struct lane {
    struct work *work;
    uint32_t index;
    pthread_t talker, drawer;
    struct renderer_link link;
    int done; // eventfd: the drawer has finished
    // Between the two threads.
    pthread_mutex_t lock;
    pthread_cond_t go;
    const struct broker_message *task; // NULL: none
    bool ends;
    struct work_result result;
    // The talker's.
    struct broker *broker;
    struct slot *slots;
    uint64_t arrivals;
    struct slot *busy; // that the drawer has
    uint64_t pause_until_ns;
    uint32_t turn, tries;
    bool cancelled;
    char last_error[256];
};

// ---- the drawer

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
        pthread_mutex_unlock(&lane->lock);
        uint64_t began = pl_now_ns();
        work_result_init(&lane->result);
        work_render(&lane->link, task, atomic_fetch_add(&work->jobs, 1) + 1, work->job_ms, &lane->result);
        http_histogram_observe(work->job_time, pl_now_ns() - began);
        pthread_mutex_lock(&lane->lock);
        lane->task = NULL;
        uint64_t one = 1;
        if (write(lane->done, &one, sizeof one) != (ssize_t)sizeof one)
            abort();
    }
    pthread_mutex_unlock(&lane->lock);
    return NULL;
}

// ---- slots

static void slot_free(struct slot *slot)
{
    free(slot->job.memory);
    *slot = (struct slot){0};
}

static struct slot *find_slot(struct lane *lane, enum slot_state state)
{
    struct slot *best = NULL;
    for (uint32_t i = 0; i < lane->work->prefetch + 1; i++) {
        struct slot *slot = &lane->slots[i];
        if (slot->state == state && (!best || slot->order < best->order))
            best = slot;
    }
    return best;
}

static uint64_t deliveries_of(const struct broker_message *job)
{
    struct pl_slice text;
    uint64_t count = 0;
    return broker_header_of(job, DELIVERY_COUNT, &text) && pl_parse_u64(text, &count) ? count : job->redelivered;
}

// ---- results

static struct pl_slice number_text(char *room, size_t size, uint64_t number)
{
    return pl_slice_make(room, (size_t)snprintf(room, size, "%llu", (unsigned long long)number));
}

static enum pl_errc publish_result(struct lane *lane, struct slot *slot, const struct work_result *result,
                                   struct pl_error *err)
{
    char labels[24], pages[24], batch[BROKER_BATCH_MAX + 1];
    struct pl_slice text;
    struct broker_message message = {
        .id = slot->job.id, .type = pl_slice_cstr(result->type), .body = pl_buf_slice(&result->body)};
    broker_add_header(&message, HEADER_OK, pl_slice_cstr(result->failed ? "false" : "true"));
    broker_add_header(&message, HEADER_LABELS, number_text(labels, sizeof labels, result->labels));
    broker_add_header(&message, HEADER_PAGES, number_text(pages, sizeof pages, result->pages));
    broker_add_header(&message, HEADER_ENDING, pl_slice_cstr(result->ending));
    if (broker_header_of(&slot->job, HEADER_SEQUENCE, &text) && text.len <= HEADER_MOST)
        broker_add_header(&message, HEADER_SEQUENCE, text);
    text = pl_slice_cstr("none");
    (void)broker_header_of(&slot->job, HEADER_BATCH, &text);
    text.len = PL_MIN(text.len, (size_t)BROKER_BATCH_MAX);
    broker_add_header(&message, HEADER_BATCH, text);
    snprintf(batch, sizeof batch, "%.*s", (int)PL_MIN(text.len, (size_t)BROKER_BATCH_MAX), (const char *)text.ptr);
    return broker_publish(lane->broker, BROKER_RESULTS, batch, &message, &slot->numbers[0], err);
}

static enum pl_errc bury(struct lane *lane, struct slot *slot, const char *reason, struct pl_error *err)
{
    char count[24];
    struct broker_message message = slot->job;
    // Headers have to fit into one frame, with those that are added.
    message.header_count = 0;
    for (uint32_t i = 0; i < slot->job.header_count && i + 2 < BROKER_HEADERS_MAX; i++) {
        if (slot->job.headers[i].value.len <= HEADER_MOST)
            message.headers[message.header_count++] = slot->job.headers[i];
    }
    broker_add_header(&message, HEADER_REASON, pl_slice_cstr(reason));
    broker_add_header(&message, HEADER_DELIVERIES, number_text(count, sizeof count, deliveries_of(&slot->job) + 1));
    fprintf(stderr, "platen work: job %.*s goes to the dead letters: %s\n", (int)PL_MIN(slot->job.id.len, (size_t)100),
            (const char *)slot->job.id.ptr, reason);
    http_counter_add(lane->work->dead, 1);
    return broker_publish(lane->broker, BROKER_DEAD, "dead", &message, &slot->numbers[1], err);
}

static enum pl_errc settle(struct lane *lane, struct slot *slot, struct pl_error *err)
{
    uint64_t tag = slot->job.tag;
    bool refused = slot->refused;
    slot_free(slot);
    return refused ? broker_give_back(lane->broker, tag, err) : broker_acknowledge(lane->broker, tag, false, err);
}

// The job has a result: on its way to the exchange, or in the folder.
static enum pl_errc hand_in(struct lane *lane, struct slot *slot, const struct work_result *result,
                            struct pl_error *err)
{
    struct work *work = lane->work;
    http_counter_add(result->failed ? work->failed : work->ok, 1);
    http_counter_add(work->labels, result->labels);
    http_counter_add(work->bytes, result->body.len);
    slot->state = SLOT_PUBLISHED;
    if (!work->results[0])
        return publish_result(lane, slot, result, err);
    const struct result_file file = {.id = slot->job.id,
                                     .body = pl_buf_slice(&result->body),
                                     .type = pl_slice_cstr(result->type),
                                     .ending = pl_slice_cstr(result->ending),
                                     .ok = !result->failed};
    struct pl_error why;
    if (result_files_write(work->results, &file, true, &why) != PL_OK) {
        fprintf(stderr, "platen work: %s\n", why.message);
        slot->refused = true;
        lane->pause_until_ns = pl_now_ns() + 5 * (uint64_t)STARVED_NS;
    }
    return slot->numbers[1] ? PL_OK : settle(lane, slot, err);
}

static enum pl_errc finish(struct lane *lane, struct slot *slot, const struct work_result *result, struct pl_error *err)
{
    struct work *work = lane->work;
    if (result->again && (result->starved || deliveries_of(&slot->job) + 1 < work->deliveries)) {
        http_counter_add(work->returned, 1);
        if (result->starved)
            lane->pause_until_ns = pl_now_ns() + STARVED_NS;
        slot->refused = true;
        return settle(lane, slot, err);
    }
    if (result->again)
        PL_TRY(bury(lane, slot, result->problem.message, err));
    return hand_in(lane, slot, result, err);
}

// A job that came too often: those who had it are gone.
static enum pl_errc give_up(struct lane *lane, struct slot *slot, struct pl_error *err)
{
    struct work_result result;
    struct problem problem;
    work_result_init(&result);
    problem_set(&problem, 500, "delivered_too_often", "The job was delivered %llu times and had no result.",
                (unsigned long long)deliveries_of(&slot->job));
    work_result_fail(&result, &problem);
    enum pl_errc code = bury(lane, slot, problem.message, err);
    if (code == PL_OK)
        code = hand_in(lane, slot, &result, err);
    work_result_free(&result);
    return code;
}

// ---- the talker

static enum pl_errc take_delivery(struct lane *lane, const struct broker_message *job, struct pl_error *err)
{
    struct slot *slot = find_slot(lane, SLOT_FREE);
    if (!slot)
        return pl_fail(err, PL_E_BUG, "the broker delivers more than it was asked for");
    *slot = (struct slot){.state = SLOT_WAITING, .job = *job, .order = ++lane->arrivals};
    if (!pl_id_usable(job->id)) { // nobody could ask for its result
        slot->state = SLOT_PUBLISHED;
        return bury(lane, slot, "It has no id of 1 to 200 bytes without control characters.", err);
    }
    return deliveries_of(job) >= lane->work->deliveries_most ? give_up(lane, slot, err) : PL_OK;
}

static enum pl_errc confirm(struct lane *lane, const struct broker_told *told, bool refused, struct pl_error *err)
{
    for (uint32_t i = 0; i < lane->work->prefetch + 1; i++) {
        struct slot *slot = &lane->slots[i];
        bool any = false;
        for (int k = 0; k < 2 && slot->state == SLOT_PUBLISHED; k++) {
            uint64_t n = slot->numbers[k];
            if (n != 0 && (n == told->number || (told->all_before && n < told->number))) {
                slot->numbers[k] = 0;
                slot->refused = slot->refused || refused;
                any = true;
            }
        }
        if (any && slot->numbers[0] == 0 && slot->numbers[1] == 0)
            PL_TRY(settle(lane, slot, err));
    }
    return PL_OK;
}

static void note_return(struct lane *lane, struct broker_message *message)
{
    for (uint32_t i = 0; i < lane->work->prefetch + 1; i++) {
        struct slot *slot = &lane->slots[i];
        if (slot->state == SLOT_PUBLISHED && pl_slice_eq(slot->job.id, message->id))
            slot->refused = true;
    }
    fprintf(stderr, "platen work: nobody takes the results of job %.*s: declare the batch's queue\n",
            (int)PL_MIN(message->id.len, (size_t)100), (const char *)message->id.ptr);
    lane->pause_until_ns = pl_now_ns() + 5 * (uint64_t)STARVED_NS;
    free(message->memory);
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
            PL_TRY(confirm(lane, &told, false, err));
            break;
        case BROKER_REJECTED:
            PL_TRY(confirm(lane, &told, true, err));
            break;
        case BROKER_RETURNED:
            note_return(lane, &told.message);
            break;
        case BROKER_BLOCKED:
            fprintf(stderr, "platen work: %s takes no messages for now: %s\n", broker_place(lane->broker), told.text);
            break;
        case BROKER_UNBLOCKED:
            fprintf(stderr, "platen work: %s takes messages again\n", broker_place(lane->broker));
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
    http_counter_add(lane->work->in_flight, UINT64_MAX); // minus one
    enum pl_errc code = PL_OK;
    if (slot->stale || !lane->broker)
        slot_free(slot);
    else
        code = finish(lane, slot, &lane->result, err);
    work_result_free(&lane->result);
    return code;
}

static void begin_next(struct lane *lane)
{
    struct slot *slot = lane->busy ? NULL : find_slot(lane, SLOT_WAITING);
    if (!slot || lane->cancelled || pl_now_ns() < lane->pause_until_ns)
        return;
    slot->state = SLOT_RENDERING;
    lane->busy = slot;
    http_counter_add(lane->work->in_flight, 1);
    pthread_mutex_lock(&lane->lock);
    lane->task = &slot->job;
    pthread_cond_signal(&lane->go);
    pthread_mutex_unlock(&lane->lock);
}

// The worker ends: no more jobs, and those that were not begun go back.
static enum pl_errc wind_up(struct lane *lane, struct pl_error *err)
{
    if (!lane->cancelled)
        PL_TRY(broker_cancel(lane->broker, err));
    lane->cancelled = true;
    for (struct slot *slot; (slot = find_slot(lane, SLOT_WAITING));) {
        slot->refused = true;
        PL_TRY(settle(lane, slot, err));
    }
    return PL_OK;
}

// Until the connection is over (not PL_OK) or the worker ends (PL_OK).
static enum pl_errc talk(struct lane *lane, struct pl_error *err)
{
    for (;;) {
        if (http_server_leaving(lane->work->server)) {
            PL_TRY(wind_up(lane, err));
            if (!lane->busy && !find_slot(lane, SLOT_PUBLISHED))
                return PL_OK;
        }
        begin_next(lane);
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
    PL_TRY(broker_open(&work->broker, &lane->turn, &lane->broker, err));
    if (strcmp(work->declare, "off") != 0)
        PL_TRY(broker_declare(lane->broker, err));
    return broker_consume(lane->broker, NULL, work->prefetch, err);
}

// Waits as long as the worker goes on.
static void rest(const struct lane *lane, uint32_t ms)
{
    const struct timespec step = {.tv_nsec = 50000000};
    for (uint32_t waited = 0; waited < ms && !http_server_leaving(lane->work->server); waited += 50)
        nanosleep(&step, NULL);
}

// The connection is over: the broker gives its jobs to others.
static void forget_all(struct lane *lane)
{
    for (uint32_t i = 0; i < lane->work->prefetch + 1; i++) {
        struct slot *slot = &lane->slots[i];
        if (slot->state == SLOT_RENDERING)
            slot->stale = true;
        else
            slot_free(slot);
    }
    broker_close(lane->broker);
    lane->broker = NULL;
}

static void complain(struct lane *lane, const struct pl_error *err)
{
    // The same reason is told once.
    if (strcmp(lane->last_error, err->message) != 0)
        fprintf(stderr, "platen work: %s; trying again\n", err->message);
    snprintf(lane->last_error, sizeof lane->last_error, "%s", err->message);
}

static void *talk_on(void *user)
{
    struct lane *lane = user;
    struct work *work = lane->work;
    struct pl_error err = {0};
    while (!http_server_leaving(work->server)) {
        enum pl_errc code = connect_lane(lane, &err);
        if (code == PL_OK) {
            fprintf(stderr, "platen work: connection %u: working for %s\n", lane->index, broker_place(lane->broker));
            lane->tries = 0;
            lane->last_error[0] = '\0';
            http_gauge_set(work->connected_now, atomic_fetch_add(&work->connected, 1) + 1);
            code = talk(lane, &err);
            http_gauge_set(work->connected_now, atomic_fetch_sub(&work->connected, 1) - 1);
            http_counter_add(work->reconnects, code != PL_OK);
        }
        if (code != PL_OK)
            complain(lane, &err);
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
    lane->slots = calloc(work->prefetch + 1, sizeof *lane->slots);
    lane->done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_mutex_init(&lane->lock, NULL);
    pthread_cond_init(&lane->go, NULL);
    if (!lane->slots || lane->done < 0)
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
    }
    free(work->lanes);
}
