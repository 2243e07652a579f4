// Asking a renderer. Nothing that it says is believed unchecked, and it is not waited for beyond the request's time.
#include "renderer/renderer_link.h"

#include <assert.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/ckd.h"
#include "base/limits.h"
#include "process/channel.h"
#include "process/limits.h"
#include "process/say.h"

#define GRACE_NS 250000000ull // beyond the deadline, which a renderer keeps by itself as far as it can
#define HEADER_MOST 16384u
#define ANSWER_BYTES ((size_t)256 << 20)  // for one label; more only with more --max-memory
#define RENDERER_SPARE ((size_t)64 << 20) // for libraries and buffers, beyond --max-memory

enum pl_errc renderers_start(struct renderers *renderers, struct http_server *server,
                             const struct platen_engine *engine, size_t beside, uint32_t count, struct pl_error *err)
{
    struct platen_limits limits;
    struct http_metrics *metrics = server ? http_server_metrics(server) : NULL;
    platen_engine_limits(engine, &limits);
    renderers->plan = (struct renderer_plan){.engine = engine, .confined = !server || http_server_confined(server)};
    if (!PL_CKD_ADD(&renderers->plan.memory, limits.arena_bytes, beside) ||
        !PL_CKD_ADD(&renderers->plan.memory, renderers->plan.memory, RENDERER_SPARE))
        renderers->plan.memory = 0;
    renderers->most_labels = limits.labels;
    renderers->plan.answer_bytes = PL_MAX(limits.arena_bytes, ANSWER_BYTES);
    renderers->killed = http_metric_counter(metrics, "renderer_killed_total",
                                            "Renderers that were ended since they went past the time limit.", NULL);
    renderers->died = http_metric_counter(metrics, "renderer_died_total", "Renderers that ended by themselves.", NULL);
    renderers->restarts = http_metric_counter(metrics, "renderer_restarts_total",
                                              "Renderers that were started in the place of others.", NULL);
    if (!pl_process_can_limit())
        fprintf(stderr, "platen: the system does not let renderers bound their memory\n");
    renderers->work = (struct pl_kept_work){.keeper_name = "platen-keeper",
                                            .name = "platen-renderer",
                                            .prepare = renderer_prepare,
                                            .run = renderer_run,
                                            .user = &renderers->plan};
    return pl_keeper_start(&renderers->keeper, &renderers->work, count, err);
}

// Without the keeper there will never be another renderer: whoever watches over the service starts it anew.
static _Noreturn void end_service(const char *why)
{
    pl_say_patiently("platen serve: %s", why);
    _exit(1);
}

// The keeper has ended when its side of a control has.
static void *watch_keeper(void *user)
{
    struct renderers *renderers = user;
    struct pollfd control = {.fd = renderers->keeper.controls[0]};
    while (poll(&control, 1, -1) <= 0)
        continue;
    if (!atomic_load(&renderers->stopping))
        end_service("the process that keeps the others has gone");
    return NULL;
}

void renderers_stop(struct renderers *renderers)
{
    if (renderers->keeper.pid <= 0)
        return;
    atomic_store(&renderers->stopping, true);
    shutdown(renderers->keeper.controls[0], SHUT_RDWR); // wakes the watcher
    if (renderers->watched)
        pthread_join(renderers->watcher, NULL);
    pl_keeper_stop(&renderers->keeper);
}

static struct pl_shared *shared_of(const struct renderer_link *link)
{
    assert(link->place < link->renderers->keeper.count);
    return &link->renderers->keeper.shared[link->place];
}

static void hang_up(struct renderer_link *link)
{
    if (link->channel >= 0)
        close(link->channel);
    link->channel = -1;
    link->request = link->memory = 0;
    link->retires = false;
}

static enum pl_errc replace(struct renderer_link *link, struct pl_error *err)
{
    struct pl_replaced replaced;
    hang_up(link);
    enum pl_errc code = pl_keeper_replace(&link->renderers->keeper, link->place, &replaced, err);
    link->channel = replaced.channel;
    if (code == PL_OK && !pl_channel_prepare(link->channel)) {
        hang_up(link);
        return pl_fail(err, PL_E_MEMORY, "cannot set up a channel");
    }
    if (code == PL_E_IO)
        end_service(err->message);
    return code;
}

enum pl_errc renderer_link_open(struct renderers *renderers, struct renderer_link *link, struct pl_error *err)
{
    link->renderers = renderers;
    link->place = atomic_fetch_add(&renderers->places, 1);
    link->channel = -1;
    link->request = link->memory = 0;
    if (link->place >= renderers->keeper.count)
        return pl_fail(err, PL_E_BUG, "there are more workers than places for renderers");
    PL_TRY(replace(link, err));
    if (link->place == 0)
        renderers->watched = pthread_create(&renderers->watcher, NULL, watch_keeper, renderers) == 0;
    return link->place > 0 || renderers->watched ? PL_OK : pl_fail(err, PL_E_IO, "cannot start a thread");
}

