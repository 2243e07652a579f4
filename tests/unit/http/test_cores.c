// How many cores a container's share of time is worth.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "http/server.h"

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
        assert_int_equal(http_cores_of_quota(pl_slice_cstr(rows[i].text)), rows[i].cores);
}

static void there_is_at_least_one(void **state)
{
    (void)state;
    assert_true(http_core_count() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(quotas), cmocka_unit_test(there_is_at_least_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
