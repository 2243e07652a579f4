// gzip bodies: back and forth, limits, damage.
#include <stdlib.h>
#include <string.h>

#include "http/message/gzip.h"
#include "unit.h"

static void back_and_forth(void **state)
{
    (void)state;
    char text[5000];
    for (size_t i = 0; i < sizeof(text); i++)
        text[i] = (char)('a' + i % 7);
    uint8_t *packed, *plain;
    size_t packed_len, plain_len;
    struct pl_error err = {0};
    assert_int_equal(http_gzip(pl_slice_make(text, sizeof(text)), &packed, &packed_len, &err), PL_OK);
    assert_non_null(packed);
    struct pl_slice gzip = pl_slice_make(packed, packed_len);
    assert_int_equal(http_gunzip(gzip, sizeof(text), &plain, &plain_len, &err), PL_OK);
    assert_int_equal(plain_len, sizeof(text));
    assert_memory_equal(plain, text, sizeof(text));
    free(plain);
    assert_int_equal(http_gunzip(gzip, sizeof(text) - 1, &plain, &plain_len, &err), PL_E_LIMIT);
    // Every shortened form and every changed byte of the trailer is refused, as damaged.
    for (size_t n = 0; n < packed_len; n++)
        assert_int_equal(http_gunzip(pl_slice_sub(gzip, 0, n), sizeof(text), &plain, &plain_len, &err), PL_E_INVALID);
    for (size_t i = packed_len - 8; i < packed_len; i++) {
        packed[i] ^= 1;
        assert_int_not_equal(http_gunzip(gzip, 1u << 30, &plain, &plain_len, &err), PL_OK);
        assert_null(plain);
        packed[i] ^= 1;
    }
    free(packed);
}

// The last bytes of what came are then no size, whatever they say.
static void an_end_that_is_missing_is_not_a_size(void **state)
{
    (void)state;
    static const char TEXT[] = "a label, a label, a label, a label, a label, a label, a label, a label, a label";
    uint8_t *packed, *plain;
    size_t packed_len, plain_len;
    struct pl_error err = {0};
    assert_int_equal(http_gzip(pl_slice_cstr(TEXT), &packed, &packed_len, &err), PL_OK);
    for (size_t n = 18; n < packed_len; n++) {
        uint8_t last[4], high[4] = {0, 16, 0, 0}; // 4096
        memcpy(last, packed + n - 4, 4);
        memcpy(packed + n - 4, high, 4);
        assert_int_equal(http_gunzip(pl_slice_make(packed, n), 2048, &plain, &plain_len, &err), PL_E_INVALID);
        assert_null(plain);
        memcpy(packed + n - 4, last, 4);
    }
    free(packed);
}

// RFC 1952, 2.2: a file is a series of members. Their sizes count together; only the last is stated at the end.
static void members_in_a_row_are_one_body(void **state)
{
    (void)state;
    static const uint8_t EMPTY[20] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3};
    char text[5000];
    for (size_t i = 0; i < sizeof(text); i++)
        text[i] = (char)('a' + i % 7);
    uint8_t *packed, *plain, row[4096];
    size_t packed_len, plain_len, len = 0;
    struct pl_error err = {0};
    assert_int_equal(http_gzip(pl_slice_make(text, sizeof(text)), &packed, &packed_len, &err), PL_OK);
    for (int i = 0; i < 3; i++) {
        memcpy(row + len, packed, packed_len);
        memcpy(row + len + packed_len, EMPTY, sizeof(EMPTY));
        len += packed_len + sizeof(EMPTY);
    }
    free(packed);
    struct pl_slice all = pl_slice_make(row, len);
    assert_int_equal(http_gunzip(all, 3 * sizeof(text), &plain, &plain_len, &err), PL_OK);
    assert_int_equal(plain_len, 3 * sizeof(text));
    for (size_t i = 0; i < 3; i++)
        assert_memory_equal(plain + i * sizeof(text), text, sizeof(text));
    free(plain);
    assert_int_equal(http_gunzip(all, 3 * sizeof(text) - 1, &plain, &plain_len, &err), PL_E_LIMIT);
    assert_null(plain);
    // A member that is cut off, and what is none.
    for (size_t n = len - sizeof(EMPTY) + 1; n < len; n++)
        assert_int_equal(http_gunzip(pl_slice_make(row, n), 1u << 20, &plain, &plain_len, &err), PL_E_INVALID);
    row[len] = 0;
    assert_int_equal(http_gunzip(pl_slice_make(row, len + 1), 1u << 20, &plain, &plain_len, &err), PL_E_INVALID);
    assert_null(plain);
}

static void what_does_not_pay_is_left_alone(void **state)
{
    (void)state;
    uint8_t *packed;
    size_t len;
    assert_int_equal(http_gzip(pl_slice_cstr("abc"), &packed, &len, NULL), PL_OK);
    assert_null(packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(back_and_forth), cmocka_unit_test(an_end_that_is_missing_is_not_a_size),
        cmocka_unit_test(members_in_a_row_are_one_body), cmocka_unit_test(what_does_not_pay_is_left_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
