// Jobs and results between the server and the thread that draws.
#include "lsp/background.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"
#include "lsp/text.h"
#include "os/clock.h"

#define FINDINGS_BYTES ((size_t)64 << 20)
#define BYTES_MAX ((size_t)256 << 20)

// ---- jobs and results

struct lsp_job *lsp_job_new(enum lsp_job_kind kind, struct pl_slice text)
{
    struct lsp_job *job = calloc(1, sizeof *job);
    uint8_t *copy = malloc(text.len + 1);
    if (!job || !copy) {
        free(job);
        free(copy);
        return NULL;
    }
    if (text.len > 0)
        memcpy(copy, text.ptr, text.len);
    job->kind = kind;
    job->text = copy;
    job->size = text.len;
    job->place = UINT32_MAX;
    return job;
}

void lsp_job_free(struct lsp_job *job)
{
    if (!job)
        return;
    free(job->text);
    free(job->path);
    free(job->options);
    free(job->id);
    free(job);
}

struct lsp_result *lsp_result_new(const struct lsp_job *job)
{
    struct lsp_result *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->kind = job->kind;
    r->document = job->document;
    r->revision = job->revision;
    r->version = job->version;
    r->label = job->label;
    pl_arena_init(&r->arena, FINDINGS_BYTES);
    pl_buf_init(&r->bytes, BYTES_MAX);
    return r;
}

void lsp_result_free(struct lsp_result *r)
{
    if (!r)
        return;
    pl_arena_fini(&r->arena);
    pl_buf_fini(&r->bytes);
    free(r->findings);
    free(r->id);
    free(r);
}

void lsp_result_add(struct lsp_result *r, const struct lsp_finding *finding)
{
    if (!lsp_grow((void **)&r->findings, &r->capacity, PL_MAX(r->count + 1, 16u), sizeof *r->findings)) {
        r->left_out++;
        return;
    }
    struct lsp_finding copy = *finding;
    copy.code = pl_arena_printf(&r->arena, "%s", finding->code);
    copy.message = pl_arena_printf(&r->arena, "%s", finding->message);
    if (finding->fix)
        copy.fix = pl_arena_copy(&r->arena, finding->fix, sizeof *finding->fix);
    if (!copy.code || !copy.message)
        r->left_out++;
    else
        r->findings[r->count++] = copy;
}

// ---- the thread

static void put_result(struct lsp_results *results, struct lsp_result *result)
{
    result->next = NULL;
    *results->last = result;
    results->last = &result->next;
    lsp_thread_call(results->thread);
}

void lsp_job_post(struct lsp_job *job, struct lsp_result *result)
{
    lsp_thread_lock(job->results->thread);
    // The request may have been taken over by a job that came later. Once it is answered, none takes it over.
    if (result->is_final) {
        result->id = job->id;
        job->id = NULL;
    }
    put_result(job->results, result);
    lsp_thread_unlock(job->results->thread);
}

// The next job that may begin, with the lock held; NULL: the end, or none.
static struct lsp_job *next_job(struct lsp_background *b, bool waits)
{
    while (!b->ends) {
        uint64_t now = waits ? pl_now_ns() : UINT64_MAX, soonest = UINT64_MAX;
        for (struct lsp_job **at = &b->waiting; *at; at = &(*at)->next) {
            struct lsp_job *job = *at;
            if (job->earliest_ns <= now) {
                *at = job->next;
                return job;
            }
            soonest = PL_MIN(soonest, job->earliest_ns);
        }
        if (!waits)
            return NULL;
        lsp_thread_wait(b->results.thread, soonest);
    }
    return NULL;
}

bool lsp_background_step(struct lsp_background *b, bool waits)
{
    struct lsp_thread *thread = b->results.thread;
    lsp_thread_lock(thread);
    struct lsp_job *job = b->running = next_job(b, waits);
    lsp_thread_unlock(thread);
    if (!job)
        return false;
    b->run(b->user, job);
    lsp_thread_lock(thread);
    b->running = NULL;
    lsp_thread_unlock(thread);
    lsp_job_free(job);
    return true;
}

static void work(void *user)
{
    while (lsp_background_step(user, true)) {
    }
}

bool lsp_background_start(struct lsp_background *b, void (*run)(void *user, struct lsp_job *job), void *user)
{
    *b = (struct lsp_background){.run = run, .user = user, .results.thread = lsp_thread_new()};
    b->results.last = &b->results.first;
    return b->results.thread && lsp_thread_start(b->results.thread, work, b);
}

static void free_jobs(struct lsp_job *job)
{
    while (job) {
        struct lsp_job *next = job->next;
        lsp_job_free(job);
        job = next;
    }
}

