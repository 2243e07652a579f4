// The runner: random tasks on random numbers of threads. What they say arrives in the order of the tasks, each piece
// once and whole; windows and bounds are kept, and failures stop what they shall stop.
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
    size_t read, end, window; // tasks that were read; behind the last one; of the run
    atomic_size_t begun, passed;
    atomic_int readers, writers;
    struct pl_buf heard;
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
    atomic_store(&w->passed, strtoul(text, NULL, 10));
    atomic_fetch_sub(&w->writers, 1);
}

static bool read_next(void *user, size_t task)
{
    struct world *w = user;
    assert_int_equal(atomic_fetch_add(&w->readers, 1), 0); // one at a time
    assert_int_equal(task, w->read);                       // in order
    assert_true(task < atomic_load(&w->passed) + w->window + 1);
    pause_for(chance(4) == 0 ? 2000 : 0);
    atomic_fetch_sub(&w->readers, 1);
    if (task == w->end)
        return false;
    w->read++;
    return true;
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
        message_say(place->sink, text.data, text.len);
    }
    pl_buf_fini(&text);
    return !w->fails[task];
}

static void count_progress(void *user, size_t done, size_t count, size_t failed)
{
    struct world *w = user;
    assert_true(done <= count && failed <= done && done <= atomic_load(&w->begun));
}

static void fill(struct world *w)
{
    *w = (struct world){.end = chance(TASKS)};
    pl_buf_init(&w->heard, SIZE_MAX / 2);
    for (uint32_t i = 0; i < TASKS; i++) {
        w->pieces[i] = 1 + chance(4);
        w->sizes[i] = chance(10) == 0 ? chance(20000) : chance(50);
        w->pauses[i] = chance(5) == 0 ? chance(100000) : 0;
        w->fails[i] = chance(20) == 0;
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
        bool reads = chance(2) == 0, stops = chance(3) == 0;
        struct run run = {.places = 1 + chance(chance(4) == 0 ? 64 : 4),
                          .count = reads ? SIZE_MAX : w.end,
                          .window = reads || chance(2) == 0 ? 1 + chance(40) : 0,
                          .kept_most = 1 + chance(60000),
                          .stops_at_failure = stops,
                          .sink = &sink,
                          .next = reads ? read_next : NULL,
                          .task = do_task,
                          .progress = count_progress,
                          .user = &w};
        w.window = run.window;
        size_t end = w.end, failed = 0;
        for (size_t i = 0; i < w.end; i++) {
            if (stops && w.fails[i])
                end = PL_MIN(end, i + 1);
            failed += w.fails[i];
        }
        size_t result = runner_run(&run);
        expect(&w, end);
        if (!stops || failed == 0) {
            assert_int_equal(result, failed);
            assert_int_equal(w.begun, w.end);
        } else {
            assert_true(result > 0);
        }
        pl_buf_fini(&w.heard);
    }
}

// The first task is slow: no more tasks are begun than the window has, and no more bytes are kept than it may.
static bool wait_first(void *user, size_t task, const struct runner_place *place)
{
    struct world *w = user;
    if (task == 0) {
        while (atomic_load(&w->begun) < w->window - 1)
            pause_for(1000);
        pause_for(1000000); // others would begin now
        assert_int_equal(atomic_load(&w->begun), w->window - 1);
    } else {
        atomic_fetch_add(&w->begun, 1);
    }
    message_say(place->sink, "0", 1);
    return true;
}

static void test_window(void **unused)
{
    (void)unused;
    struct world w = {.window = 7};
    const struct message_sink sink = {.say = hear, .user = &w};
    pl_buf_init(&w.heard, SIZE_MAX / 2);
    const struct run run = {.places = 4, .count = 100, .window = 7, .sink = &sink, .task = wait_first, .user = &w};
    assert_int_equal(runner_run(&run), 0);
    assert_int_equal(w.heard.len, 100);
    pl_buf_fini(&w.heard);
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
    run.count = SIZE_MAX;
    run.window = 4;
    assert_true(runner_run(&run) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_runs_keep_the_order),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_places_that_are_not_ready),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
