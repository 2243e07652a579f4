// One job on its way through a renderer: its labels, its answers, what it leaves in the memory.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "answer/languages.h"
#include "base/ckd.h"
#include "os/clock.h"
#include "printer_hub.h"
#include "printer_outside.h"
#include "printer_parts.h"

static const char NO_MEMORY[] = "there was no memory for it";

#define REFUSED_KEPT ((size_t)64 << 10) // of the label code of a job that was refused

// False: there was no memory for it.
static bool send_answer(struct printer *p, const struct printer_source *source, struct pl_slice text)
{
    const struct printer_ports *ports = &p->hub->ports;
    if (text.len == 0)
        return true;
    pthread_mutex_lock(&p->lock);
    bool silent = p->faults.silent;
    if (!silent && source->browser) {
        pl_buf_append_slice(&p->browser_out, text);
        if (p->browser_out.failed) { // nobody reads: the oldest are gone
            pl_buf_fini(&p->browser_out);
            pl_buf_init(&p->browser_out, PRINTER_BROWSER_BYTES);
        }
    }
    pthread_mutex_unlock(&p->lock);
    if (!silent && source->browser)
        printer_hub_changed(p->hub, p); // a /read may wait for it
    return silent || !source->connection || !ports->reply || ports->reply(ports->user, source->connection, text);
}

// Sends the job's replies, as the renderer wrote them, in one write.
static void send_replies(struct printer *p, struct printer_job *job, struct pl_slice records)
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
    job->unanswered = out.failed || !send_answer(p, &job->source, pl_buf_slice(&out));
    pl_buf_fini(&out);
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

// Keeps the memory that the job leaves. False: there is no room for it, and the memory is as it was.
static bool keep_result(struct printer *p, struct job_result *result)
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
    if (whole)
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
        printer_outside_save(p->hub->outside, p->index, p->spec.name, SAVE_MEMORY, lasting);
        blob_release(lasting);
    }
    return whole;
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
    label->preview = job->source.preview;
    return label;
}

// Labels that were drawn before the job was cancelled are not printed.
static void wait_to_print(struct printer *p, struct printed_label *label, uint64_t epoch)
{
    pthread_mutex_lock(&p->lock);
    bool goes = p->epoch != epoch;
    if (!goes) {
        // One that is printed at once is told of when it is.
        p->changed = p->changed || printer_is_stopped(p) || p->next_print_ns > pl_now_ns();
        printer_list_append(&p->waiting, label);
    }
    pthread_mutex_unlock(&p->lock);
    if (goes) {
        printer_job_move(&label->state, JOB_CANCELLED);
        printed_label_release(label);
    } else {
        printer_tell_changes(p);
    }
}

void printer_refuse(struct printer *p, const struct printer_job *job, uint64_t epoch, const char *reason, bool failed)
{
    http_counter_add(p->hub->refused, 1);
    struct blob *zpl = blob_new(pl_slice_sub(pl_buf_slice(&job->code), 0, REFUSED_KEPT));
    struct printed_label *label = label_of(p, job, zpl);
    blob_release(zpl);
    if (!label) {
        printer_name_lost(p, job->number, job->source.text, job->code.len, "", reason);
        return;
    }
    label->copies = 0;
    label->index = job->from;
    label->failed = failed && !job->of_start;
    snprintf(label->refused, sizeof label->refused, "%s", reason);
    wait_to_print(p, label, epoch);
}

// One job on its way through the renderer.
struct drawing {
    struct printer *printer;
    struct printer_job *job;
    struct renderer_link *link;
    struct memory_image image;
    struct blob *parts[RENDER_MEMORY_PARTS];
    struct render_ask ask;
    struct blob *zpl;
    uint64_t epoch;
    uint64_t deadline_ns; // for all labels of the format
};

