// The runner: random tasks on random numbers of threads. What they say, or leave in a stream, arrives in the order of
// the tasks, each piece once and whole; windows and bounds are kept, and failures stop what they shall stop.
#include "unit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/ckd.h"
#include "runner/runner.h"

#define TASKS 400u

struct world {
    uint32_t pieces[TASKS], sizes[TASKS], pauses[TASKS];
    bool fails[TASKS];
    size_t read, end, window; // tasks that were read; behind the last one; of the stream
    size_t told;              // by the progress
    size_t others;            // that are begun while the first one is not done
    uint32_t dry;             // one of so many times the input has nothing yet; 0: never
    atomic_size_t begun, passed;
    atomic_int writers;
    pthread_t caller;
    struct pl_buf heard, left[TASKS];
};

static uint32_t state;

static uint32_t chance(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)state * below) >> 32);
}

// Computes for a while: giving the processor away would take long where others want it.
static void pause_for(uint32_t steps)
{
    for (volatile uint32_t i = 0; i < steps; i++)
        continue;
}

// "12.0:xxx;" is a piece: the task, the number of the piece, filling.
static void put_piece(struct pl_buf *out, size_t task, uint32_t piece, uint32_t size)
{
    pl_buf_printf(out, "%zu.%u:", task, piece);
    for (uint32_t i = 0; i < size; i++)
        pl_buf_append_byte(out, 'x');
    pl_buf_append_byte(out, ';');
}

static void hear(void *user, const char *text, size_t len)
{
    struct world *w = user;
    assert_int_equal(atomic_fetch_add(&w->writers, 1), 0);
    pl_buf_append(&w->heard, text, len);
    atomic_fetch_sub(&w->writers, 1);
}

static enum runner_read read_next(void *user, size_t task, bool waits)
{
    struct world *w = user;
    assert_true(pthread_equal(pthread_self(), w->caller));
    assert_int_equal(task, w->read); // in order
    assert_true(task < w->passed + w->window);
    pause_for(chance(4) == 0 ? 2000 : 0);
    if (waits)
        assert_int_equal(w->passed, task); // nothing is left open where the input is waited for
    else if (w->dry > 0 && chance(w->dry) == 0)
        return RUNNER_LATER;
    if (task == w->end)
        return RUNNER_NO_MORE;
    w->read++;
    return RUNNER_READ;
}

static size_t left_bytes(void *user, size_t task)
{
    const struct world *w = user;
    return w->left[task].len;
}

static void pass(void *user, size_t task)
{
    struct world *w = user;
    assert_true(pthread_equal(pthread_self(), w->caller));
    assert_int_equal(task, w->passed);
    pl_buf_append_slice(&w->heard, pl_buf_slice(&w->left[task]));
    pl_buf_fini(&w->left[task]);
    w->passed++;
}

static bool do_task(void *user, size_t task, const struct runner_place *place)
{
    struct world *w = user;
    struct pl_buf text;
    atomic_fetch_add(&w->begun, 1);
    pl_buf_init(&text, SIZE_MAX / 2);
    for (uint32_t i = 0; i < w->pieces[task]; i++) {
        pause_for(w->pauses[task]);
        pl_buf_clear(&text);
        put_piece(&text, task, i, w->sizes[task]);
        if (w->window > 0)
            pl_buf_append_slice(&w->left[task], pl_buf_slice(&text));
        else
            message_say(place->sink, text.data, text.len);
    }
    pl_buf_fini(&text);
    return !w->fails[task];
}

static void count_progress(void *user, size_t done, size_t count, size_t failed)
{
    struct world *w = user;
    assert_true(done <= count && failed <= done && done <= atomic_load(&w->begun));
    assert_int_equal(done, w->told + 1); // each once, in order
    pause_for(w->pauses[done - 1]);
    w->told = done;
}

static void fill(struct world *w)
{
    *w = (struct world){.end = chance(TASKS), .caller = pthread_self()};
    pl_buf_init(&w->heard, SIZE_MAX / 2);
    for (uint32_t i = 0; i < TASKS; i++) {
        w->pieces[i] = 1 + chance(4);
        w->sizes[i] = chance(10) == 0 ? chance(20000) : chance(50);
        w->pauses[i] = chance(5) == 0 ? chance(100000) : 0;
        w->fails[i] = chance(20) == 0;
        pl_buf_init(&w->left[i], SIZE_MAX / 2);
    }
}

// All pieces of tasks before `end`, in order.
static void expect(const struct world *w, size_t end)
{
    struct pl_buf expected;
    pl_buf_init(&expected, SIZE_MAX / 2);
    for (size_t task = 0; task < end; task++)
        for (uint32_t i = 0; i < w->pieces[task]; i++)
            put_piece(&expected, task, i, w->sizes[task]);
    assert_int_equal(w->heard.len, expected.len);
    assert_true(expected.len == 0 || memcmp(w->heard.data, expected.data, expected.len) == 0);
    pl_buf_fini(&expected);
}

