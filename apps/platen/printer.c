// A printer: its jobs, its thread, its memory.
#include "printer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/ckd.h"
#include "base/hash.h"
#include "http/io/seam.h"
#include "os/clock.h"
#include "printer_hub.h"
#include "printer_io.h"
#include "printer_outside.h"

#define JOBS_MOST 256u                   // that wait; then connections are not read
#define JOBS_BYTES ((size_t)32 << 20)    // the same
#define WAITING_MOST 256u                // labels that wait to be printed: then no more jobs are drawn
#define WAITING_BYTES ((size_t)32 << 20) // the same
#define BROWSER_BYTES ((size_t)1 << 20)  // answers that nobody has read
#define SLOW_MOST_MS 86400000u           // for all copies of a label
#define REFUSED_KEPT ((size_t)64 << 10)  // of the label code of a job that was refused

// ---- beginning and end

static uint32_t dots_of(const struct printer_hub *hub, const struct printer_spec *spec, bool height)
{
    uint32_t w = 0, h = 0;
    const struct platen_options options =
        PLATEN_OPTIONS(.width_mm = spec->width_mm, .height_mm = spec->height_mm, .dpmm = spec->dpmm);
    platen_size_in_dots(hub->engine, &options, &w, &h, NULL);
    return height ? h : w;
}

bool printer_init(struct printer *p, struct printer_hub *hub, uint32_t index, const struct printer_spec *spec)
{
    *p = (struct printer){.hub = hub, .index = index, .spec = *spec, .prefixes = PRINTER_PREFIXES};
    p->width = dots_of(hub, spec, false);
    p->length = dots_of(hub, spec, true);
    uint64_t hash = pl_hash_fnv1a(pl_slice_cstr(spec->name));
    snprintf(p->serial, sizeof p->serial, "PLT%09llu", (unsigned long long)(hash % 1000000000u));
    const uint8_t mac[6] = {0x00, 0x07, 0x4D, (uint8_t)(hash >> 16), (uint8_t)(hash >> 8), (uint8_t)hash};
    memcpy(p->mac, mac, sizeof mac);
    p->settings = (struct platen_settings){
        .darkness_tenths = 100, .mode = 'T', .tracking = 'Y', .media = 'T', .speed = 4, .slew = 6, .backfeed = 2};
    p->started_ns = pl_now_ns();
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    pl_buf_init(&p->browser_out, BROWSER_BYTES);
    p->memory_number = atomic_fetch_add(&hub->memory_numbers, 1) + 1;
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        p->memory[i] = blob_new(pl_slice_make("", 0));
    p->stored = blob_new(pl_slice_cstr("[]"));
    return print_ring_init(&p->ring, hub->options.ring_labels, hub->options.ring_bytes) && p->memory[0] &&
           p->memory[1] && p->memory[2] && p->stored;
}

static void drop_jobs(struct printer *p)
{
    while (p->first) {
        struct printer_job *job = p->first;
        p->first = job->next;
        if (job->source.connection)
            printer_io_job_done(p->hub->io, job->source.connection);
        printer_job_free(job);
    }
    p->last = NULL;
    p->job_count = 0;
    p->job_bytes = 0;
}

void printer_list_clear(struct printer_list *list)
{
    while (list->first) {
        struct printed_label *label = list->first;
        list->first = label->next;
        printed_label_release(label);
    }
    *list = (struct printer_list){0};
}

void printer_fini(struct printer *p)
{
    drop_jobs(p);
    printer_list_clear(&p->waiting);
    print_ring_fini(&p->ring);
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        blob_release(p->memory[i]);
    blob_release(p->stored);
    pl_buf_fini(&p->browser_out);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->wake);
}

// ---- jobs

struct printer_job *printer_job_new(struct printer *p, struct pl_slice code, const struct printer_source *source)
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
    job->number = atomic_fetch_add(&p->hub->job_numbers, 1) + 1;
    return job;
}

