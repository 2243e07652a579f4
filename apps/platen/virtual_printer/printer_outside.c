// Tasks for the processes that write files and speak to other machines.
#include "printer_outside.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/ckd.h"
#include "http/http.h"
#include "printer_hub.h"
#include "printer_process.h"
#include "process/say.h"

#define QUEUE_BYTES ((size_t)64 << 20)
#define STOP_NS 3000000000ull
#define COMMIT_MOMENTS 100 // for a file to take its name

// Each waits for nobody but its own: a webhook that hangs does not hold up the printer behind --forward.
enum helper_kind { HELPER_FILES, HELPER_FORWARD, HELPER_PRINT_TO, HELPER_WEBHOOK, HELPERS };

static const struct {
    const char *process, *what;
} KINDS[HELPERS] = {{"platen-files", "files of --state and --keep"},
                    {"platen-forward", "jobs for --forward"},
                    {"platen-print-to", "jobs for --print-to"},
                    {"platen-webhook", "messages to --webhook"}};

struct task {
    struct task *next;
    struct printer_task_head head;
    struct blob *bytes;
};

struct printer_outside;

struct helper {
    struct printer_outside *outside;
    bool is_there; // from the start to the end
    struct printer_process process;
    struct task *writing; // of its thread, and of who has waited for that; so far `written` of it
    size_t written;
    uint64_t sent; // tasks that the pipe took whole
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct task *first, *last;
    size_t bytes;
    struct task *saves[PRINTERS_MAX][SAVES]; // files of --state; they go before the others
    uint64_t waiting;                        // tasks of both kinds
    bool stopping;
    atomic_bool done, abandoned; // abandoned: what is not written yet never is
    atomic_uint_fast64_t dropped, dropped_of[PRINTERS_MAX];
    atomic_uint_fast64_t counted; // failures that the metric has
};

struct printer_outside {
    struct printer_hub *hub;
    struct http_counter *drops, *failures;
    struct helper helpers[HELPERS];
    bool stopped;
};

static bool given(const char *text)
{
    return text && *text;
}

static void free_task(struct task *task)
{
    if (!task)
        return;
    blob_release(task->bytes);
    free(task);
}

// Told at the start, not with the first file.
static enum pl_errc check_folder(const char *option, const char *dir, struct pl_error *err)
{
    if (!given(dir) || access(dir, R_OK | W_OK | X_OK) == 0)
        return PL_OK;
    return pl_fail(err, PL_E_IO, "%s: cannot write to the folder %s: %s", option, dir, strerror(errno));
}

enum pl_errc printer_outside_open(struct printer_hub *hub, struct printer_outside **out, struct pl_error *err)
{
    const struct printer_options *o = &hub->options;
    bool files = given(o->state_dir) || given(o->keep_dir);
    const bool needed[HELPERS] = {files, given(o->forward), given(o->print_to), given(o->webhook)};
    *out = NULL;
    PL_TRY(check_folder("--state", o->state_dir, err));
    PL_TRY(check_folder("--keep", o->keep_dir, err));
    if (!files && !needed[HELPER_FORWARD] && !needed[HELPER_PRINT_TO] && !needed[HELPER_WEBHOOK])
        return PL_OK;
    struct printer_outside *outside = *out = calloc(1, sizeof *outside);
    if (!outside)
        return pl_fail_memory(err);
    outside->hub = hub;
    struct http_metrics *metrics = http_server_metrics(hub->server);
    outside->drops = http_metric_counter(
        metrics, "printer_outside_dropped_total",
        "Files and messages of the printers that were dropped since those before them were not done yet.", NULL);
    outside->failures =
        http_metric_counter(metrics, "printer_outside_failed_total",
                            "Files that could not be written and messages that other machines did not take.", NULL);
    for (int i = 0; i < HELPERS; i++) {
        struct helper *h = &outside->helpers[i];
        h->outside = outside;
        h->process.pipe = -1;
        pthread_mutex_init(&h->lock, NULL);
        pthread_cond_init(&h->wake, NULL);
    }
    for (int i = 0; i < HELPERS; i++) {
        if (needed[i])
            PL_TRY(printer_process_start(&outside->helpers[i].process, KINDS[i].process, o, err));
        outside->helpers[i].is_there = needed[i];
    }
    return PL_OK;
}

// With the lock held: what is written next. NULL: nothing.
static struct task *next_task(struct helper *h)
{
    if (h->waiting == 0)
        return NULL;
    h->waiting--;
    for (uint32_t i = 0; i < PRINTERS_MAX * SAVES; i++) {
        struct task **save = &h->saves[i / SAVES][i % SAVES], *task = *save;
        if (!task)
            continue;
        *save = NULL;
        return task;
    }
    struct task *task = h->first;
    h->first = task->next;
    if (!h->first)
        h->last = NULL;
    h->bytes -= task->bytes->size;
    return task;
}

