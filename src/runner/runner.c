// Tasks on threads, and the order of what they say.
//
// Tasks are taken in their order, so the first one that is not done is always in the hands of a running thread. It
// never waits, which is why whoever waits for it does not wait forever.
#include "runner/runner.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ckd.h"

#define KEPT_BYTES_MAX ((size_t)4 << 20)

// What a task has said while earlier ones were not done.
struct kept {
    char *text;
    size_t len;
    bool done;
};

struct running {
    const struct run *run;
    pthread_mutex_t source; // held while a task is taken
    pthread_mutex_t lock;   // guards what follows
    pthread_cond_t turn_moved, room;
    struct kept *kept; // of the tasks of the window
    size_t window, kept_bytes, kept_most;
    size_t next; // to be taken
    size_t turn; // the first task that is not done: what it says goes out at once
    size_t end;  // behind the last task that counts
    bool passes; // a thread passes on what is kept, or what the task at turn says; the lock is not held meanwhile
    size_t count, done, failed;
};

// A thread, or what stands behind it, with the task that it has.
struct hand {
    struct running *r;
    struct runner_place place;
    size_t task;
};

static struct kept *kept_of(struct running *r, size_t task)
{
    return &r->kept[task % r->window];
}

// With the lock held, which is given up meanwhile.
static void print_unlocked(struct running *r, const char *text, size_t len)
{
    r->passes = true;
    pthread_mutex_unlock(&r->lock);
    message_say(r->run->sink, text, len);
    pthread_mutex_lock(&r->lock);
    r->passes = false;
}

// Passes on what is kept and can go out, and moves the turn. With the lock held. A thread that does so already sees
// what has been added.
static void pass_on(struct running *r)
{
    while (!r->passes && r->turn < r->next) {
        struct kept *kept = kept_of(r, r->turn), now = *kept;
        if (now.len == 0 && !now.done)
            break;
        kept->text = NULL;
        kept->len = 0;
        if (now.len > 0) {
            if (r->turn < r->end)
                print_unlocked(r, now.text, now.len);
            free(now.text);
            r->kept_bytes -= now.len;
        } else {
            kept->done = false;
            r->turn++;
            if (r->next - r->turn == r->window / 2)
                pthread_cond_signal(&r->room);
        }
        pthread_cond_broadcast(&r->turn_moved);
    }
}

// False: there is no room for it. With the lock held.
static bool keep(struct running *r, size_t task, const char *text, size_t len)
{
    assert(task >= r->turn && task < r->next);
    struct kept *kept = kept_of(r, task);
    char *longer = r->kept_bytes + len <= r->kept_most ? realloc(kept->text, kept->len + len) : NULL;
    if (!longer)
        return false;
    memcpy(longer + kept->len, text, len);
    kept->text = longer;
    kept->len += len;
    r->kept_bytes += len;
    return true;
}

// The `say` of a task's sink.
static void say_in_turn(void *user, const char *text, size_t len)
{
    const struct hand *hand = user;
    struct running *r = hand->r;
    size_t task = hand->task;
    if (len == 0)
        return;
    pthread_mutex_lock(&r->lock);
    bool mine = task == r->turn && !r->passes && kept_of(r, task)->len == 0;
    if (mine || task >= r->end || !keep(r, task, text, len)) {
        while ((task != r->turn || r->passes) && task < r->end)
            pthread_cond_wait(&r->turn_moved, &r->lock);
        if (task < r->end)
            print_unlocked(r, text, len);
    }
    pthread_mutex_unlock(&r->lock);
}