// With the lock held: a printer of another language than ZPL is switched off and on. Where there is no memory for a
// part that is empty, it stays.
static void forget_memory(struct printer *p, const struct printer_job *job)
{
    for (int i = job->resets ? 1 : 0; i < RENDER_MEMORY_PARTS; i++) {
        struct blob *empty = blob_new(pl_slice_make("", 0));
        if (!empty)
            continue;
        blob_release(p->memory[i]);
        p->memory[i] = empty;
    }
    p->memory_number = atomic_fetch_add(&p->hub->memory_numbers, 1) + 1;
    if (!job->resets)
        printer_outside_save(p->hub->outside, p->index, p->spec.name, SAVE_MEMORY, p->memory[0]);
}

static void begin_drawing(struct drawing *d, struct printer *p, struct printer_job *job, struct renderer_link *link)
{
    const struct printer_spec *spec = &p->spec;
    memset(d, 0, sizeof *d);
    d->printer = p;
    d->job = job;
    d->link = link;
    d->deadline_ns = pl_now_ns() + p->hub->render_ms * 1000000u;
    pthread_mutex_lock(&p->lock);
    if (job->forgets)
        forget_memory(p, job);
    d->epoch = p->epoch;
    d->image.number = p->memory_number;
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++) {
        d->parts[i] = blob_hold(p->memory[i]);
        d->image.parts[i] = blob_slice(d->parts[i]);
    }
    pthread_mutex_unlock(&p->lock);
    struct render_ask *ask = &d->ask;
    render_ask_init(ask, RENDER_PRINTER_JOB, atomic_fetch_add(&p->hub->requests, 1) + ((uint64_t)1 << 62),
                    ((uint64_t)1 << 62) + p->index);
    ask->job.memory = d->image.number;
    ask->job.memory_after = atomic_fetch_add(&p->hub->memory_numbers, 1) + 1;
    ask->job.keeps_memory = ask->labels.apart = true;
    ask->labels.end = END_WITH_LAST;
    ask->controls.format = OUTPUT_JSON;
    if (!spec->fits)
        controls_set_size(&ask->controls, spec->width_mm, spec->height_mm);
    ask->controls.dpmm = spec->dpmm;
    ask->controls.profile = spec->reference ? PLATEN_REFERENCE : PLATEN_PRINTER;
    ask->controls.printer_model = spec->model;
    ask->controls.fit_size = spec->fits;
    ask->controls.language = p->spec.language;
    ask->job.recognises =
        job->is_other || (spec->language != PLATEN_LANGUAGE_ZPL && !job->stores); // data is of no language
    ask->job.plain = job->plain;
    ask->controls.copies = COPIES_COLLAPSE;
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
                                  struct job_result *result, struct platen_error *err)
{
    const struct pl_job limits = {.deadline_ns = d->deadline_ns, .cancelled = &d->printer->job_cancelled};
    d->ask.labels.label = index;
    d->ask.opens = index == 0;
    return renderer_ask_job(d->link, &d->ask, &d->image, pl_buf_slice(&d->job->code), &limits, summary, part, result,
                            err);
}

static void name_label(struct printer *p, const struct printer_job *job, uint32_t index)
{
    char which[32];
    snprintf(which, sizeof which, ", label %u", index + 1);
    printer_name_lost(p, job->number, job->source.text, job->code.len, which, NO_MEMORY);
}

static void add_drawn(struct drawing *d, uint32_t index, const struct summary *summary, const struct label_part *part)
{
    struct printer *p = d->printer;
    struct printed_label *label = label_of(p, d->job, d->zpl);
    if (!label) {
        name_label(p, d->job, index);
        return;
    }
    label->index = index;
    label->clock_s = d->ask.controls.time;
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
    if (label->zpl && label->png && label->members && label->warnings) {
        wait_to_print(p, label, d->epoch);
        return;
    }
    printer_job_move(&label->state, JOB_NAMED);
    name_label(p, d->job, index);
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
        return NO_MEMORY;
    default:
        return err->message[0] ? err->message : "it could not be drawn";
    }
}

