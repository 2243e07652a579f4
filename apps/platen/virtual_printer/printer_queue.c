// A printer: its beginning and end, the queue of its jobs, the labels that wait.
#include "printer.h"

#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "base/hash.h"
#include "os/clock.h"
#include "printer_hub.h"
#include "printer_outside.h"
#include "printer_parts.h"

#define JOBS_MOST 256u                   // that wait; then connections are not read
#define JOBS_BYTES ((size_t)32 << 20)    // the same
#define JOIN_BYTES ((size_t)1 << 20)     // of a job that others join
#define WAITING_MOST 256u                // labels that wait to be printed
#define WAITING_BYTES ((size_t)32 << 20) // the same

// ---- beginning and end

static uint32_t dots_of(const struct printer_hub *hub, const struct printer_spec *spec, bool height)
{
    uint32_t w = 0, h = 0;
    const struct platen_options options =
        PLATEN_OPTIONS(.width_mm = spec->width_mm, .height_mm = spec->height_mm, .dpmm = spec->dpmm);
    platen_size_in_dots(hub->engine, &options, &w, &h, NULL);
    return height ? h : w;
}

static void guard_forms(void *user, bool enter)
{
    struct printer *p = user;
    if (enter) {
        pthread_mutex_lock(&p->lock);
        return;
    }
    if (p->forms.touched && p->forms.unsent == 0)
        pthread_cond_signal(&p->wake); // its thread may read the memory now
    pthread_mutex_unlock(&p->lock);
}

void printer_describe(struct printer *p, const struct printer_spec *spec)
{
    p->spec = *spec;
    p->width = dots_of(p->hub, spec, false);
    p->length = dots_of(p->hub, spec, true);
    uint64_t hash = pl_hash_fnv1a(pl_slice_cstr(spec->name));
    snprintf(p->serial, sizeof p->serial, "PLT%09llu", (unsigned long long)(hash % 1000000000u));
    const uint8_t mac[6] = {0x00, 0x07, 0x4D, (uint8_t)(hash >> 16), (uint8_t)(hash >> 8), (uint8_t)hash};
    memcpy(p->mac, mac, sizeof mac);
}

bool printer_init(struct printer *p, struct printer_hub *hub, uint32_t index, const struct printer_spec *spec)
{
    *p = (struct printer){.hub = hub, .index = index, .prefixes = PRINTER_PREFIXES};
    p->forms = (struct printer_forms){.guard = guard_forms, .user = p};
    printer_describe(p, spec);
    p->faults.refuses = spec->is_spare;
    atomic_init(&p->is_there, !spec->is_spare);
    p->settings = (struct platen_settings){
        .darkness_tenths = 100, .mode = 'T', .tracking = 'Y', .media = 'T', .speed = 4, .slew = 6, .backfeed = 2};
    p->started_ns = pl_now_ns();
    pthread_mutex_init(&p->lock, NULL);
    pthread_mutex_init(&p->setting, NULL);
    pthread_cond_init(&p->wake, NULL);
    pl_buf_init(&p->browser_out, PRINTER_BROWSER_BYTES);
    p->memory_number = atomic_fetch_add(&hub->memory_numbers, 1) + 1;
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        p->memory[i] = blob_new(pl_slice_make("", 0));
    p->stored = blob_new(pl_slice_cstr("[]"));
    return print_ring_init(&p->ring, hub->options.ring_labels, hub->options.ring_bytes) && p->memory[0] &&
           p->memory[1] && p->memory[2] && p->stored;
}

static uint32_t jobs_most(const struct printer *p)
{
    return p->hub->jobs_most ? p->hub->jobs_most : JOBS_MOST;
}

static size_t jobs_bytes(const struct printer *p)
{
    return p->hub->jobs_bytes ? p->hub->jobs_bytes : JOBS_BYTES;
}

void printer_end_job(struct printer *p, struct printer_job *job, enum printer_job_state state)
{
    printer_job_move(&job->state, state);
    pl_buf_fini(&job->code);
    if (job->source.connection && p->hub->ports.done)
        p->hub->ports.done(p->hub->ports.user, job);
    else
        printer_job_free(job);
}

// With room for half of what may wait, clients are read again: not for every single job.
static void count_job(struct printer *p, const struct printer_job *job, bool joins)
{
    const uint32_t most = jobs_most(p);
    const size_t most_bytes = jobs_bytes(p);
    p->job_count += joins ? 1 : UINT32_MAX;
    p->job_bytes += joins ? job->code.len : -job->code.len;
    if (p->job_count >= most || p->job_bytes >= most_bytes)
        p->full = true;
    else if (p->job_count <= most / 2 && p->job_bytes <= most_bytes / 2)
        p->full = false;
}