void printer_job_free(struct printer_job *job)
{
    if (!job)
        return;
    pl_buf_fini(&job->code);
    free(job);
}

void printer_submit(struct printer *p, struct printer_job *job)
{
    http_counter_add(p->hub->jobs, 1);
    if (!job->quiet && !job->refused)
        printer_outside_forward(p->hub->outside, p->index, pl_buf_slice(&job->code));
    pthread_mutex_lock(&p->lock);
    job->next = NULL;
    if (p->last)
        p->last->next = job;
    else
        p->first = job;
    p->last = job;
    p->job_count++;
    p->job_bytes += job->code.len;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
}

static bool has_room(const struct printer *p)
{
    return !p->faults.buffer_full && p->job_count < JOBS_MOST && p->job_bytes < JOBS_BYTES;
}

bool printer_has_room(struct printer *p)
{
    pthread_mutex_lock(&p->lock);
    bool room = has_room(p);
    pthread_mutex_unlock(&p->lock);
    return room;
}

// ---- what it says of itself

bool printer_is_stopped(const struct printer *p)
{
    const struct printer_faults *f = &p->faults;
    return f->paper_out || f->ribbon_out || f->head_open || f->paused;
}

const char *printer_state_word(const struct printer *p)
{
    const struct printer_faults *f = &p->faults;
    return f->head_open     ? "head-open"
           : f->paper_out   ? "paper-out"
           : f->ribbon_out  ? "ribbon-out"
           : f->paused      ? "paused"
           : f->buffer_full ? "buffer-full"
           : p->busy        ? "printing"
                            : "ready";
}

// The list is the renderer's text; a name of a graphic is in it once for each.
static uint32_t count_graphics(struct pl_slice rest)
{
    static const char WORD[] = "\"kind\":\"graphic\"";
    uint32_t count = 0;
    for (const uint8_t *at; (at = memmem(rest.ptr, rest.len, WORD, sizeof WORD - 1)); count++)
        rest = pl_slice_sub(rest, (size_t)(at - rest.ptr) + 1, rest.len);
    return count;
}

void printer_face(const struct printer *p, struct printer_face *face)
{
    struct platen_limits limits;
    platen_engine_limits(p->hub->engine, &limits);
    size_t used = 0;
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        used += p->memory[i]->size;
    const struct platen_settings *s = &p->settings;
    *face = (struct printer_face){
        .name = p->spec.name,
        .model = "ZT410",
        .firmware = "V75.20.01Z",
        .serial = p->serial,
        .address = p->address,
        .port = p->port,
        .dpmm = p->spec.dpmm,
        .paper_out = p->faults.paper_out,
        .ribbon_out = p->faults.ribbon_out,
        .head_open = p->faults.head_open,
        .paused = p->faults.paused,
        .buffer_full = !has_room(p) || p->faults.buffer_full,
        .format_is_partial = p->partial > 0,
        .width = s->print_width ? s->print_width : p->width,
        .length = s->label_length ? s->label_length : p->length,
        .formats_waiting = p->job_count + p->busy,
        .labels_remaining = p->waiting.labels,
        .stored_graphics = p->graphics,
        .memory_kb = (uint32_t)PL_MIN(limits.stored_bytes / 1024, (size_t)UINT32_MAX),
        .memory_free_kb = (uint32_t)(limits.stored_bytes > used ? (limits.stored_bytes - used) / 1024 : 0),
        .darkness_tenths = s->darkness_tenths,
        .tear_off = s->tear_off,
        .mode = s->mode,
        .tracking = s->tracking,
        .media = s->media,
        .speed = s->speed,
        .slew = s->slew,
        .backfeed = s->backfeed,
        .prefixes = p->prefixes,
        .printed = p->printed,
        .printed_dots = p->printed_dots,
        .uptime_s = (pl_now_ns() - p->started_ns) / 1000000000u,
        .time = (int64_t)time(NULL),
    };
    memcpy(face->mac, p->mac, sizeof p->mac);
}

