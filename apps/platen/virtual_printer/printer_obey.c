// Commands that a printer obeys at once: control commands, cancelling, the power switch.
#include <stdio.h>
#include <string.h>

#include "os/clock.h"
#include "printer_hub.h"
#include "printer_parts.h"

// Drops all jobs that wait.
static void cancel_waiting(struct printer *p)
{
    pthread_mutex_lock(&p->lock);
    p->changed = p->changed || p->busy || p->job_count > 0 || p->waiting.count > 0;
    p->epoch++;
    atomic_store(&p->job_cancelled, p->stopping || !p->job_lasts);
    printer_cancel_jobs(p);
    printer_list_clear(&p->waiting);
    pthread_cond_signal(&p->wake); // jobs that last may be drawn now
    pthread_mutex_unlock(&p->lock);
    if (p->hub->ports.room)
        p->hub->ports.room(p->hub->ports.user);
}

uint64_t printer_power_cycle(struct printer *p, bool all)
{
    static const struct printer_source SELF = {.client = PRINTER_SELF, .text = "reset"};
    cancel_waiting(p);
    pthread_mutex_lock(&p->lock);
    p->prefixes = PRINTER_PREFIXES;
    p->faults.paused = false;
    if (all) {
        p->faults = (struct printer_faults){0};
        p->next_print_ns = 0;
        print_ring_clear(&p->ring);
        p->printed = p->printed_dots = p->refused = 0;
        pl_buf_clear(&p->browser_out);
    }
    printer_forms_clear(&p->forms);
    p->expects = false;
    p->started_ns = pl_now_ns();
    p->changed = true;
    // A flood of ~JR is one: between the last one and this one there was nothing that it did not cancel.
    uint64_t same = !all && p->last && p->last->resets ? p->last->number : 0;
    pthread_mutex_unlock(&p->lock);
    if (p->hub->ports.room) // a buffer that was full by its state is not now
        p->hub->ports.room(p->hub->ports.user);
    if (same)
        return same;
    // By control codes: other prefixes may hold.
    struct pl_slice code =
        all ? pl_slice_cstr("\x02\x1eJUF\x1eJUS\x1eIDE:*.*\x1eIDB:*.*\x1eIDA:*.*\x03\x10JR") : pl_slice_cstr("\x10JR");
    const bool zpl = p->spec.language == PLATEN_LANGUAGE_ZPL;
    struct printer_job *job = printer_job_new(zpl ? code : pl_slice_make("", 0), &SELF);
    if (!job)
        return 0;
    job->forgets = !zpl;
    job->quiet = job->lasts = job->is_barrier = job->is_awaited = job->holds_input = true;
    job->resets = !all;
    return printer_submit(p, job);
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
    struct printer_source own = {.client = source->client};
    memcpy(own.text, source->text, sizeof own.text);
    struct printer_job *job = printer_job_new(code, &own);
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
    bool room = printer_has_room_now(p, source->client); // three bytes ask for thousands
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
    bool room = printer_list_has_room(&p->waiting);
    struct printed_label *last = room ? print_ring_last(&p->ring) : NULL,
                         *again = last && !last->refused[0] ? printed_label_new() : NULL;
    if (again) {
        again->job = last->job;
        again->index = last->index;
        again->clock_s = last->clock_s;
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
        printer_list_append(&p->waiting, again);
        pthread_cond_signal(&p->wake);
    }
    pthread_mutex_unlock(&p->lock);
}

void printer_control(struct printer *p, struct pl_slice what, const struct printer_source *source, struct pl_buf *out)
{
    if (pl_slice_eq_cstr(what, "JA")) {
        cancel_waiting(p);
    } else if (pl_slice_eq_cstr(what, "JR") || pl_slice_eq_cstr(what, "\x1b!R")) {
        printer_power_cycle(p, false);
    } else if (pl_slice_eq_cstr(what, "PP")) {
        set_paused(p, true);
    } else if (pl_slice_eq_cstr(what, "JP")) {
        cancel_waiting(p);
        set_paused(p, true);
    } else if (pl_slice_eq_cstr(what, "PS")) {
        set_paused(p, false);
    } else if (pl_slice_eq_cstr(what, "PR")) {
        reprint(p);
    } else if (pl_slice_eq_cstr(what, "WC")) {
        if (p->spec.language == PLATEN_LANGUAGE_ZPL) // which the label is in
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

// ---- input

void printer_reads(struct printer *p, struct printer_splitter *splitter)
{
    printer_splitter_read(splitter, p->spec.language, &p->forms);
}

static int submit_code(struct printer *p, const struct printer_splitter *splitter, enum printer_unit unit,
                       struct pl_buf *bytes, const struct printer_source *source, const char *refused)
{
    struct printer_job *job = printer_job_new(pl_slice_make("", 0), source);
    if (!job)
        return -1;
    job->prints = unit == PRINTER_UNIT_LABEL;
    job->stores = unit == PRINTER_UNIT_STORED;
    job->is_other = unit == PRINTER_UNIT_OTHER;
    job->forwarded = job->is_other;
    job->plain = splitter->plain;
    pl_buf_fini(&job->code);
    job->code = *bytes; // moved
    job->code.short_of_memory = false;
    *bytes = (struct pl_buf){0};
    job->refused = refused;
    printer_submit(p, job);
    return 1;
}

int printer_take_unit(struct printer *p, struct printer_splitter *splitter, enum printer_unit unit,
                      struct pl_buf *bytes, const struct printer_source *source, struct pl_buf *out)
{
    static const char *const UNFINISHED[] = {
        [PLATEN_LANGUAGE_ZPL] = "the input ended before the format's ^XZ",
        [PLATEN_LANGUAGE_EPL] = "the input ended before P, or inside of a form or graphic",
        [PLATEN_LANGUAGE_TSPL] = "the input ended before PRINT, or inside of a file",
        [PLATEN_LANGUAGE_CPCL] = "the input ended before PRINT, or another session began"};
    struct pl_slice text = pl_buf_slice(bytes);
    bool resets;
    switch (unit) {
    case PRINTER_UNIT_CODE:
    case PRINTER_UNIT_LABEL:
    case PRINTER_UNIT_OTHER:
        return submit_code(p, splitter, unit, bytes, source, NULL);
    case PRINTER_UNIT_STORED:
        return printer_join(p, text, source) ? 0 : submit_code(p, splitter, unit, bytes, source, NULL);
    case PRINTER_UNIT_TOO_LARGE:
        return submit_code(p, splitter, unit, bytes, source,
                           bytes->short_of_memory ? "there is not enough memory for the format or download"
                                                  : "the format or download is over the limit of --max-body");
    case PRINTER_UNIT_UNFINISHED:
        return submit_code(p, splitter, unit, bytes, source, UNFINISHED[p->spec.language]);
    case PRINTER_UNIT_CONTROL:
        resets = pl_slice_eq_cstr(text, "JR") || pl_slice_eq_cstr(text, "\x1b!R");
        if (resets || pl_slice_eq_cstr(text, "JA"))
            printer_splitter_cancel(splitter);
        printer_control(p, text, source, out);
        if (resets)
            splitter->prefixes = PRINTER_PREFIXES;
        break;
    case PRINTER_UNIT_SGD:
        printer_sgd(p, text, source, out);
        break;
    case PRINTER_UNIT_JSON:
        printer_json(p, text, source, out);
        break;
    }
    return 0;
}