void lsp_background_stop(struct lsp_background *b)
{
    struct lsp_result *result;
    struct lsp_thread *thread = b->results.thread;
    if (!thread)
        return;
    lsp_thread_lock(thread);
    b->ends = true;
    if (b->running)
        platen_cancel_set(&b->running->cancel);
    lsp_thread_wake(thread);
    lsp_thread_unlock(thread);
    lsp_thread_join(thread);
    free_jobs(b->waiting);
    while ((result = lsp_background_take(b)))
        lsp_result_free(result);
    lsp_thread_free(thread);
}

// A waiting request goes over to the new job, which will be final for it too. Two cannot wait for one job: the server
// answers the older one itself.
static bool replace(struct lsp_job *old, struct lsp_job *job)
{
    if (job->kind != LSP_CHECK || old->kind != LSP_CHECK || old->document != job->document)
        return false;
    if (old->id && !job->id) {
        job->id = old->id;
        old->id = NULL;
    }
    return true;
}

// `why` NULL: the request was cancelled.
static void answer_nothing(struct lsp_background *b, struct lsp_job *job, const char *why)
{
    struct lsp_result *result = job->id ? lsp_result_new(job) : NULL;
    if (!result)
        return;
    result->is_final = true;
    result->id = job->id;
    job->id = NULL;
    result->is_cancelled = !why;
    snprintf(result->problem, sizeof result->problem, "%s", why ? why : "The request was cancelled.");
    put_result(&b->results, result);
}

static const char REPLACED[] = "Another request for the same document took its place.";

void lsp_background_submit(struct lsp_background *b, struct lsp_job *job)
{
    lsp_thread_lock(b->results.thread);
    job->results = &b->results;
    if (b->running && replace(b->running, job)) {
        answer_nothing(b, b->running, REPLACED);
        platen_cancel_set(&b->running->cancel);
    }
    struct lsp_job **at = &b->waiting;
    while (*at) {
        struct lsp_job *old = *at;
        if (!replace(old, job)) {
            at = &old->next;
            continue;
        }
        answer_nothing(b, old, REPLACED);
        *at = old->next;
        lsp_job_free(old);
    }
    *at = job;
    lsp_thread_wake(b->results.thread);
    lsp_thread_unlock(b->results.thread);
}

static bool waits_for(const struct lsp_job *job, struct pl_slice id)
{
    return job && job->id && pl_slice_eq_cstr(id, job->id);
}

bool lsp_background_cancel(struct lsp_background *b, struct pl_slice id)
{
    bool found = false;
    lsp_thread_lock(b->results.thread);
    struct lsp_job *job = waits_for(b->running, id) ? b->running : NULL;
    for (struct lsp_job *at = b->waiting; at && !job; at = at->next)
        job = waits_for(at, id) ? at : NULL;
    if (job) {
        found = true;
        answer_nothing(b, job, NULL);
        if (job->kind != LSP_CHECK) // its findings are wanted all the same
            platen_cancel_set(&job->cancel);
    }
    lsp_thread_unlock(b->results.thread);
    return found;
}

bool lsp_background_finish(struct lsp_background *b)
{
    lsp_thread_lock(b->results.thread);
    bool is_awaited = b->results.first || (b->running && b->running->id);
    if (b->running && !b->running->id)
        platen_cancel_set(&b->running->cancel);
    for (struct lsp_job *job = b->waiting; job; job = job->next) {
        if (job->id)
            is_awaited = true;
        else
            platen_cancel_set(&job->cancel);
    }
    lsp_thread_unlock(b->results.thread);
    return is_awaited;
}

void lsp_background_refuse(struct lsp_background *b, const char *why)
{
    lsp_thread_lock(b->results.thread);
    if (b->running)
        answer_nothing(b, b->running, why);
    for (struct lsp_job *job = b->waiting; job; job = job->next)
        answer_nothing(b, job, why);
    lsp_thread_unlock(b->results.thread);
}

void lsp_background_forget(struct lsp_background *b, uint64_t document)
{
    lsp_thread_lock(b->results.thread);
    if (b->running && b->running->document == document)
        platen_cancel_set(&b->running->cancel);
    for (struct lsp_job *job = b->waiting; job; job = job->next) {
        if (job->document == document)
            platen_cancel_set(&job->cancel);
    }
    lsp_thread_unlock(b->results.thread);
}

struct lsp_result *lsp_background_take(struct lsp_background *b)
{
    lsp_thread_lock(b->results.thread);
    struct lsp_result *result = b->results.first;
    if (result) {
        b->results.first = result->next;
        if (!b->results.first)
            b->results.last = &b->results.first;
    } else {
        lsp_thread_called(b->results.thread);
    }
    lsp_thread_unlock(b->results.thread);
    return result;
}

int lsp_background_fd(const struct lsp_background *b)
{
    return lsp_thread_fd(b->results.thread);
}