// ---- drawing

static void send_answer(struct printer *p, const struct printer_source *source, struct pl_slice text)
{
    if (text.len == 0)
        return;
    pthread_mutex_lock(&p->lock);
    bool silent = p->faults.silent;
    if (!silent && source->browser) {
        pl_buf_append_slice(&p->browser_out, text);
        if (p->browser_out.failed) { // nobody reads: the oldest are gone
            pl_buf_fini(&p->browser_out);
            pl_buf_init(&p->browser_out, BROWSER_BYTES);
        }
    }
    pthread_mutex_unlock(&p->lock);
    if (!silent && source->browser)
        printer_hub_changed(p->hub, p); // a /read may wait for it
    if (!silent && source->connection)
        printer_io_reply(p->hub->io, source->connection, text);
}

// What the job answers, as the renderer told it. One write for each job.
static void send_replies(struct printer *p, const struct printer_job *job, struct pl_slice records)
{
    struct pl_buf out;
    pl_buf_init(&out, SIZE_MAX / 2);
    struct render_reply head;
    while (records.len >= sizeof head) {
        memcpy(&head, records.ptr, sizeof head);
        records = pl_slice_sub(records, sizeof head, records.len);
        struct pl_slice text = pl_slice_sub(records, 0, head.size);
        records = pl_slice_sub(records, text.len, records.len);
        struct printer_face face;
        pthread_mutex_lock(&p->lock);
        printer_face(p, &face);
        if (head.kind == PLATEN_REPLY_CONFIGURATION)
            printer_reply_configuration(&face, &out);
        else if (head.kind == PLATEN_REPLY_XML)
            printer_reply_xml(&face, text.len > 0 ? (char)text.ptr[0] : 'A', &out);
        else
            pl_buf_append_slice(&out, text);
        pthread_mutex_unlock(&p->lock);
    }
    if (!out.failed)
        send_answer(p, &job->source, pl_buf_slice(&out));
    pl_buf_fini(&out);
}

// What the job leaves in the memory.
static void keep_result(struct printer *p, struct job_result *result)
{
    struct blob *parts[RENDER_MEMORY_PARTS] = {0}, *stored = NULL;
    struct blob *old[RENDER_MEMORY_PARTS];
    bool whole = true;
    pthread_mutex_lock(&p->lock);
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        old[i] = blob_hold(p->memory[i]);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++) {
        unsigned which = i == PLATEN_MEMORY_SETTINGS ? PLATEN_CHANGED_SETTINGS : PLATEN_CHANGED_OBJECTS;
        if (result->changed & which)
            whole = (parts[i] = blob_again(old[i], pl_buf_slice(&result->parts[i]))) && whole;
        blob_release(old[i]);
    }
    if (result->stored.len > 0)
        whole = (stored = blob_new(pl_buf_slice(&result->stored))) && whole;
    pthread_mutex_lock(&p->lock);
    p->settings = result->settings;
    for (int i = 0; whole && i < RENDER_MEMORY_PARTS; i++) {
        struct blob *before = parts[i] ? p->memory[i] : NULL;
        if (parts[i])
            p->memory[i] = parts[i];
        parts[i] = before;
    }
    if (whole && stored) {
        struct blob *before = p->stored;
        p->stored = stored;
        p->graphics = count_graphics(blob_slice(stored));
        stored = before;
    }
    if (whole)
        p->memory_number = result->number;
    struct blob *lasting = whole && (result->changed & PLATEN_CHANGED_OBJECTS) ? blob_hold(p->memory[0]) : NULL;
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        blob_release(parts[i]);
    blob_release(stored);
    if (lasting) {
        printer_outside_save(p->hub->outside, p->spec.name, blob_slice(lasting));
        blob_release(lasting);
    }
}

