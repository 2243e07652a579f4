// How many cores there are for a process.
#include "unit.h"

#include <sched.h>

#include "os/cores.h"

static void quotas(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t cores;
    } rows[] = {
        {"max 100000\n", 0},
        {"100000 100000\n", 1},
        {"200000 100000\n", 2},
        {"250000 100000\n", 3}, // a part of a core is worth a thread
        {"50000 100000\n", 1},
        {"6400000 100000", 64},
        {"0 100000\n", 0},
        {"100000 0\n", 0},
        {"100000\n", 0},
        {"100000 \n", 0},
        {"", 0},
        {"-1 100000\n", 0},
        {"99999999999999999999 1\n", 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(pl_cores_of_quota(rows[i].text), rows[i].cores);
}

static void there_is_at_least_one(void **state)
{
    (void)state;
    assert_true(pl_core_count() >= 1);
}

static void only_those_the_process_may_run_on(void **state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    size_t first = 0;
    while (!CPU_ISSET(first, &before))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(pl_core_count(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(quotas), cmocka_unit_test(there_is_at_least_one),
                                       cmocka_unit_test(only_those_the_process_may_run_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