void renderer_link_close(struct renderer_link *link)
{
    pl_turn_leave(shared_of(link));
    hang_up(link);
}

// ---- reading an answer

// malloc'ed bytes of an answer, or NULL (nothing to read, or *result says why not). `shared` is where they are in the
// memory that both share; NULL: they come over the channel.
static uint8_t *receive_bytes(const struct renderer_link *link, uint64_t size, const uint8_t *shared,
                              struct pl_patience *patience, enum pl_channel_result *result, bool *starved)
{
    if (size == 0 || *result != PL_CHANNEL_DONE)
        return NULL;
    uint8_t *bytes = malloc((size_t)size);
    if (!bytes) {
        *starved = true;
        *result = PL_CHANNEL_GONE;
    } else if (shared) {
        memcpy(bytes, shared, (size_t)size);
    } else {
        *result = pl_channel_receive(link->channel, bytes, (size_t)size, patience);
    }
    return bytes;
}

struct received {
    struct render_answer answer;
    uint8_t *bytes[RENDER_SECTIONS];
};

static void received_free(struct received *in)
{
    for (int i = 0; i < RENDER_SECTIONS; i++)
        free(in->bytes[i]);
    *in = (struct received){0};
}

static struct pl_slice section(const struct received *in, enum render_section section)
{
    return pl_slice_make(in->bytes[section], (size_t)in->answer.sizes[section]);
}

// Does the answer fit the question, and its sizes the limits?
static bool plausible(const struct renderer_link *link, const struct render_ask *ask, struct render_answer *answer)
{
    const uint64_t *sizes = answer->sizes;
    uint64_t most = link->renderers->plan.answer_bytes;
    answer->err.message[sizeof answer->err.message - 1] = '\0';
    if (answer->err.status > PLATEN_E_BUG || answer->shared > 1 || answer->drawn > 1 || answer->forgot > 1 ||
        answer->retires > 1)
        return false;
    uint64_t total = 0;
    for (int i = 0; i < RENDER_SECTIONS; i++) {
        if (sizes[i] > most) // so the sum cannot overflow
            return false;
        total += sizes[i];
    }
    if (total > (answer->shared ? PL_SHARED_BODY : most))
        return false;
    bool of_job = ask->opens && ask->kind == RENDER_PRINTER_JOB;
    if (answer->changed > (of_job && ask->job.keeps_memory ? PLATEN_CHANGED_OBJECTS + PLATEN_CHANGED_SETTINGS : 0) ||
        (!of_job && sizes[RENDER_REPLIES] + sizes[RENDER_STORED] > 0))
        return false;
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++) {
        if (sizes[RENDER_MEMORY + i] > 0 && !answer->changed)
            return false;
    }
    return sizes[RENDER_HEADER] <= HEADER_MOST && (ask->opens || sizes[RENDER_COPIES] + sizes[RENDER_FINDINGS] == 0) &&
           (answer->warning_count == 0 || sizes[RENDER_WARNINGS] >= 2);
}

static void move_text(struct received *in, enum render_section from, struct pl_buf *to)
{
    size_t max = to->max;
    pl_buf_fini(to);
    *to = (struct pl_buf){.data = in->bytes[from], .len = (size_t)in->answer.sizes[from], .max = max};
    to->cap = to->len;
    in->bytes[from] = NULL;
}

static void move_result(struct received *in, const struct render_ask *ask, struct job_result *result)
{
    const struct render_answer *answer = &in->answer;
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        move_text(in, (enum render_section)(RENDER_MEMORY + i), &result->parts[i]);
    move_text(in, RENDER_REPLIES, &result->replies);
    move_text(in, RENDER_STORED, &result->stored);
    result->changed = answer->changed;
    result->number = answer->changed ? ask->job.memory_after : ask->job.memory;
    result->settings = answer->settings;
}

void job_result_init(struct job_result *result)
{
    *result = (struct job_result){0};
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        pl_buf_init(&result->parts[i], SIZE_MAX / 2);
    pl_buf_init(&result->replies, SIZE_MAX / 2);
    pl_buf_init(&result->stored, SIZE_MAX / 2);
}

void job_result_free(struct job_result *result)
{
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        pl_buf_fini(&result->parts[i]);
    pl_buf_fini(&result->replies);
    pl_buf_fini(&result->stored);
}

