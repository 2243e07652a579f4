// Seconds since 1970 and dates, there and back.
#include "unit.h"

#include <time.h>

#include "base/ckd.h"
#include "base/date.h"

static void dates_go_there_and_back(void **state)
{
    (void)state;
    static const struct {
        int64_t seconds;
        int32_t year, month, day, hour, minute, second, weekday, year_day;
    } CASES[] = {
        {0, 1970, 1, 1, 0, 0, 0, 4, 0},
        {-1, 1969, 12, 31, 23, 59, 59, 3, 364},
        {-86400, 1969, 12, 31, 0, 0, 0, 3, 364},
        {951782400, 2000, 2, 29, 0, 0, 0, 2, 59}, // by 400: a leap year
        {1709164800, 2024, 2, 29, 0, 0, 0, 4, 59},
        {1735689599, 2024, 12, 31, 23, 59, 59, 2, 365},
        {1772719629, 2026, 3, 5, 14, 7, 9, 4, 63},
        {2147483647, 2038, 1, 19, 3, 14, 7, 2, 18}, // the last second of 32 bits
        {2147483648, 2038, 1, 19, 3, 14, 8, 2, 18},
        {4102444800, 2100, 1, 1, 0, 0, 0, 5, 0},
        {4107542399, 2100, 2, 28, 23, 59, 59, 0, 58}, // by 100: no leap year
        {4107542400, 2100, 3, 1, 0, 0, 0, 1, 59},
        {-62135596800, 1, 1, 1, 0, 0, 0, 1, 0},
        {253402300799, 9999, 12, 31, 23, 59, 59, 5, 364},
    };
    for (size_t i = 0; i < PL_COUNTOF(CASES); i++) {
        struct pl_date d;
        pl_date_from_seconds(CASES[i].seconds, &d);
        assert_int_equal(d.year, CASES[i].year);
        assert_int_equal(d.month, CASES[i].month);
        assert_int_equal(d.day, CASES[i].day);
        assert_int_equal(d.hour, CASES[i].hour);
        assert_int_equal(d.minute, CASES[i].minute);
        assert_int_equal(d.second, CASES[i].second);
        assert_int_equal(d.weekday, CASES[i].weekday);
        assert_int_equal(d.year_day, CASES[i].year_day);
        assert_int_equal(pl_date_to_seconds(d.year, d.month, d.day, d.hour, d.minute, d.second), CASES[i].seconds);
    }
}

// 400 years and more, every day of them, at a time of day that moves on.
static void every_day_is_the_libraries(void **state)
{
    (void)state;
    for (int64_t day = -80000; day < 80000; day++) {
        time_t seconds = day * 86400 + ((day % 86400 + 86400) * 7919) % 86400;
        struct pl_date d;
        struct tm tm;
        pl_date_from_seconds(seconds, &d);
        assert_non_null(gmtime_r(&seconds, &tm));
        if (d.year != tm.tm_year + 1900 || d.month != tm.tm_mon + 1 || d.day != tm.tm_mday || d.hour != tm.tm_hour ||
            d.minute != tm.tm_min || d.second != tm.tm_sec || d.weekday != tm.tm_wday || d.year_day != tm.tm_yday ||
            pl_date_to_seconds(d.year, d.month, d.day, d.hour, d.minute, d.second) != seconds)
            fail_msg("day %lld", (long long)day);
    }
}

static void days_beyond_a_month_are_carried_over(void **state)
{
    (void)state;
    assert_int_equal(pl_date_to_seconds(2100, 2, 29, 0, 0, 0), pl_date_to_seconds(2100, 3, 1, 0, 0, 0));
    assert_int_equal(pl_date_to_seconds(2024, 12, 31, 24, 0, 0), pl_date_to_seconds(2025, 1, 1, 0, 0, 0));
    assert_int_equal(pl_date_to_seconds(2024, 1, 0, 0, 0, 0), pl_date_to_seconds(2023, 12, 31, 0, 0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_go_there_and_back),
        cmocka_unit_test(every_day_is_the_libraries),
        cmocka_unit_test(days_beyond_a_month_are_carried_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
