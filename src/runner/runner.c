// Tasks on threads, and the order of what they say or leave.
//
// Tasks are taken in their order, so the first one that is not done is always in the hands of a running thread, or the
// next to be taken. It never waits, which is why whoever waits for it does not wait forever.
#include "runner/runner.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/ckd.h"
#include "os/clock.h"

#define KEPT_BYTES_MAX ((size_t)4 << 20)
#define NS_PER_S 1000000000ull
#define PASS_NS (NS_PER_S / 100) // what a stream's tasks leave does not wait longer than that for more of it

// What a task has said, or holds, while earlier ones were not done.
struct kept {
    char *text; // NULL in a stream
    size_t len;
    bool done;
};

struct running {
    const struct run *run;
    pthread_mutex_t lock; // guards what follows
    pthread_cond_t work, moved;
    struct kept *kept; // of the tasks of the window
    size_t window, kept_bytes, kept_most;
    size_t next;  // to be taken
    size_t turn;  // the first task that is not done, in a stream not passed on: what it says goes out at once
    size_t end;   // behind the last task that counts, in a stream that was read
    bool passes;  // a thread passes on what is kept, or what the task at turn says; the lock is not held meanwhile
    bool reading; // a stream, whose end was not found
    uint32_t started, gone; // threads
    uint64_t passed_ns;     // when something of a stream was passed on
    size_t done, failed;
};

// A thread, or what stands behind it, with the task that it has.
struct hand {
    struct running *r;
    struct runner_place place;
    size_t task;
    bool leads; // the calling thread, alone with a stream
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
        }
        pthread_cond_broadcast(&r->moved);
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
            pthread_cond_wait(&r->moved, &r->lock);
        if (task < r->end)
            print_unlocked(r, text, len);
    }
    pthread_mutex_unlock(&r->lock);
}

// ---- a stream; all with the lock held

static void hold(struct running *r, size_t task, size_t bytes)
{
    struct kept *kept = kept_of(r, task);
    r->kept_bytes += bytes - kept->len;
    kept->len = bytes;
}

static bool can_read(const struct running *r)
{
    return r->reading && r->end - r->turn < r->window && (r->kept_bytes < r->kept_most || r->end == r->turn);
}

// Changing between reading, waiting and passing on costs more than a small task.
static bool should_pass(struct running *r)
{
    size_t ready = r->done - r->turn, begun = r->end - r->turn;
    return begun > 0 && kept_of(r, r->turn)->done &&
           (ready >= r->window / 2 || r->kept_bytes > r->kept_most || (ready == begun && !can_read(r)) ||
            r->gone == r->started || pl_now_ns() - r->passed_ns > PASS_NS);
}

// False: the next task is not there yet, and others are open.
static bool read_one(struct running *r)
{
    const struct runner_stream *stream = r->run->stream;
    pthread_mutex_unlock(&r->lock);
    enum runner_read read = stream->next(r->run->user, r->end, r->turn == r->end); // which change only on this thread
    size_t bytes = read == RUNNER_READ ? stream->holds(r->run->user, r->end) : 0;
    pthread_mutex_lock(&r->lock);
    r->reading = read != RUNNER_NO_MORE;
    if (read == RUNNER_READ)
        hold(r, r->end++, bytes);
    else if (read == RUNNER_NO_MORE)
        pthread_cond_broadcast(&r->work);
    if (read != RUNNER_LATER)
        pthread_cond_signal(&r->work);
    return read != RUNNER_LATER;
}

static void pass_stream(struct running *r, bool reads)
{
    while (r->turn < r->end && kept_of(r, r->turn)->done) {
        pthread_mutex_unlock(&r->lock);
        r->run->stream->pass(r->run->user, r->turn);
        pthread_mutex_lock(&r->lock);
        if (r->kept_bytes > r->kept_most)
            pthread_cond_broadcast(&r->work); // they wait for room
        hold(r, r->turn, 0);
        kept_of(r, r->turn++)->done = false;
        if (reads && can_read(r) && r->end - r->next < r->window / 4) // the places shall not wait for work meanwhile
            reads = read_one(r);
    }
    r->passed_ns = pl_now_ns();
}

// Where the next task was not there yet, it is asked for again after a moment.
static void wait_for_places(struct running *r, bool later)
{
    uint64_t end = (later ? pl_now_ns() : r->passed_ns) + PASS_NS;
    const struct timespec until = {.tv_sec = (time_t)(end / NS_PER_S), .tv_nsec = (long)(end % NS_PER_S)};
    if (later || (r->turn < r->end && kept_of(r, r->turn)->done))
        pthread_cond_clockwait(&r->moved, &r->lock, CLOCK_MONOTONIC, &until);
    else
        pthread_cond_wait(&r->moved, &r->lock);
}

// ---- tasks

// False: there is none left.
static bool take(struct running *r, size_t *task)
{
    pthread_mutex_lock(&r->lock);
    // One that is waited for is done in any case.
    while (r->next >= r->end ? r->reading : r->run->stream && r->kept_bytes > r->kept_most && r->next != r->turn)
        pthread_cond_wait(&r->work, &r->lock);
    bool any = r->next < r->end;
    if (any)
        *task = r->next++;
    pthread_mutex_unlock(&r->lock);
    return any;
}