// False: there is none left.
static bool take(struct running *r, size_t *task)
{
    const struct run *run = r->run;
    pthread_mutex_lock(&r->source);
    pthread_mutex_lock(&r->lock);
    // Once the window is full, half of it must be free: waking for each task costs more than the task.
    if (r->next - r->turn >= r->window) {
        while (r->next < r->end && r->next - r->turn > r->window / 2)
            pthread_cond_wait(&r->room, &r->lock);
    }
    bool any = r->next < r->end;
    if (any && run->next) {
        pthread_mutex_unlock(&r->lock);
        any = run->next(run->user, r->next); // which changes only here
        pthread_mutex_lock(&r->lock);
        if (!any)
            r->count = r->end = PL_MIN(r->end, r->next);
    }
    any = any && r->next < r->end; // it may have stopped meanwhile
    if (any)
        *task = r->next++;
    pthread_mutex_unlock(&r->lock);
    pthread_mutex_unlock(&r->source);
    return any;
}

static void finish(struct running *r, size_t task, bool ok)
{
    pthread_mutex_lock(&r->lock);
    assert(task < r->next && !kept_of(r, task)->done); // it was taken, and ends once
    kept_of(r, task)->done = true;
    size_t done = ++r->done, failed = r->failed += !ok, count = r->count;
    if (!ok && r->run->stops_at_failure) {
        r->end = PL_MIN(r->end, task + 1);
        pthread_cond_broadcast(&r->turn_moved);
        pthread_cond_signal(&r->room);
    }
    pass_on(r);
    pthread_mutex_unlock(&r->lock);
    if (r->run->progress)
        r->run->progress(r->run->user, done, count, failed);
}

static void do_tasks(struct hand *hand)
{
    const struct run *run = hand->r->run;
    const struct runner_elsewhere *other = run->elsewhere;
    const struct message_sink sink = {.say = say_in_turn, .user = hand};
    hand->place.sink = &sink;
    while ((!other || other->ready(other->user, hand->place.index)) && take(hand->r, &hand->task)) {
        bool ok =
            other ? other->task(other->user, hand->task, &hand->place) : run->task(run->user, hand->task, &hand->place);
        finish(hand->r, hand->task, ok);
    }
}

// A thread that gets no worker leaves the tasks to the others.
static void *run_thread(void *user)
{
    struct hand *hand = user;
    const struct run *run = hand->r->run;
    struct platen_error err;
    struct platen_worker *own = NULL;
    if (!hand->place.worker && run->engine) {
        if (platen_worker_new(run->engine, &own, &err) != PLATEN_OK) {
            fprintf(stderr, "platen: %s\n", err.message);
            return NULL;
        }
        hand->place.worker = own;
    }
    do_tasks(hand);
    platen_worker_free(own);
    return NULL;
}

size_t runner_run(const struct run *run)
{
    struct running r = {.run = run,
                        .window = PL_MAX(run->window ? PL_MIN(run->window, run->count) : run->count, (size_t)1),
                        .kept_most = run->kept_most ? run->kept_most : KEPT_BYTES_MAX,
                        .end = run->count,
                        .count = run->count};
    size_t places = PL_MAX(PL_MIN(PL_MIN(run->places, RUNNER_PLACES_MAX), run->count), (size_t)1);
    pthread_t threads[RUNNER_PLACES_MAX];
    struct hand *hands = calloc(places, sizeof *hands);
    r.kept = calloc(r.window, sizeof *r.kept);
    if (!hands || !r.kept) {
        free(hands);
        free(r.kept);
        fprintf(stderr, "platen: not enough memory\n");
        return run->count;
    }
    pthread_mutex_init(&r.source, NULL);
    pthread_mutex_init(&r.lock, NULL);
    pthread_cond_init(&r.turn_moved, NULL);
    pthread_cond_init(&r.room, NULL);
    uint32_t started = 0;
    for (uint32_t i = 0; i < places; i++)
        hands[i] = (struct hand){.r = &r, .place = {.index = i, .worker = i == 0 ? run->worker : NULL}};
    for (uint32_t i = 1; i < places; i++)
        started += pthread_create(&threads[started], NULL, run_thread, &hands[i]) == 0;
    run_thread(&hands[0]);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_cond_destroy(&r.turn_moved);
    pthread_cond_destroy(&r.room);
    pthread_mutex_destroy(&r.lock);
    pthread_mutex_destroy(&r.source);
    free(hands);
    free(r.kept);
    return r.failed + r.count - r.done;
}
