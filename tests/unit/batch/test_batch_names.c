// Ids of documents and the names of files.
#include <stdio.h>

#include "batch/names.h"
#include "unit.h"

static void a_set_knows_each_id_once(void **state)
{
    struct pl_id_set set = {0};
    char id[16];
    (void)state;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 5000; i++) {
            int len = snprintf(id, sizeof id, "id-%d", i);
            assert_int_equal(pl_id_set_add(&set, pl_slice_make(id, (size_t)len)), round ? PL_ID_KNOWN : PL_ID_NEW);
        }
    }
    assert_int_equal(set.count, 5000);
    assert_true(pl_id_set_has(&set, pl_slice_cstr("id-4999")));
    assert_false(pl_id_set_has(&set, pl_slice_cstr("id-5000")));
    pl_id_set_free(&set);
    assert_false(pl_id_set_has(&set, pl_slice_cstr("id-1")));
}

// Two pairs, each with the same FNV-1a.
static void ids_that_somebody_has_chosen_are_not_taken_for_each_other(void **state)
{
    static const char *const CHOSEN[] = {"77kepQFQ8Kl", "!0IC=VloaY", "4Ry9Ku5xRzD", "WU4BAmnyGXO"};
    struct pl_id_set set = {0};
    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pl_id_set_add(&set, pl_slice_cstr(CHOSEN[i])), PL_ID_NEW);
    assert_int_equal(set.count, 4);
    pl_id_set_free(&set);
    assert_true(pl_id_hash(pl_slice_cstr("a")) == pl_id_hash(pl_slice_cstr("a")));
}

static void expect_name(const char *id, const char *name)
{
    struct pl_buf out;
    pl_buf_init(&out, 1000);
    pl_file_name(pl_slice_cstr(id), &out);
    assert_int_equal(out.len, strlen(name));
    assert_memory_equal(out.data, name, out.len);
    pl_buf_fini(&out);
}

static void an_id_cannot_lead_out_of_its_folder(void **state)
{
    (void)state;
    expect_name("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd");
    expect_name("a\\b:c\n", "a%5Cb%3Ac%0A");
    expect_name("Grüße 1", "Grüße 1");
    assert_false(pl_id_usable(pl_slice_cstr("")));
    assert_false(pl_id_usable(pl_slice_cstr("a\tb")));
    assert_false(pl_id_usable(pl_slice_cstr("M\x81ller")));
    assert_true(pl_id_usable(pl_slice_cstr("M\xC3\xBCller")));
    assert_true(pl_id_usable(pl_slice_cstr("../a")));
}

static void expect_other_names(const char *a, uint32_t a_count, const char *b, uint32_t b_count)
{
    struct pl_buf one, other;
    pl_buf_init(&one, 1000);
    pl_buf_init(&other, 1000);
    pl_label_file_name(pl_slice_cstr(a), 0, a_count, &one);
    pl_label_file_name(pl_slice_cstr(b), 0, b_count, &other);
    assert_false(one.failed || other.failed);
    assert_in_range(one.len, 1, PL_ID_MAX + 4);
    assert_false(pl_slice_eq(pl_buf_slice(&one), pl_buf_slice(&other)));
    pl_buf_fini(&one);
    pl_buf_fini(&other);
}

static void two_ids_never_have_the_same_file(void **state)
{
    char slashes[PL_ID_MAX + 1], others[PL_ID_MAX + 1];
    (void)state;
    expect_other_names("a/b", 1, "a:b", 1);
    expect_other_names("a/b", 1, "a_b", 1);
    expect_other_names("a/b", 1, "a%2Fb", 1);
    expect_other_names(".a", 1, "%2Ea", 1);
    expect_other_names("a", 2, "a-1", 1);
    expect_other_names("a", 2, "a+1", 1);
    expect_other_names("a", 2, "a", 1);
    memset(slashes, '/', PL_ID_MAX);
    memset(others, '/', PL_ID_MAX);
    slashes[PL_ID_MAX] = others[PL_ID_MAX] = '\0';
    others[PL_ID_MAX - 1] = 'x';
    expect_other_names(slashes, 1, others, 1);
}

static void files_that_nobody_sees_are_known(void **state)
{
    (void)state;
    assert_true(pl_file_hidden(pl_slice_cstr("in/.DS_Store")));
    assert_true(pl_file_hidden(pl_slice_cstr("__MACOSX/in/a.zpl")));
    assert_false(pl_file_hidden(pl_slice_cstr("in.d/a.zpl")));
    assert_false(pl_file_hidden(pl_slice_cstr("")));
}

static void the_id_of_a_file_is_its_name_without_folder_and_ending(void **state)
{
    (void)state;
    assert_true(pl_slice_eq_cstr(pl_file_id(pl_slice_cstr("in/box/a.b.zpl")), "a.b"));
    assert_true(pl_slice_eq_cstr(pl_file_id(pl_slice_cstr(".zpl")), ".zpl"));
    assert_true(pl_slice_eq_cstr(pl_file_id(pl_slice_cstr("plain")), "plain"));
    assert_true(pl_slice_eq_cstr(pl_file_id(pl_slice_cstr("a.zpl/")), ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_knows_each_id_once),
        cmocka_unit_test(ids_that_somebody_has_chosen_are_not_taken_for_each_other),
        cmocka_unit_test(an_id_cannot_lead_out_of_its_folder),
        cmocka_unit_test(two_ids_never_have_the_same_file),
        cmocka_unit_test(files_that_nobody_sees_are_known),
        cmocka_unit_test(the_id_of_a_file_is_its_name_without_folder_and_ending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
