// Groups of rows: what is written is read, and what is not whole is no row.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "group.h"

static const struct group_row ROWS[] = {
    {{1, 2, 3, 0},
     4,
     true,
     {(const uint8_t *)"image/png", 9},
     {(const uint8_t *)"png", 3},
     {(const uint8_t *)"a", 1},
     {(const uint8_t *)"\n1 2\n", 5}},
    {{UINT64_MAX, UINT64_MAX, UINT32_MAX, UINT64_MAX},
     UINT64_MAX,
     false,
     {(const uint8_t *)"", 0},
     {(const uint8_t *)"", 0},
     {(const uint8_t *)"b c", 3},
     {(const uint8_t *)"", 0}},
};

static void put_all(struct pl_buf *out)
{
    pl_buf_init(out, 1 << 20);
    for (size_t i = 0; i < 2; i++)
        group_put(out, &ROWS[i]);
}

static void rows_are_read_as_they_were_written(void **state)
{
    (void)state;
    struct pl_buf text;
    uint32_t count;
    put_all(&text);
    struct pl_slice rest = pl_buf_slice(&text);
    assert_true(group_usable(rest, &count));
    assert_int_equal(count, 2);
    for (size_t i = 0; i < 2; i++) {
        struct group_row row;
        assert_true(group_next(&rest, &row));
        assert_memory_equal(&row.mark, &ROWS[i].mark, sizeof row.mark);
        assert_true(row.sequence == ROWS[i].sequence && row.ok == ROWS[i].ok);
        assert_true(pl_slice_eq(row.type, ROWS[i].type) && pl_slice_eq(row.ending, ROWS[i].ending));
        assert_true(pl_slice_eq(row.id, ROWS[i].id) && pl_slice_eq(row.body, ROWS[i].body));
    }
    assert_int_equal(rest.len, 0);
    pl_buf_fini(&text);
}

static void what_is_cut_off_is_no_group(void **state)
{
    (void)state;
    struct pl_buf text, first;
    uint32_t count;
    put_all(&text);
    pl_buf_init(&first, 1 << 20);
    group_put(&first, &ROWS[0]);
    for (size_t len = 0; len < text.len; len++)
        assert_true(group_usable(pl_slice_make(text.data, len), &count) == (len == first.len));
    pl_buf_append_byte(&text, 'x');
    assert_false(group_usable(pl_buf_slice(&text), &count));
    pl_buf_fini(&text);
    pl_buf_fini(&first);
}

static void lengths_beyond_the_message_and_ids_that_name_nothing_are_refused(void **state)
{
    (void)state;
#define MARK "0123456789abcdef 0123456789abcdef 01234567 "
    static const char *const BAD[] = {MARK "1 ok - - 1 18446744073709551615\na",
                                      MARK "1 ok - - 18446744073709551615 1\na",
                                      MARK "1 ok - - 99999999999999999999 0\na",
                                      MARK "1 ok - - -1 0\na",
                                      MARK "1 ok - - 0 1\na",
                                      MARK "1 ok - - 1 0\n\t",
                                      MARK "1 ok - - 1\na",
                                      MARK "x ok - - 1 0\na",
                                      MARK "1 ok - - 1 0 7\na",
                                      MARK "1 ok \x01 - 1 0\na",
                                      MARK "1 ok - \x7f 1 0\na",
                                      "x"};
    uint32_t count;
    assert_true(group_usable(pl_slice_cstr(MARK "1 ok - - 1 0\na"), &count));
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_false(group_usable(pl_slice_cstr(BAD[i]), &count));
}

static void a_message_has_no_more_rows_than_it_may_have(void **state)
{
    (void)state;
    struct pl_buf text;
    uint32_t count;
    pl_buf_init(&text, 1 << 20);
    for (uint32_t i = 0; i < GROUP_ROWS_MOST; i++)
        group_put(&text, &ROWS[0]);
    assert_true(group_usable(pl_buf_slice(&text), &count));
    assert_int_equal(count, GROUP_ROWS_MOST);
    group_put(&text, &ROWS[0]);
    assert_false(group_usable(pl_buf_slice(&text), &count));
    pl_buf_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_read_as_they_were_written),
        cmocka_unit_test(what_is_cut_off_is_no_group),
        cmocka_unit_test(lengths_beyond_the_message_and_ids_that_name_nothing_are_refused),
        cmocka_unit_test(a_message_has_no_more_rows_than_it_may_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