// The head, then its bytes. -1: nobody reads them.
static ssize_t write_some(struct helper *h)
{
    const struct task *task = h->writing;
    size_t head = sizeof task->head;
    if (h->written < head)
        return printer_process_write(&h->process, (const uint8_t *)&task->head + h->written, head - h->written);
    size_t at = h->written - head;
    return printer_process_write(&h->process, task->bytes->data + at, task->bytes->size - at);
}

void printer_outside_observe(struct printer_outside *outside)
{
    for (int i = 0; outside && i < HELPERS; i++) {
        struct helper *h = &outside->helpers[i];
        if (!h->is_there)
            continue;
        uint64_t failed = atomic_load(&h->process.progress->failed);
        uint64_t before = atomic_exchange(&h->counted, failed);
        http_counter_add(outside->failures, failed - before); // two that look at once add up, modulo 2^64
    }
}

enum helper_turn printer_outside_turn(struct printer_outside *outside, uint32_t helper)
{
    struct helper *h = &outside->helpers[helper];
    if (!h->is_there)
        return HELPER_OVER;
    if (!h->writing) {
        pthread_mutex_lock(&h->lock);
        h->writing = next_task(h);
        bool over = !h->writing && h->stopping;
        pthread_mutex_unlock(&h->lock);
        h->written = 0;
        if (!h->writing)
            return over ? HELPER_OVER : HELPER_IDLE;
    }
    size_t whole = sizeof h->writing->head + h->writing->bytes->size;
    while (h->written < whole) {
        ssize_t n = write_some(h);
        if (n < 0)
            return HELPER_OVER;
        if (n == 0)
            return HELPER_FULL;
        h->written += (size_t)n;
    }
    h->sent++;
    free_task(h->writing);
    h->writing = NULL;
    return HELPER_MORE;
}

static void *helper_thread(void *argument)
{
    struct helper *h = argument;
    struct printer_outside *outside = h->outside;
    bool goes_on = true;
    while (goes_on && !atomic_load(&h->abandoned)) {
        switch (printer_outside_turn(outside, (uint32_t)(h - outside->helpers))) {
        case HELPER_MORE:
            break;
        case HELPER_FULL: // the process is busy with another machine
            printer_process_wait_for_room(&h->process);
            break;
        case HELPER_IDLE:
            pthread_mutex_lock(&h->lock);
            while (!h->stopping && h->waiting == 0)
                pthread_cond_wait(&h->wake, &h->lock);
            pthread_mutex_unlock(&h->lock);
            break;
        case HELPER_OVER:
            goes_on = false;
            break;
        }
    }
    const struct printer_task_head end = {.task = TASK_END};
    if (!h->writing)
        printer_process_write(&h->process, &end, sizeof end);
    pthread_mutex_lock(&h->lock);
    h->stopping = true;
    pthread_mutex_unlock(&h->lock);
    atomic_store(&h->done, true);
    return NULL;
}

bool printer_outside_start(struct printer_outside *outside)
{
    for (int i = 0; outside && i < HELPERS; i++) {
        struct helper *h = &outside->helpers[i];
        if (h->is_there && !(h->started = pthread_create(&h->thread, NULL, helper_thread, h) == 0))
            return false;
    }
    return true;
}

static void wait_a_moment(void)
{
    const struct timespec moment = {.tv_nsec = 10000000};
    nanosleep(&moment, NULL);
}

// What waits gets until then to go out. A process that still hangs ends with the service. After a second signal only
// files are waited for: they are what is kept.
static void stop_helper(struct helper *h, uint64_t until_ns)
{
    const bool files = h == &h->outside->helpers[HELPER_FILES];
    const atomic_bool *given_up = files ? NULL : &h->outside->hub->hurried;
    while (h->started && !atomic_load(&h->done) && pl_now_ns() < until_ns && !(given_up && atomic_load(given_up)))
        wait_a_moment();
    atomic_store(&h->abandoned, true);
    if (h->started)
        pthread_join(h->thread, NULL);
    h->started = false;
    printer_process_end(&h->process, until_ns, given_up);
}

// Tasks that were not carried out.
static uint64_t count_undone(struct helper *h)
{
    return h->sent - atomic_load(&h->process.progress->done) + (h->writing ? 1 : 0) + h->waiting;
}

// Nothing more is taken.
static void take_no_more(struct printer_outside *outside)
{
    for (int i = 0; outside && i < HELPERS; i++) {
        struct helper *h = &outside->helpers[i];
        pthread_mutex_lock(&h->lock);
        h->stopping = true;
        pthread_cond_signal(&h->wake);
        pthread_mutex_unlock(&h->lock);
    }
}