static void append(struct printer_list *list, struct printed_label *label)
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

// A label of the job, or the job itself with the reason why there is none.
static struct printed_label *label_of(struct printer *p, const struct printer_job *job, struct blob *zpl)
{
    struct printed_label *label = printed_label_new();
    if (!label)
        return NULL;
    label->job = job->number;
    label->copies = 1;
    label->width_mm = p->spec.width_mm;
    label->height_mm = p->spec.height_mm;
    label->dpmm = p->spec.dpmm;
    label->zpl = blob_hold(zpl);
    memcpy(label->source, job->source.text, sizeof label->source);
    return label;
}

// Labels that were drawn before the job was cancelled are not printed.
static void wait_to_print(struct printer *p, struct printed_label *label, uint64_t epoch)
{
    pthread_mutex_lock(&p->lock);
    bool goes = p->epoch != epoch;
    if (!goes)
        append(&p->waiting, label);
    pthread_mutex_unlock(&p->lock);
    if (goes)
        printed_label_release(label);
}

static void refuse(struct printer *p, const struct printer_job *job, uint64_t epoch, const char *reason)
{
    http_counter_add(p->hub->refused, 1);
    struct blob *zpl = blob_new(pl_slice_sub(pl_buf_slice(&job->code), 0, REFUSED_KEPT));
    struct printed_label *label = label_of(p, job, zpl);
    blob_release(zpl);
    if (!label)
        return;
    label->copies = 0;
    snprintf(label->refused, sizeof label->refused, "%s", reason);
    wait_to_print(p, label, epoch);
}

// One job on its way through the renderer.
struct drawing {
    struct printer *printer;
    const struct printer_job *job;
    struct renderer_link *link;
    struct memory_image image;
    struct blob *parts[RENDER_MEMORY_PARTS];
    struct render_ask ask;
    struct blob *zpl;
    uint64_t epoch;
};

static void begin_drawing(struct drawing *d, struct printer *p, const struct printer_job *job,
                          struct renderer_link *link)
{
    const struct printer_spec *spec = &p->spec;
    memset(d, 0, sizeof *d);
    d->printer = p;
    d->job = job;
    d->link = link;
    pthread_mutex_lock(&p->lock);
    d->epoch = p->epoch;
    d->image.number = p->memory_number;
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++) {
        d->parts[i] = blob_hold(p->memory[i]);
        d->image.parts[i] = blob_slice(d->parts[i]);
    }
    pthread_mutex_unlock(&p->lock);
    struct render_ask *ask = &d->ask;
    ask->request = atomic_fetch_add(&p->hub->requests, 1) + ((uint64_t)1 << 62);
    ask->client = ((uint64_t)1 << 62) + p->index;
    ask->memory = d->image.number;
    ask->memory_after = atomic_fetch_add(&p->hub->memory_numbers, 1) + 1;
    ask->keeps_memory = ask->apart = ask->draws = true;
    ask->controls.format = OUTPUT_JSON;
    ask->controls.width_mm = spec->width_mm;
    ask->controls.height_mm = spec->height_mm;
    ask->controls.dpmm = spec->dpmm;
    ask->controls.printer = !spec->reference;
    ask->controls.fit_size = spec->fits;
    ask->controls.collapse = true;
    ask->controls.time = (int64_t)time(NULL);
    d->zpl = blob_new(pl_buf_slice(&job->code));
}

static void end_drawing(struct drawing *d)
{
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        blob_release(d->parts[i]);
    blob_release(d->zpl);
}

static enum platen_status ask_for(struct drawing *d, uint32_t index, struct summary *summary, struct label_part *part,
                                  bool *drawn, struct job_result *result, struct platen_error *err)
{
    uint64_t deadline = pl_now_ns() + d->printer->hub->render_ms * 1000000u;
    const struct pl_job limits = {.deadline_ns = deadline};
    d->ask.label = index;
    d->ask.deadline_ns = deadline;
    d->ask.opens = index == 0;
    d->ask.ends_with_last = true;
    return renderer_ask_job(d->link, &d->ask, &d->image, pl_buf_slice(&d->job->code), &limits, summary, part, drawn,
                            result, err);
}

