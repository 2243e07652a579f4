// Which of the jobs that a lane holds is drawn next. Here no broker is slow, so that each choice is certain.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/ckd.h"
#include "work_lane.h"

#define MORE 9u // the number of the consumer that holds many jobs of one queue
#define HELD 8u

static struct work work = {.deliveries_most = 40};

static void begin(struct lane *lane, struct slot *slots, uint32_t count)
{
    *lane = (struct lane){.work = &work, .slots = slots, .slot_count = count, .more = {.number = MORE}, .more_turn = 1};
    memset(slots, 0, count * sizeof *slots);
    for (uint32_t turn = 0; turn < BROKER_TURNS; turn++)
        lane->first[turn].number = turn + 1;
}

static struct slot *arrive(struct lane *lane, uint32_t consumer)
{
    struct slot *slot = lane_free_slot(lane);
    assert_non_null(slot);
    slot_take(lane, slot, &(struct broker_message){.consumer = consumer});
    return slot;
}

// The lane begins it, and it is done. Returns whose it was.
static uint32_t draw(struct lane *lane)
{
    struct slot *slot = lane_waiting_slot(lane);
    assert_non_null(slot);
    uint32_t turn = slot->turn;
    lane->begun[turn] = ++lane->turns;
    slot_free(lane, slot);
    return turn;
}

static void queues_take_turns_however_many_jobs_of_one_are_held(void **state)
{
    (void)state;
    struct lane lane;
    struct slot slots[HELD + BROKER_TURNS];
    begin(&lane, slots, PL_COUNTOF(slots));
    for (uint32_t i = 0; i < HELD; i++)
        arrive(&lane, MORE);
    arrive(&lane, 1);
    arrive(&lane, 3);
    uint32_t drawn[BROKER_TURNS] = {0};
    for (uint32_t round = 1; round <= 50; round++) {
        for (uint32_t i = 0; i < BROKER_TURNS; i++) {
            uint32_t turn = draw(&lane);
            drawn[turn]++;
            arrive(&lane, turn == 1 ? MORE : turn + 1); // the broker has more of each
        }
        for (uint32_t turn = 0; turn < BROKER_TURNS; turn++)
            assert_int_equal(drawn[turn], round);
    }
}

static void a_queue_alone_is_drawn_in_order_and_one_that_was_empty_comes_next(void **state)
{
    (void)state;
    struct lane lane;
    struct slot slots[HELD + BROKER_TURNS];
    begin(&lane, slots, PL_COUNTOF(slots));
    for (uint32_t i = 0; i < HELD; i++)
        arrive(&lane, MORE);
    for (uint64_t order = 1; order < HELD; order++) {
        assert_true(lane_waiting_slot(&lane)->order == order);
        assert_int_equal(draw(&lane), 1);
    }
    arrive(&lane, MORE);
    arrive(&lane, 1);
    assert_int_equal(draw(&lane), 0);
    assert_int_equal(draw(&lane), 1);
    assert_int_equal(draw(&lane), 1);
    assert_null(lane_waiting_slot(&lane));
}

static void a_job_that_may_end_its_worker_comes_last(void **state)
{
    (void)state;
    struct lane lane;
    struct slot slots[HELD + BROKER_TURNS];
    begin(&lane, slots, PL_COUNTOF(slots));
    arrive(&lane, 1)->deliveries = 9;
    arrive(&lane, MORE)->deliveries = 5;
    arrive(&lane, MORE);
    arrive(&lane, MORE)->deliveries = 2; // not often enough
    static const uint64_t WANTED[] = {3, 4, 2, 1};
    for (size_t i = 0; i < PL_COUNTOF(WANTED); i++) {
        assert_true(lane_waiting_slot(&lane)->order == WANTED[i]);
        (void)draw(&lane);
    }
}

// What is done before it is acknowledged at once: a job that is held must not be among it.
static void the_first_tag_is_of_a_job_that_is_held_on_this_connection(void **state)
{
    (void)state;
    struct lane lane;
    struct slot slots[HELD];
    begin(&lane, slots, PL_COUNTOF(slots));
    assert_true(lane_first_tag(&lane) == UINT64_MAX);
    struct slot *held[4];
    for (uint32_t i = 0; i < PL_COUNTOF(held); i++) {
        held[i] = arrive(&lane, MORE);
        held[i]->job.tag = 10 - i; // the order in the list is not that of arrival
    }
    held[1]->state = SLOT_RENDERING;
    held[2]->state = SLOT_PUBLISHED;
    assert_true(lane_first_tag(&lane) == 7);
    slot_free(&lane, held[3]);
    assert_true(lane_first_tag(&lane) == 8);
    slot_free(&lane, held[2]);
    assert_true(lane_first_tag(&lane) == 9);
    held[1]->stale = true; // its tag is of a connection that is over
    assert_true(lane_first_tag(&lane) == 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_take_turns_however_many_jobs_of_one_are_held),
        cmocka_unit_test(a_queue_alone_is_drawn_in_order_and_one_that_was_empty_comes_next),
        cmocka_unit_test(a_job_that_may_end_its_worker_comes_last),
        cmocka_unit_test(the_first_tag_is_of_a_job_that_is_held_on_this_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