static void move_part(struct received *in, struct label_part *part)
{
    const struct render_answer *answer = &in->answer;
    move_text(in, RENDER_MEMBERS, &part->members);
    move_text(in, RENDER_WARNINGS, &part->warnings);
    move_text(in, RENDER_HEADER, &part->found.text);
    part->warning_count = answer->warning_count;
    part->found.count = answer->header_count;
    part->found.shown = answer->header_shown;
    size_t size = (size_t)answer->sizes[RENDER_FILE];
    platen_buffer_free(&part->file);
    part->file = (struct platen_buffer){.data = in->bytes[RENDER_FILE], .size = size, .capacity = size};
    in->bytes[RENDER_FILE] = NULL;
}

// ---- asking

static enum pl_channel_result read_answer(const struct renderer_link *link, const struct render_ask *ask,
                                          struct pl_patience *patience, struct received *in, bool *starved)
{
    const uint8_t *shared = shared_of(link)->answer;
    enum pl_channel_result result = pl_turn_wait_answer(shared_of(link), link->channel, patience);
    if (result == PL_CHANNEL_DONE)
        memcpy(&in->answer, shared_of(link)->answer_head, sizeof in->answer);
    if (result == PL_CHANNEL_DONE && !plausible(link, ask, &in->answer))
        result = PL_CHANNEL_GONE;
    for (int i = 0; i < RENDER_SECTIONS; i++) {
        uint64_t size = in->answer.sizes[i];
        in->bytes[i] = receive_bytes(link, size, in->answer.shared ? shared : NULL, patience, &result, starved);
        if (in->answer.shared && result == PL_CHANNEL_DONE)
            shared += size;
    }
    return result;
}

static enum platen_status failure(struct platen_error *err, enum platen_status status, const char *message)
{
    *err = (struct platen_error){.status = status};
    snprintf(err->message, sizeof err->message, "%s", message);
    return status;
}

// The conversation broke off: whatever the renderer is about, it is replaced.
static enum platen_status broken(struct renderer_link *link, enum pl_channel_result result, bool starved,
                                 struct platen_error *err)
{
    struct renderers *all = link->renderers;
    struct pl_error inner;
    bool late = result == PL_CHANNEL_LATE;
    if (!starved)
        http_counter_add(late ? all->killed : all->died, 1);
    if (replace(link, &inner) == PL_OK)
        http_counter_add(all->restarts, 1);
    if (starved)
        return failure(err, RENDER_E_NONE, "there is no memory for the answer");
    return late ? failure(err, RENDER_E_KILLED, "rendering took longer than the time limit")
                : failure(err, RENDER_E_DIED, "the renderer ended");
}

static enum platen_status understand(struct renderer_link *link, const struct render_ask *ask, struct received *in,
                                     struct summary *summary, struct label_part *part, struct job_result *result,
                                     struct platen_error *err)
{
    const struct render_answer *answer = &in->answer;
    link->retires = answer->retires;
    link->request = render_ask_ends(ask) ? 0 : ask->request;
    // After an error nobody knows which memory it has.
    if (ask->opens) {
        bool keeps = ask->kind == RENDER_PRINTER_JOB && ask->job.keeps_memory && answer->err.status == PLATEN_OK;
        link->memory = !keeps ? 0 : answer->changed ? ask->job.memory_after : ask->job.memory;
    }
    if (answer->err.status != PLATEN_OK) {
        // A document that was not understood is not there; one that could not be drawn is.
        if (ask->opens)
            link->request = 0;
        *err = answer->err;
        return err->status;
    }
    bool sound = true;
    const uint32_t most = ask->kind == RENDER_PRINTER_JOB
                              ? PL_MAX(link->renderers->most_labels, (uint32_t)PL_LIMIT_JOB_LABELS)
                              : link->renderers->most_labels;
    if (ask->opens && !summary_of_answer(answer, section(in, RENDER_COPIES), section(in, RENDER_FINDINGS), most,
                                         ask->controls.copies == COPIES_COLLAPSE, summary, &sound))
        return sound ? failure(err, RENDER_E_NONE, "there is no memory for the answer")
                     : broken(link, PL_CHANNEL_GONE, false, err);
    bool draws = render_ask_draws(ask);
    part->drawn = draws && answer->drawn;
    // Of a document that it has just told about, it knows which labels there are; of another one, the front does.
    bool there = render_ask_is_whole(ask) || !ask->opens ||
                 ask->labels.label < (ask->labels.by_page ? summary->pages : summary->labels);
    if (draws && part->drawn != there) {
        summary_free(summary);
        return broken(link, PL_CHANNEL_GONE, false, err);
    }
    summary->opening_ns = answer->opening_ns;
    if (draws)
        move_part(in, part);
    if (ask->opens && result)
        move_result(in, ask, result);
    return PLATEN_OK;
}