static void add_drawn(struct drawing *d, uint32_t index, const struct summary *summary, const struct label_part *part)
{
    struct printer *p = d->printer;
    struct printed_label *label = label_of(p, d->job, d->zpl);
    if (!label)
        return;
    label->index = index;
    label->copies = summary->copies[index];
    label->png = blob_new(pl_slice_make(part->file.data, part->file.size));
    label->members = blob_new(pl_buf_slice(&part->members));
    label->warnings = blob_new(pl_buf_slice(&part->warnings));
    if (p->spec.fits) {
        label->width_mm = summary->width_mm;
        label->height_mm = summary->height_mm;
    }
    label->length_dots = (uint32_t)(label->height_mm * label->dpmm);
    label->memory_number = d->image.number;
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        label->memory[i] = blob_hold(d->parts[i]);
    if (label->png && label->members && label->warnings)
        wait_to_print(p, label, d->epoch);
    else
        printed_label_release(label);
}

static const char *reason_of(const struct platen_error *err)
{
    switch ((int)err->status) {
    case RENDER_E_KILLED:
        return "rendering took longer than the time limit";
    case RENDER_E_DIED:
        return "the renderer did not survive this job and was replaced";
    case RENDER_E_NONE:
        return "there was no memory for it";
    default:
        return err->message[0] ? err->message : "it could not be drawn";
    }
}

static void draw(struct printer *p, const struct printer_job *job, struct renderer_link *link)
{
    struct drawing d;
    struct summary summary = {0};
    struct label_part part;
    struct job_result result;
    struct platen_error err = {0};
    bool drawn = false;
    begin_drawing(&d, p, job, link);
    label_part_init(&part);
    job_result_init(&result);
    enum platen_status status = ask_for(&d, 0, &summary, &part, &drawn, &result, &err);
    if (status == PLATEN_OK) {
        keep_result(p, &result);
        send_replies(p, job, pl_buf_slice(&result.replies));
    }
    for (uint32_t i = 0; status == PLATEN_OK && drawn && i < summary.labels; i++) {
        if (i > 0)
            status = ask_for(&d, i, &summary, &part, &drawn, NULL, &err);
        if (status == PLATEN_OK && drawn)
            add_drawn(&d, i, &summary, &part);
    }
    if (status != PLATEN_OK)
        refuse(p, job, d.epoch, reason_of(&err));
    summary_free(&summary);
    label_part_free(&part);
    job_result_free(&result);
    end_drawing(&d);
}

// ---- printing

// With the lock held: the next label that waits, if the printer prints now.
static struct printed_label *take_waiting(struct printer *p)
{
    struct printed_label *label = p->waiting.first;
    if (!label || printer_is_stopped(p) || pl_now_ns() < p->next_print_ns)
        return NULL;
    p->waiting.first = label->next;
    if (!label->next)
        p->waiting.last = NULL;
    p->waiting.count--;
    p->waiting.labels -= label->copies;
    p->waiting.bytes -= label->waiting_bytes;
    label->next = NULL;
    uint64_t copies = PL_MAX(label->copies, 1u);
    if (p->faults.slow_ms > 0)
        p->next_print_ns = pl_now_ns() + PL_MIN(p->faults.slow_ms * copies, SLOW_MOST_MS) * 1000000u;
    p->printed += label->copies;
    p->printed_dots += (uint64_t)label->copies * label->length_dots;
    p->refused += label->refused[0] != '\0';
    label->time_ms = http_system_seam.wall_ms();
    label->seq = atomic_fetch_add(&p->hub->seq, 1) + 1;
    printed_label_hold(label); // for who tells of it
    print_ring_add(&p->ring, label);
    return label;
}

