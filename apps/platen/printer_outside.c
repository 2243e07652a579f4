// Letters to the processes that write files and speak to other machines.
#include "printer_outside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ckd.h"
#include "http/server/server.h"
#include "printer_helper.h"
#include "printer_hub.h"
#include "process/child.h"

#define QUEUE_BYTES ((size_t)64 << 20)
#define STOP_MS 3000
#define ROOM_MS 50 // between two looks whether the pipe has room

// Each waits for nobody but its own: a webhook that hangs does not hold up the printer behind --forward.
enum helper_kind { HELPER_FILES, HELPER_FORWARD, HELPER_PRINT_TO, HELPER_WEBHOOK, HELPERS };

struct letter {
    struct letter *next;
    struct printer_task_head head;
    uint8_t data[];
};

// What is to be written of a printer's memory.
struct save {
    char name[64];
    struct blob *lasting; // NULL: nothing
};

struct helper {
    bool is_there; // from the start to the end
    int pipe;      // of its thread, and of who has waited for that
    pid_t pid;
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct letter *first, *last;
    size_t bytes;
    struct save saves[PRINTERS_MAX]; // by the printers' numbers; they go before the letters
    bool stopping, done;
    atomic_bool abandoned; // what is not written yet never is
    struct http_counter *dropped;
};

struct printer_outside {
    struct printer_hub *hub;
    struct helper helpers[HELPERS];
};

// ---- in the service

static bool given(const char *text)
{
    return text && *text;
}

