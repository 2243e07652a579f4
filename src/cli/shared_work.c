// Work that several threads share out among them, item by item, and whose messages come in the order of the items.
//
// Items are taken in their order, so the first one that is not done is always in the hands of a running thread. It
// never waits, which is why whoever waits for it does not wait forever.
#include "cli/shared_work.h"

#include <assert.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"

#define KEPT_BYTES_MAX ((size_t)4 << 20)

struct item_messages {
    char *text;
    size_t len;
    bool done;
};

bool shared_work_init(struct shared_work *work, size_t count, const struct message_sink *sink)
{
    *work = (struct shared_work){.sink = sink, .end = count, .count = count};
    work->kept = calloc(PL_MAX(count, 1), sizeof *work->kept);
    if (!work->kept)
        return false;
    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->turn_moved, NULL);
    return true;
}

void shared_work_fini(struct shared_work *work)
{
    for (size_t i = 0; i < work->count; i++)
        free(work->kept[i].text);
    free(work->kept);
    pthread_mutex_destroy(&work->lock);
    pthread_cond_destroy(&work->turn_moved);
}

bool shared_work_take(struct shared_work *work, size_t *item)
{
    pthread_mutex_lock(&work->lock);
    bool any = work->next < work->end;
    assert(work->turn <= work->next && work->end <= work->count);
    if (any)
        *item = work->next++;
    pthread_mutex_unlock(&work->lock);
    return any;
}

// With the lock held.
static void print_now(struct shared_work *work, const char *text, size_t len)
{
    message_print(work->sink, "%.*s", (int)len, text);
}

// Prints what is kept of an item. With the lock held.
static void print_kept(struct shared_work *work, size_t item)
{
    struct item_messages *kept = &work->kept[item];
    if (kept->len > 0 && item < work->end)
        print_now(work, kept->text, kept->len);
    assert(work->kept_bytes >= kept->len);
    work->kept_bytes -= kept->len;
    free(kept->text);
    kept->text = NULL;
    kept->len = 0;
}

void shared_work_done(struct shared_work *work, size_t item)
{
    pthread_mutex_lock(&work->lock);
    assert(item < work->next && !work->kept[item].done); // it was taken, and ends once
    work->kept[item].done = true;
    if (item == work->turn) {
        while (work->turn < work->count && work->kept[work->turn].done)
            print_kept(work, work->turn++);
        if (work->turn < work->count)
            print_kept(work, work->turn);
        pthread_cond_broadcast(&work->turn_moved);
    }
    pthread_mutex_unlock(&work->lock);
}

void shared_work_stop(struct shared_work *work, size_t item)
{
    pthread_mutex_lock(&work->lock);
    work->end = PL_MIN(work->end, item + 1);
    pthread_cond_broadcast(&work->turn_moved);
    pthread_mutex_unlock(&work->lock);
}

// False: there is no room for it. With the lock held.
static bool keep(struct shared_work *work, size_t item, const char *text, size_t len)
{
    assert(item < work->count);
    struct item_messages *kept = &work->kept[item];
    char *longer = work->kept_bytes + len <= KEPT_BYTES_MAX ? realloc(kept->text, kept->len + len) : NULL;
    if (!longer)
        return false;
    memcpy(longer + kept->len, text, len);
    kept->text = longer;
    kept->len += len;
    work->kept_bytes += len;
    return true;
}

static void print_in_turn(struct shared_work *work, size_t item, const char *text, size_t len)
{
    pthread_mutex_lock(&work->lock);
    bool kept = item != work->turn && item < work->end && keep(work, item, text, len);
    while (!kept && item != work->turn && item < work->end)
        pthread_cond_wait(&work->turn_moved, &work->lock);
    if (!kept && item < work->end)
        print_now(work, text, len);
    pthread_mutex_unlock(&work->lock);
}

bool shared_work_offer(struct shared_work *work, size_t item, const char *text, size_t len)
{
    pthread_mutex_lock(&work->lock);
    bool taken = item == work->turn || item >= work->end;
    if (item == work->turn)
        print_now(work, text, len);
    else if (!taken)
        taken = len == 0 || keep(work, item, text, len);
    pthread_mutex_unlock(&work->lock);
    return taken;
}

void message_print(const struct message_sink *sink, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (!sink || (!sink->work && !sink->say)) {
        vfprintf(stderr, fmt, args);
    } else {
        char *text;
        int len = vasprintf(&text, fmt, args);
        if (len >= 0) {
            if (sink->say)
                sink->say(sink->user, text, (size_t)len);
            else
                print_in_turn(sink->work, sink->item, text, (size_t)len);
            free(text);
        }
    }
    va_end(args);
}

struct shared_threads {
    const struct shared_run *run;
    struct shared_work work;
    atomic_size_t done, failed;
};

static void take_items(struct shared_threads *threads, struct platen_worker *worker)
{
    const struct shared_run *run = threads->run;
    struct message_sink sink = {.work = &threads->work};
    while (shared_work_take(&threads->work, &sink.item)) {
        if (!run->item(run->user, worker, &sink))
            atomic_fetch_add(&threads->failed, 1);
        shared_work_done(&threads->work, sink.item);
        size_t done = atomic_fetch_add(&threads->done, 1) + 1;
        if (run->progress)
            run->progress(run->user, done, run->count, atomic_load(&threads->failed));
    }
}

// A thread that gets no renderer leaves the items to the others.
static void *run_thread(void *user)
{
    struct shared_threads *threads = user;
    struct platen_worker *worker;
    struct platen_error err;
    if (platen_worker_new(threads->run->engine, &worker, &err) == PLATEN_OK) {
        take_items(threads, worker);
        platen_worker_free(worker);
    } else {
        fprintf(stderr, "platen: %s\n", err.message);
    }
    return NULL;
}

size_t shared_work_run(const struct shared_run *run)
{
    struct shared_threads threads = {.run = run};
    pthread_t ids[SHARED_WORK_THREADS_MAX];
    uint32_t started = 0;
    if (!shared_work_init(&threads.work, run->count, run->sink)) {
        fprintf(stderr, "platen: not enough memory\n");
        return run->count;
    }
    for (uint32_t i = 1; i < run->jobs && i < SHARED_WORK_THREADS_MAX && i < run->count; i++)
        started += pthread_create(&ids[started], NULL, run_thread, &threads) == 0;
    if (run->worker)
        take_items(&threads, run->worker);
    else
        run_thread(&threads);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(ids[i], NULL);
    shared_work_fini(&threads.work);
    return atomic_load(&threads.failed) + run->count - atomic_load(&threads.done);
}