static bool can_draw(const struct printer *p)
{
    return p->first && p->waiting.count < WAITING_MOST && p->waiting.bytes < WAITING_BYTES;
}

static void carry_out(struct printer *p, struct printer_job *job, struct renderer_link *link)
{
    if (job->refused) {
        pthread_mutex_lock(&p->lock);
        uint64_t epoch = p->epoch;
        pthread_mutex_unlock(&p->lock);
        refuse(p, job, epoch, job->refused);
    } else {
        draw(p, job, link);
    }
    if (job->source.connection)
        printer_io_job_done(p->hub->io, job->source.connection);
    printer_job_free(job);
}

static void wait_for_work(struct printer *p)
{
    bool timed = p->waiting.first && !printer_is_stopped(p) && p->next_print_ns > pl_now_ns();
    if (!timed) {
        pthread_cond_wait(&p->wake, &p->lock);
        return;
    }
    const struct timespec until = {.tv_sec = (time_t)(p->next_print_ns / 1000000000u),
                                   .tv_nsec = (long)(p->next_print_ns % 1000000000u)};
    pthread_cond_timedwait(&p->wake, &p->lock, &until);
}

static void *printer_main(void *argument)
{
    struct printer *p = argument;
    struct renderer_link link;
    struct pl_error err;
    bool linked = renderer_link_open(p->hub->renderers, &link, &err) == PL_OK;
    pthread_mutex_lock(&p->lock);
    while (linked && !p->stopping) {
        struct printed_label *label = take_waiting(p);
        if (label) {
            pthread_mutex_unlock(&p->lock);
            printer_hub_printed(p->hub, p, label);
            printed_label_release(label);
            pthread_mutex_lock(&p->lock);
            continue;
        }
        if (!can_draw(p)) {
            wait_for_work(p);
            continue;
        }
        struct printer_job *job = p->first;
        bool was_full = !has_room(p);
        p->first = job->next;
        if (!p->first)
            p->last = NULL;
        p->job_count--;
        p->job_bytes -= job->code.len;
        p->busy = true;
        bool room = was_full && has_room(p);
        pthread_mutex_unlock(&p->lock);
        if (room)
            printer_io_wake(p->hub->io);
        carry_out(p, job, &link);
        pthread_mutex_lock(&p->lock);
        p->busy = false;
    }
    pthread_mutex_unlock(&p->lock);
    if (linked)
        renderer_link_close(&link);
    return NULL;
}

bool printer_start(struct printer *p)
{
    p->started = pthread_create(&p->thread, NULL, printer_main, p) == 0;
    return p->started;
}

void printer_stop(struct printer *p)
{
    if (!p->started)
        return;
    pthread_mutex_lock(&p->lock);
    p->stopping = true;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    p->started = false;
}

// ---- what is obeyed at once

void printer_cancel(struct printer *p)
{
    pthread_mutex_lock(&p->lock);
    p->epoch++;
    drop_jobs(p);
    printer_list_clear(&p->waiting);
    pthread_mutex_unlock(&p->lock);
    printer_io_wake(p->hub->io);
}

void printer_power_cycle(struct printer *p, bool all)
{
    static const struct printer_source SELF = {.text = "reset"};
    printer_cancel(p);
    pthread_mutex_lock(&p->lock);
    p->prefixes = PRINTER_PREFIXES;
    p->faults.paused = false;
    if (all) {
        p->faults = (struct printer_faults){0};
        print_ring_clear(&p->ring);
        p->printed = p->printed_dots = p->refused = 0;
        pl_buf_clear(&p->browser_out);
    }
    p->started_ns = pl_now_ns();
    p->changed = true;
    pthread_mutex_unlock(&p->lock);
    // By control codes: other prefixes may hold.
    struct pl_slice code =
        all ? pl_slice_cstr("\x02\x1eJUF\x1eJUS\x1eIDE:*.*\x1eIDB:*.*\x1eIDA:*.*\x03\x10JR") : pl_slice_cstr("\x10JR");
    struct printer_job *job = printer_job_new(p, code, &SELF);
    if (job) {
        job->quiet = true;
        printer_submit(p, job);
    }
}