static enum pl_errc fork_helper(struct printer_outside *outside, enum helper_kind kind, struct pl_error *err)
{
    static const char *const NAMES[] = {"platen-files", "platen-forward", "platen-print-to", "platen-webhook"};
    struct helper *h = &outside->helpers[kind];
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return pl_fail(err, PL_E_IO, "cannot make a pipe: %s", strerror(errno));
    fflush(stdout);
    pid_t parent = getpid();
    h->pid = fork();
    if (h->pid == 0) {
        pl_child_end_with(parent);
        prctl(PR_SET_NAME, NAMES[kind], 0, 0, 0);
        // The service handles these, and closes the pipe when it ends.
        signal(SIGTERM, SIG_IGN);
        signal(SIGINT, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        int from = dup2(ends[0], 3);
        pl_child_close_from(4);
        if (from == 3)
            printer_helper_main(&outside->hub->options, 3);
        _exit(1);
    }
    close(ends[0]);
    h->pipe = ends[1];
    h->is_there = true;
    if (fcntl(h->pipe, F_SETFL, O_NONBLOCK) != 0)
        return pl_fail(err, PL_E_IO, "cannot set up a pipe: %s", strerror(errno));
    return h->pid > 0 ? PL_OK : pl_fail(err, PL_E_IO, "cannot start a process: %s", strerror(errno));
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
    char address[300];
    const char *path;
    *out = NULL;
    if (given(o->webhook) && !printer_split_url(o->webhook, address, sizeof address, &path))
        return pl_fail(err, PL_E_INVALID, "--webhook: '%s' is not a URL that starts with http://", o->webhook);
    if (given(o->forward) && !http_address_split(o->forward, address, sizeof address, &path))
        return pl_fail(err, PL_E_INVALID, "--forward: '%s' is not HOST:PORT", o->forward);
    PL_TRY(check_folder("--state", o->state_dir, err));
    PL_TRY(check_folder("--keep", o->keep_dir, err));
    if (!files && !needed[HELPER_FORWARD] && !needed[HELPER_PRINT_TO] && !needed[HELPER_WEBHOOK])
        return PL_OK;
    struct printer_outside *outside = *out = calloc(1, sizeof *outside);
    if (!outside)
        return pl_fail_memory(err);
    outside->hub = hub;
    struct http_counter *dropped = http_metric_counter(
        http_server_metrics(hub->server), "printer_outside_dropped_total",
        "Files and messages of the printers that were dropped since those before them were not done yet.", NULL);
    for (int i = 0; i < HELPERS; i++) {
        struct helper *h = &outside->helpers[i];
        h->pipe = -1;
        h->dropped = dropped;
        pthread_mutex_init(&h->lock, NULL);
        pthread_cond_init(&h->wake, NULL);
    }
    for (int i = 0; i < HELPERS; i++) {
        if (needed[i])
            PL_TRY(fork_helper(outside, (enum helper_kind)i, err));
    }
    return PL_OK;
}

// The pipe is full while the process is busy with another machine.
static bool write_pipe(struct helper *h, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    while (size > 0) {
        ssize_t n = write(h->pipe, from, size);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        struct pollfd room = {.fd = h->pipe, .events = POLLOUT};
        if (n < 0 && atomic_load(&h->abandoned))
            return false;
        if (n < 0)
            poll(&room, 1, ROOM_MS);
        from += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool write_task(struct helper *h, const struct printer_task_head *head, const void *data)
{
    return write_pipe(h, head, sizeof *head) && write_pipe(h, data, (size_t)head->size);
}

// With the lock held, which is let go meanwhile. False: the process has gone, or there is no more time.
static bool write_save(struct helper *h, struct save *save)
{
    struct blob *lasting = save->lasting;
    struct printer_task_head head = {.task = TASK_SAVE, .size = lasting->size};
    memcpy(head.name, save->name, sizeof save->name);
    save->lasting = NULL;
    pthread_mutex_unlock(&h->lock);
    bool sent = write_task(h, &head, lasting->data);
    if (!sent)
        fprintf(stderr, "platen: --state: %s was not written: the process that writes files does not take it\n",
                head.name);
    blob_release(lasting);
    pthread_mutex_lock(&h->lock);
    return sent;
}

static bool write_letter(struct helper *h)
{
    struct letter *letter = h->first;
    h->first = letter->next;
    if (!h->first)
        h->last = NULL;
    pthread_mutex_unlock(&h->lock);
    bool sent = write_task(h, &letter->head, letter->data);
    pthread_mutex_lock(&h->lock);
    h->bytes -= (size_t)letter->head.size;
    free(letter);
    return sent;
}

static struct save *next_save(struct helper *h)
{
    for (uint32_t i = 0; i < PRINTERS_MAX; i++) {
        if (h->saves[i].lasting)
            return &h->saves[i];
    }
    return NULL;
}

static void *helper_thread(void *argument)
{
    struct helper *h = argument;
    bool goes_on = true;
    pthread_mutex_lock(&h->lock);
    while (goes_on) {
        struct save *save = next_save(h);
        if (save)
            goes_on = write_save(h, save);
        else if (h->first)
            goes_on = write_letter(h);
        else if (!h->stopping)
            pthread_cond_wait(&h->wake, &h->lock);
        else
            break;
    }
    h->stopping = true;
    pthread_mutex_unlock(&h->lock);
    const struct printer_task_head end = {.task = TASK_END};
    write_pipe(h, &end, sizeof end);
    pthread_mutex_lock(&h->lock);
    h->done = true;
    pthread_mutex_unlock(&h->lock);
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

static bool is_done(struct helper *h)
{
    pthread_mutex_lock(&h->lock);
    bool done = h->done;
    pthread_mutex_unlock(&h->lock);
    return done;
}

static void wait_a_moment(void)
{
    const struct timespec moment = {.tv_nsec = 10000000};
    nanosleep(&moment, NULL);
}

// What waits gets until then to go out. A process that still hangs ends with the service.
static void stop_helper(struct helper *h, uint64_t until_ns)
{
    while (h->started && !is_done(h) && pl_now_ns() < until_ns)
        wait_a_moment();
    atomic_store(&h->abandoned, true);
    if (h->started)
        pthread_join(h->thread, NULL);
    h->started = false;
    if (h->pipe >= 0)
        close(h->pipe);
    h->pipe = -1;
    while (h->pid > 0 && waitpid(h->pid, NULL, WNOHANG) == 0 && pl_now_ns() < until_ns)
        wait_a_moment();
    h->pid = 0;
}

void printer_outside_stop(struct printer_outside *outside)
{
    for (int i = 0; outside && i < HELPERS; i++) {
        struct helper *h = &outside->helpers[i];
        pthread_mutex_lock(&h->lock);
        h->stopping = true;
        pthread_cond_signal(&h->wake);
        pthread_mutex_unlock(&h->lock);
    }
    uint64_t until_ns = pl_now_ns() + STOP_MS * 1000000ull;
    for (int i = 0; outside && i < HELPERS; i++)
        stop_helper(&outside->helpers[i], until_ns);
}

void printer_outside_close(struct printer_outside *outside)
{
    if (!outside)
        return;
    printer_outside_stop(outside);
    for (int i = 0; i < HELPERS; i++) {
        struct helper *h = &outside->helpers[i];
        while (h->first) {
            struct letter *next = h->first->next;
            free(h->first);
            h->first = next;
        }
        for (uint32_t k = 0; k < PRINTERS_MAX; k++)
            blob_release(h->saves[k].lasting);
        pthread_mutex_destroy(&h->lock);
        pthread_cond_destroy(&h->wake);
    }
    free(outside);
}

// ---- messages

// False: it was dropped.
static bool send_letter(struct printer_outside *outside, enum helper_kind kind, enum printer_task task,
                        const char *name, struct pl_slice data)
{
    struct helper *h = &outside->helpers[kind];
    if (!h->is_there)
        return false;
    struct letter *letter = malloc(sizeof *letter + data.len);
    if (letter) {
        memset(&letter->head, 0, sizeof letter->head);
        letter->next = NULL;
        letter->head.task = task;
        letter->head.size = data.len;
        snprintf(letter->head.name, sizeof letter->head.name, "%s", name);
        if (data.len > 0)
            memcpy(letter->data, data.ptr, data.len);
    }
    pthread_mutex_lock(&h->lock);
    bool room = letter && !h->stopping && h->bytes + data.len <= QUEUE_BYTES;
    if (room) {
        if (h->last)
            h->last->next = letter;
        else
            h->first = letter;
        h->last = letter;
        h->bytes += data.len;
        pthread_cond_signal(&h->wake);
    }
    pthread_mutex_unlock(&h->lock);
    if (!room) {
        http_counter_add(h->dropped, 1);
        free(letter);
    }
    return room;
}

void printer_outside_save(struct printer_outside *outside, uint32_t index, const char *printer, struct blob *lasting)
{
    if (!outside || !given(outside->hub->options.state_dir))
        return;
    struct helper *h = &outside->helpers[HELPER_FILES];
    struct save *save = &h->saves[index];
    pthread_mutex_lock(&h->lock);
    bool late = h->stopping;
    struct blob *before = save->lasting;
    save->lasting = late ? NULL : blob_hold(lasting);
    snprintf(save->name, sizeof save->name, "%s.zpl", printer);
    pthread_cond_signal(&h->wake);
    pthread_mutex_unlock(&h->lock);
    blob_release(before);
    if (late)
        fprintf(stderr, "platen: --state: what printer %s stored last is not written\n", printer);
}

bool printer_outside_keep(struct printer_outside *outside, const char *printer, const struct printed_label *label,
                          struct pl_slice json)
{
    char name[96];
    bool all = true;
    if (!outside || !given(outside->hub->options.keep_dir))
        return true;
    const struct {
        const char *ext;
        struct pl_slice bytes;
    } files[] = {{"zpl", blob_slice(label->zpl)}, {"png", blob_slice(label->png)}, {"json", json}};
    for (size_t i = 0; i < PL_COUNTOF(files); i++) {
        if (files[i].bytes.len == 0)
            continue;
        snprintf(name, sizeof name, "%s-%llu-%08llu.%s", printer, (unsigned long long)(label->time_ms / 1000),
                 (unsigned long long)label->seq, files[i].ext);
        all = send_letter(outside, HELPER_FILES, TASK_KEEP, name, files[i].bytes) && all;
    }
    return all;
}

void printer_outside_forward(struct printer_outside *outside, struct pl_slice code)
{
    if (outside && given(outside->hub->options.forward))
        send_letter(outside, HELPER_FORWARD, TASK_FORWARD, "", code);
}

void printer_outside_webhook(struct printer_outside *outside, struct pl_slice json)
{
    if (outside && given(outside->hub->options.webhook))
        send_letter(outside, HELPER_WEBHOOK, TASK_WEBHOOK, "", json);
}

bool printer_outside_print_to(struct printer_outside *outside, struct pl_slice host, struct pl_slice code)
{
    const char *list = outside ? outside->hub->options.print_to : NULL;
    struct pl_slice entry;
    while (given(list) && http_option_entry(&list, &entry)) {
        if (!pl_slice_eq_nocase(entry, host) || entry.len >= sizeof((struct printer_task_head *)0)->name)
            continue;
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)entry.len, (const char *)entry.ptr);
        send_letter(outside, HELPER_PRINT_TO, TASK_PRINT_TO, name, code);
        return true;
    }
    return false;
}