uint64_t printer_outside_stop(struct printer_outside *outside, uint64_t until_ns)
{
    uint64_t all = 0;
    if (!outside || outside->stopped)
        return 0;
    outside->stopped = true;
    take_no_more(outside);
    const uint64_t soon_ns = pl_now_ns() + STOP_NS;
    for (int i = 0; i < HELPERS; i++) {
        struct helper *h = &outside->helpers[i];
        if (!h->is_there)
            continue;
        // Messages of a webhook are no jobs: the end does not wait for one that hangs.
        bool hurried = atomic_load(&outside->hub->hurried);
        stop_helper(h, i == HELPER_WEBHOOK || hurried ? soon_ns : PL_MAX(until_ns, soon_ns));
        uint64_t undone = count_undone(h);
        uint64_t failed = atomic_load(&h->process.progress->failed) + atomic_load(&h->dropped);
        if (undone > 0)
            pl_say_patiently("platen: %llu %s were not delivered: the service ended first", (unsigned long long)undone,
                             KINDS[i].what);
        if (failed > 0)
            pl_say_patiently("platen: %llu %s had not been delivered before", (unsigned long long)failed,
                             KINDS[i].what);
        all += i == HELPER_WEBHOOK ? 0 : undone + failed;
    }
    return all;
}

bool printer_outside_saved(struct printer_outside *outside, uint32_t index)
{
    struct printer_progress *progress = outside ? outside->helpers[HELPER_FILES].process.progress : NULL;
    if (!progress || printer_saving_moves(&progress->jobs[index], SAVING_GIVEN_UP))
        return false;
    for (int i = 0; i < COMMIT_MOMENTS && atomic_load(&progress->jobs[index]) == SAVING_COMMITS; i++)
        wait_a_moment();
    return atomic_load(&progress->jobs[index]) == SAVING_DONE;
}

void printer_outside_close(struct printer_outside *outside)
{
    if (!outside)
        return;
    printer_outside_stop(outside, 0);
    for (int i = 0; i < HELPERS; i++) {
        struct helper *h = &outside->helpers[i];
        while (h->waiting > 0)
            free_task(next_task(h));
        free_task(h->writing);
        printer_process_free(&h->process);
        pthread_mutex_destroy(&h->lock);
        pthread_cond_destroy(&h->wake);
    }
    free(outside);
}

// ---- messages

static struct task *new_task(const struct printer_task_head *head, struct blob *bytes)
{
    struct task *task = bytes ? calloc(1, sizeof *task) : NULL;
    if (!task)
        return NULL;
    task->head = *head;
    task->head.size = bytes->size;
    task->bytes = blob_hold(bytes);
    return task;
}

enum sent { SENT, DROPPED_FULL, DROPPED_NO_MEMORY };

// `data` of a buffer that has failed: there was no memory for it.
static enum sent send_task(struct printer_outside *outside, enum helper_kind kind, const struct printer_task_head *head,
                           struct pl_slice data, bool failed)
{
    struct helper *h = &outside->helpers[kind];
    struct blob *bytes = failed ? NULL : blob_new(data);
    struct task *task = new_task(head, bytes);
    blob_release(bytes);
    pthread_mutex_lock(&h->lock);
    bool room = task && !h->stopping && h->bytes + data.len <= QUEUE_BYTES;
    if (room) {
        if (h->last)
            h->last->next = task;
        else
            h->first = task;
        h->last = task;
        h->waiting++;
        h->bytes += data.len;
        pthread_cond_signal(&h->wake);
    }
    pthread_mutex_unlock(&h->lock);
    if (room)
        return SENT;
    http_counter_add(outside->drops, 1);
    atomic_fetch_add(&h->dropped_of[head->printer], 1);
    if (atomic_fetch_add(&h->dropped, 1) == 0)
        pl_say("platen: %s are dropped: %s", KINDS[kind].what, task ? "too many wait" : "there is no memory for them");
    enum sent sent = task ? DROPPED_FULL : DROPPED_NO_MEMORY;
    free_task(task);
    return sent;
}

bool printer_outside_save(struct printer_outside *outside, uint32_t index, const char *printer, enum printer_save which,
                          struct blob *bytes)
{
    struct printer_task_head head = {.task = which == SAVE_JOBS ? TASK_SAVE_JOBS : TASK_SAVE, .printer = index};
    if (!outside || !given(outside->hub->options.state_dir) || outside->hub->printers[index].spec.is_spare)
        return false;
    struct helper *h = &outside->helpers[HELPER_FILES];
    snprintf(head.name, sizeof head.name, "%s.%s", printer,
             which == SAVE_JOBS ? "jobs" : printer_language_name(&outside->hub->printers[index].spec));
    struct task *task = new_task(&head, bytes), *before = NULL;
    pthread_mutex_lock(&h->lock);
    bool taken = task && !h->stopping;
    if (taken) {
        before = h->saves[index][which];
        h->saves[index][which] = task;
        h->waiting += before ? 0 : 1;
        pthread_cond_signal(&h->wake);
    }
    pthread_mutex_unlock(&h->lock);
    bool has_memory = task;
    free_task(taken ? before : task);
    if (!taken)
        pl_say("platen: --state: %s is not written: %s", head.name,
               has_memory ? "the service ends" : "there is no memory for it");
    return taken;
}