static void set_paused(struct printer *p, bool paused)
{
    pthread_mutex_lock(&p->lock);
    p->changed = p->changed || p->faults.paused != paused;
    p->faults.paused = paused;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
}

void printer_tell_changes(struct printer *p)
{
    pthread_mutex_lock(&p->lock);
    bool changed = p->changed;
    p->changed = false;
    pthread_mutex_unlock(&p->lock);
    if (changed)
        printer_hub_changed(p->hub, p);
}

static void submit_own(struct printer *p, struct pl_slice code, const struct printer_source *source)
{
    struct printer_source own = {.connection = 0};
    memcpy(own.text, source->text, sizeof own.text);
    struct printer_job *job = printer_job_new(p, code, &own);
    if (!job)
        return;
    job->quiet = true;
    printer_submit(p, job);
}

static void print_configuration(struct printer *p, const struct printer_source *source)
{
    struct printer_face face;
    struct pl_buf code;
    pl_buf_init(&code, 65536);
    pthread_mutex_lock(&p->lock);
    bool room = has_room(p); // three bytes ask for thousands
    printer_face(p, &face);
    if (room)
        printer_configuration_label(&face, &code);
    pthread_mutex_unlock(&p->lock);
    if (room && !code.failed)
        submit_own(p, pl_buf_slice(&code), source);
    pl_buf_fini(&code);
}

static void reprint(struct printer *p)
{
    pthread_mutex_lock(&p->lock);
    bool room = p->waiting.count < WAITING_MOST && p->waiting.bytes < WAITING_BYTES;
    struct printed_label *last = room ? print_ring_last(&p->ring) : NULL,
                         *again = last && !last->refused[0] ? printed_label_new() : NULL;
    if (again) {
        again->job = last->job;
        again->index = last->index;
        again->copies = 1;
        again->width_mm = last->width_mm;
        again->height_mm = last->height_mm;
        again->dpmm = last->dpmm;
        again->length_dots = last->length_dots;
        again->zpl = blob_hold(last->zpl);
        again->png = blob_hold(last->png);
        again->members = blob_hold(last->members);
        again->warnings = blob_hold(last->warnings);
        again->memory_number = last->memory_number;
        print_ring_memory(&p->ring, last->seq, again->memory);
        snprintf(again->source, sizeof again->source, "reprint");
        append(&p->waiting, again);
        pthread_cond_signal(&p->wake);
    }
    pthread_mutex_unlock(&p->lock);
}

void printer_control(struct printer *p, struct pl_slice what, const struct printer_source *source, struct pl_buf *out)
{
    if (pl_slice_eq_cstr(what, "JA")) {
        printer_cancel(p);
    } else if (pl_slice_eq_cstr(what, "JR")) {
        printer_power_cycle(p, false);
    } else if (pl_slice_eq_cstr(what, "PP")) {
        set_paused(p, true);
    } else if (pl_slice_eq_cstr(what, "JP")) {
        printer_cancel(p);
        set_paused(p, true);
    } else if (pl_slice_eq_cstr(what, "PS")) {
        set_paused(p, false);
    } else if (pl_slice_eq_cstr(what, "PR")) {
        reprint(p);
    } else if (pl_slice_eq_cstr(what, "WC")) {
        print_configuration(p, source);
    } else {
        struct printer_face face;
        pthread_mutex_lock(&p->lock);
        printer_face(p, &face);
        if (!p->faults.silent)
            printer_reply(&face, what, out);
        pthread_mutex_unlock(&p->lock);
    }
}
