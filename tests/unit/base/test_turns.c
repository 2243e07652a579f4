// Turns of clients: rounds of jobs, and the order that they make.
#include "base/turns.h"
#include "unit.h"

static void another_client_comes_before_the_second_job_of_a_flood(void **state)
{
    (void)state;
    struct turns t = {0};
    uint64_t first = turns_join(&t, 7, 10, TURN_OF_CLIENT), second = turns_join(&t, 7, 10, TURN_OF_CLIENT);
    for (int i = 0; i < 100; i++)
        assert_true(turns_join(&t, 7, 10, TURN_OF_CLIENT) > second);
    uint64_t other = turns_join(&t, 8, 10, TURN_OF_CLIENT);
    assert_true(other >= first && other < second);
    // Not before those that were begun.
    turns_leave(&t, 7, 10, first);
    turns_leave(&t, 7, 10, second);
    assert_true(turns_join(&t, 9, 10, TURN_OF_CLIENT) >= second);
    assert_int_equal(turns_share_of(&t, 7)->jobs, 100);
    assert_int_equal(turns_share_of(&t, 7)->bytes, 1000);
}

static void what_comes_after_a_reset_is_drawn_after_it(void **state)
{
    (void)state;
    struct turns t = {0};
    uint64_t before = 0;
    for (int i = 0; i < 10; i++)
        before = turns_join(&t, 7, 0, TURN_OF_CLIENT);
    uint64_t reset = turns_join(&t, 0, 0, TURN_AFTER_ALL);
    assert_true(reset > before);
    assert_true(turns_join(&t, 8, 0, TURN_OF_CLIENT) >= reset);
}

static void bytes_that_become_jobs_are_known_until_they_are_released(void **state)
{
    (void)state;
    struct turns t = {0};
    turns_reserve(&t, 7, 10);
    turns_reserve(&t, 8, 5);
    assert_int_equal(t.reserved, 15);
    assert_int_equal(turns_share_of(&t, 7)->reserved, 10);
    assert_int_equal(turns_share_of(&t, 7)->bytes, 0); // none is in the queue yet
    turns_release(&t, 7, 10);
    assert_int_equal(t.reserved, 5);
    assert_int_equal(turns_share_of(&t, 7)->reserved, 0);
}

// Clients that left took the turns of those that came after them from the same address.
static void a_turn_that_was_not_taken_is_the_client_s_next_one(void **state)
{
    (void)state;
    struct turns t = {0};
    for (int i = 0; i < 100; i++)
        turns_join(&t, 7, 10, TURN_OF_CLIENT);
    for (int i = 0; i < 100; i++)
        turns_withdraw(&t, 7, 10);
    assert_int_equal(turns_share_of(&t, 7)->jobs, 0);
    assert_int_equal(turns_share_of(&t, 7)->bytes, 0);
    assert_true(turns_join(&t, 7, 10, TURN_OF_CLIENT) <= turns_join(&t, 8, 10, TURN_OF_CLIENT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_that_was_not_taken_is_the_client_s_next_one),
        cmocka_unit_test(another_client_comes_before_the_second_job_of_a_flood),
        cmocka_unit_test(bytes_that_become_jobs_are_known_until_they_are_released),
        cmocka_unit_test(what_comes_after_a_reset_is_drawn_after_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