static void add_job(struct printer *p, struct printer_job *job)
{
    job->round =
        turns_join(&p->turns, job->source.client, job->code.len, job->is_barrier ? TURN_AFTER_ALL : TURN_OF_CLIENT);
    struct printer_job **at = p->last && p->last->round <= job->round ? &p->last->next : &p->first;
    while (*at && (*at)->round <= job->round)
        at = &(*at)->next;
    job->next = *at;
    *at = job;
    if (!job->next)
        p->last = job;
    count_job(p, job, true);
}

struct printer_job *printer_take_job(struct printer *p)
{
    struct printer_job *job = p->first;
    p->first = job->next;
    if (!p->first)
        p->last = NULL;
    turns_leave(&p->turns, job->source.client, job->code.len, job->round);
    count_job(p, job, false);
    return job;
}

// Those that last stay, in their order.
void printer_cancel_jobs(struct printer *p)
{
    struct printer_job *stay = NULL, **end = &stay;
    while (p->first) {
        struct printer_job *job = printer_take_job(p);
        if (job->lasts) {
            job->next = NULL;
            *end = job;
            end = &job->next;
        } else {
            printer_end_job(p, job, JOB_CANCELLED);
        }
    }
    while (stay) {
        struct printer_job *next = stay->next;
        add_job(p, stay);
        stay = next;
    }
}

void printer_list_clear(struct printer_list *list)
{
    while (list->first) {
        struct printed_label *label = list->first;
        list->first = label->next;
        printer_job_move(&label->state, JOB_CANCELLED);
        printed_label_release(label);
    }
    *list = (struct printer_list){0};
}

void printer_fini(struct printer *p)
{
    // What is left was kept or named.
    while (p->first) {
        struct printer_job *next = p->first->next;
        printer_job_free(p->first);
        p->first = next;
    }
    while (p->waiting.first) {
        struct printed_label *next = p->waiting.first->next;
        printed_label_release(p->waiting.first);
        p->waiting.first = next;
    }
    print_ring_fini(&p->ring);
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        blob_release(p->memory[i]);
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        blob_release(p->redo[i]);
    blob_release(p->stored);
    pl_buf_fini(&p->browser_out);
    pthread_mutex_destroy(&p->lock);
    pthread_mutex_destroy(&p->setting);
    pthread_cond_destroy(&p->wake);
}

void printer_list_append(struct printer_list *list, struct printed_label *label)
{
    label->next = NULL;
    label->waiting_bytes = printed_label_bytes(label);
    for (int i = 0; i < PRINTED_MEMORY_PARTS; i++) {
        // One copy of the memory serves all labels that were drawn with it.
        if (label->memory[i] && (!list->last || list->last->memory[i] != label->memory[i]))
            label->waiting_bytes += label->memory[i]->size;
    }
    if (list->last)
        list->last->next = label;
    else
        list->first = label;
    list->last = label;
    list->count++;
    list->labels += label->copies;
    list->bytes += label->waiting_bytes;
}

bool printer_list_has_room(const struct printer_list *list)
{
    return list->count < WAITING_MOST && list->bytes < WAITING_BYTES;
}

// ---- jobs

struct printer_job *printer_job_new(struct pl_slice code, const struct printer_source *source)
{
    struct printer_job *job = calloc(1, sizeof *job);
    if (!job)
        return NULL;
    pl_buf_init(&job->code, SIZE_MAX / 2);
    pl_buf_append_slice(&job->code, code);
    if (job->code.failed) {
        printer_job_free(job);
        return NULL;
    }
    job->source = *source;
    return job;
}

void printer_job_free(struct printer_job *job)
{
    if (!job)
        return;
    pl_buf_fini(&job->code);
    free(job);
}

uint64_t printer_submit(struct printer *p, struct printer_job *job)
{
    http_counter_add(p->hub->jobs, 1);
    pthread_mutex_lock(&p->lock);
    if (job->number == 0)
        job->number = atomic_fetch_add(&p->hub->job_numbers, 1) + 1;
    uint64_t number = job->number;
    if (!job->quiet && !job->refused && !job->forwarded)
        printer_outside_forward(p->hub->outside, p, number, pl_buf_slice(&job->code)); // in the order of the jobs
    job->forwarded = true;
    printer_job_move(&job->state, JOB_QUEUED);
    p->resets_waiting += job->holds_input;
    add_job(p, job);
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
    return number;
}