// The service ends before the job is drawn: it continues from the memory that it began with.
static bool is_undone(struct drawing *d)
{
    struct printer *p = d->printer;
    pthread_mutex_lock(&p->lock);
    bool undone = p->stopping && (d->job->lasts || p->epoch == d->epoch);
    for (int i = 0; undone && i < RENDER_MEMORY_PARTS; i++) {
        blob_release(p->redo[i]);
        p->redo[i] = blob_hold(d->parts[i]);
    }
    pthread_mutex_unlock(&p->lock);
    return undone;
}

// The message of an object that was not stored; NULL: there is room for all.
static const char *find_unstored(const struct findings *findings)
{
    for (uint32_t i = 0; i < findings->count; i++)
        if (strcmp(findings->items[i].code, "store_full") == 0)
            return findings->items[i].message;
    return NULL;
}

// Why a job that could be read has no label, where it should have one; an empty text: it has, or needs none. True: it
// is listed beside its labels, which are behind code of another language.
static bool find_refusal(const struct printer *p, const struct printer_job *job, const struct summary *summary,
                         char reason[PRINTED_REASON_MAX + 1])
{
    enum platen_language own = p->spec.language, like = summary->looks_like;
    struct pl_slice looks = language_word(like), reads = language_word(own);
    // Lines of any language can be printed as they are, by CPCL.
    bool other = looks.len > 0 && like != own, beside = other && summary->labels > 0 && own != PLATEN_LANGUAGE_CPCL;
    const char *unstored = job->stores ? find_unstored(&summary->findings) : NULL;
    reason[0] = '\0';
    if (other)
        snprintf(reason, PRINTED_REASON_MAX + 1, "this looks like %.*s; this printer reads %.*s", (int)looks.len,
                 (const char *)looks.ptr, (int)reads.len, (const char *)reads.ptr);
    else if (job->prints && summary->labels == 0)
        snprintf(reason, PRINTED_REASON_MAX + 1,
                 "nothing was drawn for this print: the printer keeps no image from one print to the next");
    else if (unstored)
        snprintf(reason, PRINTED_REASON_MAX + 1, "%s", unstored);
    return beside;
}

enum printer_job_state printer_draw(struct printer *p, struct printer_job *job, struct renderer_link *link)
{
    struct drawing d;
    struct summary summary = {0};
    struct label_part part;
    struct job_result result;
    struct platen_error err = {0};
    char reason[PRINTED_REASON_MAX + 1] = "";
    uint32_t next = 0;
    enum printer_job_state end = JOB_DRAWN;
    begin_drawing(&d, p, job, link);
    label_part_init(&part);
    job_result_init(&result);
    enum platen_status status = ask_for(&d, 0, &summary, &part, &result, &err);
    if (status == PLATEN_OK && !keep_result(p, &result)) {
        err.status = status = RENDER_E_NONE;
        link->memory = 0; // the renderer has one that the printer has not
    }
    if (status == PLATEN_OK && job->from == 0)
        send_replies(p, job, pl_buf_slice(&result.replies));
    if (status == PLATEN_OK && find_refusal(p, job, &summary, reason)) {
        if (job->from == 0)
            printer_refuse(p, job, d.epoch, reason, false);
        reason[0] = '\0';
    }
    while (status == PLATEN_OK && !reason[0] && part.drawn && next < summary.labels &&
           !atomic_load(&p->job_cancelled)) {
        if (next > 0)
            status = ask_for(&d, next, &summary, &part, NULL, &err);
        if (status != PLATEN_OK || !part.drawn)
            break;
        if (next >= job->from)
            add_drawn(&d, next, &summary, &part);
        job->from = PL_MAX(job->from, next + 1);
        next++;
    }
    bool cut =
        atomic_load(&p->job_cancelled) && (status != PLATEN_OK || (part.drawn && !reason[0] && next < summary.labels));
    if (reason[0])
        printer_refuse(p, job, d.epoch, reason, false);
    else if (cut)
        end = is_undone(&d) ? JOB_QUEUED : JOB_CANCELLED; // a job that was cancelled is not listed
    else if (status != PLATEN_OK)
        printer_refuse(p, job, d.epoch, reason_of(&err), true);
    summary_free(&summary);
    label_part_free(&part);
    job_result_free(&result);
    end_drawing(&d);
    return end;
}