static void test_random_runs_keep_the_order(void **unused)
{
    (void)unused;
    for (uint32_t seed = 1; seed <= 300; seed++) {
        struct world w;
        state = seed;
        fill(&w);
        const struct message_sink sink = {.say = hear, .user = &w};
        bool reads = chance(2) == 0, stops = !reads && chance(3) == 0;
        const struct runner_stream stream = {
            .window = 1 + chance(40), .next = read_next, .holds = left_bytes, .pass = pass};
        struct run run = {.places = 1 + chance(chance(4) == 0 ? 64 : 4),
                          .count = reads ? SIZE_MAX : w.end,
                          .kept_most = 1 + chance(60000),
                          .stops_at_failure = stops,
                          .sink = &sink,
                          .task = do_task,
                          .progress = count_progress,
                          .user = &w,
                          .stream = reads ? &stream : NULL};
        w.window = reads ? stream.window : 0;
        w.dry = chance(4) == 0 ? 1 + chance(30) : 0;
        size_t end = w.end, failed = 0;
        for (size_t i = 0; i < w.end; i++) {
            if (stops && w.fails[i])
                end = PL_MIN(end, i + 1);
            failed += w.fails[i];
        }
        size_t result = runner_run(&run);
        expect(&w, end);
        if (!stops || failed == 0) {
            assert_int_equal(result, reads ? 0 : failed);
            assert_int_equal(w.begun, w.end);
        } else {
            assert_true(result > 0);
        }
        pl_buf_fini(&w.heard);
    }
}

// The first task is slow.
static bool wait_first(void *user, size_t task, const struct runner_place *place)
{
    struct world *w = user;
    (void)place;
    if (task == 0) {
        while (atomic_load(&w->begun) < w->others)
            pause_for(1000);
        pause_for(1000000); // others would begin now
        assert_int_equal(atomic_load(&w->begun), w->others);
    } else {
        atomic_fetch_add(&w->begun, 1);
    }
    pl_buf_append_byte(&w->left[task], 'x');
    return true;
}

static size_t much(void *user, size_t task)
{
    const struct world *w = user;
    return w->left[task].len > 0 ? 100 : 0;
}

static void check_bounds(size_t others, size_t window, size_t most, uint32_t places)
{
    struct world w;
    const struct runner_stream stream = {.window = window, .next = read_next, .holds = much, .pass = pass};
    state = 1;
    fill(&w);
    w.end = 100;
    w.window = window;
    w.others = others;
    const struct run run = {
        .places = places, .count = SIZE_MAX, .kept_most = most, .task = wait_first, .user = &w, .stream = &stream};
    assert_int_equal(runner_run(&run), 0);
    assert_int_equal(w.heard.len, 100);
    pl_buf_fini(&w.heard);
}

// No more tasks are begun than the window has, and none once more is held than may be, apart from the first.
static void test_bounds_of_a_stream(void **unused)
{
    (void)unused;
    check_bounds(6, 7, 0, 4);
    check_bounds(3, 40, 250, 2);
}

static bool ready_once(void *user, uint32_t place)
{
    atomic_uint *asked = user;
    return place < 64 && atomic_fetch_add(asked, 1) < 3;
}

static bool nothing(void *user, size_t task, const struct runner_place *place)
{
    (void)user, (void)task, (void)place;
    return true;
}

// Places that are not ready leave the tasks to the others; what nobody takes has failed.
static void test_places_that_are_not_ready(void **unused)
{
    (void)unused;
    atomic_uint asked = 0;
    const struct runner_elsewhere elsewhere = {.ready = ready_once, .task = nothing, .user = &asked};
    struct run run = {.places = 2, .count = 10, .task = nothing, .elsewhere = &elsewhere};
    assert_int_equal(runner_run(&run), 7);
    run.count = 0;
    assert_int_equal(runner_run(&run), 0);
    struct world w;
    state = 2;
    fill(&w);
    w.end = 10;
    w.window = 4;
    const struct runner_stream stream = {.window = 4, .next = read_next, .holds = left_bytes, .pass = pass};
    const struct runner_elsewhere streaming = {.ready = ready_once, .task = nothing, .user = &asked};
    run = (struct run){
        .places = 2, .count = SIZE_MAX, .task = nothing, .elsewhere = &streaming, .user = &w, .stream = &stream};
    atomic_store(&asked, 0);
    assert_true(runner_run(&run) > 0);
    assert_int_equal(w.passed, 3);
    pl_buf_fini(&w.heard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_runs_keep_the_order),
        cmocka_unit_test(test_bounds_of_a_stream),
        cmocka_unit_test(test_places_that_are_not_ready),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
