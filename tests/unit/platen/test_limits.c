// The time of a file on the command line.
#include "unit.h"

#include "base/job.h"
#include "base/limits.h"
#include "cli/cli_limits.h"

// platen fmt had the time of 500 labels, however many it drew.
static void each_further_500_labels_have_as_much_time(void **state)
{
    (void)state;
    struct cli_limits limits = {.render_ms = 3600000};
    const uint64_t hour = UINT64_C(3600000000000);
    for (uint64_t hours = 1; hours <= 4; hours++) {
        uint64_t began = pl_now_ns();
        uint64_t least = cli_deadline_of(&limits, began + hour, (hours - 1) * PL_LIMIT_LABELS + 1);
        uint64_t most = cli_deadline_of(&limits, began + hour, hours * PL_LIMIT_LABELS);
        // Counted from where the file began, however long it took to count its labels.
        assert_int_equal(least, began + hours * hour);
        assert_int_equal(most, began + hours * hour);
    }
    assert_int_equal(cli_deadline_of(&limits, 7, 0), 7);
    limits.render_ms = 0;
    assert_int_equal(cli_deadline(&limits), 0);
    assert_int_equal(cli_deadline_of(&limits, 0, 5000), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_further_500_labels_have_as_much_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
