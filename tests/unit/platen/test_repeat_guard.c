// Label code that renderers did not survive: who has to wait, and for how long.
#include "api/repeat_guard.h"

#include <stdio.h>

#include "unit.h"

#define SECOND 1000000000ull

static struct repeat_guard guard;

static int set_up(void **state)
{
    (void)state;
    guard = (struct repeat_guard){0};
    repeat_guard_init(&guard);
    return 0;
}

static uint32_t wait_s(const char *client, const char *zpl, uint64_t now)
{
    return repeat_guard_wait_s(&guard, pl_slice_cstr(client), pl_slice_cstr(zpl), now);
}

static void note(const char *client, const char *zpl, uint64_t now)
{
    repeat_guard_note(&guard, pl_slice_cstr(client), pl_slice_cstr(zpl), now);
}

static void two_failures_are_free_and_then_the_wait_doubles(void **state)
{
    (void)state;
    uint64_t now = 1000 * SECOND;
    static const uint32_t expected[] = {0, 0, 1, 2, 4, 8, 16, 32, 60, 60};
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        note("10.0.0.1", "^XA", now);
        uint32_t wait = wait_s("10.0.0.1", "^XA", now + 1);
        assert_int_equal(wait, expected[i]);
        now += wait * SECOND;
        assert_int_equal(wait_s("10.0.0.1", "^XA", now), 0);
    }
}

static void other_clients_and_other_code_do_not_wait(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++)
        note("10.0.0.1", "^XA", SECOND);
    assert_true(wait_s("10.0.0.1", "^XA", SECOND) > 0);
    assert_int_equal(wait_s("10.0.0.2", "^XA", SECOND), 0);
    assert_int_equal(wait_s("10.0.0.1", "^XA ", SECOND), 0);
}

static void after_ten_minutes_it_is_forgotten(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++)
        note("c", "z", SECOND);
    assert_true(wait_s("c", "z", 30 * SECOND) > 0);
    note("c", "z", 700 * SECOND);
    assert_int_equal(wait_s("c", "z", 700 * SECOND), 0);
}

static void a_full_table_forgets_the_oldest(void **state)
{
    (void)state;
    char zpl[16];
    for (int i = 0; i < 3; i++)
        note("c", "old", SECOND);
    for (unsigned i = 0; i < 20000; i++) {
        snprintf(zpl, sizeof(zpl), "%u", i);
        note("c", zpl, 2 * SECOND + i);
    }
    for (int i = 0; i < 3; i++)
        note("c", "new", 3 * SECOND);
    assert_int_equal(wait_s("c", "old", SECOND), 0);
    assert_true(wait_s("c", "new", 3 * SECOND) > 0);
}

static void a_thread_that_looked_at_the_clock_before_another_erases_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++)
        note("c", "z", 1000 * SECOND);
    assert_true(wait_s("c", "z", 1000 * SECOND - 1000) > 0);
    note("c", "z", 1000 * SECOND - 1000);
    assert_true(wait_s("c", "z", 1000 * SECOND) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(two_failures_are_free_and_then_the_wait_doubles, set_up),
        cmocka_unit_test_setup(other_clients_and_other_code_do_not_wait, set_up),
        cmocka_unit_test_setup(after_ten_minutes_it_is_forgotten, set_up),
        cmocka_unit_test_setup(a_full_table_forgets_the_oldest, set_up),
        cmocka_unit_test_setup(a_thread_that_looked_at_the_clock_before_another_erases_nothing, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
