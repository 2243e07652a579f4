// Rows that wait until those before them have a result: whatever the order in which they come, they are given in that
// of their places, each once, and what cannot be kept is said.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "pack_ahead.h"

#define ROWS 1000u

static bool add(struct pack_ahead *ahead, uint64_t place)
{
    char id[24];
    snprintf(id, sizeof id, "id%llu", (unsigned long long)place);
    const struct pack_row row = {.sequence = place,
                                 .place = place * 7,
                                 .type = pl_slice_cstr("application/zip"),
                                 .ending = pl_slice_cstr("part"),
                                 .id = pl_slice_cstr(id)};
    return pack_ahead_add(ahead, &row);
}

static void check_next(struct pack_ahead *ahead, uint64_t place)
{
    struct pack_row row;
    char id[24];
    snprintf(id, sizeof id, "id%llu", (unsigned long long)place);
    assert_true(pack_ahead_next(ahead, &row));
    assert_int_equal(row.sequence, place);
    assert_int_equal(row.place, place * 7);
    assert_true(pl_slice_eq_cstr(row.id, id));
    assert_true(pl_slice_eq_cstr(row.ending, "part"));
    assert_true(pl_slice_eq_cstr(row.type, "application/zip"));
}

static void rows_are_given_in_the_order_of_their_places(void **state)
{
    (void)state;
    struct pack_ahead ahead = {0};
    struct pack_row row;
    uint64_t given = 0;
    for (uint64_t i = 0; i < ROWS; i++) { // 389 and ROWS have no common divisor
        uint64_t place = i * 389 % ROWS + 1;
        assert_true(add(&ahead, place));
        while (ahead.count > 0 && ahead.rows[0].sequence == given + 1)
            check_next(&ahead, ++given);
        assert_false(pack_ahead_next(&ahead, &row));
    }
    assert_int_equal(given, ROWS);
    assert_false(add(&ahead, ROWS)); // it was given already: its result is another one now
    pack_ahead_free(&ahead);
}

static void no_more_wait_than_may(void **state)
{
    (void)state;
    struct pack_ahead ahead = {0};
    uint64_t place = 2;
    while (add(&ahead, place))
        place++;
    assert_int_equal(ahead.count, PACK_AHEAD_MOST);
    pack_ahead_free(&ahead);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_given_in_the_order_of_their_places),
        cmocka_unit_test(no_more_wait_than_may),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