const char *printer_outside_keep(struct printer_outside *outside, const struct printer *p,
                                 const struct printed_label *label, const struct pl_buf *json)
{
    if (!outside || !given(outside->hub->options.keep_dir))
        return NULL;
    struct printer_task_head head = {.task = TASK_KEEP, .printer = p->index, .number = label->seq};
    snprintf(head.ext, sizeof head.ext, "%s", printer_language_name(&p->spec));
    const bool whole = !json->failed;
    const struct pl_slice files[PRINTER_KEPT_FILES] = {blob_slice(label->zpl), blob_slice(label->png),
                                                       whole ? pl_buf_slice(json) : pl_slice_make("", 0)};
    struct pl_buf all;
    pl_buf_init(&all, SIZE_MAX / 2);
    for (int i = 0; i < PRINTER_KEPT_FILES; i++) {
        head.parts[i] = files[i].len;
        pl_buf_append_slice(&all, files[i]);
    }
    snprintf(head.name, sizeof head.name, "%s-%llu-%08llu", p->spec.name, (unsigned long long)(label->time_ms / 1000),
             (unsigned long long)label->seq);
    enum sent sent = send_task(outside, HELPER_FILES, &head, pl_buf_slice(&all), all.failed || json->short_of_memory);
    pl_buf_fini(&all);
    switch (sent) {
    case DROPPED_FULL:
        return "too many files waited to be written";
    case DROPPED_NO_MEMORY:
        return "there was no memory for its files";
    case SENT:
        break;
    }
    return whole ? NULL : "its JSON has more than 16 MiB";
}

const char *printer_outside_not_kept(struct printer_outside *outside, const struct printed_label *label)
{
    const char *reason = atomic_load(&label->not_kept);
    if (reason || !outside || !outside->helpers[HELPER_FILES].is_there)
        return reason;
    struct printer_progress *progress = outside->helpers[HELPER_FILES].process.progress;
    return atomic_load(&progress->not_kept[label->seq % NOT_KEPT_KNOWN]) == label->seq
               ? "its files could not be written: standard error has the reason"
               : NULL;
}

static uint64_t failures_of(const struct helper *h, uint32_t index)
{
    if (!h->is_there)
        return 0;
    return atomic_load(&h->process.progress->failed_of[index]) + atomic_load(&h->dropped_of[index]);
}

struct printer_failures printer_outside_failures(struct printer_outside *outside, uint32_t index)
{
    if (!outside)
        return (struct printer_failures){0};
    return (struct printer_failures){.files = failures_of(&outside->helpers[HELPER_FILES], index),
                                     .forwards = failures_of(&outside->helpers[HELPER_FORWARD], index)};
}

void printer_outside_forward(struct printer_outside *outside, const struct printer *p, uint64_t job,
                             struct pl_slice code)
{
    struct printer_task_head head = {.task = TASK_FORWARD, .printer = p->index, .number = job};
    snprintf(head.name, sizeof head.name, "%s", p->spec.name);
    if (outside && given(outside->hub->options.forward))
        send_task(outside, HELPER_FORWARD, &head, code, false);
}

void printer_outside_webhook(struct printer_outside *outside, struct pl_slice json)
{
    if (outside && given(outside->hub->options.webhook))
        send_task(outside, HELPER_WEBHOOK, &(struct printer_task_head){.task = TASK_WEBHOOK}, json, false);
}

enum printer_sent printer_outside_print_to(struct printer_outside *outside, struct pl_slice host, struct pl_slice code)
{
    const char *list = outside ? outside->hub->options.print_to : NULL;
    struct pl_slice entry;
    while (given(list) && http_option_entry(&list, &entry)) {
        struct printer_task_head head = {.task = TASK_PRINT_TO};
        if (!pl_slice_eq_nocase(entry, host) || entry.len >= sizeof head.name)
            continue;
        memcpy(head.name, entry.ptr, entry.len);
        return send_task(outside, HELPER_PRINT_TO, &head, code, false) == SENT ? PRINTER_SENT : PRINTER_NOT_SENT;
    }
    return PRINTER_SENT_NOWHERE;
}
