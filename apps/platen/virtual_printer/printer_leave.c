// What is left of a printer's jobs when the service ends: kept for the next start, or named.
#include <stdio.h>
#include <string.h>

#include "printer/kept.h"
#include "printer_hub.h"
#include "printer_parts.h"
#include "process/say.h"

#define KEPT_BYTES ((size_t)1 << 30)

void printer_name_lost(struct printer *p, uint64_t job, const char *source, size_t bytes, const char *which,
                       const char *reason)
{
    char line[512];
    atomic_fetch_add(&p->hub->lost, 1);
    snprintf(line, sizeof line, "platen: printer %s: job %llu of %s (%zu bytes)%s was not printed: %s", p->spec.name,
             (unsigned long long)job, source, bytes, which, reason);
    if (atomic_load(&p->hub->stopped))
        pl_say_patiently("%s", line);
    else
        pl_say("%s", line); // connections wait for whoever says it
}

// A job that every start has, or that only tells of a refusal, is no loss.
static bool is_wanted(const struct printer_job *job)
{
    return !job->of_start && !job->refused && !job->is_other;
}

// The next start is a reset: alone it is no loss.
static bool is_loss(const struct printer_job *job)
{
    return is_wanted(job) && !job->resets;
}

// The first from this one on that was accepted; the others only tell of a refusal.
static struct printed_label *wanted_from(struct printed_label *label)
{
    while (label && label->refused[0] && !label->failed)
        label = label->next;
    return label;
}

// ---- the end

static bool is_left(const struct printer *p)
{
    if (wanted_from(p->waiting.first))
        return true;
    for (const struct printer_job *job = p->first; job; job = job->next) {
        if (is_loss(job))
            return true;
    }
    return false;
}

static void put_job(const struct printer_job *job, struct pl_buf *out)
{
    struct kept_job kept = {.number = job->number,
                            .from = job->from,
                            .quiet = job->quiet,
                            .lasts = job->lasts,
                            .prints = job->prints,
                            .stores = job->stores,
                            .plain = job->plain,
                            .code = pl_buf_slice(&job->code)};
    memcpy(kept.source, job->source.text, sizeof kept.source);
    kept_put_job(out, &kept);
}

bool printer_keep_left(struct printer *p, struct pl_buf *file)
{
    struct pl_slice memory[RENDER_MEMORY_PARTS];
    pl_buf_init(file, KEPT_BYTES);
    if (!is_left(p))
        return false;
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++)
        memory[i] = blob_slice(p->redo[i] ? p->redo[i] : p->memory[i]);
    kept_begin(file, memory);
    for (struct printed_label *label = wanted_from(p->waiting.first); label; label = wanted_from(label->next))
        kept_put_label(file, label);
    for (const struct printer_job *job = p->first; job; job = job->next) {
        if (is_wanted(job))
            put_job(job, file);
    }
    kept_end(file);
    if (file->failed)
        return false;
    for (struct printed_label *label = wanted_from(p->waiting.first); label; label = wanted_from(label->next))
        printer_job_move(&label->state, JOB_KEPT);
    for (struct printer_job *job = p->first; job; job = job->next) {
        if (is_wanted(job))
            printer_job_move(&job->state, JOB_KEPT);
    }
    return true;
}

void printer_name_left(struct printer *p)
{
    static const char REASON[] = "the service ended first";
    char which[48];
    for (struct printed_label *label = wanted_from(p->waiting.first); label; label = wanted_from(label->next)) {
        printer_job_move(&label->state, JOB_NAMED);
        bool whole = label->failed && label->index == 0;
        snprintf(which, sizeof which, label->failed ? ", from label %u on," : ", label %u", label->index + 1);
        printer_name_lost(p, label->job, label->source, blob_slice(label->zpl).len, whole ? "" : which,
                          label->failed ? label->refused : REASON);
    }
    for (struct printer_job *job = p->first; job; job = job->next) {
        if (!is_loss(job))
            continue;
        printer_job_move(&job->state, JOB_NAMED);
        which[0] = '\0';
        if (job->from > 0)
            snprintf(which, sizeof which, ", from label %u on,", job->from + 1);
        printer_name_lost(p, job->number, job->source.text, job->code.len, which, REASON);
    }
}

// ---- the next start

static bool load_memory(struct printer *p, const struct pl_slice parts[RENDER_MEMORY_PARTS])
{
    for (int i = 0; i < RENDER_MEMORY_PARTS; i++) {
        struct blob *part = blob_new(parts[i]);
        if (!part)
            return false;
        blob_release(p->memory[i]);
        p->memory[i] = part;
    }
    return true;
}

// Labels and the rest of one job keep one number.
static uint64_t number_of(struct printer *p, uint64_t kept, uint64_t *last, uint64_t *number)
{
    if (*number == 0 || kept != *last)
        *number = atomic_fetch_add(&p->hub->job_numbers, 1) + 1;
    *last = kept;
    return *number;
}

static bool load_job(struct printer *p, const struct kept_job *kept, uint64_t number)
{
    struct printer_source source = {.connection = 0};
    memcpy(source.text, kept->source, sizeof source.text);
    struct printer_job *job = printer_job_new(kept->code, &source);
    if (!job)
        return false;
    job->number = number;
    job->from = kept->from;
    job->quiet = kept->quiet;
    job->lasts = kept->lasts;
    job->prints = kept->prints;
    job->stores = kept->stores;
    job->plain = (size_t)kept->plain;
    job->is_barrier = true; // what comes now is drawn after it
    job->forwarded = true;
    printer_submit(p, job);
    return true;
}

enum pl_errc printer_load_left(struct printer *p, struct pl_slice file, struct pl_error *err)
{
    struct kept_reader reader;
    struct printed_label *label = NULL;
    struct kept_job job;
    uint64_t last = 0, number = 0;
    bool good = kept_open(&reader, file), memory = true;
    if (good)
        good = memory = load_memory(p, reader.memory);
    while (good && memory) {
        switch (kept_next(&reader, &label, &job)) {
        case KEPT_LABEL:
            label->job = number_of(p, label->job, &last, &number);
            printer_list_append(&p->waiting, label);
            break;
        case KEPT_JOB:
            memory = load_job(p, &job, number_of(p, job.number, &last, &number));
            break;
        case KEPT_END:
            return PL_OK;
        case KEPT_BROKEN:
            good = false;
            break;
        case KEPT_NO_MEMORY:
            memory = false;
            break;
        }
    }
    return memory ? pl_fail(err, PL_E_INVALID, "it is not a whole file of kept jobs") : pl_fail_memory(err);
}