bool printer_join(struct printer *p, struct pl_slice code, const struct printer_source *source)
{
    pthread_mutex_lock(&p->lock);
    struct printer_job *last = p->last;
    bool same = last && last->stores && last->source.client == source->client &&
                last->source.connection == source->connection && strcmp(last->source.text, source->text) == 0;
    bool joins = same && last->code.len + code.len <= JOIN_BYTES && !last->of_start;
    if (joins) {
        const size_t before = last->code.len;
        turns_leave(&p->turns, source->client, before, 0);
        count_job(p, last, false);
        pl_buf_append_slice(&last->code, code);
        joins = !last->code.failed;
        last->code.len = joins ? last->code.len : before;
        last->code.failed = last->code.short_of_memory = false;
        count_job(p, last, true);
        turns_rejoin(&p->turns, source->client, last->code.len);
    }
    if (joins) {
        http_counter_add(p->hub->jobs, 1);
        printer_outside_forward(p->hub->outside, p, last->number, code);
    }
    pthread_mutex_unlock(&p->lock);
    return joins;
}

bool printer_has_done(struct printer *p, uint64_t client, uint64_t job)
{
    pthread_mutex_lock(&p->lock);
    bool done = p->done_jobs[client % TURNS_PLACES] >= job;
    pthread_mutex_unlock(&p->lock);
    return done;
}

// Where others have filled the queue, a client still has a quarter of it; where they have filled it twice, one job.
// A client with nothing in the queue has room, unless very many clients have filled it eight times.
static bool has_room(const struct printer *p, size_t bytes, uint32_t own_jobs, size_t own_bytes)
{
    const uint32_t most = jobs_most(p);
    const size_t most_bytes = jobs_bytes(p);
    bool full = p->full || bytes >= most_bytes;
    bool own = p->job_count < 2 * most && bytes < 2 * most_bytes && own_jobs < PL_MAX(most / 4, 1u) &&
               own_bytes < most_bytes / 4;
    bool nothing = own_jobs == 0 && own_bytes == 0 && bytes < PRINTER_QUEUES_MOST * most_bytes;
    return !p->faults.buffer_full && (!full || own || nothing);
}

bool printer_has_room_now(const struct printer *p, uint64_t client)
{
    const struct turns_share *share = turns_share_of(&p->turns, client);
    return has_room(p, p->job_bytes, share->jobs, share->bytes);
}

bool printer_has_room(struct printer *p, uint64_t client)
{
    pthread_mutex_lock(&p->lock);
    bool room = printer_has_room_now(p, client);
    pthread_mutex_unlock(&p->lock);
    return room;
}

bool printer_takes_input(struct printer *p, uint64_t client)
{
    pthread_mutex_lock(&p->lock);
    bool takes = p->resets_waiting == 0 && printer_has_room_now(p, client);
    pthread_mutex_unlock(&p->lock);
    return takes;
}

bool printer_reserve(struct printer *p, uint64_t client, size_t bytes)
{
    pthread_mutex_lock(&p->lock);
    const struct turns_share *share = turns_share_of(&p->turns, client);
    bool room = has_room(p, p->job_bytes + p->turns.reserved, share->jobs, share->bytes + share->reserved);
    if (room)
        turns_reserve(&p->turns, client, bytes);
    pthread_mutex_unlock(&p->lock);
    return room;
}

void printer_release(struct printer *p, uint64_t client, size_t bytes)
{
    pthread_mutex_lock(&p->lock);
    turns_release(&p->turns, client, bytes);
    pthread_mutex_unlock(&p->lock);
}

bool printer_can_draw(const struct printer *p)
{
    return p->first && printer_list_has_room(&p->waiting);
}

void printer_put_back(struct printer *p, struct printer_job *job)
{
    pthread_mutex_lock(&p->lock);
    printer_job_move(&job->state, JOB_QUEUED);
    job->next = p->first;
    p->first = job;
    if (!p->last)
        p->last = job;
    turns_rejoin(&p->turns, job->source.client, job->code.len);
    count_job(p, job, true);
    pthread_mutex_unlock(&p->lock);
}

// A stopped printer prints nothing more: what it can still draw it draws.
static bool is_idle(const struct printer *p)
{
    return !p->busy && !printer_can_draw(p) && (!p->waiting.first || printer_is_stopped(p));
}

bool printer_is_idle(struct printer *p)
{
    pthread_mutex_lock(&p->lock);
    bool idle = is_idle(p);
    pthread_mutex_unlock(&p->lock);
    return idle;
}

bool printer_is_stuck(struct printer *p)
{
    pthread_mutex_lock(&p->lock);
    bool stuck = is_idle(p) && (p->first || p->faults.buffer_full);
    pthread_mutex_unlock(&p->lock);
    return stuck;
}
