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
    expect_name("../../etc/passwd", "_._.._etc_passwd");
    expect_name("a\\b:c\n", "a_b_c_");
    expect_name("Grüße 1", "Grüße 1");
    assert_false(pl_id_usable(pl_slice_cstr("")));
    assert_false(pl_id_usable(pl_slice_cstr("a\tb")));
    assert_true(pl_id_usable(pl_slice_cstr("../a")));
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
        cmocka_unit_test(an_id_cannot_lead_out_of_its_folder),
        cmocka_unit_test(the_id_of_a_file_is_its_name_without_folder_and_ending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
