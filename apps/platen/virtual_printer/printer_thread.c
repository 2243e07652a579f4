// The thread of a printer: draws its jobs, prints the labels that wait.
#include <string.h>
#include <time.h>

#include "base/ckd.h"
#include "http/system/seam.h"
#include "os/clock.h"
#include "printer_hub.h"
#include "printer_parts.h"

#define SLOW_MOST_MS 86400000u // for all copies of a label

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
    printer_job_move(&label->state, JOB_PRINTED);
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

// With the lock held, when nothing is on its way that changes it: what is known of forms is what the memory holds.
// False: there was nothing to read; otherwise the lock was released meanwhile.
static bool read_forms(struct printer *p)
{
    struct printer_forms forms = {0};
    const uint64_t number = p->memory_number;
    if (p->spec.language == PLATEN_LANGUAGE_ZPL || p->first || p->forms.unsent > 0 ||
        (!p->forms.touched && p->forms_number == number))
        return false;
    p->forms.touched = false;
    struct blob *parts[] = {blob_hold(p->memory[PLATEN_MEMORY_LASTING]), blob_hold(p->memory[PLATEN_MEMORY_FLEETING])};
    pthread_mutex_unlock(&p->lock);
    for (size_t i = 0; i < PL_COUNTOF(parts); i++) {
        printer_forms_read(&forms, p->spec.language, blob_slice(parts[i]));
        blob_release(parts[i]);
    }
    pthread_mutex_lock(&p->lock);
    if (p->first || p->forms.touched || p->memory_number != number) {
        p->forms.touched = true;
        return true;
    }
    // Who locks it is not written: it is read without the lock.
    memcpy(p->forms.all, forms.all, sizeof forms.all);
    p->forms.count = forms.count;
    p->forms.full = forms.full;
    p->forms_number = number;
    return true;
}

// A job is over when all that it makes is made, and the printer is free of it in the same moment: who waited for its
// end finds a printer that has nothing to do.
static void carry_out(struct printer *p, struct printer_job *job, struct renderer_link *link)
{
    const uint64_t number = job->number, client = job->source.client;
    const bool is_awaited = job->is_awaited, lasts = job->lasts, sets = job->sets, held_input = job->holds_input;
    enum printer_job_state end = JOB_DRAWN;
    if (job->refused) {
        pthread_mutex_lock(&p->lock);
        uint64_t epoch = p->epoch;
        pthread_mutex_unlock(&p->lock);
        printer_refuse(p, job, epoch, job->refused, false);
    } else {
        end = printer_draw(p, job, link);
    }
    pthread_mutex_lock(&p->lock);
    (void)read_forms(p);
    pthread_mutex_unlock(&p->lock);
    if (end == JOB_QUEUED)
        printer_put_back(p, job);
    else
        printer_end_job(p, job, end);
    pthread_mutex_lock(&p->lock);
    p->busy = false;
    if (end != JOB_QUEUED) {
        if (lasts)
            p->done_jobs[client % TURNS_PLACES] = number;
        p->settings_waiting -= sets;
        p->resets_waiting -= held_input;
    }
    pthread_mutex_unlock(&p->lock);
    if (held_input && p->hub->ports.room)
        p->hub->ports.room(p->hub->ports.user);
    if (is_awaited && end != JOB_QUEUED)
        printer_hub_changed(p->hub, p);
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
    pthread_cond_clockwait(&p->wake, &p->lock, CLOCK_MONOTONIC, &until);
}

bool printer_turn(struct printer *p, struct renderer_link *link)
{
    struct printed_label *label = take_waiting(p);
    if (label) {
        pthread_mutex_unlock(&p->lock);
        printer_hub_printed(p->hub, p, label);
        printed_label_release(label);
        pthread_mutex_lock(&p->lock);
        return true;
    }
    if (!printer_can_draw(p))
        return false;
    bool room = p->full; // for its client, or for all
    struct printer_job *job = printer_take_job(p);
    p->busy = true;
    p->job_lasts = job->lasts;
    printer_job_move(&job->state, JOB_DRAWING);
    atomic_store(&p->job_cancelled, false);
    pthread_mutex_unlock(&p->lock);
    if (room && p->hub->ports.room)
        p->hub->ports.room(p->hub->ports.user);
    carry_out(p, job, link);
    pthread_mutex_lock(&p->lock);
    return true;
}

static void *printer_main(void *argument)
{
    struct printer *p = argument;
    pthread_mutex_lock(&p->lock);
    (void)read_forms(p);
    while (!p->stopping) {
        if (!printer_turn(p, &p->link) && !read_forms(p) && !p->stopping)
            wait_for_work(p);
    }
    pthread_mutex_unlock(&p->lock);
    renderer_link_close(&p->link);
    return NULL;
}

bool printer_start(struct printer *p)
{
    struct pl_error err;
    if (renderer_link_open(p->hub->renderers, &p->link, &err) != PL_OK)
        return false;
    p->started = pthread_create(&p->thread, NULL, printer_main, p) == 0;
    if (!p->started)
        renderer_link_close(&p->link);
    return p->started;
}

void printer_ask_to_stop(struct printer *p)
{
    pthread_mutex_lock(&p->lock);
    p->stopping = true;
    atomic_store(&p->job_cancelled, true);
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
}

void printer_stop(struct printer *p)
{
    if (!p->started)
        return;
    pthread_join(p->thread, NULL);
    p->started = false;
}