static void finish(struct running *r, size_t task, bool ok)
{
    const struct run *run = r->run;
    size_t holds = run->stream ? run->stream->holds(run->user, task) : 0;
    pthread_mutex_lock(&r->lock);
    assert(task < r->next && !kept_of(r, task)->done); // it was taken, and ends once
    kept_of(r, task)->done = true;
    r->done++;
    r->failed += !ok;
    if (run->progress) // with the lock: a later number is not told before an earlier one
        run->progress(run->user, r->done, run->count, r->failed);
    if (!ok && run->stops_at_failure) {
        r->end = PL_MIN(r->end, task + 1);
        pthread_cond_broadcast(&r->moved);
    }
    if (run->stream) {
        hold(r, task, holds);
        if (task == r->turn || should_pass(r))
            pthread_cond_signal(&r->moved);
    } else {
        pass_on(r);
    }
    pthread_mutex_unlock(&r->lock);
}

// False: this place does no more.
static bool do_task(struct hand *hand)
{
    const struct run *run = hand->r->run;
    const struct runner_elsewhere *other = run->elsewhere;
    if ((other && !other->ready(other->user, hand->place.index)) || !take(hand->r, &hand->task))
        return false;
    bool ok =
        other ? other->task(other->user, hand->task, &hand->place) : run->task(run->user, hand->task, &hand->place);
    finish(hand->r, hand->task, ok);
    return true;
}

// The calling thread in a stream. Where it is alone, it does the tasks, too.
static void lead(struct running *r, struct hand *alone)
{
    pthread_mutex_lock(&r->lock);
    while (r->reading || r->turn < r->end) {
        bool passes = should_pass(r), later = !passes && can_read(r);
        if (later && read_one(r))
            continue;
        if (passes || (later && kept_of(r, r->turn)->done)) {
            pass_stream(r, passes);
        } else if (alone) {
            pthread_mutex_unlock(&r->lock);
            bool goes_on = do_task(alone);
            pthread_mutex_lock(&r->lock);
            if (!goes_on)
                break;
        } else if (r->gone < r->started) {
            wait_for_places(r, later);
        } else {
            break;
        }
    }
    r->reading = false;
    pthread_cond_broadcast(&r->work);
    pthread_mutex_unlock(&r->lock);
}

// A thread that gets no worker leaves the tasks to the others.
static void *run_thread(void *user)
{
    struct hand *hand = user;
    struct running *r = hand->r;
    const struct message_sink sink = {.say = say_in_turn, .user = hand};
    struct platen_error err;
    struct platen_worker *own = NULL;
    bool ready = hand->place.worker || !r->run->engine;
    if (!ready) {
        ready = platen_worker_new(r->run->engine, &own, &err) == PLATEN_OK;
        hand->place.worker = own;
        if (!ready)
            fprintf(stderr, "platen: %s\n", err.message);
    }
    hand->place.sink = r->run->stream ? r->run->sink : &sink;
    if (ready && hand->leads)
        lead(r, hand);
    else
        while (ready && do_task(hand))
            continue;
    pthread_mutex_lock(&r->lock);
    r->gone++;
    pthread_cond_signal(&r->moved);
    pthread_mutex_unlock(&r->lock);
    platen_worker_free(own);
    return NULL;
}

size_t runner_run(const struct run *run)
{
    const struct runner_stream *stream = run->stream;
    struct running r = {.run = run,
                        .window = PL_MAX(stream ? stream->window : run->count, (size_t)1),
                        .kept_most = run->kept_most ? run->kept_most : KEPT_BYTES_MAX,
                        .end = stream ? 0 : run->count,
                        .reading = stream != NULL};
    uint32_t places = (uint32_t)PL_MAX(PL_MIN(PL_MIN(run->places, RUNNER_PLACES_MAX), run->count), (size_t)1);
    pthread_t threads[RUNNER_PLACES_MAX];
    struct hand *hands = calloc(places, sizeof *hands);
    r.kept = calloc(r.window, sizeof *r.kept);
    if (!hands || !r.kept) {
        free(hands);
        free(r.kept);
        fprintf(stderr, "platen: not enough memory\n");
        return run->count;
    }
    pthread_mutex_init(&r.lock, NULL);
    pthread_cond_init(&r.work, NULL);
    pthread_cond_init(&r.moved, NULL);
    for (uint32_t i = 0; i < places; i++)
        hands[i] = (struct hand){.r = &r, .place = {.index = i, .worker = i == 0 ? run->worker : NULL}};
    pthread_mutex_lock(&r.lock);
    for (uint32_t i = stream ? 0 : 1; i < places; i++)
        r.started += pthread_create(&threads[r.started], NULL, run_thread, &hands[i]) == 0;
    pthread_mutex_unlock(&r.lock);
    if (stream && r.started > 0) {
        lead(&r, NULL);
    } else {
        hands[0].leads = stream != NULL;
        run_thread(&hands[0]);
    }
    for (uint32_t i = 0; i < r.started; i++)
        pthread_join(threads[i], NULL);
    pthread_cond_destroy(&r.work);
    pthread_cond_destroy(&r.moved);
    pthread_mutex_destroy(&r.lock);
    free(hands);
    free(r.kept);
    return stream ? r.end - r.turn : r.failed + run->count - r.done;
}