static struct pl_patience patience_of(const struct renderer_link *link, const struct pl_job *job)
{
    atomic_bool *cancelled = &shared_of(link)->cancelled;
    atomic_store_explicit(cancelled, false, memory_order_relaxed);
    return (struct pl_patience){.until_ns = job->deadline_ns != 0 ? job->deadline_ns + GRACE_NS : 0,
                                .cancelled = job->cancelled,
                                .tell = cancelled,
                                .grace_ns = GRACE_NS};
}

static enum pl_channel_result send_question(const struct renderer_link *link, struct render_ask *ask,
                                            const struct memory_image *memory, struct pl_slice zpl,
                                            struct pl_patience *patience)
{
    struct pl_shared *shared = shared_of(link);
    struct iovec parts[RENDER_MEMORY_PARTS + 1];
    size_t count = 0, size = 0;
    bool brings_memory = ask->opens && memory && link->memory != memory->number;
    if (ask->kind == RENDER_PRINTER_JOB)
        ask->job.brings_memory = brings_memory;
    for (int i = 0; brings_memory && i < RENDER_MEMORY_PARTS; i++) {
        ask->job.memory_sizes[i] = memory->parts[i].len;
        parts[count++] = (struct iovec){(void *)(uintptr_t)memory->parts[i].ptr, memory->parts[i].len};
    }
    if (ask->opens)
        parts[count++] = (struct iovec){(void *)(uintptr_t)zpl.ptr, zpl.len};
    for (size_t i = 0; i < count; i++)
        size += parts[i].iov_len;
    ask->zpl_size = size;
    ask->shared = size <= PL_SHARED_BODY;
    uint8_t *to = shared->question;
    for (size_t i = 0; ask->shared && i < count; i++) {
        if (parts[i].iov_len > 0)
            memcpy(to, parts[i].iov_base, parts[i].iov_len);
        to += parts[i].iov_len;
    }
    memcpy(shared->question_head, ask, sizeof *ask);
    pl_turn_ask(shared);
    return ask->shared ? PL_CHANNEL_DONE : pl_channel_send(link->channel, parts, count, patience);
}

static bool renew(struct renderer_link *link, struct platen_error *err)
{
    struct pl_error inner = {0};
    if (replace(link, &inner) != PL_OK) {
        failure(err, RENDER_E_NONE, inner.message);
        return false;
    }
    http_counter_add(link->renderers->restarts, 1);
    return true;
}

// A renderer that can be asked. False: there is none.
static bool be_ready(struct renderer_link *link, const struct render_ask *ask, struct platen_error *err)
{
    // One that retires goes on with the request that it is about.
    bool retires = link->retires && link->request != ask->request;
    if ((link->channel < 0 || retires) && !renew(link, err))
        return false;
    if (!atomic_load(&shared_of(link)->ended))
        return true;
    // It ended while it had nothing to do: that is not the label's fault.
    http_counter_add(link->renderers->died, 1);
    return renew(link, err);
}

enum platen_status renderer_ask(struct renderer_link *link, const struct render_ask *ask, struct pl_slice zpl,
                                const struct pl_job *job, struct summary *summary, struct label_part *part,
                                struct platen_error *err)
{
    return renderer_ask_job(link, ask, NULL, zpl, job, summary, part, NULL, err);
}

enum platen_status renderer_ask_job(struct renderer_link *link, const struct render_ask *ask,
                                    const struct memory_image *memory, struct pl_slice zpl, const struct pl_job *job,
                                    struct summary *summary, struct label_part *part, struct job_result *result,
                                    struct platen_error *err)
{
    bool starved = false;
    struct render_ask whole;
    struct received in = {0};
    memcpy(&whole, ask, sizeof whole); // with what lies between its members
    whole.deadline_ns = job->deadline_ns;
    if (!be_ready(link, ask, err))
        return err->status;
    struct pl_patience patience = patience_of(link, job);
    enum pl_channel_result outcome;
    do {
        // A renderer that has another document, or is a new one, needs the label code again.
        whole.opens = ask->opens || link->request != ask->request;
        link->request = 0;
        received_free(&in);
        outcome = send_question(link, &whole, memory, zpl, &patience);
        if (outcome == PL_CHANNEL_DONE)
            outcome = read_answer(link, &whole, &patience, &in, &starved);
    } while (outcome == PL_CHANNEL_DONE && in.answer.forgot && !whole.opens);
    struct summary unasked = {0};
    enum platen_status status = outcome == PL_CHANNEL_DONE
                                    ? understand(link, &whole, &in, ask->opens ? summary : &unasked, part, result, err)
                                    : broken(link, outcome, starved, err);
    received_free(&in);
    summary_free(&unasked);
    return status;
}
